package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/limitrange"
)

// Namespace is one with LimitRanges or ResourceQuotas, and what is odd about the former
// together.
type Namespace struct {
	Name           string          `json:"name"`
	LimitRanges    []LimitRange    `json:"limitRanges,omitempty"`    // by name, if any
	ResourceQuotas []ResourceQuota `json:"resourceQuotas,omitempty"` // by name, if any
	// Conflicts are bounds and defaults that contradict each other, if any.
	Conflicts []Conflict `json:"conflicts,omitempty"`
	// Alternatives are different defaults for one resource, if any: the API server gives
	// the pods any of them, and this report the first.
	Alternatives []Alternative `json:"alternatives,omitempty"`

	Home bool `json:"-"` // objects that state no namespace are in it
}

// LimitRange is one that counts.
type LimitRange struct {
	Source objects.Source `json:"source"`
	Name   string         `json:"name"`
}

// ResourceQuota is one that counts.
type ResourceQuota struct {
	Source objects.Source `json:"source"`
	Name   string         `json:"name"`
}

// Conflict is a contradiction: no pod, or no claim, can meet all of the values, or no
// container that is given them by default.
type Conflict struct {
	// Cause is such as "min is above max".
	Cause    string              `json:"cause"`
	Type     corev1.LimitType    `json:"type"`
	Resource corev1.ResourceName `json:"resource"`
	Values   []Value             `json:"values"`

	Words string `json:"-"`
}

// Alternative is a default that several LimitRanges give differently.
type Alternative struct {
	List     string              `json:"list"` // default or defaultRequest
	Resource corev1.ResourceName `json:"resource"`
	Values   []Value             `json:"values"` // by LimitRange
}

// Value is what a LimitRange states.
type Value struct {
	List  string    `json:"list"` // min, max, maxLimitRequestRatio, default or defaultRequest
	Value string    `json:"value"`
	From  RangeItem `json:"from"`
}

// namesOf returns the names of all namespaces, sorted.
func namesOf(ranges map[string][]manifest.LimitRange, quotas map[string][]manifest.ResourceQuota) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(ranges)), maps.Keys(quotas))
	slices.Sort(names)
	return slices.Compact(names)
}

func describeNamespace(name string, home string, ranges []manifest.LimitRange, quotas []manifest.ResourceQuota) Namespace {
	d := Namespace{Name: name, Home: name == home}
	for _, r := range ranges {
		d.LimitRanges = append(d.LimitRanges, LimitRange{r.Source(), r.Object.Name})
	}
	for _, q := range quotas {
		d.ResourceQuotas = append(d.ResourceQuotas, ResourceQuota{q.Source(), q.Object.Name})
	}
	for _, c := range limitrange.AggregateOf(manifest.ObjectsOf(ranges)).Conflicts() {
		d.Conflicts = append(d.Conflicts, Conflict{c.Cause.String(), c.Type, c.Resource, values(c.Values), c.String()})
	}
	d.Alternatives = alternatives(ranges)
	return d
}

// alternatives finds the defaults that are different in different LimitRanges.
func alternatives(ranges []manifest.LimitRange) []Alternative {
	var found []Alternative
	defaults := defaultsOf(ranges)
	for len(defaults) > 0 {
		first := defaults[0]
		n := slices.IndexFunc(defaults, func(v limitrange.BoundValue) bool { return compareKeys(v, first) != 0 })
		if n < 0 {
			n = len(defaults)
		}
		if slices.ContainsFunc(defaults[:n], func(v limitrange.BoundValue) bool { return v.Amount.Cmp(first.Amount) != 0 }) {
			found = append(found, Alternative{first.Bound.String(), first.Resource, values(defaults[:n])})
		}
		defaults = defaults[n:]
	}
	return found
}

// defaultsOf returns all defaults of containers, by resource, list and LimitRange.
func defaultsOf(ranges []manifest.LimitRange) []limitrange.BoundValue {
	var all []limitrange.BoundValue
	for _, lr := range manifest.ObjectsOf(ranges) {
		all = append(all, limitrange.AggregateOf([]*corev1.LimitRange{lr}).Values()...)
	}
	all = slices.DeleteFunc(all, func(v limitrange.BoundValue) bool {
		return v.Type != corev1.LimitTypeContainer || v.Bound != limitrange.DefaultLimit && v.Bound != limitrange.DefaultRequest
	})
	slices.SortStableFunc(all, compareKeys)
	return all
}

func compareKeys(a, b limitrange.BoundValue) int {
	return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Bound, b.Bound))
}

func values(list []limitrange.BoundValue) []Value {
	var described []Value
	for _, v := range list {
		described = append(described, Value{v.Bound.String(), quantity.Canonical(v.Amount), rangeItem(v.Source)})
	}
	return described
}

// Words names the values, and which of them counts.
func (a *Alternative) Words() string {
	var each []string
	for _, v := range a.Values {
		each = append(each, fmt.Sprintf("%s of LimitRange %s", v.Value, wording.Qualified(v.From.Namespace, v.From.Name)))
	}
	return fmt.Sprintf("Container %s %s: %s; the API server takes any, this report the first", a.Resource, a.List, strings.Join(each, ", "))
}
