package noderesources_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// exclusive is a PodFilter of which some pods are in the way, by their indices, on nodes that are resolvable or not.
type exclusive struct {
	inTheWay map[string][]int
	isFinal  map[string]bool
	gone     map[string][]int
}

func (e *exclusive) Refusal(node string) (message string, isResolvable bool) {
	if e.isFinal[node] {
		return "node(s) are not for it", false
	}
	for _, pod := range e.inTheWay[node] {
		if !slices.Contains(e.gone[node], pod) {
			return "node(s) had a pod in the way", true
		}
	}
	return "", false
}

func (e *exclusive) Evict(node string, pod int) { e.gone[node] = append(e.gone[node], pod) }

func (e *exclusive) PutBack(node string, pod int) {
	e.gone[node] = slices.DeleteFunc(e.gone[node], func(other int) bool { return other == pod })
}

// Pods are preempted that are in the way by what PodFilter says, and those that resources need; all are back afterwards.
func TestPreemptForPods(t *testing.T) {
	low := func(uid types.UID) there { return there{uid: uid, priority: 1} }
	for _, test := range []struct {
		name    string
		nodes   [][]there
		filter  exclusive
		cpu     string
		want    preempted
		message string
	}{
		{name: "no pod is in the way", nodes: [][]there{{low("1")}}, cpu: "1", message: "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		{
			name: "one is in the way", nodes: [][]there{{low("1"), low("2")}, {low("3")}}, cpu: "0",
			filter: exclusive{inTheWay: map[string][]int{"a": {1}}}, want: preempted{Node: "a", Victims: []types.UID{"2"}},
		},
		{
			name: "one is in the way, and another takes the room", nodes: [][]there{{low("1"), low("2")}}, cpu: "2",
			filter: exclusive{inTheWay: map[string][]int{"a": {1}}}, want: preempted{Node: "a", Victims: []types.UID{"1", "2"}},
		},
		{
			name: "one in the way leaves enough room", nodes: [][]there{{low("1"), low("2")}}, cpu: "1",
			filter: exclusive{inTheWay: map[string][]int{"a": {0}}}, want: preempted{Node: "a", Victims: []types.UID{"1"}},
		},
		{
			name: "the one in the way is as important", nodes: [][]there{{low("1"), {uid: "2", priority: 9}}}, cpu: "0",
			filter: exclusive{inTheWay: map[string][]int{"a": {1}}}, message: "preemption: 0/1 nodes are available: 1 node(s) had a pod in the way.",
		},
		{
			name: "a node that refuses for good", nodes: [][]there{{low("1")}, {low("2"), low("3")}}, cpu: "2",
			filter: exclusive{inTheWay: map[string][]int{"b": {1}}, isFinal: map[string]bool{"a": true}}, want: preempted{Node: "b", Victims: []types.UID{"2", "3"}},
		},
		{
			name: "a node that refuses for good, without a shortage", nodes: [][]there{{low("1")}}, cpu: "0",
			filter: exclusive{isFinal: map[string]bool{"a": true}}, message: "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
		},
		{
			name: "a node that refuses for good, with a shortage", nodes: [][]there{{low("1"), low("2")}}, cpu: "1",
			filter: exclusive{isFinal: map[string]bool{"a": true}}, message: "preemption: 0/1 nodes are available: 1 node(s) are not for it.",
		},
	} {
		c, pods := preempting(t, test.nodes...)
		test.filter.gone = map[string][]int{}
		got, err := c.Preempt(placed("cpu", test.cpu), pods, noderesources.PreemptOptions{Priority: 5, Pods: &test.filter})
		testkit.NoDiff(t, byUID(got, pods), test.want, test.name)
		if test.message != "" {
			testkit.Equal(t, fmt.Sprint(err), test.message, test.name)
			var is *noderesources.PreemptError
			testkit.Equal(t, errors.As(err, &is), true, test.name)
		}
		for node, gone := range test.filter.gone {
			testkit.Equal(t, len(gone), 0, test.name, "gone from", node)
		}
	}
}
