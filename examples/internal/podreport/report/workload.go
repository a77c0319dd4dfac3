package report

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/qos"
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
	Verdict

	of *manifest.Object
}

func objectOf(o *manifest.Object) *Object {
	return &Object{o.Source, o.Line, o.Kind, o.Namespace, o.Name, Verdict{}, o}
}

// Title returns the kind, the namespace and the name of an object.
func (o *Object) Title() string { return o.Kind + " " + wording.Qualified(o.Namespace, o.Name) }

// Workload is an object that runs pods. If only its pods are in the input, its source is that of the first of them.
type Workload struct {
	Object
	Scale string `json:"scale"` // the number of its pods, in words
	// Pods is how many run at a time: replicas, parallel pods of a Job or of one run
	// of a CronJob, 1 for each node of a DaemonSet, 0 for a pod that has finished.
	Pods int64 `json:"pods"`
	// Admitted is how many of the pods exist or are admitted: totals and nodes have these.
	Admitted int64 `json:"admitted"`
	// Containers are in the order in which they start.
	Containers []Part `json:"containers"`
	// PodLevel is spec.resources, if any.
	PodLevel *Part `json:"podLevel,omitempty"`
	// Overhead is spec.overhead, if any. It is included in the amounts of the pod.
	Overhead Amounts `json:"overhead,omitempty"`
	// Defaults are the requests that the API server sets, and then the defaults of LimitRanges, if
	// any. They are included in all amounts.
	Defaults []computeresources.Change `json:"defaults,omitempty"`
	// Classes are those from which something was set that the pod does not name, if any: overhead, or the default priority.
	Classes []computeresources.Source `json:"classes,omitempty"`
	// Unknown are classes that its pods name and that are not in the input, such as PriorityClass "high", if any: what they set is
	// not included in the amounts.
	Unknown []string `json:"unknown,omitempty"`
	// Pod has the amounts of one pod, and All those of all pods.
	Pod Sums `json:"pod"`
	All Sums `json:"all"`
	// Injected are containers that its live pods have beyond the template, if any: new pods count with them.
	Injected []string `json:"injected,omitempty"`
	// Others are existing pods that differ from Pod, if any.
	Others []Variant `json:"others,omitempty"`
	// Resizing is set during an in-place resize, when the allocated or actual resources of a live
	// pod differ from its spec; Pod includes them.
	Resizing bool `json:"resizing,omitempty"`
	QoS      QoS  `json:"qos"`
	// Nodes are the nodes that admitted pods are on or are placed on, by name.
	Nodes []NodePods `json:"nodes,omitempty"`
	// Room is how many of its pods fit on a node, if the report has nodes.
	Room *Room `json:"room,omitempty"`

	// Stored is one of the pods, as the API server stores it. Prefix begins the paths of the pod in
	// the manifest.
	Stored *corev1.Pod `json:"-"`
	Prefix string      `json:"-"`

	workload *manifest.Workload
	request  noderesources.Request // the request of one pod that the scheduler counts
	first    *Node                 // that of the first pod
}

// Part is a container, or the pod level.
type Part struct {
	computeresources.Ref
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
}

// Variant are existing pods whose requests or limits differ from those of a pod created now.
type Variant struct {
	Pods  int64              `json:"pods"`
	Class corev1.PodQOSClass `json:"class"`
	Pod   Sums               `json:"pod"` // the amounts of one of them
}

func (c *cluster) describeWorkload(w *manifest.Workload, namespace *admit.Namespace, lists *manifest.Lists) *Workload {
	if w.Live() {
		namespace = nil // it has been admitted
	}
	decision := namespace.Create(w.Pod, admit.Attributes{})
	pod := decision.Object.(*corev1.Pod)
	w.Pod.Status.DeepCopyInto(&pod.Status)
	lists.Pod(&pod.Spec)
	d := &Workload{
		Object: *objectOf(&w.Object), workload: w, Scale: w.Scale(), Pods: w.Pods, Admitted: w.Pods, Pod: c.sumsOf(pod), QoS: c.explain(pod),
		Overhead: Amounts(pod.Spec.Overhead), Defaults: decision.Changes, Stored: pod, Prefix: w.Prefix, Classes: decision.Classes,
		Injected: w.Injected,
		request:  noderesources.PodRequest(pod, c.sums()),
	}
	if !w.Live() {
		d.Unknown = decision.Unknown
	}
	for _, e := range podsOf(w, false) {
		pod := e.object.(*corev1.Pod)
		other := Variant{Pods: e.n, Class: qos.PodClass(pod, c.kubernetes), Pod: c.sumsOf(pod)}
		if other.Class != d.QoS.Class || !other.Pod.equal(&d.Pod) {
			d.Others = append(d.Others, other)
		}
	}
	for _, v := range d.variants(d.Pods) {
		d.All.Add(&v.Pod, v.Pods)
	}
	spec := c.sumsOf(&corev1.Pod{Spec: pod.Spec})
	d.Resizing = !spec.equal(&d.Pod)
	for _, list := range []*Amounts{&d.Pod.Requests, &d.Pod.Limits, &d.All.Requests, &d.All.Limits} {
		*list = Amounts(lists.Of(corev1.ResourceList(*list)))
	}
	for ref, c := range computeresources.Containers(&pod.Spec) {
		d.Containers = append(d.Containers, Part{ref, Amounts(c.Resources.Requests), Amounts(c.Resources.Limits)})
	}
	if own := pod.Spec.Resources; own != nil {
		ref := computeresources.Ref{Kind: computeresources.Pod}
		d.PodLevel = &Part{ref, Amounts(own.Requests), Amounts(own.Limits)}
	}
	return d
}

// DefaultOf returns the default of an amount of a part, or nil if the manifest sets the amount.
func (w *Workload) DefaultOf(
	ref computeresources.Ref, list computeresources.List, name corev1.ResourceName,
) *computeresources.Change {
	for i := range w.Defaults {
		if d := &w.Defaults[i]; d.Ref == ref && d.List == list && d.Resource == name {
			return d
		}
	}
	return nil
}

// Given lists the defaults of each LimitRange: "LimitRange shop/defaults: cpu request, cpu limit of container app".
func (w *Workload) Given() []string {
	of, last := map[string]string{}, map[string]computeresources.Ref{}
	for _, d := range w.Defaults {
		from, amount := d.Source.String(), fmt.Sprintf("%s %v", d.Resource, d.List)
		switch {
		case d.Source == (computeresources.Source{}):
			continue
		case of[from] == "":
			of[from] = from + ": " + amount
		case last[from] == d.Ref:
			of[from] += ", " + amount
		default:
			of[from] += fmt.Sprintf(" of %v; %s", last[from], amount)
		}
		last[from] = d.Ref
	}
	words := slices.Sorted(maps.Keys(of))
	for i, from := range words {
		words[i] = fmt.Sprintf("%s of %v", of[from], last[from])
	}
	return words
}

// QoS is the class of a pod.
type QoS struct {
	Class  corev1.PodQOSClass `json:"class"`
	Reason string             `json:"reason"`
	// Advice is what has to change to make the pod Guaranteed, if anything.
	Advice []string `json:"advice,omitempty"`
}

// ClassOf returns the class that a pod has, and why.
func ClassOf(pod *corev1.Pod, kubernetes computeresources.Kubernetes) (class corev1.PodQOSClass, why string) {
	class, reason := qos.PodClass(pod, kubernetes), qos.Explain(&pod.Spec, kubernetes)
	if class != reason.Class {
		return class, fmt.Sprintf("set when the pod was created; by its spec it would be %s: %v", reason.Class, reason)
	}
	return class, reason.String()
}

// explain returns the class that the pod has. A live pod keeps the class that it was
// created with, even if its spec would now give another.
func (c *cluster) explain(pod *corev1.Pod) QoS {
	class, reason := ClassOf(pod, c.kubernetes)
	q := QoS{Class: class, Reason: reason}
	if class != qos.Class(&pod.Spec, c.kubernetes) {
		return q
	}
	changes, unset := qos.GuaranteedChanges(&pod.Spec, c.kubernetes)
	for _, change := range changes {
		q.Advice = append(q.Advice, change.String())
	}
	for _, u := range unset {
		q.Advice = append(q.Advice, u.String())
	}
	return q
}
