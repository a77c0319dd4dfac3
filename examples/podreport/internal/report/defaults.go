package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Default is one amount that the API server fills in.
type Default struct {
	// Path is the field: spec.containers[0].resources.requests[cpu].
	Path  string `json:"path"`
	Value string `json:"value"`
	// From is the LimitRange that gave it. Without one, it follows from other fields.
	From *RangeItem `json:"from,omitempty"`

	kind, name, list string
	resource         corev1.ResourceName
}

// RangeItem is an item of spec.limits in a LimitRange.
type RangeItem struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Field     string `json:"field"` // spec.limits[0]
}

func rangeItem(s computeresources.Source) RangeItem { return RangeItem{s.Namespace, s.Name, s.Field} }

// describeDefault describes what a LimitRange gave, or what follows from other fields.
func describeDefault(prefix string, set computeresources.Change) Default {
	list := set.List.String() + "s"
	d := Default{
		Path:     prefix + set.Ref.Path(nil).Child("resources", list).Key(string(set.Resource)).String(),
		Value:    quantity.Canonical(*set.To),
		kind:     set.Ref.Kind.String(),
		name:     set.Ref.Name,
		list:     list,
		resource: set.Resource,
	}
	if set.Source != (computeresources.Source{}) {
		item := rangeItem(set.Source)
		d.From = &item
	}
	return d
}

// DefaultOf returns what fills in an amount of a part, from its list of requests or limits;
// nil if it is in the manifest.
func (w *Workload) DefaultOf(p *Part, list string, name corev1.ResourceName) *Default {
	for i := range w.Defaults {
		if d := &w.Defaults[i]; d.kind == p.Kind && d.name == p.Name && d.list == list && d.resource == name {
			return d
		}
	}
	return nil
}

// given says which LimitRanges gave something to a pod, and what, if there are several:
// "LimitRange shop/defaults: cpu request, cpu limit of container app".
func given(defaults []computeresources.Change) []string {
	of := map[string][]computeresources.Change{}
	for _, d := range defaults {
		of[d.Source.String()] = append(of[d.Source.String()], d)
	}
	words := slices.Sorted(maps.Keys(of))
	if len(words) == 1 {
		return words
	}
	for i, from := range words {
		words[i] = from + ": " + gifts(of[from])
	}
	return words
}

// gifts names defaults, which come by container.
func gifts(defaults []computeresources.Change) string {
	var b strings.Builder
	for i, d := range defaults {
		if i > 0 && d.Ref == defaults[i-1].Ref {
			b.WriteString(", ")
		} else if i > 0 {
			fmt.Fprintf(&b, " of %v; ", defaults[i-1].Ref)
		}
		fmt.Fprintf(&b, "%s %v", d.Resource, d.List)
	}
	return fmt.Sprintf("%s of %v", b.String(), defaults[len(defaults)-1].Ref)
}
