package limitrange

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// boundedResource is what one resource is held to by all ranges together, in integers.
type boundedResource struct {
	name           corev1.ResourceName
	scale          resource.Scale // Milli for cpu, otherwise 0
	container, pod integerBounds
	podLevel       bool
	small          bool // the integers are exact
}

// integerBounds are the bounds of one type. Pods that pass the strictest of each pass all.
type integerBounds struct {
	limitranger.SmallBounds
	any bool
}

func boundedResources(a Aggregate) []boundedResource {
	var rows []boundedResource
	for _, limitType := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
		for _, v := range a.values {
			if v.Type == limitType && v.Bound <= Ratio {
				rows = withBound(rows, v)
			}
		}
	}
	return rows
}

// withBound adds a bound to the row of its resource.
func withBound(rows []boundedResource, v BoundValue) []boundedResource {
	var row *boundedResource
	for i := range rows {
		if rows[i].name == v.Resource {
			row = &rows[i]
		}
	}
	if row == nil {
		rows = append(rows, newRow(v.Resource))
		row = &rows[len(rows)-1]
	}
	bounds := &row.container
	if v.Type == corev1.LimitTypePod {
		bounds = &row.pod
	}
	exact := bounds.set(v, row.scale)
	row.small = row.small && exact
	return rows
}

func newRow(name corev1.ResourceName) boundedResource {
	row := boundedResource{name: name, small: true}
	row.scale = quantity.ScaleOf(name)
	row.podLevel = limitranger.CountsPodLevel(name)
	return row
}

// set takes over a bound, and reports whether it is exactly an integer.
func (b *integerBounds) set(v BoundValue, scale resource.Scale) (exact bool) {
	b.any = true
	switch v.Bound {
	case Min:
		b.HasMin = true
		b.Min, exact = quantity.Small(&v.Amount, scale)
	case Max:
		b.HasMax = true
		b.Max, exact = quantity.Small(&v.Amount, scale)
	case Ratio:
		var ratio int64
		b.HasRatio = true
		ratio, exact = quantity.Small(&v.Amount, resource.Milli)
		b.Ratio = float64(ratio)
	case DefaultLimit, DefaultRequest, Remaining, Overhead, Request, Limit, greatestLimit, greatestRequest:
		// Are not enforced.
	}
	return exact
}

// surelyPasses reports whether a pod certainly violates no bound. It compares only integers: if the
// result is false, the pod may still pass.
func (p *Policy) surelyPasses(spec *corev1.PodSpec) bool {
	if spec == nil || podwalk.Of(spec).Len() > quantity.MaxSmallSum {
		return false
	}
	for i := range p.rows {
		if row := &p.rows[i]; !row.small || !row.surelyPasses(spec, p.podLevel(spec)) {
			return false
		}
	}
	return true
}

func (row *boundedResource) surelyPasses(spec *corev1.PodSpec, podLevel *corev1.ResourceRequirements) bool {
	var requests, limits podwalk.Units
	var ofPod struct{ request, limit limitranger.Small }
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		request, exact := row.amountIn(c.Resources.Requests)
		if !exact {
			return false
		}
		limit, exact := row.amountIn(c.Resources.Limits)
		if !exact || row.container.any && !row.container.Pass(request, limit) {
			return false
		}
		requests.Add(kind, request.Units)
		limits.Add(kind, limit.Units)
		ofPod.request.Set, ofPod.limit.Set = ofPod.request.Set || request.Set, ofPod.limit.Set || limit.Set
	}
	if !row.pod.any {
		return true
	}
	ofPod.request.Units, ofPod.limit.Units = requests.Total(), limits.Total()
	if row.podLevel && podLevel != nil {
		if !row.override(&ofPod.request, podLevel.Requests) || !row.override(&ofPod.limit, podLevel.Limits) {
			return false
		}
	}
	return row.pod.Pass(ofPod.request, ofPod.limit)
}

// amountIn returns the entry of a list, and whether it is exact.
func (row *boundedResource) amountIn(list corev1.ResourceList) (limitranger.Small, bool) {
	q := list[row.name]
	if q.IsZero() {
		_, set := list[row.name]
		return limitranger.Small{Set: set}, true
	}
	units, exact := quantity.Small(&q, row.scale)
	return limitranger.Small{Units: units, Set: true}, exact
}

// override replaces a by the entry of a pod-level list, if there is one, and reports
// whether it is exact.
func (row *boundedResource) override(a *limitranger.Small, list corev1.ResourceList) bool {
	ofPod, exact := row.amountIn(list)
	if ofPod.Set {
		*a = ofPod
	}
	return exact
}
