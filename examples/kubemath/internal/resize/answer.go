package resize

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

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
	decision := q.Namespace(pod.Namespace).Update(pod, withAmounts(pod, spec), admit.Attributes{Subresource: "resize", Node: node})
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
