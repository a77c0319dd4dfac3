package arch_test

import (
	"fmt"
	"go/doc/comment"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the documents for users whose code readers copy.
var pages = []string{
	"README.md", "docs/capsule.md", "docs/cli.md", "docs/controller.md", "docs/node-agent.md", "docs/scheduler.md", "docs/tekton.md",
	"docs/trees.md", "docs/webhook.md", "docs/whatif.md",
}

// fence is a block of a document: its language, and its lines.
var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// pageViolations returns the Go blocks of a page that are not part of an Example in one of the sources,
// and the blocks after them that differ from the output of the Example. A block of README.md is a whole
// Example, since its reader has nothing else yet.
func pageViolations(page, text string, sources []string) (found []string) {
	example := "" // that the last block of Go is part of
	end := 0
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		language, content := text[at[2]:at[3]], text[at[4]:at[5]]
		if strings.TrimSpace(text[end:at[0]]) != "" {
			example = "" // its output follows immediately
		}
		end = at[1]
		switch {
		case language == "go":
			example = exampleOf(content, sources)
			if example == "" {
				found = append(found, page+": pages: no Example has the code "+firstLine(content))
			} else if page == "README.md" && !isWhole(content, example) {
				found = append(found, page+": pages: does not compile on its own: "+firstLine(content))
			}
		case language == "" && example != "":
			_, output, _ := strings.Cut(example, "\t// Output:\n")
			if want := indented(content, "\t// "); strings.TrimRight(output, "\n") != strings.TrimRight(want, "\n") {
				found = append(found, page+": pages: the Example does not print "+firstLine(content))
			}
			example = ""
		}
	}
	return found
}

// exampleOf returns the body of the Example that has these lines, or "".
func exampleOf(code string, sources []string) string {
	for _, source := range sources {
		for _, part := range strings.Split(source, "\nfunc ") {
			if body, _, ended := strings.Cut(part, "\n}\n"); ended && strings.HasPrefix(part, "Example") {
				// The results that a page shows as comments are the Output of the Example.
				shown := strings.ReplaceAll(body, "\t// Output:\n", "")
				if strings.Contains(body+"\n", indented(code, "\t")) || strings.Contains(shown+"\n", indented(code, "\t")) {
					return body
				}
			}
		}
	}
	return ""
}

// isWhole reports whether the body of an Example, without the comments that mark its results, has no other
// lines than these.
func isWhole(code, body string) bool {
	_, lines, _ := strings.Cut(body, "\n")
	return strings.ReplaceAll(lines+"\n", "\t// Output:\n", "") == indented(code, "\t")
}

// indented returns the lines of a text after a prefix, empty ones aside.
func indented(text, prefix string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out.WriteString(prefix)
		}
		out.WriteString(line)
	}
	return out.String()
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("%q", line)
}

func TestPages(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "examples", "pages", "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(content))
	}
	for _, page := range pages {
		text := documentText(t, page)
		if !strings.Contains(text, "\n```go\n") {
			t.Errorf("%s: pages: has no code", page)
		}
		report(t, pageViolations(page, text, sources))
	}
}

func TestPageViolations(t *testing.T) {
	const source = "package p\n\nfunc Example_a() {\n\tx := 1\n\n\tfmt.Println(x)\n\tif true {\n\t\tfmt.Println(2)\n\t}\n\t// Output:\n\t// 1\n\t// 2\n}\n\nfunc helper() {\n\ty := 2\n}\n"
	cases := []struct {
		name, text string
		want       []string
	}{
		{"code and its output", "A\n```go\nfmt.Println(x)\nif true {\n\tfmt.Println(2)\n}\n```\n\n```\n1\n2\n```\n", nil},
		{"code without output, and other languages", "```go\nx := 1\n```\n```sh\ny := 2\n```\n", nil},
		{"output as a comment", "```go\n\tfmt.Println(2)\n}\n// 1\n// 2\n```\n", nil},
		{"another block, after text", "```go\nx := 1\n```\nThe report:\n```\n7\n```\n", nil},
		{"code of no Example", "```go\ny := 2\n```\n", []string{`d.md: pages: no Example has the code "y := 2"`}},
		{"code that has changed", "```go\nx := 1\n\nfmt.Println(y)\n```\n", []string{`d.md: pages: no Example has the code "x := 1"`}},
		{"part of the output", "```go\nx := 1\n```\n```\n1\n```\n", []string{`d.md: pages: the Example does not print "1"`}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			expect(t, pageViolations("d.md", test.text, []string{source}), test.want)
		})
	}
}

// markdownLink is a link to a file, without what stands after "#".
var markdownLink = regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`)

// Links between documents lead to files.
func TestMarkdownLinks(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md"} {
		matches, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, matches...)
	}
	if len(files) < 15 {
		t.Fatalf("%d documents", len(files))
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range markdownLink.FindAllStringSubmatch(string(content), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), match[1])); err != nil {
				t.Errorf("%s: link %s leads nowhere", file, match[1])
			}
		}
	}
}

// openings are the parameters of the code that package documents begin with: what a reader has at hand.
const openings = `
	pod *corev1.Pod, pods []*corev1.Pod, template *corev1.PodTemplateSpec, node *corev1.Node, now time.Time,
	ranges []*corev1.LimitRange, item corev1.LimitRangeItem, quotas []*corev1.ResourceQuota,
	used, requests, allocatable, placeholder corev1.ResourceList, run affinity.Run, ledgers map[string]*noderesources.Ledger,
	p, from, to *pool.ResourcePool, pools []*pool.ResourcePool, claim *pool.ResourcePoolClaim, claims []*pool.ResourcePoolClaim,
	name types.NamespacedName, sources []migrate.PoolSource, objects, manifests []admit.APIObject`

// others are the packages of other modules that such code uses.
var others = map[string]string{
	"corev1": "k8s.io/api/core/v1", "resource": "k8s.io/apimachinery/pkg/api/resource", "types": "k8s.io/apimachinery/pkg/types",
	"fmt": "fmt", "big": "math/big", "time": "time",
}

// opening returns the first block of code in the comment of a package, or "".
func opening(p documented) string {
	for _, block := range p.Parser().Parse(p.Doc).Content {
		if c, ok := block.(*comment.Code); ok {
			return c.Text
		}
	}
	return ""
}

// openingProgram returns a file with a function that has the first block of code of a package.
func openingProgram(p documented, packages []string) (snippet, error) {
	var text strings.Builder
	text.WriteString("package main\n\n")
	for name, path := range others {
		fmt.Fprintf(&text, "import %s %q\n", name, path)
	}
	for _, pkg := range packages {
		fmt.Fprintf(&text, "import %q\n", importPath(pkg))
	}
	fmt.Fprintf(&text, "func _(%s) error {\nvar err error\n{\n%s\n}\nreturn err\n}\n", strings.TrimSpace(openings), opening(p))
	return parseSnippet(p.path, text.String())
}

// Each package opens with code that compiles, given the pods, nodes or quotas that its reader has, and links
// to the contract instead of repeating it.
func TestOpenings(t *testing.T) {
	if testing.Short() {
		t.Skip("lists the packages that another module sees")
	}
	all := documentation(t)
	var packages []string
	for _, p := range all {
		if p.path != "." {
			packages = append(packages, p.path)
		}
	}
	var programs []snippet
	for _, p := range all {
		if p.path == "." {
			continue
		}
		short := p.path[strings.LastIndexByte(p.path, '/')+1:]
		if code := opening(p); !strings.Contains(code, short+".") {
			t.Errorf("%s: documentation: does not open with a call of its own", p.path)
			continue
		}
		if !strings.Contains(p.Doc, "["+module+"]") {
			t.Errorf("%s: documentation: does not link to the contract of the module", p.path)
		}
		program, err := openingProgram(p, packages)
		if err != nil {
			t.Errorf("%s: documentation: %v", p.path, err)
			continue
		}
		programs = append(programs, program)
	}
	report(t, uncompiled(programs, outsideExports(t)))
}
