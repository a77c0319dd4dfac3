package report

import (
	corev1 "k8s.io/api/core/v1"
	"maps"
	"slices"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Namespace is a namespace with LimitRanges or ResourceQuotas, and the contradictions between its
// LimitRanges.
type Namespace struct {
	Name           string   `json:"name"`
	LimitRanges    []Policy `json:"limitRanges,omitempty"`    // by name, if any
	ResourceQuotas []Policy `json:"resourceQuotas,omitempty"` // by name, if any
	// Conflicts are bounds and defaults that contradict each other, if any.
	Conflicts computeresources.Problems[*limitrange.Conflict] `json:"conflicts,omitempty"`
	// Ambiguities are different defaults for one resource, if any: the API server may apply any of
	// them, and this report applies the first.
	Ambiguities []limitrange.Ambiguity `json:"ambiguities,omitempty"`

	Home bool `json:"-"` // objects without a namespace are in it
}

// Policy is a LimitRange or ResourceQuota that counts.
type Policy struct {
	Source objects.Source `json:"source"`
	Name   string         `json:"name"`
	// Unevaluated are the names in spec.hard of a ResourceQuota that nothing in the input may use, if any.
	Unevaluated []corev1.ResourceName `json:"unevaluated,omitempty"`
}

// namesOf returns the names of all namespaces, sorted.
func namesOf(ranges map[string][]manifest.LimitRange, quotas map[string][]manifest.ResourceQuota) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(ranges)), maps.Keys(quotas))
	slices.Sort(names)
	return slices.Compact(names)
}

func describeNamespace(name string, home string, ranges []manifest.LimitRange, quotas []manifest.ResourceQuota, objects []quota.Object) Namespace {
	list := manifest.ObjectsOf(ranges)
	d := Namespace{Name: name, Home: name == home, Conflicts: limitrange.AggregateOf(list).Conflicts(), Ambiguities: limitrange.Ambiguities(list, nil)}
	for _, r := range ranges {
		d.LimitRanges = append(d.LimitRanges, Policy{r.Source(), r.Object.Name, nil})
	}
	evaluated := append([]quota.Object{{}}, objects...) // not empty: without objects, Unevaluated is about all kinds
	for _, q := range quotas {
		d.ResourceQuotas = append(d.ResourceQuotas, Policy{q.Source(), q.Object.Name, quota.Unevaluated(q.Object, evaluated)})
	}
	return d
}
