package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/examples/podreport/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
)

// Report is what the manifests ask for, and the schema of the output as JSON.
//
// Amounts are maps from resource name to quantity, in the canonical form that the
// API server writes: {"cpu": "250m", "memory": "1536Mi"}. A resource that nothing
// states is absent. Fields marked "if any" are left out when empty.
type Report struct {
	// NodeMemory is the memory of the node that OOM scores are for.
	NodeMemory string `json:"nodeMemory"`
	// Namespaces are those with LimitRanges or ResourceQuotas, sorted, if any.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// Workloads are in the order of the files. The list may be empty.
	Workloads []Workload `json:"workloads"`
	// Claims are the PersistentVolumeClaims, in the order of the files, if any.
	Claims []Claim `json:"claims,omitempty"`
	// Services are those that ResourceQuotas limit, in the order of the files, if any.
	Services []Service `json:"services,omitempty"`
	Totals   Totals    `json:"totals"`
}

// Workload is an object that runs pods.
type Workload struct {
	Source    manifest.Source `json:"source"`
	Kind      string          `json:"kind"`
	Namespace string          `json:"namespace,omitempty"` // if any
	Name      string          `json:"name"`
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

	sums  lists
	Given []string `json:"-"` // which LimitRanges gave something, in words
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
}

// Sums are the amounts of one pod, or of many.
type Sums struct {
	// Requests is what the scheduler reserves.
	Requests Amounts `json:"requests"`
	// Limits is the sum that the API computes and a quota charges.
	Limits Amounts `json:"limits"`
	// BindingLimits is what really holds the pods back.
	BindingLimits Amounts `json:"bindingLimits"`
	// Unbounded are, of cpu, memory and ephemeral-storage, those that nothing holds
	// back, if any; ephemeral-storage only where it is stated at all.
	Unbounded []corev1.ResourceName `json:"unbounded,omitempty"`
}

// QoS is the class of a pod.
type QoS struct {
	Class  corev1.PodQOSClass `json:"class"`
	Reason string             `json:"reason"`
	// Advice is what has to change to make the pod Guaranteed, if anything.
	Advice []string `json:"advice,omitempty"`
}

// Amounts are quantities in canonical form, by resource.
type Amounts map[corev1.ResourceName]string

func amountsOf(list corev1.ResourceList) Amounts {
	amounts := Amounts{}
	for name, q := range list {
		amounts[name] = quantity.Canonical(q)
	}
	return amounts
}

// Of returns what the input asks for.
func Of(in *manifest.Input, nodeMemory string, nodeBytes int64) Report {
	r := Report{NodeMemory: nodeMemory, Workloads: []Workload{}}
	policies := map[string]*limitrange.Policy{}
	ranges, quotas := manifest.ByNamespace(in.Ranges), manifest.ByNamespace(in.Quotas)
	for _, name := range namesOf(ranges, quotas) {
		policies[name] = limitrange.Compile(manifest.ObjectsOf(ranges[name])...)
		r.Namespaces = append(r.Namespaces, describeNamespace(name, in.Home, ranges[name], quotas[name]))
	}
	stored := make([]*corev1.Pod, len(in.Workloads))
	for i := range in.Workloads {
		w := &in.Workloads[i]
		var d Workload
		d, stored[i] = describeWorkload(w, policies[w.Home], nodeBytes)
		r.Workloads = append(r.Workloads, d)
	}
	for i := range in.Claims {
		c := &in.Claims[i]
		r.Claims = append(r.Claims, describeClaim(c, policies[c.Home]))
	}
	for i := range in.Services {
		r.Services = append(r.Services, describeService(&in.Services[i]))
	}
	consult(quotas, r.applications(in, stored))
	r.Services = slices.DeleteFunc(r.Services, func(s Service) bool { return len(s.Quotas) == 0 })
	r.Totals = total(r.Workloads)
	return r
}

// applications returns what everything in the report asks of quotas, in the order in which
// it was read.
func (r *Report) applications(in *manifest.Input, stored []*corev1.Pod) []application {
	var all []application
	for i := range r.Workloads {
		all = append(all, applicationOf(&in.Workloads[i], stored[i], &r.Workloads[i]))
	}
	for i := range r.Claims {
		all = append(all, applicationOfClaim(&in.Claims[i], &r.Claims[i]))
	}
	for i := range r.Services {
		all = append(all, applicationOfService(&in.Services[i], &r.Services[i]))
	}
	slices.SortFunc(all, func(a, b application) int { return cmp.Compare(a.Turn, b.Turn) })
	return all
}

// Rejects reports whether anything in the report would be rejected.
func (r *Report) Rejects() bool {
	return slices.ContainsFunc(r.Workloads, func(w Workload) bool { return w.Rejection != nil }) ||
		slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.Rejection != nil }) ||
		slices.ContainsFunc(r.Services, func(s Service) bool { return s.Rejection != nil })
}

// describeWorkload also returns the pod as the server would store it.
func describeWorkload(w *manifest.Workload, policy *limitrange.Policy, nodeBytes int64) (Workload, *corev1.Pod) {
	if w.Live() {
		policy = nil // it has been admitted
	}
	pod := w.Pod.DeepCopy()
	admission := policy.Admit(&pod.Spec)
	pod.Spec = *admission.Spec
	d := Workload{
		Source:     w.Source(),
		Kind:       w.Kind,
		Namespace:  w.Namespace,
		Name:       w.Name,
		Pods:       w.Pods,
		Scale:      w.Scale(),
		Overhead:   amountsOf(pod.Spec.Overhead),
		Rejection:  rejection(w, admission, policy),
		Annotation: limitrange.Annotation(admission.Defaults),
		QoS:        explain(pod),
		sums:       listsOf(pod),
		Given:      given(admission.Defaults),
		Resizing:   resizing(pod),
	}
	d.Pod = d.sums.describe()
	for ref, c := range computeresources.Containers(&pod.Spec) {
		score := qos.OOMScoreAdj(pod, c, nodeBytes)
		part := Part{ref.Kind.String(), ref.Name, amountsOf(c.Resources.Requests), amountsOf(c.Resources.Limits), &score}
		d.Containers = append(d.Containers, part)
	}
	if own := pod.Spec.Resources; own != nil {
		d.PodLevel = &Part{Kind: computeresources.Pod.String(), Requests: amountsOf(own.Requests), Limits: amountsOf(own.Limits)}
	}
	for _, set := range admission.Defaulted {
		d.Defaults = append(d.Defaults, describeDefault(w.Prefix, set, nil))
	}
	for _, set := range admission.Defaults {
		d.Defaults = append(d.Defaults, describeDefault(w.Prefix, set.Default, &set.Source))
	}
	return d, pod
}

// explain returns the class that the pod has. A live pod keeps the class that it was
// created with, even if its spec would now give another.
func explain(pod *corev1.Pod) QoS {
	reason := qos.Explain(&pod.Spec)
	q := QoS{Class: qos.PodClass(pod), Reason: reason.String()}
	if q.Class != reason.Class {
		q.Reason = fmt.Sprintf("set when the pod was created; by its spec it would be %s: %v", reason.Class, reason)
		return q
	}
	for _, change := range qos.AdviseGuaranteed(&pod.Spec) {
		q.Advice = append(q.Advice, change.String())
	}
	return q
}

func resizing(pod *corev1.Pod) bool {
	spec := computeresources.PodRequests(&pod.Spec, computeresources.Options{})
	limits := computeresources.PodLimits(&pod.Spec, computeresources.Options{})
	held := listsOf(pod)
	return !equal(spec, held.requests) || !equal(limits, held.limits)
}

func equal(a, b corev1.ResourceList) bool {
	return maps.EqualFunc(a, b, func(p, q resource.Quantity) bool { return p.Cmp(q) == 0 })
}
