package solver

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/limitrange"
)

// Recommendation is what one container should request, as a vertical autoscaler finds it, and the
// bounds of the policy for this container.
type Recommendation struct {
	// Ref is the container; a name is enough: see computeresources.Ref.In. A container that the pod
	// does not have is an error.
	Ref computeresources.Ref
	// Requests are the recommended amounts. Negative ones count as zero.
	Requests corev1.ResourceList
	// Min and Max bound the requests of the resources in Requests. An amount of zero is no
	// bound, as in a VerticalPodAutoscaler.
	Min, Max corev1.ResourceList
	// KeepLimits keeps the limits that the container sets, rather than their ratio to the
	// requests: RequestsOnly of a VerticalPodAutoscaler.
	KeepLimits bool
	// Source names the recommendation and its policy in answers.
	Source computeresources.Source
}

// RightSized has the requests and limits that RightSize returns.
type RightSized struct {
	// The Source of a change is that of the recommendation, of the bound that the amount is capped
	// by, or {Kind: "ratio"} for a limit at its ratio to the request.
	Solution
	// Capped are the amounts that differ from what is wanted, in the order of Changes. From is the
	// recommended request, or the limit that has the ratio to the request; To is the amount. Source
	// is the bound that one unit more towards From would violate, the first of several in the order
	// of ConflictError. It is zero if only several bounds together are violated.
	Capped []computeresources.Change `json:"capped,omitempty"`
}

// RightSize returns the requests and limits nearest to recommendations with which the LimitRanges
// and quotas of a namespace admit a pod, in every order in which the server may use them. Whatever
// has no recommendation is as Solve has it: amounts of the spec are kept, and missing ones that are
// required are the smallest.
//
// The ratio of a container is that of its limit to its request, after the defaults of the API server
// and LimitRanges. A limit below the request, or of zero, counts as equal to it. A container with a
// limit keeps one; a container without one, and without a default, gets one only if it has to, and then
// the smallest.
// Recommendation.KeepLimits keeps limits instead of ratios, as RequestsOnly of a VerticalPodAutoscaler does.
//
// What is nearest is decided for each resource on its own. Amounts are multiples of the units that
// Solve uses; recommendations are rounded up, and limits at a ratio down.
//
//  1. Each container keeps its ratio if any request is within its own bounds together with the limit at
//     the ratio: those of the policy, Floors, items of type Container, and pod-level limits. Otherwise, or if
//     its ratio is above a maxLimitRequestRatio, only its limit is as near to the ratio as these bounds
//     allow. So its limit follows from its request.
//  2. The result is the nearest one within all maxima of the pod (Pod max, quotas, pod-level amounts)
//     if that is admitted; otherwise the nearest one within all its minima (Pod min; amounts above
//     zero, which a Pod ratio requires) if that is. A Pod ratio is no maximum, even with a
//     pod-level request: it lowers limits (see 3) rather than requests.
//  3. Otherwise, all containers give up their ratios: the requests are the nearest ones with which any
//     limits are admitted, and then the limits are the nearest to the ratios. If no limit is set, but
//     one is required, the first container that may have one gets it, the smallest.
//
// The result nearest to the recommendations is the one nearest in proportion: of the ratios of requests to
// recommendations below 1, the smallest is as large as possible, then the next smallest, and so on; then, of
// those above 1, the largest is as small as possible, and so on. Amounts grow unit by unit; of equal ratios,
// the first container in the order of computeresources.Containers gets the next unit, and loses it last. If a
// container reaches a maximum of its own, the rest goes to the other containers. A container without a
// recommendation grows last. For limits in step 3, the limit at the ratio takes the place of the recommendation.
//
// So where only maxima of the pod matter, or only minima, no ratio is given up for a nearer request. A
// result has 0 ≤ request ≤ limit. If nothing is admitted, the error is a *ConflictError. Other errors
// are those of Solve, and plain ones for a recommended amount that is too large or
// given twice, or whose container the pod does not have.
//
// Quotas with the scopes BestEffort and NotBestEffort are those of the class that the result has.
// Status.used of a quota includes the pod that is replaced, unless the caller subtracts it.
//
// Cost: that of Solve if step 1 is admitted. To divide a bound takes some hundred times c·(1+i) steps for
// each resource, for c containers and i init containers, and step 3 as many solutions of Solve. To find what caps an
// amount takes c + b steps, for b bounds.
func RightSize(spec *corev1.PodSpec, recommendations []Recommendation, in Input) (RightSized, error) {
	if !in.scopedByClass() {
		return in.rightSize(spec, recommendations, corev1.PodQOSBurstable)
	}
	return ofEitherClass(corev1.PodQOSBurstable, in.Kubernetes, func(class corev1.PodQOSClass) (RightSized, error) {
		return in.rightSize(spec, recommendations, class)
	})
}

// rightSize is RightSize for a pod that scopes of quotas count as one of the class.
func (in *Input) rightSize(spec *corev1.PodSpec, recommendations []Recommendation,
	class corev1.PodQOSClass) (RightSized, error) {
	o, err := in.objects(spec, class)
	if err != nil {
		return RightSized{}, err
	}
	o.Wants, err = in.wants(spec, recommendations)
	if err != nil {
		return RightSized{}, err
	}
	solution, capped, err := o.solve(withoutWanted(spec, o.Wants), (*system).conflict)
	if err != nil {
		return RightSized{}, err
	}
	sized := RightSized{Solution: solution, Capped: capped}
	sized.compareWith(spec, o.Wants)
	return sized, nil
}

// want is what one container should get of one resource, in milli-units.
type want struct {
	ref      computeresources.Ref
	name     corev1.ResourceName
	request  *big.Int
	min, max *resource.Quantity // of the policy; nil if not set
	// The limit is limit/of of the request. A nil of means a limit regardless of the request, and
	// a nil limit the smallest.
	limit, of  *big.Int
	keepsLimit bool // the spec sets a limit, so that there has to be one
	fixedLimit bool // it is the limit of the spec
	source     computeresources.Source
}

// wants returns what is recommended for the containers of a spec.
func (in *Input) wants(spec *corev1.PodSpec, recommendations []Recommendation) ([]want, error) {
	var all []want
	var failed *inputError
	defaults := limitrange.AggregateOf(in.LimitRanges).Item(corev1.LimitTypeContainer)
	seen := map[computeresources.Ref]map[corev1.ResourceName]bool{}
	for i := range recommendations {
		r := &recommendations[i]
		ref, found := containerIn(spec, r.Ref)
		if !found {
			failed = failed.or(&inputError{Ref: r.Ref, Field: "recommendation", Detail: "the pod has no such container"})
			continue
		}
		set := ref.Resources(spec)
		if seen[ref] == nil {
			seen[ref] = map[corev1.ResourceName]bool{}
		}
		for _, name := range quantity.Names(r.Requests) {
			w, err := r.want(ref, name, set, &defaults)
			if err == nil && seen[ref][name] {
				err = &inputError{Ref: ref, Field: "recommendation[" + string(name) + "]", Detail: "duplicate"}
			}
			failed = failed.or(err)
			seen[ref][name] = true
			all = append(all, w)
		}
	}
	if failed != nil {
		return nil, failed
	}
	return all, nil
}

// containerIn returns the container of a spec that a Ref refers to, and whether there is one.
func containerIn(spec *corev1.PodSpec, of computeresources.Ref) (computeresources.Ref, bool) {
	ref, found := of.In(spec)
	return ref, found && ref.Kind != computeresources.Pod
}

// want returns what is recommended of one resource.
func (r *Recommendation) want(ref computeresources.Ref, name corev1.ResourceName, set *corev1.ResourceRequirements,
	defaults *corev1.LimitRangeItem) (want, *inputError) {
	w := want{ref: ref, name: name, source: r.Source, min: bound(r.Min, name), max: bound(r.Max, name)}
	var failed *inputError
	milli := func(q *resource.Quantity, field string) *big.Int {
		if q == nil {
			return nil
		}
		v, ok := milliUnits(*q)
		if !ok && failed == nil {
			failed = &inputError{Ref: ref, Field: field + "[" + string(name) + "]"}
		}
		return v
	}
	w.request = milli(quantity.Find(r.Requests, name), "recommendation")
	request, limit := milli(quantity.Find(set.Requests, name), "requests"),
		milli(quantity.Find(set.Limits, name), "limits")
	if failed != nil {
		return w, failed
	}
	w.request = atLeast(w.request, new(big.Int))
	w.keepsLimit, w.fixedLimit = limit != nil, limit != nil && r.KeepLimits
	if limit == nil {
		limit = milli(quantity.Find(defaults.Default, name), "default")
		if request == nil {
			request = milli(quantity.Find(defaults.DefaultRequest, name), "defaultRequest")
		}
	}
	switch {
	case w.fixedLimit:
	case !resourcename.IsOvercommitAllowed(name):
		w.limit, w.of = big.NewInt(1), big.NewInt(1)
	case limit == nil:
	case r.KeepLimits:
		w.limit = limit
	case request == nil || request.Sign() <= 0 || limit.Cmp(request) <= 0:
		w.limit, w.of = big.NewInt(1), big.NewInt(1)
	default:
		w.limit, w.of = limit, request
	}
	return w, failed
}

// bound returns a bound of a policy, nil if there is none.
func bound(list corev1.ResourceList, name corev1.ResourceName) *resource.Quantity {
	if q := quantity.Find(list, name); q != nil && !q.IsZero() {
		return q
	}
	return nil
}

// withoutWanted returns a shallow copy of spec without the amounts that recommendations replace.
func withoutWanted(spec *corev1.PodSpec, wants []want) *corev1.PodSpec {
	if spec == nil || len(wants) == 0 {
		return spec
	}
	free := *spec
	free.InitContainers, free.Containers = slices.Clone(spec.InitContainers), slices.Clone(spec.Containers)
	for i := range wants {
		w := &wants[i]
		r := w.ref.Resources(&free)
		r.Requests = without(r.Requests, w.name)
		if !w.fixedLimit {
			r.Limits = without(r.Limits, w.name)
		}
	}
	return &free
}

func without(list corev1.ResourceList, name corev1.ResourceName) corev1.ResourceList {
	list = maps.Clone(list)
	delete(list, name)
	return list
}

// compareWith completes the changes of a spec whose wanted amounts were left out, and sorts what is
// capped.
func (s *RightSized) compareWith(spec *corev1.PodSpec, wants []want) {
	rank := map[computeresources.Ref]int{}
	for ref := range computeresources.Containers(spec) {
		rank[ref] = len(rank)
	}
	slices.SortFunc(s.Capped, func(a, b computeresources.Change) int {
		return cmp.Or(cmp.Compare(rank[a.Ref], rank[b.Ref]), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.List, b.List))
	})
	changes := s.Changes[:0]
	for _, c := range s.Changes {
		i := slices.IndexFunc(wants, func(w want) bool { return w.ref == c.Ref && w.name == c.Resource })
		if i < 0 || c.List == computeresources.Limits && wants[i].fixedLimit {
			changes = append(changes, c)
			continue
		}
		from := quantity.Find(c.List.Of(c.Ref.Resources(spec)), c.Resource)
		if from != nil && from.Cmp(*c.To) == 0 {
			continue
		}
		c.From, c.Source = quantity.Clone(from), s.sourceOf(c, &wants[i])
		changes = append(changes, c)
	}
	s.Changes = changes
	if len(changes) == 0 {
		s.Changes = nil
	}
}

// sourceOf returns why a change is necessary.
func (s *RightSized) sourceOf(c computeresources.Change, w *want) computeresources.Source {
	for i := range s.Capped {
		if capped := &s.Capped[i]; capped.Ref == c.Ref && capped.List == c.List && capped.Resource == c.Resource {
			return capped.Source
		}
	}
	if c.List == computeresources.Limits && w.of != nil {
		return computeresources.Source{Kind: "ratio"}
	}
	return w.source
}
