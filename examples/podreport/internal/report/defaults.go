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
	path := set.Ref.Path(nil).Child("resources", set.List.String()+"s").Key(string(set.Resource))
	d := Default{Path: prefix + path.String(), Value: quantity.Canonical(*set.To)}
	if set.Source != (computeresources.Source{}) {
		item := rangeItem(set.Source)
		d.From = &item
	}
	return d
}

// DefaultOf returns what fills in an amount of a part, from its list of requests or limits;
// nil if it is in the manifest.
func (w *Workload) DefaultOf(p *Part, list string, name corev1.ResourceName) *Default {
	path := fmt.Sprintf("%s.%s[%s]", p.Path, list, name)
	i := slices.IndexFunc(w.Defaults, func(d Default) bool { return d.Path == path })
	if i < 0 {
		return nil
	}
	return &w.Defaults[i]
}

// given says which LimitRanges gave something to a pod, and what, if there are several:
// "LimitRange shop/defaults: cpu request, cpu limit of container app".
func given(changes []computeresources.Change) []string {
	of := map[string][]computeresources.Change{}
	for _, d := range changes {
		if d.Source != (computeresources.Source{}) {
			of[d.Source.String()] = append(of[d.Source.String()], d)
		}
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
