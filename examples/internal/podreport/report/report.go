package report

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/sharing"
	"github.com/kubemath/kubemath/examples/internal/quantity"
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
	// rejections of the workloads, claims and other objects below are not included.
	Errors []Finding `json:"errors,omitempty"`
	// Warnings are about probable mistakes, if any. The objects count nevertheless.
	Warnings []Finding `json:"warnings,omitempty"`
	// Notes are about objects that do not count, and why, if any.
	Notes []Finding `json:"notes,omitempty"`
	// Skipped are the kinds in the input that are not part of the report, if any.
	Skipped []Skipped `json:"skipped,omitempty"`
	// NodeMemory is the memory of the node that OOM scores are for.
	NodeMemory string `json:"nodeMemory"`
	// Nodes are the nodes that pods are on, or are placed on, in the order of the files, if any.
	Nodes []Node `json:"nodes,omitempty"`
	// Unplaced are the pods for which no node has room, if any. If there is only one node, the list is
	// empty, and Missing of that node says what it lacks.
	Unplaced []Unplaced `json:"unplaced,omitempty"`
	// Namespaces are those with LimitRanges or ResourceQuotas, sorted, if any.
	Namespaces []Namespace `json:"namespaces,omitempty"`
	// Workloads are in the order of the files. The list may be empty.
	Workloads []Workload `json:"workloads"`
	// Claims are the PersistentVolumeClaims, in the order of the files, if any.
	Claims []Object `json:"claims,omitempty"`
	// Services are the Services that ResourceQuotas limit, in the order of the files, if any.
	Services []Object `json:"services,omitempty"`
	// Others are other objects that ResourceQuotas limit, in the order of the files, if any.
	Others []Object `json:"others,omitempty"`
	Totals Totals   `json:"totals"`
	// Summary has the requests by namespace and by owner.
	Summary Summary `json:"summary"`
}

// Version is the APIVersion of reports.
const Version = "podreport/v1alpha1"

// Options are what a report depends on beside the input. The zero value is a default cluster without nodes.
type Options struct {
	Size  Size // that of the node, if the input has none
	Gates computeresources.Gates
	// Required are the amounts that each container has to set, by the names that quotas have for them, such as
	// limits.memory: see quota.Object.MissingRequired. A pod without one of them is a warning, with -strict an error.
	Required []corev1.ResourceName
	// Between is called between workloads, several times for each; may be nil. If it panics, the report is abandoned.
	Between func()
}

// Of returns the report on the input. If it cannot handle a workload, which is a mistake of ours, it moves that from the
// workloads of the input to its problems.
func Of(in *manifest.Input, opts Options) *Report {
	between := opts.Between
	if between == nil {
		between = func() {}
	}
	hosts, gates := hostsOf(in.Nodes, opts.Size), opts.Gates
	c := cluster{gates: gates, extended: quota.ExtendedResources(in.Classes)}
	r := Report{APIVersion: Version, Kind: "Report", NodeMemory: quantity.Canonical(hosts[0].memory), Workloads: []Workload{}}
	ranges, quotas := manifest.ByNamespace(in.Ranges), manifest.ByNamespace(in.Quotas)
	bounds, lists := map[string]*admit.Namespace{}, sharing.Lists{}
	for _, name := range namesOf(ranges, quotas) {
		bounds[name], _ = admit.Compile(manifest.ObjectsOf(ranges[name]), nil, admit.Options{Gates: gates}) // they are valid
	}
	in.Workloads = slices.DeleteFunc(in.Workloads, func(w manifest.Workload) bool {
		between()
		failed := objects.Guarded(w.Place, func() {
			r.Workloads = append(r.Workloads, c.describeWorkload(&w, bounds[w.Home], &lists))
			in.Problems = append(in.Problems, c.missing(&w, &r.Workloads[len(r.Workloads)-1], opts.Required, in.Strict)...)
		})
		in.Problems = append(in.Problems, failed...)
		return len(failed) > 0
	})
	r.Claims, r.Services, r.Others = describeObjects(in.Claims), describeObjects(in.Services), describeObjects(in.Others)
	applications := r.applications(in)
	quotaSums, problems := create(ranges, quotas, admit.Options{Gates: gates, ExtendedResources: c.extended}, applications, between)
	in.Problems = append(in.Problems, problems...)
	counted := countedIn(applications, quotas)
	for _, name := range namesOf(ranges, quotas) {
		r.Namespaces = append(r.Namespaces, describeNamespace(name, in.Home, ranges[name], quotas[name], counted[name]))
	}
	r.Totals = r.total()
	r.place(hosts, in, &c)
	r.tellNodes(hosts, &c, between)
	r.find(in)
	r.Summary = r.summarize(in.Home, quotaSums)
	return &r
}

// cluster is what a report knows of the cluster as a whole.
type cluster struct {
	gates    computeresources.Gates
	extended map[string]corev1.ResourceName // by DeviceClass
}

// sums returns the options for sums of pods.
func (c *cluster) sums() computeresources.Options { return computeresources.Options{Gates: c.gates} }

// fit returns the options for pods on nodes.
func (c *cluster) fit() noderesources.FitOptions {
	return noderesources.FitOptions{ExtendedResources: c.extended}
}

// tellNodes describes the workloads on their nodes.
func (r *Report) tellNodes(hosts []host, c *cluster, between func()) {
	for i := range hosts {
		for _, s := range hosts[i].spots {
			if s.w.host == nil {
				s.w.host = &hosts[i]
			}
		}
	}
	for i := range r.Workloads {
		between()
		w := &r.Workloads[i]
		if w.host == nil {
			w.host = &hosts[0]
		}
		w.host.tell(w, c)
		if len(hosts) > 1 {
			w.OnNode.Node = w.host.name()
		}
	}
	for i := range hosts {
		if n := hosts[i].describe(); n != nil {
			hosts[i].contend(n)
			r.Nodes = append(r.Nodes, *n)
		}
	}
}

func describeObjects(list []manifest.Object) (described []Object) {
	for i := range list {
		o := &list[i]
		described = append(described, Object{Source: o.Source(), Line: o.Line, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Scale: o.Scale})
	}
	return described
}

// applications returns all objects of the report as applications, in the order in which they were
// read.
func (r *Report) applications(in *manifest.Input) []application {
	var all []application
	for i := range r.Workloads {
		all = append(all, applicationOf(&in.Workloads[i], &r.Workloads[i], in.Strict))
	}
	for i := range r.Claims {
		all = append(all, applicationOfObject(&in.Claims[i], &r.Claims[i]))
	}
	for i := range r.Services {
		all = append(all, applicationOfObject(&in.Services[i], &r.Services[i]))
	}
	limited := map[string]bool{}
	for _, q := range in.Quotas {
		limited[q.Object.Namespace] = true
	}
	for i := range r.Others {
		if o := &in.Others[i]; limited[o.Home] {
			all = append(all, applicationOfObject(o, &r.Others[i]))
		}
	}
	slices.SortFunc(all, func(a, b application) int { return cmp.Compare(a.Turn, b.Turn) })
	return all
}

// Rejects reports whether anything in the report would be rejected.
func (r *Report) Rejects() bool {
	rejected := func(o Object) bool { return o.Rejection != nil }
	return r.Totals.Rejected > 0 || r.Totals.Partly > 0 ||
		slices.ContainsFunc(r.Claims, rejected) || slices.ContainsFunc(r.Services, rejected) || slices.ContainsFunc(r.Others, rejected)
}
