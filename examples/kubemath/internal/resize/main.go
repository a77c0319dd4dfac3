// Package resize is the subcommand resize: what the resize of pods in place would be answered.
package resize

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
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
	if cluster.IsLost() {
		s.Exit(command.Unread)
		return
	}
	r := &Report{Pods: []Pod{}, Problems: change.Graded(objects.Invalid, objects.Warning)}
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
			owned[p.Owner] = append(owned[p.Owner], p.Object)
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
	if !slices.ContainsFunc(change.Objects, func(o admit.APIObject) bool { return inventory.PodSpec(o) != nil }) {
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
	case p.Node == "":
		return append(lines, "kubelet: none yet, because the pod has no node")
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

// Report is what resizes are answered, as -o json writes it.
type Report struct {
	Pods []Pod `json:"pods"`
	// Problems are what is invalid or doubtful in the input.
	Problems []string `json:"problems,omitempty"`
}

// Pod is what the resize of a pod is answered. Each pod is resized alone.
type Pod struct {
	Namespace string                    `json:"namespace"`
	Name      string                    `json:"name"`
	Node      string                    `json:"node,omitempty"`
	Changes   []computeresources.Change `json:"changes,omitempty"` // the amounts that change
	// Refused is the message of the API server, if it refuses the resize.
	Refused string `json:"refused,omitempty"`
	// Before and After are what the scheduler counts for the pod, and Lacks what the node has too little of then.
	Before report.Amounts `json:"before"`
	After  report.Amounts `json:"after"`
	Lacks  report.Amounts `json:"lacks,omitempty"`
	// State is Deferred or Infeasible if the kubelet does not begin the resize now, and Message why.
	State   string `json:"state,omitempty"`
	Message string `json:"message,omitempty"`
	// Unknown is set if the node of the pod is not in the input, so that its kubelet is not asked.
	Unknown bool `json:"unknown,omitempty"`
}

// fails reports whether the pod does not have the new amounts soon.
func (p *Pod) fails() bool { return p.Refused != "" || p.State != "" }

// question asks a cluster about resizes.
type question struct {
	*whatif.Cluster
	computeresources.Kubernetes
	nodes map[string]*corev1.Node
}

// resize returns what is answered if a pod gets the amounts of a spec.
func (q *question) resize(pod *corev1.Pod, spec *corev1.PodSpec) Pod {
	node := q.nodes[pod.Spec.NodeName]
	p := Pod{Namespace: pod.Namespace, Name: pod.Name, Node: pod.Spec.NodeName, Unknown: node == nil}
	stored := pod
	if stored.ResourceVersion == "" { // the cluster has it, so quotas count the increase only
		stored = pod.DeepCopy()
		stored.ResourceVersion = "1"
	}
	decision := q.Namespace(pod.Namespace).Update(stored, withAmounts(pod, spec), admit.Attributes{Subresource: "resize", Node: node})
	resized, _ := decision.Object.(*corev1.Pod) // as the pod is
	allocate(resized, pod)
	p.changes(pod, resized)
	sums := computeresources.Options{Kubernetes: q.Kubernetes}
	before, after := noderesources.PodRequest(pod, sums), noderesources.PodRequest(resized, sums)
	p.Before, p.After = report.Amounts(before.Amounts(computeresources.Requests)), report.Amounts(after.Amounts(computeresources.Requests))
	if err := decision.Err(); err != nil {
		p.Refused = err.Error()
		return p
	}
	if node == nil {
		return p
	}
	pods, ledger := []*corev1.Pod{resized}, noderesources.NewLedger(node.Status.Allocatable)
	for i, other := range q.Pods(node.Name) {
		if o := other.Object; o.Spec.NodeName == node.Name && (o.Namespace != pod.Namespace || o.Name != pod.Name) {
			_ = ledger.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(o, sums)) // ids differ
			pods = append(pods, o)
		}
	}
	p.Lacks = report.Amounts(ledger.Shortages(after, noderesources.FitOptions{}).Shortfall())
	for _, r := range noderesources.PendingResizes(pods, node.Status.Allocatable, noderesources.KubeletOptions{Kubernetes: q.Kubernetes}) {
		if r.Pod == 0 {
			p.State, p.Message = r.State, r.Message
		}
	}
	return p
}

// withAmounts returns a pod with the amounts that a spec has for containers of the same names.
func withAmounts(pod *corev1.Pod, spec *corev1.PodSpec) *corev1.Pod {
	updated := pod.DeepCopy()
	for ref := range computeresources.Containers(spec) {
		if own, found := ref.In(&updated.Spec); found {
			*own.Resources(&updated.Spec) = *ref.Resources(spec).DeepCopy()
		}
	}
	if spec.Resources != nil {
		updated.Spec.Resources = spec.Resources.DeepCopy()
	}
	return updated
}

// allocate has the status of a pod say what is allocated, where it does not: what the pod had before.
func allocate(pod, before *corev1.Pod) {
	if own, status := before.Spec.Resources, &pod.Status; own != nil && status.Resources == nil && status.AllocatedResources == nil {
		status.Resources = own.DeepCopy()
		status.AllocatedResources = computeresources.SpecRequests(&before.Spec, computeresources.Options{ExcludeOverhead: true})
	}
	for _, c := range computeresources.Containers(&before.Spec) {
		statuses := &pod.Status.ContainerStatuses
		if slices.ContainsFunc(before.Spec.InitContainers, func(own corev1.Container) bool { return own.Name == c.Name }) {
			statuses = &pod.Status.InitContainerStatuses
		}
		at := slices.IndexFunc(*statuses, func(s corev1.ContainerStatus) bool { return s.Name == c.Name })
		if at < 0 {
			*statuses, at = append(*statuses, corev1.ContainerStatus{Name: c.Name}), len(*statuses)
		}
		if status := &(*statuses)[at]; status.Resources == nil && status.AllocatedResources == nil {
			status.Resources, status.AllocatedResources = c.Resources.DeepCopy(), c.Resources.Requests.DeepCopy()
		}
	}
}

// changes describes the amounts that change, of containers and of the pod level.
func (p *Pod) changes(before, after *corev1.Pod) {
	for ref, c := range computeresources.Containers(&after.Spec) {
		if own, found := ref.In(&before.Spec); found {
			p.Changes = append(p.Changes, changesOf(own, own.Resources(&before.Spec), &c.Resources)...)
		}
	}
	ofPod := computeresources.Ref{Kind: computeresources.Pod}
	p.Changes = append(p.Changes, changesOf(ofPod, before.Spec.Resources, after.Spec.Resources)...)
}

// changesOf returns the amounts of a container, or of the pod level, that differ. Nil has none.
func changesOf(ref computeresources.Ref, before, after *corev1.ResourceRequirements) (changes []computeresources.Change) {
	for _, list := range []computeresources.List{computeresources.Requests, computeresources.Limits} {
		from, to := report.Amounts(list.Of(before)), report.Amounts(list.Of(after))
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			old, had := from[name]
			q, has := to[name]
			if had != has || old.Cmp(q) != 0 {
				c := computeresources.Change{Ref: ref, List: list, Resource: name}
				if had {
					c.From = &old
				}
				if has {
					c.To = &q
				}
				changes = append(changes, c)
			}
		}
	}
	return changes
}
