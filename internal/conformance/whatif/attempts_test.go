package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
)

const schedulerLines = `I1129 15:43:44.012345    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/a" pod="shop/a"
I1129 15:43:44.013000    4775 batch.go:110] "OpportunisticBatch provided node hint" pod="shop/a" profile="default-scheduler" pod="shop/a" cycleCount=2 hint="node-01" remainingNodes=3
I1129 15:43:44.014000    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/b" pod="shop/b"
I1129 15:43:44.014500    4775 preemption.go:189] "the target node for the preemption is determined" pod="shop/b" node="node-02" pod="shop/b"
I1129 15:43:44.015000    4775 schedule_one.go:1194] "Unable to schedule pod; no fit; waiting" pod="shop/b" pod="shop/b" err="0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [\"x\"]."
I1129 15:43:44.016000    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/c" pod="shop/c"
I1129 15:43:44.017000    4775 executor.go:153] "Preemptor Pod preempted victim Pod" pod="shop/b" preemptor="shop/b" victim="shop/a" node="node-02"
E1129 15:43:44.018000    4775 other.go:1] "Attempting to schedule pod" pod="shop/d"
I1129 15:43:44.019000    4775 schedule_one.go:1190] "Unable to schedule pod; no nodes are registered to the cluster; waiting" pod="shop/c"
I1129 15:43:44.020000    4775 schedule_one.go:117] "Attempting to sche`

// The log of the scheduler says in which order it tries pods, and what comes of each. A line that is not complete is read later.
func TestAttempts(t *testing.T) {
	at := func(micro int) time.Time {
		return time.Date(time.Now().Year(), 11, 29, 15, 43, 44, micro*1000, time.Local)
	}
	name := func(pod string) types.NamespacedName { return types.NamespacedName{Namespace: "shop", Name: pod} }
	want := []attempt{
		{at: at(12345), pod: name("a"), hinted: true},
		{at: at(14000), pod: name("b"), target: "node-02", victims: []types.NamespacedName{name("a")},
			failure: `0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) ["x"].`},
		{at: at(16000), pod: name("c"), failure: "no nodes available to schedule pods"},
	}
	l := &schedulerLog{path: filepath.Join(t.TempDir(), "log")}
	write := func(text string) {
		testkit.OK(t, os.WriteFile(l.path, []byte(text), 0o600))
		testkit.OK(t, l.update())
		testkit.NoDiff(t, l.attempts, want, cmp.AllowUnexported(attempt{}))
	}
	write(schedulerLines)
	want = append(want, attempt{at: at(20000), pod: name("e")})
	write(schedulerLines + "dule pod\" pod=\"shop/e\"\n")
}

// The message of a pod is that of the last attempt, unless the scheduler has not seen what it has written before.
func TestIsWritten(t *testing.T) {
	for _, test := range []struct {
		name, failures string // one letter each
		apart          time.Duration
		message        string
		want           bool
	}{
		{"the last one", "ab", time.Hour, "b", true},
		{"the one before", "ab", 0, "a", false},
		{"the one before, and the last has the words of an earlier one", "aba", time.Millisecond, "b", true},
		{"the one long before", "aba", time.Hour, "b", false},
		{"twice", "abcab", time.Millisecond, "c", true},
		{"other words at last", "abad", time.Millisecond, "b", false},
		{"none of them", "ab", 0, "c", false},
		{"no attempt", "", 0, "", true},
		{"no attempt, and a message", "", 0, "a", false},
	} {
		var tries []attempt
		for i, failure := range test.failures {
			tries = append(tries, attempt{at: time.Unix(0, 0).Add(time.Duration(i) * test.apart), failure: string(failure)})
		}
		testkit.Equal(t, isWritten(tries, test.message), test.want, test.name)
	}
}

// A pod may be tried again before the log has the last of the pods that it has preempted.
func TestVictimsOfAnEarlierAttempt(t *testing.T) {
	l := &schedulerLog{}
	for _, line := range []string{
		`I1129 15:43:44.014000    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/b"`,
		`I1129 15:43:44.014500    4775 preemption.go:189] "the target node for the preemption is determined" pod="shop/b" node="node-02"`,
		`I1129 15:43:44.016000    4775 schedule_one.go:117] "Attempting to schedule pod" pod="shop/b"`,
		`I1129 15:43:44.017000    4775 executor.go:153] "Preemptor Pod preempted victim Pod" preemptor="shop/b" victim="shop/a" node="node-02"`,
	} {
		l.take(line)
	}
	if len(l.attempts) != 2 || len(l.attempts[0].victims) != 1 || len(l.attempts[1].victims) != 0 {
		t.Errorf("%+v", l.attempts)
	}
}
