package resize

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// verdict returns what becomes of the resize, in a word.
func (p *Pod) verdict() string {
	switch {
	case p.Refused != "":
		return "refused"
	case len(p.Changes) == 0:
		return "unchanged"
	case p.Unknown:
		return "accepted"
	}
	return cmp.Or(strings.ToLower(p.State), "resized")
}

func (r *Report) write(s *command.Session) {
	for i := range r.Pods {
		p := &r.Pods[i]
		s.Verdict(p.fails(), func() {
			s.Line(wording.Printable("Pod " + wording.Qualified(p.Namespace, p.Name) + ": " + p.verdict()))
		})
		for _, c := range p.Changes {
			s.Hang("  ", wording.Printable(c.String()))
		}
		for _, line := range p.answers() {
			s.Hang("  ", wording.Printable(line))
		}
		s.Line("")
	}
	for _, problem := range r.Problems {
		s.Hang("", "note: "+problem)
	}
}

// answers returns those of the server, the scheduler and the kubelet.
func (p *Pod) answers() (lines []string) {
	if p.Refused != "" {
		return []string{"server: " + p.Refused}
	}
	scheduler := "scheduler: counts " + amounts(p.Before)
	if after := amounts(p.After); after != amounts(p.Before) {
		scheduler += ", then " + after
	}
	if len(p.Lacks) > 0 {
		scheduler += ", which is " + amounts(p.Lacks) + " more than " + p.Node + " has"
	}
	lines = []string{"server: accepts it", scheduler}
	switch {
	case p.Unknown:
		return append(lines, "kubelet: not known, because the input does not have its node")
	case p.fails():
		return append(lines, "kubelet: "+p.State+": "+p.Message)
	case len(p.Changes) > 0:
		lines = append(lines, "kubelet: begins it now")
	}
	return lines
}

// amounts returns "cpu 500m, memory 1Gi".
func amounts(a report.Amounts) string {
	var words []string
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if text := a.Short(name); text != "" {
			words = append(words, string(name)+" "+text)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}

// rows returns a row for each pod.
func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "POD", "NODE", "VERDICT", "CPU", "CPU-AFTER", "MEMORY", "MEMORY-AFTER", "REASON"}}
	for i := range r.Pods {
		p := &r.Pods[i]
		l.Add(listing.NameOf("pod", p.Name), p.Namespace, p.Name, listing.Text(p.Node), p.verdict(), listing.Amount(p.Before, "cpu"),
			listing.Amount(p.After, "cpu"), listing.Amount(p.Before, "memory"), listing.Amount(p.After, "memory"), listing.Text(cmp.Or(p.Refused, p.Message)))
	}
	return l
}
