// Package resize is the subcommand resize: what the resize of pods in place would be answered.
//
// main.go reads the pods, and what they are to have, and says the answer in words; answer.go asks the library.
package resize

import (
	"cmp"
	"embed"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

func parse(args []string, stdout, stderr io.Writer) (o command.Common, err error) {
	command.NewFlags(&o, "resize", "What server, scheduler and kubelet answer if pods are resized as -f has them.",
		"some input could not be read, or has no such pod", "a resize is refused, or its node has no room for it now", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	o.Apply("the pods, or the workload of the pods, with the new amounts")
	err = o.Parse(args, nil)
	return o, err
}

func answer(o command.Common, s *command.Session) {
	change, cluster := origin.Change(&o, s.Stdin, samples)
	inventory.Complain(s, change, cluster)
	r := &Report{Problems: change.Graded(objects.Invalid, objects.Warning)}
	opts := whatif.Options{}
	opts.Admission.Kubernetes = origin.Kubernetes(&o, cluster.Kubelets(), func(guess string) { r.Problems = append(r.Problems, guess) })
	before, err := whatif.Read(cluster.Objects, opts)
	if err != nil {
		s.Say(command.Unread, "%v", err)
		return
	}
	q := question{Cluster: before, Kubernetes: opts.Admission.Kubernetes, nodes: map[string]*corev1.Node{}}
	for _, n := range inventory.Of[*corev1.Node](cluster) {
		q.nodes[n.Name] = n
	}
	owned := map[computeresources.Source][]*corev1.Pod{}
	for _, name := range append(before.Nodes(), "") {
		for _, p := range before.Pods(name) {
			of := computeresources.Source{Kind: p.Owner.Kind, Namespace: p.Owner.Namespace, Name: p.Owner.Name}
			owned[of] = append(owned[of], p.Object)
		}
	}
	for i, object := range change.Objects {
		spec := inventory.PodSpec(object)
		if spec == nil {
			continue
		}
		kind, _, _ := strings.Cut(change.Places[i].Named, " ")
		pods := owned[computeresources.Source{Kind: kind, Namespace: object.GetNamespace(), Name: object.GetName()}]
		if p, err := before.Pod(types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}); kind == "Pod" && err == nil {
			pods = []*corev1.Pod{p.Object}
		}
		if len(pods) == 0 {
			s.Say(command.Unread, "%s: the cluster has no pod of it", change.Places[i].Named)
		}
		for _, pod := range pods {
			r.Pods = append(r.Pods, q.resize(pod, spec))
		}
	}
	if len(change.Objects) == 0 {
		s.Say(command.Unread, "there is nothing to resize")
		return
	}
	for i := range r.Pods {
		if r.Pods[i].fails() {
			s.Exit(command.Rejected)
		}
	}
	s.Answer(&o, r, r.rows, func() { r.write(s) })
}

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
	for _, p := range r.Pods {
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

func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "POD", "NODE", "VERDICT", "CPU", "CPU-AFTER", "MEMORY", "MEMORY-AFTER", "REASON"}}
	for _, p := range r.Pods {
		l.Add(listing.NameOf("pod", p.Name), p.Namespace, p.Name, listing.Text(p.Node), p.verdict(), listing.Amount(p.Before, "cpu"),
			listing.Amount(p.After, "cpu"), listing.Amount(p.Before, "memory"), listing.Amount(p.After, "memory"), listing.Text(cmp.Or(p.Refused, p.Message)))
	}
	return l
}
