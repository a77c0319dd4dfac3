package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/sharing"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// Object is an object without pods: a PersistentVolumeClaim, a Service, or any other. Claims that are
// created for the pods of a workload appear only in the reasons to reject it.
type Object struct {
	Source    objects.Source `json:"source"`
	Line      int            `json:"line,omitempty"` // in the file, where the object begins, if known
	Kind      string         `json:"kind"`
	Namespace string         `json:"namespace,omitempty"` // if any
	Name      string         `json:"name"`
	Scale     string         `json:"scale"` // its number or size, in words
	Verdict
}

// Workload is an object that runs pods.
type Workload struct {
	Object // whose scale is the number of pods
	// Unread is set if the workload itself is not in the input, and is only known as the owner of pods.
	// Its source is that of the first of them.
	Unread bool `json:"unread,omitempty"`
	// Owner is the controller of the workload, if it has one that is not a workload.
	Owner *Owner `json:"owner,omitempty"`
	// Members are the objects of the input that are part of the workload, if any.
	Members []Member `json:"members,omitempty"`
	// Pods is how many run at a time: replicas, parallel pods of a Job or of one run
	// of a CronJob, 1 for each node of a DaemonSet, 0 for a pod that has finished.
	Pods int64 `json:"pods"`
	// Live is how many of the pods exist: they are in the input.
	Live int64 `json:"live,omitempty"`
	// Admitted is how many of the pods exist or are admitted: totals and nodes have these.
	Admitted int64 `json:"admitted"`
	// Others are existing pods that differ from Pod, if any.
	Others []Variant `json:"others,omitempty"`
	// Nodes are the nodes that admitted pods are on or are placed on, by name.
	Nodes []NodePods `json:"nodes,omitempty"`
	// Autoscaler changes the number of replicas, if there is one.
	Autoscaler *Autoscaler `json:"autoscaler,omitempty"`
	// Containers are in the order in which they start.
	Containers []Part `json:"containers"`
	// PodLevel is spec.resources, if any.
	PodLevel *Part `json:"podLevel,omitempty"`
	// Overhead is spec.overhead, if any. It is included in the amounts of the pod.
	Overhead Amounts `json:"overhead,omitempty"`
	// Defaults are the requests that the API server sets, and then the defaults of LimitRanges, if
	// any. They are included in all amounts.
	Defaults []computeresources.Change `json:"defaults,omitempty"`
	// Annotation is kubernetes.io/limit-ranger, by which the API server lists the defaults of
	// LimitRanges, if any. If there are several ranges, it lists those of the last one.
	Annotation string `json:"annotation,omitempty"`
	// Pod has the amounts of one pod.
	Pod Sums `json:"pod"`
	// Resizing is set during an in-place resize, when the allocated or actual resources of a live
	// pod differ from its spec; Pod includes them.
	Resizing bool `json:"resizing,omitempty"`
	QoS      QoS  `json:"qos"`
	// OnNode describes a pod on its node, if the report has nodes.
	OnNode *OnNode `json:"onNode,omitempty"`

	// Stored is one of the pods, as the API server stores it. Prefix begins the paths of the pod in
	// the manifest.
	Stored *corev1.Pod `json:"-"`
	Prefix string      `json:"-"`

	request noderesources.Request // the request of one pod that the scheduler counts
	host    *host                 // the node that it is shown on
	perNode bool                  // each node has a pod, of which one is counted
}

// Part is a container, or the pod level.
type Part struct {
	computeresources.Ref
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
	// OOMScoreAdj is what the kubelet sets, for containers only.
	OOMScoreAdj *int `json:"oomScoreAdj,omitempty"`
	// Cgroup is that of a container, on the node of the report, if there is one.
	Cgroup *Cgroup `json:"cgroup,omitempty"`
}

// describeWorkload describes a workload in a namespace.
func (c *cluster) describeWorkload(w *manifest.Workload, namespace *admit.Namespace, lists *sharing.Lists) Workload {
	if w.Live() {
		namespace = nil // it has been admitted
	}
	decision := namespace.Create(w.Pod, admit.Attributes{})
	pod := decision.Object.(*corev1.Pod)
	w.Pod.Status.DeepCopyInto(&pod.Status)
	lists.Pod(&pod.Spec)
	d := Workload{
		Object:     Object{Source: w.Source(), Line: w.Line, Kind: w.Kind, Namespace: w.Namespace, Name: w.Name, Scale: w.Scale()},
		Unread:     w.Unread,
		Pods:       w.Pods,
		Live:       w.LivePods(),
		Admitted:   w.Pods,
		Overhead:   Amounts(pod.Spec.Overhead),
		Defaults:   decision.Changes,
		Annotation: pod.Annotations[limitrange.AnnotationKey],
		Pod:        c.sumsOf(pod),
		QoS:        explain(pod),
		request:    noderesources.PodRequest(pod, c.sums()),
		Stored:     pod,
		perNode:    w.PerNode(),
		Prefix:     w.Prefix,
	}
	d.Pod.share(lists)
	d.describeMembers(w, c)
	spec := c.sumsOf(&corev1.Pod{Spec: pod.Spec})
	d.Resizing = !equal(spec.Requests, d.Pod.Requests) || !equal(spec.Limits, d.Pod.Limits)
	for ref, c := range computeresources.Containers(&pod.Spec) {
		d.Containers = append(d.Containers, Part{Ref: ref, Requests: Amounts(c.Resources.Requests), Limits: Amounts(c.Resources.Limits)})
	}
	if own := pod.Spec.Resources; own != nil {
		d.PodLevel = &Part{Ref: computeresources.Ref{Kind: computeresources.Pod}, Requests: Amounts(own.Requests), Limits: Amounts(own.Limits)}
	}
	return d
}

func equal(a, b Amounts) bool {
	return resourcelist.Equals(corev1.ResourceList(a), corev1.ResourceList(b))
}

// DefaultOf returns the default of an amount of a part, or nil if the manifest sets the amount.
func (w *Workload) DefaultOf(ref computeresources.Ref, list computeresources.List, name corev1.ResourceName) *computeresources.Change {
	for i := range w.Defaults {
		if d := &w.Defaults[i]; d.Ref == ref && d.List == list && d.Resource == name {
			return d
		}
	}
	return nil
}

// Given lists the defaults of LimitRanges, with the LimitRange of each if there are several, such as
// "LimitRange shop/defaults: cpu request, cpu limit of container app".
func (w *Workload) Given() []string {
	of := map[string][]computeresources.Change{}
	for _, d := range w.Defaults {
		if d.Source != (computeresources.Source{}) {
			of[d.Source.String()] = append(of[d.Source.String()], d)
		}
	}
	words := slices.Sorted(maps.Keys(of))
	if len(words) > 1 {
		for i, from := range words {
			words[i] = from + ": " + gifts(of[from])
		}
	}
	return words
}

// gifts lists defaults, which are sorted by container.
func gifts(defaults []computeresources.Change) string {
	var b strings.Builder
	for i, d := range defaults {
		fmt.Fprintf(&b, "%s %v", d.Resource, d.List)
		if i+1 < len(defaults) && d.Ref == defaults[i+1].Ref {
			b.WriteString(", ")
		} else {
			fmt.Fprintf(&b, " of %v; ", d.Ref)
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}
