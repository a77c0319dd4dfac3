// Package report computes what manifests request. Report is the result, and its JSON is the output
// of -o json.
//
// Package quota/admit decides on each object: which defaults the API server sets (workload.go), why
// it rejects an object (rejection.go), and how much fits into quotas as one object after the other is
// created (parts.go, creation.go). Then sums are added up (sums.go), and the pods are placed on nodes (node.go).
package report

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// Report is what the manifests request, and the schema of the JSON output.
//
// Amounts are maps from resource name to quantity, in the canonical form that the
// API server writes: {"cpu": "250m", "memory": "1536Mi"}. A resource that is not set
// is absent. Fields marked "if any" are omitted when empty.
type Report struct {
	// APIVersion is the version of this output. It changes when a field is removed or changes its meaning.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Report
	// Errors are the problems of input that could not be read or would be rejected, if any. The
	// rejections of the workloads and objects below are not included.
	Errors []Finding `json:"errors,omitempty"`
	// Warnings are about probable mistakes, if any. The objects count nevertheless.
	Warnings []Finding `json:"warnings,omitempty"`
	// Notes are about objects that do not count, and why, if any.
	Notes []Finding `json:"notes,omitempty"`
	// NotComputed are objects that limit others, or have pods, but from which nothing is computed, if any.
	NotComputed []Finding `json:"notComputed,omitempty"`
	// Skipped are the kinds of objects in the input that no quota counts, if any.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Nodes are the nodes that pods are on, or are placed on, in the order of the files, if any.
	Nodes []*Node `json:"nodes,omitempty"`
	// Unplaced are the pods for which no node has room, if any. If there is only one node, the list is
	// empty, and Missing of that node says what it lacks.
	Unplaced []Unplaced `json:"unplaced,omitempty"`
	// Namespaces are those of workloads, and those with LimitRanges or ResourceQuotas, if any. The first has the largest
	// share of all requests of cpu or memory, whichever is larger.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// SharedQuotas are those of several namespaces, by kind and name, if any.
	SharedQuotas []SharedQuota `json:"sharedQuotas,omitempty"`
	// Workloads are in the order of the files. The list may be empty.
	Workloads []*Workload `json:"workloads"`
	// Objects are other objects that ResourceQuotas limit, or that would be rejected, in the order of the files, if any.
	Objects []*Object `json:"objects,omitempty"`
	Totals  Totals    `json:"totals"`
}

// Version is the APIVersion of reports.
const Version = "podreport/v1alpha2"

// Options are what a report depends on beside the input. The zero value is a default cluster without nodes.
type Options struct {
	Size       Size // that of the node, if the input has none
	Kubernetes computeresources.Kubernetes
	// Required are the amounts that each container has to set, by the names that quotas have for them, such as
	// limits.memory: see quota.Object.MissingRequired. A pod without one of them is a warning, with -strict an error.
	Required []corev1.ResourceName
	// Between is called between workloads, several times for each; may be nil. If it panics, the report is abandoned.
	Between func()
}

// Of returns the report on the input. If it cannot handle a workload, which is a mistake of ours, it moves that from
// the workloads of the input to its problems.
func Of(in *manifest.Input, opts Options) *Report {
	between := opts.Between
	if between == nil {
		between = func() {}
	}
	admission := inventory.Admission(in.Classes, in.Asked && !slices.ContainsFunc(in.Problems, objects.Problem.Lacks))
	admission.Kubernetes = opts.Kubernetes
	c := cluster{kubernetes: opts.Kubernetes, extended: quota.ExtendedResources(in.Devices)}
	r := Report{APIVersion: Version, Kind: "Report", Workloads: []*Workload{}}
	ranges, quotas := manifest.ByNamespace(in.Ranges), manifest.ByNamespace(in.Quotas)
	bounds, lists := map[string]*admit.Namespace{}, manifest.Lists{}
	unbounded, _ := admit.Compile(nil, nil, admission) // which is valid
	for name, list := range ranges {
		bounds[name], _ = admit.Compile(list, nil, admission) // they are valid
	}
	in.Workloads = slices.DeleteFunc(in.Workloads, func(w *manifest.Workload) bool {
		between()
		failed := objects.Guarded(w.Place, func() {
			d := c.describeWorkload(w, cmp.Or(bounds[w.Home], unbounded), &lists)
			r.Workloads = append(r.Workloads, d)
			in.Problems = append(in.Problems, missing(d, opts.Required, in.Strict)...)
		})
		in.Problems = append(in.Problems, failed...)
		return len(failed) > 0
	})
	for _, o := range in.Objects {
		r.Objects = append(r.Objects, objectOf(o))
	}
	applications := r.applications(in, quotas)
	admission.ExtendedResources = c.extended
	states, shared := create(in, ranges, quotas, admission, applications, between)
	for _, namespace := range slices.Sorted(maps.Keys(states)) {
		in.Problems = append(in.Problems, states[namespace].doubts...)
	}
	for _, a := range applications {
		in.Problems = append(in.Problems, a.problems...)
	}
	for _, w := range r.Workloads {
		if w.Rejection != nil {
			w.QoS.Advice = nil // its amounts have to change first
		}
	}
	r.addUp(ranges, states)
	r.addShared(in, shared)
	r.place(in.Nodes, opts.Size, &c, between)
	r.find(in)
	r.Workloads = slices.DeleteFunc(r.Workloads, func(w *Workload) bool { return w.of.Hidden })
	r.Objects = slices.DeleteFunc(r.Objects, func(o *Object) bool { return o.of.Hidden })
	return &r
}

// cluster is what a report knows of the cluster as a whole.
type cluster struct {
	kubernetes computeresources.Kubernetes
	extended   map[string]corev1.ResourceName // by DeviceClass
}

func (c *cluster) sums() computeresources.Options {
	return computeresources.Options{Kubernetes: c.kubernetes}
}

func (c *cluster) fit() noderesources.FitOptions {
	return noderesources.FitOptions{ExtendedResources: c.extended}
}

// applications returns all objects of the report as applications, in the order in which they were read: without those
// that neither a LimitRange nor a quota concerns, of which there may be very many.
func (r *Report) applications(in *manifest.Input, quotas map[string][]*corev1.ResourceQuota) (all []*application) {
	for _, w := range r.Workloads {
		all = append(all, applicationOf(w))
	}
	for _, o := range r.Objects {
		isLimited := func(s manifest.Shared) bool { return in.IsSharedBy(s.ClusterQuota, o.of.Home) }
		if len(quotas[o.of.Home]) > 0 || slices.ContainsFunc(in.Shared, isLimited) || o.Kind == "PersistentVolumeClaim" {
			all = append(all, applicationOfObject(o))
		}
	}
	slices.SortFunc(all, func(a, b *application) int { return cmp.Compare(a.Turn, b.Turn) })
	return all
}

// All returns the objects and the workloads, as objects.
func (r *Report) All() (all []*Object) {
	for _, w := range r.Workloads {
		all = append(all, &w.Object)
	}
	return append(all, r.Objects...)
}

// Rejects reports whether anything in the report would be rejected.
func (r *Report) Rejects() bool {
	return slices.ContainsFunc(r.All(), func(o *Object) bool { return o.Rejection != nil })
}
