package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mostOthers is how many Examples a package may have that answer no question of doc.go. With more, readers
// do not find those that do.
const mostOthers = 2

// unshown returns the functions, methods and types that the tables of questions name, but that have no
// Example, and the packages with too many Examples of other names.
func unshown(tables string, packages []documented) (found []string) {
	var answers []string
	for _, match := range reference.FindAllStringSubmatch(tables, -1) {
		answers = append(answers, match[1]+"."+match[2])
	}
	var shown []string
	for _, p := range packages {
		others := 0
		for _, e := range examplesOf(p) {
			name := strings.ReplaceAll(strings.TrimSuffix(e.Name, "_"+e.Suffix), "_", ".")
			answer := p.Name + "." + name
			shown = append(shown, answer)
			if !slices.Contains(answers, answer) {
				others++
			}
		}
		if others > mostOthers {
			found = append(found, fmt.Sprintf("%s: questions: %d Examples of what doc.go does not name; at most %d", p.path, others, mostOthers))
		}
	}
	for _, answer := range slices.Compact(sorted(answers)) {
		if !slices.Contains(shown, answer) {
			found = append(found, fmt.Sprintf("doc.go: questions: %s has no Example", answer))
		}
	}
	return sorted(found)
}

// Each answer in the table of questions has an Example on pkg.go.dev.
func TestQuestions(t *testing.T) {
	packages := documentation(t)
	for _, p := range packages {
		if p.path == "." {
			report(t, unshown(codeOf(p), packages))
		}
	}
}

func TestUnshown(t *testing.T) {
	const code = `package qos
func Class() {}
func Explain() {}
func Weigh() {}
type Tree int
func (Tree) Cut() {}
`
	const examples = `package qos_test
func ExampleClass() {
	// Output:
}
func ExampleExplain_twice() {
	// Output:
}
func ExampleTree_Cut_low() {
	// Output:
}
`
	const others = `
func Example() {
	// Output:
}
func ExampleWeigh() {
	// Output:
}
`
	cases := []struct {
		name, table, examples string
		want                  []string
	}{
		{"all answers, and two others", "Which class?   qos.Class\n  ... why?  qos.Explain, qos.Tree.Cut\n", examples + others, nil},
		{"an answer without one", "How heavy?  qos.Class, qos.Weigh\n  ... and of what?  qos.Explain, qos.Tree.Cut\n", examples,
			[]string{"doc.go: questions: qos.Weigh has no Example"}},
		{"a type of whose method there is one", "Which tree?  qos.Class, qos.Tree\nWhy?  qos.Explain, qos.Tree.Cut", examples,
			[]string{"doc.go: questions: qos.Tree has no Example"}},
		{"of another package", "Which class?  pool.Class", "package qos_test\n" + others,
			[]string{"doc.go: questions: pool.Class has no Example"}},
		{"three others", "Which class?  qos.Class\nWhy?  qos.Explain", examples + others,
			[]string{"qos: questions: 3 Examples of what doc.go does not name; at most 2"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, importPath("qos"), map[string]string{"qos.go": code, "example_test.go": test.examples})
			expect(t, unshown(test.table, []documented{p}), test.want)
		})
	}
}
