package table

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// writeLegend explains the words of the table that this report uses.
func writeLegend(b *page, r *report.Report) {
	followed, given, open, limited := false, false, false, false
	for i := range r.Workloads {
		for _, d := range r.Workloads[i].Defaults {
			isGiven := d.Source != (computeresources.Source{})
			followed, given = followed || !isGiven, given || isGiven
		}
		limited = limited || len(r.Workloads[i].Quotas) > 0
		open = open || len(r.Workloads[i].Pod.Unbounded) > 0
	}
	if followed {
		writeWrapped(b, markOfServer+"          ", "is not set in the manifest: the API server sets it when the pod is created.")
	}
	if given {
		writeWrapped(b, markOfRanges+"          ", "is not set in the manifest: it is a default of a LimitRange, named below the table.")
	}
	writeWrapped(b, "-          ", "is not set.")
	if open {
		writeWrapped(b, "unbounded  ", "means that at least one container has no limit and may use whatever the node has. Quotas count the sum above it.")
	}
	writeWrapped(b, scoreName+"        ", fmt.Sprintf("is the oom_score_adj %s: the container with the highest is killed first.", ofMemory(r)))
	if limited {
		writeWrapped(b, "used       ", "is the usage in the status of the quota, plus that of earlier objects in the input that are admitted.")
		writeWrapped(b, "left       ", "is what remains of hard. If it is negative, not everything is admitted.")
	}
	if rounds(r) {
		writeWrapped(b, "amounts    ", "of more than four digits are rounded: -o json has the exact ones.")
	}
	if len(r.Nodes) > 0 {
		writeNodeLegend(b, &r.Nodes[0])
	}
	b.WriteString("\n")
}

func ofMemory(r *report.Report) string {
	if len(r.Nodes) > 1 {
		return "on the node of the first pod"
	}
	return "on a node with " + r.NodeMemory + " of memory"
}

// rounds reports whether amounts of workloads or totals are rounded.
func rounds(r *report.Report) bool {
	any := func(s *report.Sums) bool {
		return s.Requests.Rounded() || s.Limits.Rounded() || s.BindingLimits.Rounded()
	}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if all := w.All(); any(&w.Pod) || any(&all) {
			return true
		}
		for _, q := range w.Quotas {
			if q.Used.Rounded() || q.Asked.Rounded() || q.Hard.Rounded() || q.Left.Rounded() {
				return true
			}
		}
	}
	return any(&r.Totals.Sums)
}

func writeNodeLegend(b *page, n *report.Node) {
	writeWrapped(b, "shares     ", "(cgroup v1) and weight (cgroup v2) are those of one pod, set by the kubelet, and of its containers, set by the container runtime (runc since 1.3.2, crun since 1.23).")
	writeWrapped(b, "quota      ", "is in microseconds per period of 100000.")
	if !n.Crowded {
		writeWrapped(b, "CPU under  ", "cgroup v1 and v2 is what each gets if all pods of this report run on the node and use as much CPU as they can get.")
	}
}

func writeTotals(b *page, t *report.Totals) {
	fmt.Fprintf(b, "Total: %s%s, %s%s%s\n\n", wording.Count(int64(t.Workloads), "workload"), partly(t), wording.Count(t.Pods, "pod"), perNode(t), without(t))
	g := grid{resources: resourceNames(t.Requests, t.Limits)}
	g.rows = []row{sumRow("all pods", &t.Sums), bindingRow(&t.Sums, g.resources)}
	if t.AtMin != nil {
		g.rows = append(g.rows, sumRow("scaled down, "+wording.Count(t.AtMin.Pods, "pod"), &t.AtMin.Sums))
		g.rows = append(g.rows, sumRow("scaled up, "+wording.Count(t.AtMax.Pods, "pod"), &t.AtMax.Sums))
	}
	g.write(b)
	fmt.Fprintf(b, "\n  QoS classes: %d Guaranteed, %d Burstable, %d BestEffort\n",
		t.PodsByClass[corev1.PodQOSGuaranteed], t.PodsByClass[corev1.PodQOSBurstable], t.PodsByClass[corev1.PodQOSBestEffort])
}

func perNode(t *report.Totals) string {
	if t.PerNode {
		return " (counting one for each DaemonSet, which runs one on every node)"
	}
	return ""
}

func partly(t *report.Totals) string {
	if t.Partly > 0 {
		return fmt.Sprintf(" (%d of them partly)", t.Partly)
	}
	return ""
}

func without(t *report.Totals) string {
	if t.Rejected > 0 {
		return fmt.Sprintf(", not counting the %d that would be rejected", t.Rejected)
	}
	return ""
}

// writeWrapped writes text behind a prefix, and indents its further lines likewise.
func writeWrapped(b *page, prefix, text string) {
	line := prefix
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case width(line)+1+width(word) > b.columns:
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", width(prefix)) + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}
