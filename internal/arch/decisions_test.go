package arch_test

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A decision is an entry of a page in docs/decisions: a heading that is its name, and what others and kubemath do, with
// a test. Comments cite it by its address, such as docs/decisions/quota.md#all-refusals.
type decision struct{ page, name, text string }

func (d decision) address() string { return d.page + "#" + d.name }

// decisions returns those of all pages.
func (p *project) decisions() (all []decision) {
	for _, page := range p.documents("docs/decisions/*.md") {
		for _, part := range strings.Split("\n"+p.read(page), "\n### ")[1:] {
			entry, _, _ := strings.Cut(part, "\n## ")
			name, text, _ := strings.Cut(entry, "\n")
			all = append(all, decision{page, name, text})
		}
	}
	return all
}

// decisionViolations returns the decisions that name no test or are on several pages, and the tests of divergences whose
// comment does not cite the decision that names them.
func decisionViolations(p *project) (found []string) {
	all, pages := p.decisions(), map[string]string{}
	for _, d := range all {
		if other, known := pages[d.name]; known {
			found = append(found, fmt.Sprintf("%s is also in %s", d.address(), other))
		}
		pages[d.name] = d.page
		if !strings.Contains(d.text, ".Test") {
			found = append(found, d.address()+" names no test")
		}
	}
	for _, f := range p.files {
		for _, decl := range f.tree.Decls {
			test, ok := decl.(*ast.FuncDecl)
			if !ok || !f.isTest() || !strings.HasPrefix(test.Name.Name, "TestDivergence") {
				continue
			}
			cited := address.FindAllString(test.Doc.Text(), -1)
			quoted := "`" + path.Dir(f.name) + "." + test.Name.Name + "`"
			if !slices.ContainsFunc(all, func(d decision) bool {
				return slices.Contains(cited, d.address()) && strings.Contains(d.text, quoted)
			}) {
				found = append(found, f.at(test, "%s cites no decision that names it", test.Name.Name))
			}
		}
	}
	return found
}

// TestDecisions compares the list of names in docs/decisions.md with the pages. go test ./internal/arch -run
// TestDecisions -update writes it.
func TestDecisions(t *testing.T) {
	const page, begin, end = "docs/decisions.md", "<!-- names -->\n", "<!-- /names -->\n"
	before, rest, begins := strings.Cut(ours().read(page), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no place for the names", page)
	}
	var names strings.Builder
	of := ""
	for _, d := range ours().decisions() {
		link := strings.TrimPrefix(d.page, "docs/")
		if d.page != of {
			fmt.Fprintf(&names, "\n- [%s](%s):", strings.TrimSuffix(path.Base(d.page), ".md"), link)
		} else {
			names.WriteString(",")
		}
		fmt.Fprintf(&names, "\n  [%s](%s#%[1]s)", d.name, link)
		of = d.page
	}
	golden.Compare(t, "../../"+page, before+begin+strings.TrimPrefix(names.String(), "\n")+"\n"+end+after)
}
