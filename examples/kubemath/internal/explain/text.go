package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// mostPods is how many pods are explained as text.
const mostPods = 3

func (r *Report) write(s *command.Session) {
	for i := range r.Pods {
		r.Pods[i].write(s)
	}
	if r.more > 0 {
		s.Line(fmt.Sprintf("and %d other pods: -all explains them, and -field-selector metadata.name=NAME one", r.more))
	}
}

func (p *Pod) write(s *command.Session) {
	title := "Pod " + wording.Qualified(p.Namespace, p.Name)
	if p.Node != "" {
		title += " on " + p.Node
	}
	s.Hang("", wording.Printable(fmt.Sprintf("%s: %s, because %s", title, p.Class, p.Reason)))
	if p.Refused != nil {
		s.In(terminal.Red, func() { s.Hang("  ", p.Refused.Reason+": "+p.Refused.Message) })
	}
	s.Line("")
	p.amounts(s)
	s.Line("")
	for _, d := range p.Defaults {
		from := "from the limit, or the containers"
		if d.Source.Kind != "" {
			from = "from " + d.Source.String()
		}
		s.Hang("  ", wording.Printable(fmt.Sprintf("%s %v %s of %v is %s", d.Resource, d.List, quantity.Canonical(*d.To), d.Ref, from)))
	}
	if e := p.Eviction; e != nil {
		s.Hang("  ", e.words())
	} else if p.Node != "" {
		s.Hang("  ", "the kubelet does not evict it under memory pressure: it is critical, or not there yet")
	}
	s.Hang("  ", "cgroup of the pod: "+files(p.Cgroup))
	for _, c := range p.Containers {
		s.Hang("  ", wording.Printable("cgroup of "+c.Name+": "+files(c.Cgroup)))
		if c.ExclusiveCPUs > 0 {
			s.Hang("    ", fmt.Sprintf("with the static policy of the CPU manager, it has %s alone", wording.Count(c.ExclusiveCPUs, "CPU")))
		}
		for _, d := range c.Downward {
			s.Hang("    ", wording.Printable(d.words()))
		}
	}
	s.Line("")
}

// amounts writes a table with a row for each container, and below it the effective amounts, and what the node has.
func (p *Pod) amounts(s *command.Session) {
	names := report.NamesOf(p.Requests, p.Limits, report.Amounts{corev1.ResourceCPU: {}, corev1.ResourceMemory: {}})
	table := terminal.Table{}
	head := table.Add(0, "of")
	for _, name := range names {
		head.Cells = append(head.Cells, wording.Printable(string(name)), "limit")
	}
	head.Cells = append(head.Cells, "oom score")
	add := func(label string, requests, limits report.Amounts, more ...string) {
		row := table.Add(0, wording.Printable(label))
		for _, name := range names {
			row.Cells = append(row.Cells, cmp.Or(requests.Short(name), "-"), cmp.Or(limits.Short(name), "-"))
		}
		row.Cells = append(row.Cells, more...)
	}
	for _, c := range p.Containers {
		score := "?"
		if c.OOMScoreAdj != nil {
			score = fmt.Sprint(*c.OOMScoreAdj)
		}
		add(c.Name, c.Requests, c.Limits, score)
	}
	table.Add(0, "").Rule = true
	add("the pod", p.Requests, p.Limits)
	add("limits that bind it", nil, p.Binding)
	if p.Allocatable != nil {
		add("allocatable", p.Allocatable, nil)
	}
	s.Table(&table)
}

func (e *Eviction) words() string {
	text := fmt.Sprintf("under memory pressure, the kubelet evicts it as number %d of %d on its node: ", e.Rank, e.Of)
	less := e.Excess.DeepCopy()
	less.Neg()
	switch {
	case e.NoUsage:
		return text + "its usage is not known (-usage)"
	case e.Excess.Sign() > 0:
		return text + "it uses " + resourcelist.Short(e.Excess) + " more than it requests"
	case e.Excess.IsZero():
		return text + "it uses as much as it requests"
	}
	return text + "it uses " + resourcelist.Short(less) + " less than it requests"
}

func files(settings []cgroupconfig.Setting) string {
	var words []string
	for _, s := range settings {
		words = append(words, s.Name+" "+s.Value)
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func (d *Downward) words() string {
	text := fmt.Sprintf("%s is %s (%s", d.Name, cmp.Or(d.Value, "not known"), d.Field)
	if d.From != "" {
		text += " of " + d.From + ", because it has none"
	}
	return text + ")"
}
