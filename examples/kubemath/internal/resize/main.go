// Package resize is the subcommand resize: what the resize of pods in place would be answered.
//
// main.go reads the pods, and what they are to have; answer.go asks the library; text.go says it in words.
package resize

import (
	"embed"
	"errors"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	on []string
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "resize", "What server, scheduler and kubelet answer if pods are resized as -f has them.",
		"some input could not be read, or has no such pod", "a resize is refused, or its node has no room for it now", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	flags.Func("on", "the cluster: a `FILE|DIR` of kubectl get -A -o json", command.Append(&o.on))
	o.Applies = true
	err = o.Parse(args, func() error {
		if len(o.Files) == 0 && (o.Cluster || len(o.on) > 0) {
			return errors.New("-f is missing: the pods, or the workload of the pods, with the new amounts")
		}
		return nil
	})
	o.Cluster = len(o.Files) > 0 && len(o.on) == 0
	return o, err
}

func answer(o options, s *command.Session) {
	change, cluster := origin.Change(&o.Common, o.on, s.Stdin, samples)
	inventory.Complain(s, change, cluster)
	r := &Report{Problems: change.Graded(objects.Invalid, objects.Warning)}
	opts := whatif.Options{}
	opts.Admission.Kubernetes = origin.Kubernetes(&o.Common, cluster.Kubelets(), func(guess string) { r.Problems = append(r.Problems, guess) })
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
	s.Answer(&o.Common, r, r.rows, func() { r.write(s) })
}
