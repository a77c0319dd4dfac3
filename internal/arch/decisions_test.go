package arch_test

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A decision is an entry of a page in docs/decisions: a heading that is its name, what others do, quoted, and what
// kubemath does, with a test. Comments cite it by its address, such as docs/decisions/quota.md#all-refusals.
type decision struct{ page, name, text string }

func (d decision) address() string { return d.page + "#" + d.name }

var (
	decisionName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	citation     = regexp.MustCompile(`docs/decisions/[\w-]+\.md#[\w-]+`)
)

// decisionsOf returns the decisions of a page, and what is wrong with it.
func decisionsOf(page, text string) (all []decision, faults []string) {
	for i, part := range strings.Split("\n"+text, "\n### ") {
		entry, sections, _ := strings.Cut(part, "\n## ")
		if i == 0 {
			entry, sections = "", part
		}
		faults = append(faults, rowsWithoutName(page, sections)...)
		if i == 0 {
			continue
		}
		name, said, _ := strings.Cut(entry, "\n")
		d := decision{page, name, said}
		all = append(all, d)
		if !decisionName.MatchString(name) {
			faults = append(faults, d.address()+": a name has small letters, digits and hyphens")
		}
		if !strings.HasPrefix(said, "\n>") || strings.Count(said, "\n>") != 1 {
			faults = append(faults, d.address()+": what others do is one quote, below the name")
		}
		if !strings.Contains(said, ".Test") {
			faults = append(faults, d.address()+" names no test")
		}
	}
	return all, faults
}

// rowsWithoutName returns the lines that need a name: all but what is the same as upstream, or left out.
func rowsWithoutName(page, sections string) (faults []string) {
	for _, section := range strings.Split(sections, "\n## ") {
		title, rows, _ := strings.Cut(section, "\n")
		if title == "As upstream" || title == "Left out" {
			continue
		}
		for line := range strings.Lines(rows) {
			if strings.ContainsAny(line[:1], ">|-") {
				faults = append(faults, page+": no name of "+strings.TrimSpace(line))
			}
		}
	}
	return faults
}

// duplicates returns the names that several decisions have.
func duplicates(all []decision) (faults []string) {
	pages := map[string]string{}
	for _, d := range all {
		if other, found := pages[d.name]; found {
			faults = append(faults, fmt.Sprintf("%s is also in %s", d.address(), other))
		}
		pages[d.name] = d.page
	}
	return faults
}

// indexOf returns the names of all decisions as links, an item for each page and a line for each name.
func indexOf(all []decision) string {
	var b strings.Builder
	for i, d := range all {
		link := strings.TrimPrefix(d.page, "docs/")
		if i == 0 || all[i-1].page != d.page {
			fmt.Fprintf(&b, "\n- [%s](%s):", strings.TrimSuffix(path.Base(d.page), ".md"), link)
		} else {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  [%s](%s#%[1]s)", d.name, link)
	}
	return strings.TrimPrefix(b.String(), "\n") + "\n"
}

// danglingCitations returns the decisions that a text cites and that do not exist.
func danglingCitations(name, text string, all []decision) (faults []string) {
	for _, cited := range citation.FindAllString(text, -1) {
		if !slices.ContainsFunc(all, func(d decision) bool { return d.address() == cited }) {
			faults = append(faults, fmt.Sprintf("%s: there is no decision %s", name, cited))
		}
	}
	return faults
}

// uncited returns the tests of divergences in a file whose comment does not cite the decision that names them.
func uncited(f *file, all []decision) (faults []string) {
	for _, decl := range f.tree.Decls {
		test, ok := decl.(*ast.FuncDecl)
		if !ok || !f.isTest() || !strings.HasPrefix(test.Name.Name, "TestDivergence") {
			continue
		}
		cited := citation.FindAllString(test.Doc.Text(), -1)
		quoted := "`" + path.Dir(f.name) + "." + test.Name.Name + "`"
		if !slices.ContainsFunc(all, func(d decision) bool {
			return slices.Contains(cited, d.address()) && strings.Contains(d.text, quoted)
		}) {
			faults = append(faults, f.at(test, "%s cites no decision that names it", test.Name.Name))
		}
	}
	return faults
}

// Each decision has a name, which docs/decisions.md lists, and which comments cite. go test ./internal/arch -run
// TestDecisions -update writes the list.
func TestDecisions(t *testing.T) {
	const page, begin, end = "docs/decisions.md", "<!-- names -->\n", "<!-- /names -->\n"
	p := load(t)
	var all []decision
	for _, name := range p.documents(t, "docs/decisions/*.md") {
		found, faults := decisionsOf(name, p.read(t, name))
		all = append(all, found...)
		report(t, faults)
	}
	report(t, duplicates(all))
	for _, f := range p.files {
		if f.name != "internal/arch/decisions_test.go" {
			report(t, danglingCitations(f.name, f.text, all))
		}
		report(t, uncited(f, all))
	}
	for _, name := range p.documents(t, ".ci/*", "*.md", "docs/*.md", "docs/decisions/*.md", "internal/conformance/*.md") {
		report(t, danglingCitations(name, p.read(t, name), all))
	}
	before, rest, begins := strings.Cut(p.read(t, page), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no place for the names", page)
	}
	golden.Compare(t, "../../"+page, before+begin+indexOf(all)+end+after)
}

func TestDecisionsNotice(t *testing.T) {
	const text = "# Page\n\n>Nobody.\n\n## pool\n\n### zero-is-granted\n\n>They refuse.\n\nGranted. `pool.TestDivergenceZero`\n" +
		"\n## As upstream\n\n- The same.\n\n## Left out\n\n|what|\n\n## More\n\n- A row.\n\n|a|\n"
	good, faults := decisionsOf("docs/decisions/pool.md", text)
	expect(t, faults, "docs/decisions/pool.md: no name of >Nobody.", "docs/decisions/pool.md: no name of - A row.",
		"docs/decisions/pool.md: no name of |a|")
	if len(good) != 1 || good[0].address() != "docs/decisions/pool.md#zero-is-granted" {
		t.Errorf("%v", good)
	}
	_, faults = decisionsOf("p.md", "### Two words\n\n>They.\n>And they.\n\n>Or they. `a.TestA`\n\n### empty\n\nWe. `a.TestB`\n\n### untested\n\n>They.\n\nWe.\n")
	expect(t, faults, "p.md#Two words: a name has small letters, digits and hyphens",
		"p.md#Two words: what others do is one quote, below the name",
		"p.md#empty: what others do is one quote, below the name", "p.md#untested names no test")
	both := append(good, decision{"docs/decisions/quota.md", "zero-is-granted", ""}, decision{"docs/decisions/quota.md", "b", ""})
	expect(t, duplicates(both), "docs/decisions/quota.md#zero-is-granted is also in docs/decisions/pool.md")
	expect(t, strings.Split(indexOf(both), "\n"),
		"- [pool](decisions/pool.md):", "  [zero-is-granted](decisions/pool.md#zero-is-granted)",
		"- [quota](decisions/quota.md):", "  [zero-is-granted](decisions/quota.md#zero-is-granted),", "  [b](decisions/quota.md#b)", "")
	expect(t, danglingCitations("a.go", "docs/decisions/pool.md#zero-is-granted, docs/decisions/pool.md#b.", both),
		"a.go: there is no decision docs/decisions/pool.md#b")
	f, err := parse(load(t).set, "pool/a_test.go", `package pool_test

// See docs/decisions/pool.md#zero-is-granted.
func TestDivergenceZero() {}

// See docs/decisions/pool.md#zero-is-granted, which does not name it.
func TestDivergenceOther() {}

func TestDivergenceAlone() {}
func TestOther() {}
`)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, uncited(f, both), "pool/a_test.go:7: TestDivergenceOther cites no decision that names it",
		"pool/a_test.go:9: TestDivergenceAlone cites no decision that names it")
}
