package noderesources_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestShortfall(t *testing.T) {
	for _, test := range []struct {
		name      string
		shortages noderesources.Shortages
		want      corev1.ResourceList
	}{
		{"none", nil, corev1.ResourceList{}},
		{"in their units", noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 3, Capacity: 3}, {Resource: "cpu", Requested: 500, Used: 800, Capacity: 1000}, {Resource: "memory", Requested: 2 << 30, Capacity: 1 << 30}},
			testkit.List("pods", "1", "cpu", "300m", "memory", "1Gi")},
		{"more used than there is", noderesources.Shortages{{Resource: "example.com/gpu", Requested: 1, Used: 5, Capacity: 2}}, testkit.List("example.com/gpu", "4")},
		{"beyond an int64", noderesources.Shortages{{Resource: "memory", Requested: math.MaxInt64, Used: math.MaxInt64}}, testkit.List("memory", "18446744073709551614")},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, test.shortages.Shortfall(), test.want)
		})
	}
}

// Amounts have the format of resourcelist.Quantity, whatever is used.
func TestShortfallIsReadable(t *testing.T) {
	for want, s := range map[string]noderesources.Shortage{
		"1M":    {Resource: "memory", Requested: 1_000_000, Used: 1 << 30, Capacity: 1 << 30},
		"3M":    {Resource: "memory", Requested: 1<<30 + 3_000_000, Capacity: 1 << 30},
		"500Mi": {Resource: "memory", Requested: 500<<20 + 1_000_000, Used: 1_000_000, Capacity: 2_000_000},
		"300m":  {Resource: "cpu", Requested: 1300, Capacity: 1000},
	} {
		short := noderesources.Shortages{s}.Shortfall()
		if got := short[s.Resource]; got.String() != want {
			t.Errorf("%+v: %s, want %s", s, got.String(), want)
		}
	}
}

// A node with that much more has room for the pod, and a node with one unit less of any resource
// does not.
func TestShortfallIsWhatIsMissing(t *testing.T) {
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) int64 { return rapid.Int64Range(0, 5).Draw(t, name) }
		names := []corev1.ResourceName{"cpu", "memory", "example.com/gpu"}
		allocatable, wanted, there := corev1.ResourceList{"pods": resourcelist.Quantity("pods", amount("pods"))}, []string{}, []string{}
		for _, name := range names {
			allocatable[name] = resourcelist.Quantity(name, amount("allocatable"))
			q, used := resourcelist.Quantity(name, amount("wanted")), resourcelist.Quantity(name, amount("used"))
			wanted, there = append(wanted, string(name), q.String()), append(there, string(name), used.String())
		}
		request := placed(wanted...)
		fits := func(allocatable corev1.ResourceList) noderesources.Shortages {
			node := noderesources.New(allocatable)
			if err := node.Add("there", placed(there...)); err != nil {
				t.Fatal(err)
			}
			return node.Shortages(request, noderesources.FitOptions{})
		}
		missing := fits(allocatable).Shortfall()
		enough := resourcelist.Add(allocatable, missing)
		if found := fits(enough); len(found) > 0 {
			t.Fatalf("%v with %v more", found, missing)
		}
		for name := range missing {
			short++
			less := resourcelist.Subtract(enough, corev1.ResourceList{name: resourcelist.Quantity(name, 1)})
			if found := fits(less); len(found) != 1 || found[0].Resource != name {
				t.Fatalf("%v with a unit of %s less than %v", found, name, enough)
			}
		}
	})
	if short == 0 {
		t.Error("nothing was short")
	}
}
