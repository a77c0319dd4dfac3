package arch_test

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// looksLikeLink matches a link in the text of a comment that was not resolved.
var looksLikeLink = regexp.MustCompile(`(?:^|[\s(])(\[\*?(?:[a-z]+\.)?[A-Z][A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]*)?\])`)

// brokenLinks returns the broken links in comments. symbols are the exports of all packages of the
// module, by import path.
func brokenLinks(p documented, symbols map[string][]string) (found []string) {
	for _, text := range comments(p) {
		add := func(link string) {
			found = append(found, fmt.Sprintf("%s: documentation: link %s leads nowhere", p.path, link))
		}
		walkText(p.Parser().Parse(text).Content, func(t comment.Text) {
			switch t := t.(type) {
			case comment.Plain:
				for _, link := range looksLikeLink.FindAllStringSubmatch(string(t), -1) {
					add(link[1])
				}
			case *comment.DocLink:
				name := strings.TrimPrefix(t.Recv+"."+t.Name, ".")
				if all, ours := symbols[t.ImportPath]; ours && t.Name != "" && !slices.Contains(all, name) {
					add("[" + t.ImportPath + "." + name + "]")
				}
			}
		})
	}
	return sorted(found)
}

// comments returns all comments that readers of a package see.
func comments(p documented) []string {
	all := []string{p.Doc}
	add := func(groups ...[]*doc.Value) {
		for _, group := range slices.Concat(groups...) {
			all = append(all, group.Doc)
		}
	}
	add(p.Consts, p.Vars)
	for _, f := range p.Funcs {
		all = append(all, f.Doc)
	}
	for _, t := range p.Types {
		all = append(all, t.Doc)
		add(t.Consts, t.Vars)
		for _, f := range slices.Concat(t.Funcs, t.Methods) {
			all = append(all, f.Doc)
		}
	}
	return all
}

// walkText calls f for each piece of text of the blocks, code aside.
func walkText(blocks []comment.Block, f func(comment.Text)) {
	for _, block := range blocks {
		switch b := block.(type) {
		case *comment.Paragraph:
			for _, t := range b.Text {
				f(t)
			}
		case *comment.Heading:
			for _, t := range b.Text {
				f(t)
			}
		case *comment.List:
			for _, item := range b.Items {
				walkText(item.Content, f)
			}
		}
	}
}

// exports returns the names of a package that a link may name.
func exports(p documented) (names []string) {
	for _, f := range p.Funcs {
		names = append(names, f.Name)
	}
	for _, t := range p.Types {
		names = append(names, t.Name)
		for _, f := range t.Funcs {
			names = append(names, f.Name)
		}
		for _, m := range t.Methods {
			names = append(names, t.Name+"."+m.Name)
		}
		for _, v := range slices.Concat(t.Consts, t.Vars) {
			names = append(names, v.Names...)
		}
	}
	for _, v := range slices.Concat(p.Consts, p.Vars) {
		names = append(names, v.Names...)
	}
	return names
}

func TestBrokenLinks(t *testing.T) {
	const code = `// Package qos has links: [Class], [Pod.Get], [Gone], [Pod.Gone], [limitrange.Of] and
// [limitrange.Gone], but in lists[Class] and
//
//	code [Gone]
//
// # Of [Missing]
package qos

import "github.com/kubemath/kubemath/limitrange"

// Class is not [Klass].
func Class() {}

// Pod is [limitrange.Aggregate.Merge].
//
//   - or [Podd]
type Pod limitrange.Aggregate

// Get is not [*Podd].
func (Pod) Get() {}
`
	p := read(t, importPath("qos"), map[string]string{"qos.go": code})
	got := brokenLinks(p, map[string][]string{
		importPath("qos"):        exports(p),
		importPath("limitrange"): {"Of", "Aggregate", "Aggregate.Merge"},
	})
	want := []string{
		"qos: documentation: link [*Podd] leads nowhere",
		"qos: documentation: link [Gone] leads nowhere",
		"qos: documentation: link [Klass] leads nowhere",
		"qos: documentation: link [Missing] leads nowhere",
		"qos: documentation: link [Pod.Gone] leads nowhere",
		"qos: documentation: link [Podd] leads nowhere",
		"qos: documentation: link [github.com/kubemath/kubemath/limitrange.Gone] leads nowhere",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
