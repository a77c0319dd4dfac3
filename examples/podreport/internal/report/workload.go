package report

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota/admit"
)

// Workload is an object that runs pods.
type Workload struct {
	Source    objects.Source `json:"source"`
	Kind      string         `json:"kind"`
	Namespace string         `json:"namespace,omitempty"` // if any
	Name      string         `json:"name"`
	// Pods is how many run at a time: replicas, parallel pods of a Job or of one run
	// of a CronJob, 1 for each node of a DaemonSet, 0 for a pod that has finished.
	Pods  int64  `json:"pods"`
	Scale string `json:"scale"` // the same in words
	// Containers are in the order in which they start.
	Containers []Part `json:"containers"`
	// PodLevel is spec.resources, if any.
	PodLevel *Part `json:"podLevel,omitempty"`
	// Overhead is spec.overhead, if any. It is included in the amounts of the pod.
	Overhead Amounts `json:"overhead,omitempty"`
	// Rejection is set if the API server would reject the workload, or what is created
	// for it. All the rest is then what it would be if the server did not.
	Rejection *Rejection `json:"rejection,omitempty"`
	// Defaults are the requests that the manifest leaves to the API server, and then
	// what LimitRanges give, if any. They are included in all amounts.
	Defaults []Default `json:"defaults,omitempty"`
	// Annotation is kubernetes.io/limit-ranger, which the API server puts on the pods to
	// say what LimitRanges gave, if anything. Of several ranges, it names those of the
	// last one.
	Annotation string `json:"annotation,omitempty"`
	// Pod is what one pod asks for.
	Pod Sums `json:"pod"`
	// Resizing is set while a live pod holds, or has to hold, something else than
	// its spec says; Pod counts it.
	Resizing bool `json:"resizing,omitempty"`
	QoS      QoS  `json:"qos"`
	QuotaReport
	// OnNode is what the node of the report makes of a pod, if there is one.
	OnNode *OnNode `json:"onNode,omitempty"`

	// Stored is one of the pods, as the API server stores it, and Prefix stands before its
	// paths in the manifest.
	Stored *corev1.Pod `json:"-"`
	Prefix string      `json:"-"`

	sums    lists
	request noderesources.Request // what the scheduler counts of one pod
	Given   []string              `json:"-"` // which LimitRanges gave something, in words
}

// All returns the sums of all of its pods.
func (w *Workload) All() Sums { return w.sums.times(w.Pods).describe() }

// Part is a container, or the pod as a whole.
type Part struct {
	// Kind is "container", "init container", "sidecar" or "pod".
	Kind     string  `json:"kind"`
	Name     string  `json:"name,omitempty"` // of a container
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
	// OOMScoreAdj is what the kubelet sets, for containers only.
	OOMScoreAdj *int `json:"oomScoreAdj,omitempty"`
	// Cgroup is that of a container, on the node of the report, if there is one.
	Cgroup *Cgroup `json:"cgroup,omitempty"`

	Path string `json:"-"` // of its resources in the manifest
}

// describeWorkload describes a workload in a namespace, on a node with so much memory.
func describeWorkload(w *manifest.Workload, namespace *admit.Namespace, nodeBytes int64) Workload {
	if w.Live() {
		namespace = nil // it has been admitted
	}
	decision := namespace.Create(w.Pod, admit.Attributes{})
	pod := decision.Object.(*corev1.Pod)
	w.Pod.Status.DeepCopyInto(&pod.Status)
	d := Workload{
		Source:     w.Source(),
		Kind:       w.Kind,
		Namespace:  w.Namespace,
		Name:       w.Name,
		Pods:       w.Pods,
		Scale:      w.Scale(),
		Overhead:   amountsOf(pod.Spec.Overhead),
		Annotation: pod.Annotations[limitrange.AnnotationKey],
		QoS:        explain(pod),
		sums:       listsOf(pod),
		request:    noderesources.RequestOf(pod, computeresources.Options{}),
		Given:      given(decision.Changes),
		Resizing:   resizing(pod),
		Stored:     pod,
		Prefix:     w.Prefix,
	}
	d.Pod = d.sums.describe()
	for ref, c := range computeresources.Containers(&pod.Spec) {
		part := partOf(w.Prefix, ref, c.Resources)
		score := qos.OOMScoreAdj(pod, c, nodeBytes, qos.Options{})
		part.OOMScoreAdj = &score
		d.Containers = append(d.Containers, part)
	}
	if own := pod.Spec.Resources; own != nil {
		part := partOf(w.Prefix, computeresources.Ref{Kind: computeresources.Pod}, *own)
		d.PodLevel = &part
	}
	for _, set := range decision.Changes {
		d.Defaults = append(d.Defaults, describeDefault(w.Prefix, set))
	}
	return d
}

func partOf(prefix string, ref computeresources.Ref, r corev1.ResourceRequirements) Part {
	return Part{
		Kind: ref.Kind.String(), Name: ref.Name, Requests: amountsOf(r.Requests), Limits: amountsOf(r.Limits),
		Path: prefix + ref.Path(nil).Child("resources").String(),
	}
}
