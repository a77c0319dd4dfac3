package arch_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Snippets are what readers copy: Examples, the code that package documents begin with, and that of pages.

// examplesOf returns all Examples of a package.
func examplesOf(p documented) []*doc.Example {
	all := slices.Clone(p.Examples)
	functions := slices.Clone(p.Funcs)
	for _, t := range p.Types {
		all = append(all, t.Examples...)
		functions = slices.Concat(functions, t.Funcs, t.Methods)
	}
	for _, f := range functions {
		all = append(all, f.Examples...)
	}
	return all
}

// unplayable returns the Examples of a package that readers cannot run, because they use names of another file of the
// tests, or an internal package.
func unplayable(p documented, imports types.Importer) (found []string) {
	for _, e := range examplesOf(p) {
		name := p.path + ".Example" + e.Name
		if e.Play == nil {
			found = append(found, name+": is not a whole program")
			continue
		}
		var text strings.Builder
		must(format.Node(&text, token.NewFileSet(), e.Play))
		found = append(found, uncompiled(name, text.String(), imports)...)
	}
	return found
}

// uncompiled returns the first error of a program that is not in this module. Unused names and imports do not count,
// because the reader will add lines that use them.
func uncompiled(name, text string, imports types.Importer) (found []string) {
	f := parsed(token.NewFileSet(), name, text)
	for _, path := range f.imports() {
		if !isPublic(path) {
			return []string{fmt.Sprintf("%s: imports %s", name, path)}
		}
	}
	conf := types.Config{Importer: imports, Error: func(err error) {
		var typeError types.Error
		if found == nil && errors.As(err, &typeError) && !typeError.Soft {
			found = []string{fmt.Sprintf("%s: %s", name, typeError.Msg)}
		}
	}}
	if _, err := conf.Check("main", f.set, []*ast.File{f.tree}, nil); err != nil {
		return found
	}
	return nil
}

// openings are the parameters of the code that package documents begin with: what a reader has at hand.
const openings = `
	pod *corev1.Pod, pods []*corev1.Pod, template *corev1.PodTemplateSpec, node *corev1.Node, now time.Time,
	ranges []*corev1.LimitRange, item corev1.LimitRangeItem, quotas []*corev1.ResourceQuota,
	used, requests, allocatable, placeholder corev1.ResourceList, run affinity.Run, ledgers map[string]*noderesources.Ledger,
	p, from, to *pool.ResourcePool, pools []*pool.ResourcePool, claim *pool.ResourcePoolClaim, claims []*pool.ResourcePoolClaim,
	name types.NamespacedName, sources []migrate.PoolSource, objects, manifests []admit.APIObject`

// openingProgram returns a file with a function that has the first block of code of a package.
func openingProgram(p documented) string {
	var text strings.Builder
	text.WriteString("package main\n\nimport (\ncorev1 \"k8s.io/api/core/v1\"\n\"k8s.io/apimachinery/pkg/api/resource\"\n" +
		"\"k8s.io/apimachinery/pkg/types\"\n\"fmt\"\n\"math/big\"\n\"time\"\n")
	for _, pkg := range kernels() {
		if isPublic(pkg) {
			fmt.Fprintf(&text, "%q\n", importPath(pkg))
		}
	}
	fmt.Fprintf(&text, ")\n\nfunc _(%s) error {\nvar err error\n{\n%s\n}\nreturn err\n}\n", strings.TrimSpace(openings), slices.Concat(codeOf(p), []string{"fail"})[0])
	return text.String()
}

// pageViolations returns the Go blocks of a page that are not part of an Example of the sources, and the blocks
// immediately after them that differ from the output of the Example. Of a whole program, main is that part.
func pageViolations(page, text string, sources []*file) (found []string) {
	example, end := "", 0 // that the last block of Go is part of
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		language, content := text[at[2]:at[3]], text[at[4]:at[5]]
		first, _, _ := strings.Cut(content, "\n")
		if strings.TrimSpace(text[end:at[0]]) != "" {
			example = ""
		}
		end = at[1]
		switch {
		case language == "go":
			example = exampleWith(bodyOfMain(content), sources)
			if example == "" {
				found = append(found, fmt.Sprintf("%s: no Example has the code %q", page, first))
			}
		case language == "" && example != "":
			_, output, _ := strings.Cut(example, "\t// Output:\n")
			if strings.TrimRight(output, "\n") != strings.TrimRight(indented(content, "\t// "), "\n") {
				found = append(found, fmt.Sprintf("%s: the Example does not print %q", page, first))
			}
			example = ""
		}
	}
	return found
}

// bodyOfMain returns the statements of the function main of a program, and other code as it is.
func bodyOfMain(code string) string {
	_, body, isProgram := strings.Cut(code, "\nfunc main() {\n")
	if !isProgram {
		return code
	}
	return strings.TrimSuffix(regexp.MustCompile(`(?m)^\t`).ReplaceAllString(body, ""), "}\n")
}

// exampleWith returns the body of the Example that has these lines, or "". Results that a page shows as comments are
// the Output of the Example.
func exampleWith(code string, sources []*file) string {
	for _, source := range sources {
		for _, part := range strings.Split(source.text, "\nfunc ") {
			body, _, ended := strings.Cut(part, "\n}\n")
			shown := strings.ReplaceAll(body, "\t// Output:\n", "")
			if ended && strings.HasPrefix(part, "Example") && strings.Contains(body+"\n"+shown+"\n", indented(code, "\t")) {
				return body
			}
		}
	}
	return ""
}

// indented returns the lines of a text after a prefix, empty ones aside.
func indented(text, prefix string) string {
	return regexp.MustCompile(`(?m)^(.*\S)`).ReplaceAllString(text, strings.ReplaceAll(prefix, "$", "$$")+"$1")
}

// snippetViolations returns the snippets that do not compile in another module, or that pages show otherwise. Examples
// are shown on pkg.go.dev without the other files of their tests, and copied from there. Each package opens with code
// that compiles, given the pods, nodes or quotas that its reader has.
func snippetViolations(p *project) (found []string) {
	for _, pkg := range p.documentation() {
		found = append(found, unplayable(pkg, p.importer)...)
		if pkg.path != "." {
			found = append(found, uncompiled(pkg.path, openingProgram(pkg), p.importer)...)
		}
	}
	for _, page := range p.documents("README.md", "docs/*.md") {
		text := p.read(page)
		found = append(found, pageViolations(page, text, p.in("examples/pages"))...)
		for _, block := range fence.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(block[2], "package main\n") {
				found = append(found, uncompiled(page, block[2], p.importer)...)
			}
		}
	}
	return found
}
