package table

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

// The node: how many pods of each workload it has room for, and what its kernel is told of
// a pod and its containers.

func writeNode(b *strings.Builder, r *report.Report) {
	if len(r.Nodes) == 0 {
		return
	}
	n := &r.Nodes[0]
	title, from := "Node", "as arguments say"
	if n.Source != nil {
		title, from = "Node "+n.Name, "from "+n.Source.String()
	}
	var room []string
	for _, name := range n.Allocatable.Names() {
		room = append(room, string(name)+" "+n.Allocatable.Text(name))
	}
	writeWrapped(b, wording.Printable(title)+": ", wording.Printable(strings.Join(room, ", ")))
	fmt.Fprintf(b, "  %s\n\n", wording.Printable(from))
	writeRoom(b, r)
	b.WriteString("\n")
	writeKernel(b, r)
	b.WriteString("\n")
}

func writeRoom(b *strings.Builder, r *report.Report) {
	var s sheet
	s.add(0, "fit on it, alone", "pods")
	for i := range r.Workloads {
		w := &r.Workloads[i]
		s.add(0, titleOf(&w.Object), fmt.Sprint(w.OnNode.Fit)).note = "the next lacks " + amountsInWords(w.OnNode.Stops)
	}
	all := s.add(0, "all of this report", fmt.Sprint(r.Nodes[0].Pods))
	if all.note = "fit together"; len(r.Nodes[0].Missing) > 0 {
		all.note = "together lack " + amountsInWords(r.Nodes[0].Missing)
	}
	s.write(b)
}

// amountsInWords returns "490m of cpu and 1Gi of memory".
func amountsInWords(amounts report.Amounts) string {
	var words []string
	for _, name := range amounts.Names() {
		words = append(words, amounts.Text(name)+" of "+wording.Printable(string(name)))
	}
	return wording.Enumerate(words)
}

func writeKernel(b *strings.Builder, r *report.Report) {
	var s sheet
	s.add(0, "", "v1", "v2", "CPU", "memory", "CPU under", "CPU under")
	s.add(0, "told to the kernel", "shares", "weight", "quota", "limit", "v1", "v2")
	for i := range r.Workloads {
		w := &r.Workloads[i]
		s.add(0, titleOf(&w.Object), kernelCells(&w.OnNode.Cgroup)...)
		for j := range w.Containers {
			p := &w.Containers[j]
			s.add(1, wording.Printable(p.Ref.String()), kernelCells(p.Cgroup)...)
		}
	}
	s.write(b)
	if r.Nodes[0].Crowded {
		b.WriteString("  What CPU each gets is left out: no node runs so many pods.\n")
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
	return quantity.Canonical(*resource.NewQuantity(bytes, resource.BinarySI))
}

// some returns CPU that has been rounded down to nothing as a little.
func some(cpu string) string {
	if cpu == "0" {
		return "<1m"
	}
	return cpu
}
