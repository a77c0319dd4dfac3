package report

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota/admit"
)

// Report is what the manifests ask for, and the schema of the output as JSON.
//
// Amounts are maps from resource name to quantity, in the canonical form that the
// API server writes: {"cpu": "250m", "memory": "1536Mi"}. A resource that nothing
// states is absent. Fields marked "if any" are left out when empty.
type Report struct {
	// NodeMemory is the memory of the node that OOM scores are for.
	NodeMemory string `json:"nodeMemory"`
	// Node is the one that pods are put on, if any.
	Node *Node `json:"node,omitempty"`
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

// Amounts are quantities in canonical form, by resource.
type Amounts map[corev1.ResourceName]string

func amountsOf(list corev1.ResourceList) Amounts {
	amounts := Amounts{}
	for name, q := range list {
		amounts[name] = quantity.Canonical(q)
	}
	return amounts
}

// Of returns what the input asks for, on a node whose size may be given.
func Of(in *manifest.Input, size Size) Report {
	node := hostOf(in.Node, size)
	r := Report{NodeMemory: quantity.Canonical(node.memory), Workloads: []Workload{}}
	ranges, quotas := manifest.ByNamespace(in.Ranges), manifest.ByNamespace(in.Quotas)
	bounds := map[string]*admit.Namespace{}
	for _, name := range namesOf(ranges, quotas) {
		bounds[name], _ = admit.Compile(manifest.ObjectsOf(ranges[name]), nil, admit.Options{}) // they are valid
		r.Namespaces = append(r.Namespaces, describeNamespace(name, in.Home, ranges[name], quotas[name]))
	}
	for i := range in.Workloads {
		w := &in.Workloads[i]
		d := describeWorkload(w, bounds[w.Home], node.memory.Value())
		node.place(&d)
		r.Workloads = append(r.Workloads, d)
	}
	for i := range in.Claims {
		r.Claims = append(r.Claims, describeClaim(&in.Claims[i]))
	}
	for i := range in.Services {
		r.Services = append(r.Services, describeService(&in.Services[i]))
	}
	create(ranges, quotas, r.applications(in))
	r.Services = slices.DeleteFunc(r.Services, func(s Service) bool { return len(s.Quotas) == 0 && s.Rejection == nil })
	r.Totals = total(r.Workloads)
	r.Node = node.describe(r.Workloads)
	node.contend(&r)
	return r
}

// applications returns what everything in the report asks of quotas, in the order in which
// it was read.
func (r *Report) applications(in *manifest.Input) []application {
	var all []application
	for i := range r.Workloads {
		all = append(all, applicationOf(&in.Workloads[i], &r.Workloads[i]))
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
