package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
			name := strings.ReplaceAll(strings.TrimSuffix(e.Name, "_"+e.Suffix), "_", ".")
			shown = append(shown, p.Name+"."+name)
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
