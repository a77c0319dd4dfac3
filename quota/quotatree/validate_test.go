package quotatree_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/quota/quotatree"
)

func quantityOf(s string) *resource.Quantity {
	q := resource.MustParse(s)
	return &q
}

func TestProblems(t *testing.T) {
	cpu := func(n int64) amounts { return amounts{"cpu": n} }
	for _, test := range []struct {
		name  string
		nodes []quotatree.Node
		want  []string
	}{
		{"none", []quotatree.Node{{Name: "b", Parent: "a", Nominal: cpu(1)}, {Name: "a"}}, nil},
		{"names", []quotatree.Node{{Name: ""}, {Name: "a"}, {Name: "a"}, {Name: "b", Parent: "c"}, {Name: "a"}},
			[]string{"nodes[0].name: Required value", `nodes[2].name: Duplicate value: "a"`, `nodes[4].name: Duplicate value: "a"`, `nodes[3].parent: Not found: "c"`}},
		{"its own parent", []quotatree.Node{{Name: "a", Parent: "a"}}, []string{`nodes[0].parent: Invalid value: "a": the node is its own ancestor`}},
		{"two cycles, with a tail", []quotatree.Node{{Name: "tail", Parent: "a"}, {Name: "b", Parent: "a"}, {Name: "a", Parent: "c"}, {Name: "c", Parent: "b"}, {Name: "d", Parent: "d"}, {Name: "root"}},
			[]string{`nodes[1].parent: Invalid value: "a": the node is its own ancestor`, `nodes[4].parent: Invalid value: "d": the node is its own ancestor`}},
		{"negative", []quotatree.Node{{Name: "a", Nominal: amounts{"memory": -1, "cpu": -2}, BorrowingLimit: cpu(-3), LendingLimit: cpu(-4), Max: cpu(-5), Guarantee: cpu(-6), Used: cpu(-7), Weight: quantityOf("-1500m")}},
			[]string{
				"nodes[0].nominal[cpu]: Invalid value: -2: must not be negative", "nodes[0].nominal[memory]: Invalid value: -1: must not be negative",
				"nodes[0].borrowingLimit[cpu]: Invalid value: -3: must not be negative", "nodes[0].lendingLimit[cpu]: Invalid value: -4: must not be negative",
				"nodes[0].max[cpu]: Invalid value: -5: must not be negative", "nodes[0].guarantee[cpu]: Invalid value: -6: must not be negative",
				"nodes[0].used[cpu]: Invalid value: -7: must not be negative", `nodes[0].weight: Invalid value: "-1500m": must not be negative`,
			}},
		{"the largest sums", []quotatree.Node{{Name: "a", Nominal: cpu(1 << 61), Used: cpu(1<<62 - 1)}, {Name: "b", Parent: "a", Nominal: cpu(1<<61 - 1), BorrowingLimit: cpu(math.MaxInt64), LendingLimit: cpu(math.MaxInt64)}}, nil},
		{"nominal amounts", []quotatree.Node{{Name: "a", Nominal: cpu(1 << 61)}, {Name: "b", Parent: "a", Nominal: cpu(1 << 61)}},
			[]string{"nodes[0].nominal[cpu]: Invalid value: the nominal amounts of the tree add up to 2^62 or more"}},
		{"nominal amounts beyond an int64", []quotatree.Node{{Name: "a", Nominal: cpu(math.MaxInt64)}, {Name: "b", Parent: "a", Nominal: cpu(math.MaxInt64)}},
			[]string{"nodes[0].nominal[cpu]: Invalid value: the nominal amounts of the tree add up to 2^62 or more"}},
		{"used amounts", []quotatree.Node{{Name: "a"}, {Name: "b", Parent: "a", Used: cpu(1 << 61)}, {Name: "c", Parent: "a", Used: cpu(1 << 61)}},
			[]string{"nodes[0].used[cpu]: Invalid value: the used amounts of the tree add up to 2^62 or more"}},
		{"two trees", []quotatree.Node{{Name: "a", Nominal: cpu(1 << 61)}, {Name: "b", Nominal: cpu(1 << 61)}}, nil},
		{"weights", []quotatree.Node{{Name: "a", Weight: quantityOf("9G")}, {Name: "b", Weight: quantityOf("223372037")}},
			[]string{"nodes[0].weight: Invalid value: the weights of all nodes add up to 9223372036 or more"}},
		{"guarantees", []quotatree.Node{{Name: "a", Nominal: cpu(5)}, {Name: "b", Parent: "a", Guarantee: cpu(2)}, {Name: "c", Parent: "b", Guarantee: cpu(2)}, {Name: "d", Parent: "b", Guarantee: cpu(1)}},
			[]string{"nodes[1].guarantee[cpu]: Invalid value: 2: must be at least what the children are guaranteed: 3"}},
		{"a guarantee of zero", []quotatree.Node{{Name: "a", Nominal: cpu(5), Guarantee: cpu(0)}, {Name: "b", Parent: "a", Guarantee: cpu(2)}},
			[]string{"nodes[0].guarantee[cpu]: Invalid value: 0: must be at least what the children are guaranteed: 2"}},
		{"guarantees of the children alone", []quotatree.Node{{Name: "a", Nominal: cpu(4)}, {Name: "b", Parent: "a", Nominal: cpu(1), Max: cpu(2)}, {Name: "c", Parent: "b", Guarantee: cpu(3)}, {Name: "d", Parent: "a", Guarantee: cpu(3)}},
			[]string{"nodes[0].guarantee[cpu]: Invalid value: 6: must be at most the nominal amounts of the tree: 5", "nodes[1].max[cpu]: Invalid value: 2: must be at least what is guaranteed: 3"}},
		{"a maximum below what is not lent", []quotatree.Node{{Name: "a", Max: cpu(7)}, {Name: "b", Parent: "a", Nominal: cpu(5), LendingLimit: cpu(1), Max: cpu(4)}, {Name: "c", Parent: "a", Nominal: cpu(4), LendingLimit: cpu(0), Max: cpu(3)}},
			[]string{
				"nodes[0].max[cpu]: Invalid value: 7: must be at least what the node and its descendants do not lend: 8",
				"nodes[2].max[cpu]: Invalid value: 3: must be at least what the node and its descendants do not lend: 4",
			}},
		{"bounds that are just kept", []quotatree.Node{{Name: "a", Nominal: cpu(3), Guarantee: cpu(3)}, {Name: "b", Parent: "a", Guarantee: cpu(3), Max: cpu(3)}, {Name: "c", Parent: "b", Guarantee: cpu(3)}, {Name: "d", Parent: "a", Nominal: cpu(5), LendingLimit: cpu(1), Max: cpu(4)}}, nil},
		{"limits of a root", []quotatree.Node{{Name: "a", Nominal: cpu(5), LendingLimit: cpu(0), BorrowingLimit: cpu(0), Max: cpu(1)}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := quotatree.New(test.nodes, quotatree.Options{})
			var got []string
			if err != nil {
				for _, e := range err.(utilerrors.Aggregate).Errors() {
					got = append(got, e.(*field.Error).Error())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" || (tree == nil) != (err != nil) {
				t.Errorf("tree %v, (-want +got):\n%s", tree != nil, diff)
			}
		})
	}
}
