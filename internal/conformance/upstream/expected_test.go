package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
	"github.com/kubemath/kubemath/internal/testkit"
)

// tested returns an outcome: tests that passed, and what those printed that failed.
func tested(passed []string, failed map[string][]string) *outcome {
	o := &outcome{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]string{}, ""}
	for _, test := range passed {
		o.passed[test] = true
	}
	for test, printed := range failed {
		o.failed[test], o.printed[test] = true, printed
	}
	return o
}

func TestCheck(t *testing.T) {
	one := failure{pkg: "p", test: "TestA/one", reason: "because", decision: "d.md#x"}
	several := failure{pkg: "p", test: "TestB", cases: []string{"case 1", "case 2"}}
	reported := []string{
		"=== RUN   TestB\n", "    b_test.go:7: case 1: got 2\n", "        want 1\n", "    log.go:1: case 3\n", "    b_test.go:8: case 2\n", "    b_test.go:9: starting\n", "--- FAIL: TestB (0.00s)\n",
	}
	before := tested([]string{"TestA", "TestA/one", "TestB", "TestC"}, nil)
	before.printed["TestB"] = []string{"    b_test.go:9: starting\n"}
	for _, test := range []struct {
		name  string
		after *outcome
		known []failure
		want  []string // what each fault contains
	}{
		{"all is explained", tested([]string{"TestC"}, map[string][]string{"TestA": nil, "TestA/one": nil, "TestB": reported}), []failure{one, several}, nil},
		{"of another package", tested([]string{"TestA", "TestA/one", "TestB", "TestC"}, nil), []failure{{pkg: "q", test: "TestA"}}, nil},
		{"unexplained", tested([]string{"TestB", "TestC"}, map[string][]string{"TestA": nil, "TestA/one": nil}), nil, []string{"TestA/one fails, and nothing explains it"}},
		{"no longer fails", tested([]string{"TestA", "TestA/one", "TestB", "TestC"}, nil), []failure{one}, []string{"TestA/one does not fail any more"}},
		{"the test fails in another case, too", tested([]string{"TestA", "TestA/one", "TestC"}, map[string][]string{"TestB": append(slices.Clone(reported), "    b_test.go:8: case 4\n")}), []failure{several}, []string{"TestB fails in a case that nothing explains:\n    b_test.go:8: case 4"}},
		{"a case no longer fails", tested([]string{"TestA", "TestA/one", "TestC"}, map[string][]string{"TestB": reported[:2]}), []failure{several}, []string{`TestB does not fail any more in the case "case 2"`}},
		{"a test has not run", tested([]string{"TestA", "TestA/one", "TestB"}, nil), nil, []string{"TestC did not run with kubemath"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			faults, explained := check("p", before, test.after, test.known)
			same(t, test.want, faults)
			if test.want == nil && len(test.after.failed) > 0 && explained["TestA/one"].reason != "because" {
				t.Errorf("explained: %v", explained)
			}
		})
	}
	broken := tested([]string{"TestA", "TestA/one", "TestB", "TestC"}, nil)
	broken.broken = "panic: out of memory"
	faults, _ := check("p", before, broken, nil)
	same(t, []string{"panic: out of memory"}, faults)
}

// same wants as many faults, each of which contains its text.
func same(t *testing.T, want, faults []string) {
	t.Helper()
	if len(faults) != len(want) {
		t.Fatalf("%d faults, want %d: %q", len(faults), len(want), faults)
	}
	for i := range want {
		if !strings.Contains(faults[i], want[i]) {
			t.Errorf("%s\nwant %s", faults[i], want[i])
		}
	}
}

func TestCheckCalls(t *testing.T) {
	calls := counts{}
	for range 3 {
		calls.add(beside.Call{Function: "Same", Outcome: beside.Agreed})
	}
	calls.add(beside.Call{Function: "Known", Outcome: beside.Differed, Ours: "1", Theirs: "2"})
	calls.add(beside.Call{Function: "Not asked", Outcome: beside.Forwarded})
	known := difference{function: "Known"}
	same(t, nil, checkCalls(calls, []difference{known}))
	same(t, []string{"Known differs in 1 calls"}, checkCalls(calls, nil))
	same(t, []string{"Same does not differ any more"}, checkCalls(calls, []difference{known, {function: "Same"}}))
	calls.add(beside.Call{Function: "Same", Outcome: beside.Written, Ours: "after", Theirs: "before"})
	same(t, []string{"Same has changed its input"}, checkCalls(calls, []difference{known}))
}

func TestCheckDecisions(t *testing.T) {
	dir := t.TempDir()
	text := "### one\n\nthree\n\n### two\n\n### a\n\n### a\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "d.md"), []byte(text), 0o644))
	same(t, nil, checkDecisions(dir, []decision{"d.md#one", "d.md#two"}))
	same(t, []string{"d.md#a: 2 headings", "d.md#three: 0 headings", "no such file"}, checkDecisions(dir, []decision{"d.md#three", "d.md#a", "e.md#one"}))
}

// The documents have the decisions that the tables of this program name, and every explanation names one.
func TestKnown(t *testing.T) {
	same(t, nil, checkDecisions("../../..", knownDecisions()))
	tests := map[string]bool{}
	for _, f := range failures {
		if tests[f.pkg+f.test] {
			t.Errorf("%s is explained twice", f.test)
		}
		tests[f.pkg+f.test] = true
		if f.reason == "" || !slices.Contains(knownDecisions(), f.decision) {
			t.Errorf("%s has no reason and decision", f.test)
		}
	}
	for _, d := range differences {
		if d.reason == "" || !slices.Contains(knownDecisions(), d.decision) {
			t.Errorf("%s has no reason and decision", d.function)
		}
	}
}

func TestPrint(t *testing.T) {
	var tests, called strings.Builder
	f := failure{test: "TestB", cases: []string{"1", "2"}, reason: "because", decision: "d.md#x"}
	before := tested([]string{"TestA", "TestB", "TestC", "TestD"}, nil)
	before.skipped["TestS"], before.printed["TestS"] = true, []string{"=== RUN   TestS\n", "    s_test.go:7: Test requires\n", "      systemd.\n", "--- SKIP: TestS (0.00s)\n"}
	before.skipped["TestT"] = true
	printTests(&tests, []line{{
		pkg: "p v1", before: before,
		after:     tested([]string{"TestA"}, map[string][]string{"TestB": nil, "TestC": nil}),
		explained: map[string]failure{"TestB": f}, flaky: []string{"TestD"}, withoutUs: []string{"TestE"},
	}})
	const wantTests = `| package | before | after | failing | cases | why |
|---|--:|--:|---|--:|---|
| p v1 | 4 | 1 |  |  |  |
| | | | TestB | 2 | because (d.md#x) |
| | | | TestC | 1 | UNEXPLAINED |
| | | | TestS | | skipped before and after: Test requires systemd. |
| | | | TestT | | skipped before and after: it does not say why |
| | | | TestE | | fails without kubemath, too |
| | | | TestD | | failed once, and passed when it was run again |
`
	testkit.NoDiff(t, tests.String(), wantTests, "tests")
	calls := counts{}
	for _, call := range []beside.Call{
		{Function: "F", Outcome: beside.Agreed}, {Function: "F", Outcome: beside.Differed}, {Function: "G", Outcome: beside.Agreed},
		{Function: "H", Outcome: beside.Differed}, {Function: "I: no answer", Outcome: beside.Forwarded},
	} {
		calls.add(call)
	}
	printCalls(&called, calls, []difference{{function: "F", reason: "because", decision: "d.md#x"}})
	const wantCalls = `| function | agreed | differed | why |
|---|--:|--:|---|
| F | 1 | 1 | because (d.md#x) |
| G | 1 | 0 |  |
| H | 0 | 1 | UNEXPLAINED |
| all | 2 | 2 | |

Left to upstream, as kubemath does not answer it:
  1 × I: no answer
`
	testkit.NoDiff(t, called.String(), wantCalls, "calls")
}
