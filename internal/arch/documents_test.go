package arch_test

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/types"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A reference is the name of a package, or a path that ends in it, and of what it exports: a function, a type, a
// method, or a field. In Markdown it stands alone in backticks, and so does a test with the path of its package.
var (
	reference = regexp.MustCompile(`\b([a-z]+(?:/[a-z]+)*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)\b`)
	quoted    = regexp.MustCompile("`" + reference.String() + "`")
)

// notOurs lists packages of other modules that documents name in the same way.
var notOurs = []string{"corev1", "math", "resource"}

// danglingReferences returns the names in a text that no package exports, and the tests that do not exist.
func (p *project) danglingReferences(name, text string, form *regexp.Regexp) (found []string) {
	for _, match := range form.FindAllStringSubmatch(text, -1) {
		pkg, export := match[1], match[2]
		exists := slices.ContainsFunc(p.public(), func(p libraryPackage) bool {
			return strings.HasSuffix("/"+p.path, "/"+pkg) && exports(p.Package, export)
		})
		isTest := slices.ContainsFunc(p.in(pkg), func(f *file) bool {
			return f.isTest() && f.tree.Scope.Lookup(export) != nil
		})
		if !exists && !isTest && !slices.Contains(notOurs, pkg) {
			found = append(found, fmt.Sprintf("%s: there is no %s.%s", name, pkg, export))
		}
	}
	return found
}

// exports reports whether a package exports a name: of an object, or of a field or a method of a type.
func exports(pkg *types.Package, name string) bool {
	of, member, isMember := strings.Cut(name, ".")
	object := pkg.Scope().Lookup(of)
	if object == nil || !object.Exported() || !isMember {
		return object != nil && object.Exported()
	}
	found, index, _ := types.LookupFieldOrMethod(object.Type(), true, pkg, member)
	return found != nil && found.Exported() && len(index) == 1
}

// link matches a link in a comment to an export of its package, or of another one. Code is indented by a tab.
var link = regexp.MustCompile(`(?m)^\t.*$|(?:^|[ (])\[\*?(?:([a-z]+)\.)?([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// deadLinks returns the links in the comments of a file to exports of ours that do not exist.
func (p *project) deadLinks(f *file) (found []string) {
	for _, group := range f.tree.Comments {
		for _, match := range link.FindAllStringSubmatch(group.Text(), -1) {
			for _, to := range p.public() {
				own := match[1] == "" && to.path == path.Dir(f.name)
				if match[2] != "" && (own || match[1] == to.Name()) && !exports(to.Package, match[2]) {
					found = append(found, f.at(group, "link to %s.%s leads nowhere", to.path, match[2]))
				}
			}
		}
	}
	return found
}

// codeOf returns what stands in the code blocks of the comment of a package.
func codeOf(p documented) (code []string) {
	for _, block := range p.Parser().Parse(p.Doc).Content {
		if c, ok := block.(*comment.Code); ok {
			code = append(code, c.Text)
		}
	}
	return code
}

// subjectOf returns the name that an Example of a package is for, such as pool.Claim.Holding.
func subjectOf(p documented, e *doc.Example) string {
	return p.Name + "." + strings.ReplaceAll(strings.TrimSuffix(e.Name, "_"+e.Suffix), "_", ".")
}

// unshown returns the names in a table of questions that have no Example, and those of messages that none prints.
func (p *project) unshown(table string) (found []string) {
	said := map[string]string{} // the output of all Examples of a name
	for _, p := range p.documentation() {
		for _, e := range examplesOf(p) {
			said[subjectOf(p, e)] += " " + e.Output
		}
	}
	for line := range strings.Lines(table) {
		message := ""
		if strings.HasPrefix(line, `"`) {
			message, _, _ = strings.Cut(line[1:], `"`)
		}
		for _, answer := range reference.FindAllString(line, -1) {
			if said[answer] == "" || !strings.Contains(said[answer], message) {
				found = append(found, strings.TrimSpace(fmt.Sprintf("doc.go: no Example of %s %s", answer, message)))
			}
		}
	}
	return found
}

// documentViolations returns the names in documents, comments and the tables of doc.go that lead nowhere.
func documentViolations(p *project) (found []string) {
	for _, name := range p.documents("README.md", "docs/*.md", "docs/decisions/*.md") {
		found = append(found, p.danglingReferences(name, p.read(name), quoted)...)
	}
	for _, f := range p.kernelFiles() {
		found = append(found, p.deadLinks(f)...)
	}
	tables := strings.Join(codeOf(p.documentation()[0]), "")
	return slices.Concat(found, p.danglingReferences("doc.go", tables, reference), p.unshown(tables))
}

var (
	// markdownLink is a link to a file, to a heading of a page, or to both.
	markdownLink = regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)
	// address is that of a heading in a comment or a script, from the root.
	address = regexp.MustCompile(`\b(docs/[\w/-]+\.md)#([\w-]+)`)
	// fence is a block of a document: its language, and its lines.
	fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	// headed is a heading of a page.
	headed = regexp.MustCompile(`(?m)^#+ (.*)$`)
	// unnamed is what the name of a heading lacks.
	unnamed = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors returns the names that GitHub gives to the headings of a page.
func anchors(text string) (names []string) {
	for _, heading := range headed.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		names = append(names, strings.ReplaceAll(unnamed.ReplaceAllString(strings.ToLower(heading[1]), ""), " ", "-"))
	}
	return names
}

// deadAddresses returns the links of documents and the addresses in scripts and in files of Go that lead to no file or
// to no heading.
func deadAddresses(p *project) (found []string) {
	lead := func(from, to, heading string) {
		if _, err := fs.Stat(p.fs, to); err != nil {
			found = append(found, fmt.Sprintf("%s: there is no %s", from, to))
		} else if heading != "" && path.Ext(to) == ".md" && !slices.Contains(anchors(p.read(to)), heading) {
			found = append(found, fmt.Sprintf("%s: %s has no heading %s", from, to, heading))
		}
	}
	pages := p.documents("*.md", "docs/*.md", "docs/decisions/*.md", "examples/*/*.md", "internal/conformance/*.md")
	for _, name := range pages {
		for _, link := range markdownLink.FindAllStringSubmatch(p.read(name), -1) {
			to := path.Join(path.Dir(name), link[1])
			if link[1] == "" {
				to = name
			}
			lead(name, to, link[2])
		}
	}
	for _, name := range append(pages, p.documents(".ci/*")...) {
		for _, cited := range address.FindAllStringSubmatch(p.read(name), -1) {
			lead(name, cited[1], cited[2])
		}
	}
	for _, f := range p.files {
		for _, cited := range address.FindAllStringSubmatch(f.text, -1) {
			lead(f.name, cited[1], cited[2])
		}
	}
	return found
}
