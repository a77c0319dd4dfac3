package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The node: how many pods of each workload it has room for, and the kernel settings of a pod and
// its containers.

func writeNodes(b *page, r *report.Report) {
	if len(r.Nodes) == 0 {
		return
	}
	if len(r.Nodes) > 1 {
		writeFleet(b, r)
	} else {
		writeNode(b, r)
	}
	b.WriteString("\n")
	writeKernel(b, r)
	b.WriteString("\n")
}

func writeNode(b *page, r *report.Report) {
	n := &r.Nodes[0]
	title, from := "Node", "set by the arguments"
	if n.Source != nil {
		title, from = "Node "+n.Name, "from "+n.Source.String()
	}
	var room []string
	for _, name := range n.Allocatable.Names() {
		room = append(room, string(name)+" "+n.Allocatable.Short(name))
	}
	writeWrapped(b, wording.Printable(title)+": ", wording.Printable(strings.Join(room, ", ")))
	fmt.Fprintf(b, "  %s\n\n", wording.Printable(from))
	var s sheet
	addRoom(&s, r)
	all := s.add(0, "all pods of this report", fmt.Sprint(n.Pods))
	if all.note = "fit"; len(n.Missing) > 0 {
		all.note = "lack " + amountsInWords(n.Missing)
	}
	s.write(b)
}

// writeFleet writes what is requested on several nodes.
func writeFleet(b *page, r *report.Report) {
	var s sheet
	s.add(0, wording.Count(int64(len(r.Nodes)), "node"), "pods", "cpu", "of", "memory", "of")
	for i := range r.Nodes {
		n := &r.Nodes[i]
		row := s.add(0, wording.Printable(n.Name), fmt.Sprint(n.Pods))
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			row.cells = append(row.cells, cmp.Or(n.Requested.Short(name), "0"), n.Allocatable.Short(name))
		}
		switch {
		case len(n.Missing) > 0:
			row.note = "lacks " + amountsInWords(n.Missing)
		case n.Cordoned:
			row.note = "is cordoned"
		}
	}
	s.write(b)
	if len(r.Unplaced) > 0 {
		b.WriteString("\n")
		var s sheet
		s.add(0, "fit on no node", "pods")
		for _, u := range r.Unplaced {
			s.add(0, wording.Printable(u.Kind+" "+wording.Qualified(u.Namespace, u.Name)), fmt.Sprint(u.Pods)).note = wording.Printable(u.Message)
		}
		s.write(b)
	}
	b.WriteString("\n")
	var room sheet
	addRoom(&room, r)
	room.write(b)
}

func addRoom(s *sheet, r *report.Report) {
	s.add(0, "fit on the empty node", "pods")
	for i := range r.Workloads {
		w := &r.Workloads[i]
		title := titleOf(&w.Object)
		if w.OnNode.Node != "" {
			title += " on " + wording.Printable(w.OnNode.Node)
		}
		s.add(0, title, fmt.Sprint(w.OnNode.Fit)).note = "the next lacks " + amountsInWords(w.OnNode.Stops)
	}
}

// amountsInWords returns "490m of cpu and 1Gi of memory".
func amountsInWords(amounts report.Amounts) string {
	var words []string
	for _, name := range amounts.Names() {
		words = append(words, amounts.Short(name)+" of "+wording.Printable(string(name)))
	}
	return wording.Enumerate(words)
}

func writeKernel(b *page, r *report.Report) {
	var s sheet
	s.add(0, "", "v1", "v2", "CPU", "memory", "CPU under", "CPU under")
	s.add(0, "cgroup settings", "shares", "weight", "quota", "limit", "v1", "v2")
	for i := range r.Workloads {
		w := &r.Workloads[i]
		s.add(0, titleOf(&w.Object), kernelCells(&w.OnNode.Cgroup)...)
		for j := range w.Containers {
			p := &w.Containers[j]
			s.add(1, wording.Printable(p.Ref.String()), kernelCells(p.Cgroup)...)
		}
	}
	s.write(b)
	if slices.ContainsFunc(r.Nodes, func(n report.Node) bool { return n.Crowded }) {
		b.WriteString("  CPU under v1 and v2 is not computed, because no node runs so many pods.\n")
	}
}

// kernelCells returns shares, weight, quota, memory limit, and the CPU under v1 and v2.
func kernelCells(c *report.Cgroup) []string {
	cells := []string{orUnstated(c.V1["cpu.shares"]), orUnstated(c.V2["cpu.weight"]), quotaOf(c), memoryOf(c), unstated, unstated}
	if c.CPU != nil {
		cells[4], cells[5] = some(c.CPU.V1), some(c.CPU.V2)
	}
	return cells
}

// quotaOf returns the CPU that a cgroup may use, in microseconds of each period.
func quotaOf(c *report.Cgroup) string {
	quota, _, _ := strings.Cut(c.V2["cpu.max"], " ")
	if quota == "max" {
		return unstated
	}
	return orUnstated(quota)
}

func memoryOf(c *report.Cgroup) string {
	bytes, err := strconv.ParseInt(c.V2["memory.max"], 10, 64)
	if err != nil {
		return unstated // no limit, or not set
	}
	return quantity.Short(*resource.NewQuantity(bytes, resource.BinarySI))
}

// some returns "<1m" for CPU that was rounded down to zero.
func some(cpu string) string {
	if cpu == "0" {
		return "<1m"
	}
	return cpu
}
