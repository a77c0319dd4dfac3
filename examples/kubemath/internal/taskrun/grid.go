package taskrun

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// The comparison of a run as text: a grid for each resource, with a row for each container, and two
// columns, request and limit, for each way. The sums of the pod are below a line.

const (
	unstated  = "-"
	unbounded = "unbounded"

	markOfServer = "*" // set by the API server, since there is a limit
	markOfRanges = "^" // set by the LimitRanger
)

// row is a row of a grid: a label, and a request and a limit for each way.
type row struct {
	label string
	cells []string
}

func writeGrids(b *strings.Builder, c *comparison) {
	names := resourcesOf(c.results)
	if len(names) == 0 {
		b.WriteString("  no container sets an amount, and there are no defaults\n\n")
	}
	for _, name := range names {
		writeGrid(b, name, containerRows(c.results, name), sumRows(c.results, name))
		b.WriteString("\n")
	}
}

func resourcesOf(results []result) []corev1.ResourceName {
	all := corev1.ResourceList{}
	for i := range results {
		maps.Copy(all, results[i].requests.counted)
		maps.Copy(all, results[i].limits.counted)
	}
	return namesOf(all)
}

func namesOf(list corev1.ResourceList) []corev1.ResourceName {
	return slices.Sorted(maps.Keys(list))
}

// containerRows shows the final amounts of each container.
func containerRows(results []result, name corev1.ResourceName) (rows []row) {
	for ref, c := range computeresources.Containers(&results[0].pod.Spec) {
		rows = append(rows, row{label: describePart(ref, c)})
	}
	for i := range results {
		given := results[i].given(name)
		at := 0
		for ref, c := range computeresources.Containers(&results[i].pod.Spec) {
			rows[at].add(
				amount(c.Resources.Requests, name, given[setting{ref, computeresources.Requests}]),
				amount(c.Resources.Limits, name, given[setting{ref, computeresources.Limits}]))
			at++
		}
	}
	return rows
}

func (r *row) add(request, limit string) { r.cells = append(r.cells, request, limit) }

// setting is an amount of a container that the API server has set.
type setting struct {
	ref  computeresources.Ref
	list computeresources.List
}

// given returns the marks of the amounts that the API server has set.
func (r *result) given(name corev1.ResourceName) map[setting]string {
	marks := map[setting]string{}
	for _, d := range r.decision.Changes {
		switch {
		case d.Resource != name:
		case d.Source == (computeresources.Source{}):
			marks[setting{d.Ref, d.List}] = markOfServer
		default:
			marks[setting{d.Ref, d.List}] = markOfRanges
		}
	}
	return marks
}

func amount(list corev1.ResourceList, name corev1.ResourceName, mark string) string {
	q, stated := list[name]
	if !stated {
		return unstated
	}
	return canonical(q) + mark
}

// sumRows shows what is charged for the pod, what it uses at the peak, and the gap between them.
func sumRows(results []result, name corev1.ResourceName) []row {
	charged, peak, gap := row{label: "charged"}, row{label: "at the peak"}, row{label: "gap"}
	for i := range results {
		requests, limits := results[i].requests, results[i].limits
		charged.add(amount(requests.counted, name, ""), amount(limits.counted, name, ""))
		peak.add(amount(requests.used, name, ""), limitAtPeak(limits.used, name))
		gap.add(difference(requests.counted, requests.used, name), difference(limits.counted, limits.used, name))
	}
	return []row{charged, peak, gap}
}

// limitAtPeak returns the limit at the peak: a container without a limit may use what the node has.
func limitAtPeak(used corev1.ResourceList, name corev1.ResourceName) string {
	boundable := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
	if _, bound := used[name]; !bound && slices.Contains(boundable, name) {
		return unbounded
	}
	return amount(used, name, "")
}

func difference(charged, used corev1.ResourceList, name corev1.ResourceName) string {
	c, isCharged := charged[name]
	u, isUsed := used[name]
	if !isCharged || !isUsed {
		return unstated
	}
	return canonical(minus(c, u))
}

func minus(a, b resource.Quantity) resource.Quantity {
	difference := a.DeepCopy()
	difference.Sub(b)
	return difference
}

// canonical returns the canonical form of a quantity.
func canonical(q resource.Quantity) string {
	q = q.DeepCopy()
	number, suffix := q.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

// writeGrid writes rows in aligned columns, with the names of the ways above, and sums below a line.
func writeGrid(b *strings.Builder, name corev1.ResourceName, containers, sums []row) {
	heading := row{label: string(name)}
	for range ways {
		heading.add("request", "limit")
	}
	rows := slices.Concat([]row{heading}, containers, sums)
	labels, widths := measure(rows)
	names := strings.Repeat(" ", labels)
	for i, w := range ways {
		widths[2*i] = max(widths[2*i], len(w.name)-within-widths[2*i+1])
		names += padLeft(w.name, between+widths[2*i]+within+widths[2*i+1])
	}
	b.WriteString("  " + names + "\n")
	for i, r := range rows {
		if i == len(rows)-len(sums) {
			b.WriteString("  " + strings.Repeat("-", len(names)) + "\n")
		}
		line := "  " + r.label + strings.Repeat(" ", labels-utf8.RuneCountInString(r.label))
		for j, cell := range r.cells {
			line += padLeft(cell, [...]int{between, within}[j%2]+widths[j])
		}
		b.WriteString(line + "\n")
	}
}

// measure makes the labels printable, and returns the width of the longest label and of the other
// columns.
func measure(rows []row) (labels int, widths []int) {
	widths = make([]int, len(rows[0].cells))
	for i := range rows {
		rows[i].label = printable(rows[i].label)
		labels = max(labels, utf8.RuneCountInString(rows[i].label))
		for j, cell := range rows[i].cells {
			widths[j] = max(widths[j], len(cell))
		}
	}
	return labels, widths
}

// The spaces between the columns of two ways, and between those of one.
const (
	between = 4
	within  = 2
)

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-len(s))) + s
}
