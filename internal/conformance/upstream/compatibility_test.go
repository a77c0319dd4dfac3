package main

import (
	"testing"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestCompatibilityTable(t *testing.T) {
	own, err := ownTests("require (\n\tk8s.io/api v0.35.7\n)\n", "x\n\tfor version in 0.36.3 0.37.2; do\n")
	testkit.OK(t, err)
	before := &outcome{passed: map[string]bool{"TestA": true, "TestB": true}}
	after := &outcome{passed: map[string]bool{"TestA": true}}
	calls := counts{}
	for _, call := range []beside.Call{
		{Function: "F", Outcome: beside.Agreed}, {Function: "F", Outcome: beside.Differed},
		{Function: "G", Outcome: beside.Agreed}, {Function: "H: no answer", Outcome: beside.Forwarded},
	} {
		calls.add(call)
	}
	lines := []line{{pkg: componentHelpers + "/resource v0.36.3", before: before, after: after}, {pkg: "p v1.36.3", before: before, after: before}}
	got := compatibilityTable(own, comparedOf("1.38", lines[1:], counts{}), "")
	got = compatibilityTable(own, comparedOf("1.36", lines, calls), got)
	const want = "| Kubernetes | our tests (`.ci/run`) | its own tests that pass (`.ci/upstream`) |\n" + `|---|---|---|
| 1.35 | all, with k8s.io/api v0.35.7 | – |
| 1.36 | all, with k8s.io/api v0.36.3 | 2 packages, component-helpers v0.36.3: 4 before, 3 with kubemath; 2 functions compared, 1 of them different on purpose |
| 1.37 | all, with k8s.io/api v0.37.2 | – |
| 1.38 | – | 1 package: 2 before, 2 with kubemath; 0 functions compared, 0 of them different on purpose |
`
	testkit.NoDiff(t, got, want)
	if _, err := ownTests("module x\n", "for version in 0.36.3; do"); err == nil {
		t.Error("a go.mod without k8s.io/api is no error")
	}
}

func TestCutTable(t *testing.T) {
	before, table, after, err := cutTable("a\n" + tableBegins + "old\n" + tableEnds + "b\n")
	if before != "a\n"+tableBegins || table != "old\n" || after != tableEnds+"b\n" || err != nil {
		t.Errorf("%q, %q, %q, %v", before, table, after, err)
	}
	for _, text := range []string{"", tableBegins, tableEnds, tableEnds + tableBegins} {
		if _, table, _, err := cutTable(text); err == nil {
			t.Errorf("%q has the table %q", text, table)
		}
	}
}
