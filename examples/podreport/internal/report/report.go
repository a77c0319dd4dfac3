package report

import (
	"cmp"
	"slices"

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
	// APIVersion is the version of this output: it changes when a field goes, or means something else.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Report
	// Errors are what could not be read or would be rejected, apart from what workloads, claims and
	// the others below are rejected for, if any.
	Errors []Finding `json:"errors,omitempty"`
	// Warnings are what is hardly meant, and counts nevertheless, if any.
	Warnings []Finding `json:"warnings,omitempty"`
	// Notes are what was read and does not count, if anything, and why.
	Notes []Finding `json:"notes,omitempty"`
	// Skipped are the kinds of objects that were read and are not part of the report, if any.
	Skipped []Skipped `json:"skipped,omitempty"`
	// NodeMemory is the memory of the node that OOM scores are for.
	NodeMemory string `json:"nodeMemory"`
	// Nodes are those that pods are on, or are put on, in the order of the files, if any.
	Nodes []Node `json:"nodes,omitempty"`
	// Unplaced are the pods for which no node has room, if any. They have none if there is one node:
	// then its Missing says what is lacking.
	Unplaced []Unplaced `json:"unplaced,omitempty"`
	// Namespaces are those with LimitRanges or ResourceQuotas, sorted, if any.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// Workloads are in the order of the files. The list may be empty.
	Workloads []Workload `json:"workloads"`
	// Claims are the PersistentVolumeClaims, in the order of the files, if any.
	Claims []Object `json:"claims,omitempty"`
	// Services are those that ResourceQuotas limit, in the order of the files, if any.
	Services []Object `json:"services,omitempty"`
	// Others are other objects that ResourceQuotas limit, in the order of the files, if any.
	Others []Object `json:"others,omitempty"`
	Totals Totals   `json:"totals"`
	// Summary is what they hold by namespace and by owner.
	Summary Summary `json:"summary"`
}

// Version is the APIVersion of reports.
const Version = "podreport/v1alpha1"

// Of returns what the input asks for, on a node whose size may be given.
func Of(in *manifest.Input, size Size) Report {
	node := hostOf(in.Node, size)
	r := Report{APIVersion: Version, Kind: "Report", NodeMemory: quantity.Canonical(node.memory), Workloads: []Workload{}}
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
	r.Claims, r.Services = describeObjects(in.Claims), describeObjects(in.Services)
	quotaSums := create(ranges, quotas, r.applications(in))
	r.Services = slices.DeleteFunc(r.Services, func(s Object) bool { return len(s.Quotas) == 0 && s.Rejection == nil })
	r.Totals = r.total()
	if n := node.describe(&r); n != nil {
		r.Nodes = []Node{*n}
	}
	node.contend(&r)
	r.Summary = r.summarize(in.Home, quotaSums)
	return r
}

func describeObjects(list []manifest.Object) (described []Object) {
	for i := range list {
		o := &list[i]
		described = append(described, Object{Source: o.Source(), Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Scale: o.Scale})
	}
	return described
}

// applications returns what everything in the report asks of quotas, in the order in which
// it was read.
func (r *Report) applications(in *manifest.Input) []application {
	var all []application
	for i := range r.Workloads {
		all = append(all, applicationOf(&in.Workloads[i], &r.Workloads[i]))
	}
	for i := range r.Claims {
		all = append(all, applicationOfObject(&in.Claims[i], &r.Claims[i]))
	}
	for i := range r.Services {
		all = append(all, applicationOfObject(&in.Services[i], &r.Services[i]))
	}
	slices.SortFunc(all, func(a, b application) int { return cmp.Compare(a.Turn, b.Turn) })
	return all
}

// Rejects reports whether anything in the report would be rejected.
func (r *Report) Rejects() bool {
	rejected := func(o Object) bool { return o.Rejection != nil }
	return r.Totals.Rejected > 0 || slices.ContainsFunc(r.Claims, rejected) || slices.ContainsFunc(r.Services, rejected)
}
