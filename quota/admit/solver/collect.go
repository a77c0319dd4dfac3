package solver

import (
	"maps"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/limitrange"
)

// system has the constraints of one resource. Every constraint is about one resource, so each system
// can be solved on its own.
type system struct {
	*shape
	name    corev1.ResourceName
	unit    *big.Int // in milli-units; what the spec sets is a multiple
	entries []entry  // in order
	// together: requests must equal limits, since the resource cannot be overcommitted.
	together bool
	// ratiosAreExact: the LimitRanger has no floats for them.
	ratiosAreExact bool
	// spec.resources sets the resource. setsAnyPodLevel: it sets something, so that quotas
	// no longer demand that every container does.
	setsPodLevelRequest, setsPodLevelLimit, setsAnyPodLevel bool
	// The server sets the pod-level limit if all containers have a limit: see derivesPodLimit.
	setsPodLimitByDefault bool
	// omitsZeroLimits: a container whose limit is zero counts for that as if it had none.
	omitsZeroLimits bool
	// wants are the recommendations, by container; nil ones have none. The list is nil if none has any.
	wants []*want
}

// collector collects the systems of a pod, sorted by resource.
type collector struct {
	shape                 *shape
	setsAnyPodLevel       bool
	setsPodLimitByDefault bool
	omitsZeroLimits       bool
	ratiosAreExact        bool
	systems               map[corev1.ResourceName]*system
	err                   *inputError
}

func systems(spec *corev1.PodSpec, p objects) ([]*system, error) {
	rules := release.Rules(p.Kubernetes)
	g := collector{
		systems:               map[corev1.ResourceName]*system{},
		setsPodLimitByDefault: rules.DefaultsPodLevelBeforeStoring(),
		omitsZeroLimits:       rules.OmitsPartialLimits(),
		ratiosAreExact:        rules.ComparesBoundsExactly(),
	}
	cs := podwalk.Of(spec)
	kinds := make([]podwalk.Kind, cs.Len())
	for i := range kinds {
		kinds[i], _ = cs.At(i)
	}
	g.shape = shapeOf(kinds)
	if spec != nil {
		g.spec(spec)
	}
	for i := range p.Items {
		g.bound(&p.Items[i])
	}
	for i := range p.Budgets {
		g.budget(&p.Budgets[i])
	}
	for i := range p.Floors {
		g.floor(spec, &p.Floors[i])
	}
	for i := range p.Wants {
		g.want(spec, &p.Wants[i])
	}
	if g.err != nil {
		return nil, g.err
	}
	var all []*system
	for _, name := range slices.Sorted(maps.Keys(g.systems)) {
		s := g.systems[name]
		s.entries = tightest(s.entries)
		s.refineUnit()
		all = append(all, s)
	}
	return all, nil
}

func (g *collector) spec(spec *corev1.PodSpec) {
	var whole corev1.ResourceRequirements
	if spec.Resources != nil {
		whole.Requests, whole.Limits = podLevelOnly(spec.Resources.Requests), podLevelOnly(spec.Resources.Limits)
	}
	g.setsAnyPodLevel = len(whole.Requests)+len(whole.Limits) > 0
	container := 0
	for ref, c := range computeresources.Containers(spec) {
		g.state(ref, container, &c.Resources)
		container++
	}
	pod := computeresources.Ref{Kind: computeresources.Pod}
	for name, q := range spec.Overhead {
		c := limitrange.BoundValue{Bound: limitrange.Overhead, Ref: pod, Resource: name, Amount: q}
		g.add(name, entry{BoundValue: c}, "overhead")
	}
	g.state(pod, -1, &whole)
	for name := range whole.Requests {
		g.system(name).setsPodLevelRequest = true
	}
	for name := range whole.Limits {
		g.system(name).setsPodLevelLimit = true
	}
}

// podLevelOnly leaves out what does not count if it is set at pod level.
func podLevelOnly(list corev1.ResourceList) corev1.ResourceList {
	counted := corev1.ResourceList{}
	for name, q := range list {
		if resourcelist.IsPodLevel(name) {
			counted[name] = q
		}
	}
	return counted
}

func (g *collector) state(ref computeresources.Ref, container int, r *corev1.ResourceRequirements) {
	for name, q := range r.Requests {
		c := limitrange.BoundValue{Bound: limitrange.Request, Ref: ref, Resource: name, Amount: q}
		g.add(name, entry{BoundValue: c, container: container}, "requests")
	}
	for name, q := range r.Limits {
		c := limitrange.BoundValue{Bound: limitrange.Limit, Ref: ref, Resource: name, Amount: q}
		g.add(name, entry{BoundValue: c, container: container}, "limits")
	}
}

func (g *collector) bound(b *rangeItem) {
	add := func(bound limitrange.Bound, list corev1.ResourceList) {
		for name, q := range list {
			c := limitrange.BoundValue{Bound: bound, Source: b.Source, Type: b.Item.Type, Resource: name, Amount: q}
			g.add(name, entry{BoundValue: c}, string(b.Item.Type)+" "+bound.String())
		}
	}
	if b.Item.Type != corev1.LimitTypeContainer && b.Item.Type != corev1.LimitTypePod {
		return
	}
	add(limitrange.Min, b.Item.Min)
	add(limitrange.Max, b.Item.Max)
	add(limitrange.Ratio, b.Item.MaxLimitRequestRatio)
	if b.Item.Type == corev1.LimitTypeContainer { // LimitRanger has no defaults for pods
		add(limitrange.DefaultLimit, b.Item.Default)
		add(limitrange.DefaultRequest, b.Item.DefaultRequest)
	}
}

// floor adds the smallest requests of one container.
func (g *collector) floor(spec *corev1.PodSpec, f *Floor) {
	ref, found := containerIn(spec, f.Ref)
	if !found {
		g.err = g.err.or(&inputError{Source: f.Source, Ref: f.Ref, Field: "floor", Detail: "the pod has no such container"})
		return
	}
	container := placeOf(spec, ref)
	for name, q := range f.Requests {
		c := limitrange.BoundValue{Bound: limitrange.Min, Source: f.Source, Ref: ref, Resource: name, Amount: q}
		g.add(name, entry{BoundValue: c, container: container, isFloor: true}, "floor")
	}
}

// want adds a recommendation for one container, which is in the spec, and the bounds of its policy.
func (g *collector) want(spec *corev1.PodSpec, w *want) {
	container := placeOf(spec, w.ref)
	s := g.system(w.name)
	if s.wants == nil {
		s.wants = make([]*want, len(g.shape.kinds))
	}
	s.wants[container] = w
	source := w.source
	if source == (computeresources.Source{}) {
		source.Kind = "policy"
	}
	add := func(bound limitrange.Bound, q *resource.Quantity) {
		if q != nil {
			c := limitrange.BoundValue{Bound: bound, Source: source, Ref: w.ref, Resource: w.name, Amount: *q}
			g.add(w.name, entry{BoundValue: c, container: container, isFloor: true}, bound.String())
		}
	}
	add(limitrange.Min, w.min)
	add(limitrange.Max, w.max)
}

// placeOf returns the place of a container of a spec in the order of computeresources.Containers.
func placeOf(spec *corev1.PodSpec, container computeresources.Ref) (place int) {
	for ref := range computeresources.Containers(spec) {
		if ref == container {
			break
		}
		place++
	}
	return place
}

// keepsLimit reports whether a container whose limit is replaced has to have one.
func (s *system) keepsLimit(container int) bool {
	return s.wants != nil && s.wants[container] != nil && s.wants[container].keepsLimit
}

func (g *collector) budget(b *budget) {
	for name, q := range b.Remaining {
		if counted, limits, ok := charged(name); ok {
			c := limitrange.BoundValue{Bound: limitrange.Remaining, Source: b.Source, Resource: name, Amount: q}
			g.add(counted, entry{BoundValue: c, limits: limits, replicas: b.Replicas}, "remaining")
		}
	}
}

// charged returns the resource that a quota of this name counts, whether it counts limits,
// and whether it counts anything of a pod.
func charged(name corev1.ResourceName) (counted corev1.ResourceName, limits, ok bool) {
	if name == corev1.ResourcePods || name == countPods {
		return corev1.ResourcePods, false, true
	}
	counted, ok = resourcename.RequestOfQuota(name)
	if ok {
		return counted, false, true
	}
	counted, ok = resourcename.LimitOfQuota(name)
	return counted, true, ok
}

const countPods = "count/pods"

// add puts a constraint into the system of its resource.
func (g *collector) add(name corev1.ResourceName, e entry, field string) {
	amount, ok := milliUnits(e.Amount)
	if !ok {
		g.err = g.err.or(&inputError{Source: e.Source, Ref: e.Ref, Field: field + "[" + string(e.Resource) + "]"})
		return
	}
	e.amount = amount
	if e.replicas > 1 { // each gets the same part, and no more fit
		e.amount = floor(amount, big.NewInt(e.replicas))
	}
	s := g.system(name)
	s.entries = append(s.entries, e)
}

func (g *collector) system(name corev1.ResourceName) *system {
	s := g.systems[name]
	if s == nil {
		s = &system{name: name, shape: g.shape, unit: unitOf(name), setsAnyPodLevel: g.setsAnyPodLevel,
			setsPodLimitByDefault: g.setsPodLimitByDefault, omitsZeroLimits: g.omitsZeroLimits,
			together: !resourcename.IsOvercommitAllowed(name), ratiosAreExact: g.ratiosAreExact}
		g.systems[name] = s
	}
	return s
}

// refineUnit makes the unit a milli-unit if the spec sets an amount that is not a multiple of the unit,
// such as 100m of memory.
func (s *system) refineUnit() {
	for _, e := range s.entries {
		if e.Bound >= limitrange.Overhead && new(big.Int).Rem(e.amount, s.unit).Sign() != 0 {
			s.unit = big.NewInt(1)
			return
		}
	}
}
