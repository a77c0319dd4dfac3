package trace

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// onePod follows the formula: the most that runs at the same time, the pod-level amount that replaces
// it, and the overhead.
func onePod(w *report.Workload, n Number) []Row {
	want := n.ofSums(w.Pod)
	if want == "" {
		return nil
	}
	rows, sum := atATime(w, n)
	if list, has := podLevel(w, n); has {
		note := ""
		if anyStated(w, n) {
			note = "replaces " + quantity.Canonical(sum)
		}
		sum = list[n.Resource]
		rows = append(rows, Row{"pod level", quantity.Canonical(sum), note})
	}
	if over, has := w.Stored.Spec.Overhead[n.Resource]; has && (n.List == computeresources.Requests || !sum.IsZero()) {
		terms := quantity.Canonical(sum) + " + " + quantity.Canonical(over)
		sum = add(sum, over)
		rows = append(rows, Row{"with overhead", quantity.Canonical(sum), terms})
	}
	if q, err := quantity.Parse(want); err != nil || q.Cmp(sum) != 0 {
		rows = append(rows, Row{"resize in progress", want, "the allocated and the actuated amounts count, too"})
	}
	return append(rows, binding(w, n)...)
}

// atATime returns the most that runs at the same time: an init container with the sidecars before it,
// or all containers with all sidecars.
func atATime(w *report.Workload, n Number) ([]Row, resource.Quantity) {
	var rows []Row
	var most resource.Quantity
	var sidecars, all terms
	for ref, c := range computeresources.Containers(&w.Stored.Spec) {
		q, has := n.List.Of(&c.Resources)[n.Resource]
		if !has {
			continue
		}
		switch ref.Kind {
		case computeresources.Init:
			use := sidecars.plus(q)
			rows = append(rows, Row{"while " + ref.Name + " runs", quantity.Canonical(use.sum()), use.note()})
			most = larger(most, use.sum())
		case computeresources.Sidecar:
			sidecars = sidecars.plus(q)
			all = all.plus(q)
		case computeresources.App:
			all = all.plus(q)
		case computeresources.Pod:
			// Is not a container.
		}
	}
	running := all.sum()
	if len(rows) == 0 {
		if len(all) > 0 {
			rows = append(rows, Row{"all containers", quantity.Canonical(running), all.note()})
		}
		return rows, running
	}
	most = larger(most, running)
	return append(rows,
		Row{"while containers run", quantity.Canonical(running), all.note()},
		Row{"the maximum", quantity.Canonical(most), ""},
	), most
}

// terms are amounts that are added up.
type terms []resource.Quantity

func (t terms) plus(q resource.Quantity) terms { return append(slices.Clone(t), q) }

func (t terms) sum() resource.Quantity {
	var sum resource.Quantity
	for _, q := range t {
		sum = add(sum, q)
	}
	return sum
}

// note returns "100m + 250m", and nothing for a single term.
func (t terms) note() string {
	if len(t) < 2 {
		return ""
	}
	var words []string
	for _, q := range t {
		words = append(words, quantity.Canonical(q))
	}
	return strings.Join(words, " + ")
}

func add(a, b resource.Quantity) resource.Quantity {
	if a.IsZero() {
		return b.DeepCopy() // in its format
	}
	sum := a.DeepCopy()
	sum.Add(b)
	return sum
}

func larger(a, b resource.Quantity) resource.Quantity {
	if a = a.DeepCopy(); a.Cmp(b) < 0 {
		return b.DeepCopy()
	}
	return a
}

// binding explains the effect of the sum of limits if a container has none.
func binding(w *report.Workload, n Number) []Row {
	if n.List == computeresources.Requests || !slices.Contains(w.Pod.Unbounded, n.Resource) {
		return nil
	}
	var without []string
	for ref, c := range computeresources.Containers(&w.Stored.Spec) {
		if limit := c.Resources.Limits[n.Resource]; limit.IsZero() {
			without = append(without, ref.String())
		}
	}
	verb := " have none"
	if len(without) == 1 {
		verb = " has none"
	}
	return []Row{Row{"binding limit", "unbounded", wording.Enumerate(without) + verb}}
}

// allPods multiplies by the number of pods, if there are several.
func allPods(w *report.Workload, n Number) []Row {
	each := n.ofSums(w.Pod)
	switch {
	case each == "" || w.Pods == 1:
		return nil
	case w.Pods == 0:
		return []Row{Row{"none", "0", ""}}
	default:
		return []Row{Row{w.Scale, n.ofSums(w.All), fmt.Sprintf("%d × %s", w.Pods, each)}}
	}
}
