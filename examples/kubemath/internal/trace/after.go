package trace

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// quotas returns the quotas that count the number, and what remains of them.
func quotas(w *report.Workload, n Number) []Row {
	if n.ofSums(w.Pod) == "" {
		return nil
	}
	names := []corev1.ResourceName{corev1.ResourceName(n.String())}
	if n.List == computeresources.Requests {
		names = append(names, n.Resource) // cpu is requests.cpu
	}
	var rows []Row
	for _, q := range w.Quotas {
		for _, name := range slices.Sorted(slices.Values(names)) {
			if asked := q.Asked.Text(name); asked != "" {
				rows = append(rows, row("quota "+q.Name, asked, usedOf(w, &q, name)))
			}
		}
	}
	if len(rows) == 0 {
		return []Row{{Label: "no quota counts it"}}
	}
	return rows
}

func usedOf(w *report.Workload, q *report.QuotaUse, name corev1.ResourceName) string {
	used, hard, left := q.Used.Text(name), q.Hard.Text(name), q.Left.Text(name)
	switch {
	case used == "":
		return fmt.Sprintf("of %s; usage unknown", hard)
	case w.Fit != nil && w.Fit.Exist:
		return fmt.Sprintf("included in %s used, of %s; %s left", used, hard, left)
	default:
		return fmt.Sprintf("%s used by others, of %s; %s left", used, hard, left)
	}
}

// room returns how many pods fit on the node.
func room(w *report.Workload, n Number) []Row {
	if w.OnNode == nil || n.List == computeresources.Limits || n.ofSums(w.Pod) == "" {
		return nil
	}
	others := slices.DeleteFunc(w.OnNode.Stops.Names(), func(name corev1.ResourceName) bool { return name == n.Resource })
	var lacks []string
	if missing := w.OnNode.Stops.Text(n.Resource); missing != "" {
		lacks = append(lacks, missing)
	}
	for _, name := range others {
		lacks = append(lacks, string(name))
	}
	return []Row{row("fit on the empty node", fmt.Sprint(w.OnNode.Fit), "the next lacks "+wording.Enumerate(lacks))}
}

// filesOf are the files of cgroup v1 and v2 that set a number in the kernel.
var filesOf = map[string][2]string{
	"requests.cpu":  {"cpu.shares", "cpu.weight"},
	"limits.cpu":    {"cpu.cfs_quota_us", "cpu.max"},
	"limits.memory": {"memory.limit_in_bytes", "memory.max"},
}

// kernel describes the kernel settings of a pod and its containers, and their effect: memory
// requests only decide which container is killed first.
func kernel(w *report.Workload, n Number) (columns []string, rows []Row) {
	if n.String() == "requests.memory" {
		for _, p := range w.Containers {
			rows = append(rows, row(p.Ref.String(), fmt.Sprint(*p.OOMScoreAdj), ""))
		}
		return []string{"oom_score_adj"}, rows
	}
	files, has := filesOf[n.String()]
	if w.OnNode == nil || !has {
		return nil, nil
	}
	columns = files[:]
	if n.List == computeresources.Requests {
		columns = append(columns, "CPU under v1", "under v2")
	}
	rows = append(rows, Row{"pod", contents(&w.OnNode.Cgroup, files, n), ""})
	for _, p := range w.Containers {
		rows = append(rows, Row{p.Ref.String(), contents(p.Cgroup, files, n), ""})
	}
	return columns, rows
}

// contents returns the content of the files, and the resulting CPU under contention.
func contents(c *report.Cgroup, files [2]string, n Number) []string {
	cells := []string{cmp.Or(c.V1[files[0]], "-"), cmp.Or(c.V2[files[1]], "-")}
	if c.CPU != nil && n.List == computeresources.Requests {
		cells = append(cells, c.CPU.V1, c.CPU.V2)
	}
	return cells
}
