package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A decision is the address of a decision about a difference: a page, and the heading on it.
type decision string

const fromUpstream = "docs/from-upstream.md"

// A failure is an upstream test that fails with kubemath inside.
type failure struct {
	pkg, test string

	// cases are the failures within a test that checks several cases without subtests: a part of the
	// report of each, in any order. Without them, it may report anything.
	cases []string

	release  string // of Kubernetes, "" for all
	reason   string
	decision decision
}

// A difference is an adapted function whose answers are not always upstream's.
type difference struct {
	function string
	release  string // of Kubernetes, "" for all
	reason   string
	decision decision
}

// check returns what is wrong with the failures of a package: failures without an explanation, and
// explanations of tests that do not fail. It also returns the explained failures, by test.
func check(pkg string, before, after *outcome, known []failure) (faults []string, explained map[string]failure) {
	explained = map[string]failure{}
	if after.broken != "" {
		faults = append(faults, fmt.Sprintf("%s: the tests did not run to their end:\n%s", pkg, after.broken))
	}
	expected := map[string]failure{}
	for _, f := range known {
		if f.pkg == pkg {
			expected[f.test] = f
		}
	}
	for _, test := range after.leaves() {
		f, ok := expected[test]
		if !ok {
			faults = append(faults, fmt.Sprintf("%s: %s fails, and nothing explains it:\n%s", pkg, test, strings.Join(after.printed[test], "")))
			continue
		}
		explained[test] = f
		delete(expected, test)
		faults = append(faults, f.checkCases(before.printed[test], after.printed[test])...)
	}
	for test := range expected {
		faults = append(faults, fmt.Sprintf("%s: %s does not fail any more: its explanation has to go", pkg, test))
	}
	for test := range before.passed {
		if !after.passed[test] && !after.skipped[test] && !after.failedWithin(test) {
			faults = append(faults, fmt.Sprintf("%s: %s did not run with kubemath", pkg, test))
		}
	}
	return sorted(faults), explained
}

// checkCases compares the reports of a test with the cases. Output that also appears before is only a
// log.
func (f failure) checkCases(before, after []string) (faults []string) {
	if len(f.cases) == 0 {
		return nil
	}
	logs := map[string]bool{}
	for _, report := range reports(before) {
		logs[report] = true
	}
	seen := map[string]bool{}
	for _, report := range reports(after) {
		explained := logs[report]
		for _, c := range f.cases {
			if strings.Contains(report, c) {
				seen[c], explained = true, true
			}
		}
		if !explained {
			faults = append(faults, fmt.Sprintf("%s: %s fails in a case that nothing explains:\n%s", f.pkg, f.test, report))
		}
	}
	for _, c := range f.cases {
		if !seen[c] {
			faults = append(faults, fmt.Sprintf("%s: %s does not fail any more in the case %q: its explanation has to go", f.pkg, f.test, c))
		}
	}
	return faults
}

// reports returns the reports of a test: each begins with the name of a test file and the number of a line,
// and the output of the test framework and of loggers is removed.
func reports(printed []string) (all []string) {
	for _, line := range printed {
		switch {
		case reportLine.MatchString(line):
			all = append(all, line)
		case otherLine.MatchString(line):
			all = append(all, "")
		case len(all) > 0 && all[len(all)-1] != "":
			all[len(all)-1] += line
		}
	}
	return slices.DeleteFunc(all, func(report string) bool { return report == "" })
}

var (
	reportLine = regexp.MustCompile(`^\s*\w+_test\.go:\d+: `)
	otherLine  = regexp.MustCompile(`^\s*\w+\.go:\d+: |^\s*(===|---) `)
)

// checkCalls returns what is wrong with the calls of the adapters: inputs that were written, answers
// that differ without an explanation, and explanations of answers that no longer differ.
func checkCalls(calls counts, known []difference) (faults []string) {
	expected := map[string]bool{}
	for _, d := range known {
		expected[d.function] = true
	}
	for _, function := range calls.functions() {
		t := calls[function]
		for _, call := range t.written {
			faults = append(faults, fmt.Sprintf("%s has changed its input:\n  before %s\n  after  %s", function, call.Theirs, call.Ours))
		}
		if len(t.differed) > 0 && !expected[function] {
			first := t.differed[0]
			faults = append(faults, fmt.Sprintf("%s differs in %d calls, and nothing explains it:\n  kubemath %s\n  upstream %s", function, len(t.differed), first.Ours, first.Theirs))
		}
		if len(t.differed) > 0 {
			delete(expected, function)
		}
	}
	for function := range expected {
		faults = append(faults, function+" does not differ any more: its explanation has to go")
	}
	return sorted(faults)
}

// checkDecisions returns the decisions that are not in the documents, or are there more than once.
func checkDecisions(root string, decisions []decision) (faults []string) {
	for _, d := range decisions {
		page, name, _ := strings.Cut(string(d), "#")
		content, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		if found := strings.Count("\n"+string(content), "\n### "+name+"\n"); found != 1 {
			faults = append(faults, fmt.Sprintf("%s: %d headings, want one", d, found))
		}
	}
	return sorted(faults)
}
