package arch_test

import (
	"fmt"
	"go/doc"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// subjectOf returns the name that an Example of a package is for, such as pool.Claim.Holding.
func subjectOf(p documented, e *doc.Example) string {
	return p.Name + "." + strings.ReplaceAll(strings.TrimSuffix(e.Name, "_"+e.Suffix), "_", ".")
}

// unshown returns the functions, methods and types that the tables of questions name, but that have no
// Example.
func unshown(tables string, packages []documented) (found []string) {
	var answers []string
	for _, match := range reference.FindAllStringSubmatch(tables, -1) {
		answers = append(answers, match[1]+"."+match[2])
	}
	var shown []string
	for _, p := range packages {
		for _, e := range examplesOf(p) {
			shown = append(shown, subjectOf(p, e))
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

// messageRow is a row of the table of messages: a message, and the functions that return it.
var messageRow = regexp.MustCompile(`(?m)^"([^"]+)" +(.*)$`)

// unsaid returns the functions and methods that the table of messages names, but whose Examples do not print
// the message.
func unsaid(tables string, packages []documented) (found []string) {
	said := map[string]string{} // the output of all Examples of a name
	for _, p := range packages {
		for _, e := range examplesOf(p) {
			said[subjectOf(p, e)] += e.Output
		}
	}
	for _, row := range messageRow.FindAllStringSubmatch(tables, -1) {
		answers := reference.FindAllString(row[2], -1)
		if len(answers) == 0 {
			found = append(found, fmt.Sprintf("doc.go: messages: nobody says %q", row[1]))
		}
		for _, answer := range answers {
			if !strings.Contains(said[answer], row[1]) {
				found = append(found, fmt.Sprintf("doc.go: messages: no Example of %s prints %q", answer, row[1]))
			}
		}
	}
	return sorted(found)
}

// Each function in the table of messages has an Example that prints the message.
func TestMessages(t *testing.T) {
	packages := documentation(t)
	for _, p := range packages {
		if p.path == "." {
			if rows := messageRow.FindAllString(codeOf(p), -1); len(rows) < 5 {
				t.Errorf("doc.go: messages: the table is missing: %q", rows)
			}
			report(t, unsaid(codeOf(p), packages))
		}
	}
}

func TestUnsaid(t *testing.T) {
	pool := documented{"pool", &doc.Package{Name: "pool", Examples: []*doc.Example{
		{Name: "Allocate", Output: "not yet\n"}, {Name: "Allocate_full", Suffix: "full", Output: "pool is full\n"}, {Name: "Ledger_Take", Output: "no room\n"},
	}}}
	cases := []struct {
		name, table string
		want        []string
	}{
		{"printed by any Example", "\"is full\"   pool.Allocate\n\"no room\"   pool.Ledger.Take\n", nil},
		{"a question, not a message", "Who says so?   pool.Gone\n", nil},
		{"printed by one of two", "\"no room\"   pool.Allocate, pool.Ledger.Take\n", []string{`doc.go: messages: no Example of pool.Allocate prints "no room"`}},
		{"without a function", "\"no room\"   somebody\n", []string{`doc.go: messages: nobody says "no room"`}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			expect(t, unsaid(test.table, []documented{pool}), test.want)
		})
	}
}
