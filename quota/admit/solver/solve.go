package solver

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Solution has the smallest requests and limits of a pod that satisfy all constraints.
type Solution struct {
	// Parts are the complete requests and limits to set: of the containers, in the order of
	// computeresources.Containers, and then of the pod level if the spec sets any. Resources that
	// no constraint demands are absent.
	Parts []Part `json:"parts,omitempty"`
	// Changes are what of that the spec does not set yet: part by part, by resource,
	// request before limit.
	Changes []computeresources.Change `json:"changes,omitempty"`
}

// Part has the requests and limits of one container, or of the pod level.
type Part struct {
	Ref      computeresources.Ref `json:"ref,omitzero"`
	Requests corev1.ResourceList  `json:"requests,omitempty"`
	Limits   corev1.ResourceList  `json:"limits,omitempty"`
}

// Solve returns the smallest requests and limits with which the LimitRanges and quotas of a
// namespace admit a pod. What its spec sets is not changed. For each resource, the solution has
//
//  1. the smallest request of the pod; then
//  2. the smallest limit of the pod; and then
//  3. the smallest requests, and then the smallest limits, container by container, from the last to
//     the first of: app containers, init containers, and sidecars, the last one first. So if a Pod
//     bound requires more than the minimum of each container, the first app container that can take
//     it gets the rest.
//
// An absent amount is less than any other. Amounts that LimitRanger or the API server would set
// are never absent. Amounts finer than a milli-unit are rounded up to one, as the server does
// with every amount it stores, and reported as a Change. Amounts that are set are
// multiples of 1m of cpu, of a page of hugepages, and of 1 of any other resource, unless
// the spec itself sets fractions of those.
//
// Quotas with the scopes BestEffort and NotBestEffort are those of the class that the solution has.
// A pod is not given a request for the sole purpose to leave the scope of a quota.
//
// If there is no solution, the error is a *ConflictError: the smallest set of bounds that contradict
// each other, with their Sources. It is a plain error with the object and its field if the status of a
// quota does not say how much is used, a scope selector is invalid, a Floor is of no container of the
// pod, or an amount is beyond 2^63 - 1. A nil spec has no containers.
//
// Cost: for c containers (i of them init containers) and b bounds, c·(1+i) + b steps
// per resource; some hundred times as many where a Pod bound makes requests grow, and as
// often again as there are containers that could have a limit without having to. To find
// a contradiction takes up to some thousand solutions of small pods, and hundreds of large
// ones: milliseconds, and tenths of a second for a hundred containers.
func Solve(spec *corev1.PodSpec, in Input) (Solution, error) {
	return in.solveAnyClass(spec, (*system).conflict)
}

// Contradicted returns the resources for which Solve has no solution, sorted; nil if it has one for all.
// Other errors are those of Solve.
//
// Cost: that of Solve with a solution. The bounds that contradict each other are not looked for.
func Contradicted(spec *corev1.PodSpec, in Input) ([]corev1.ResourceName, error) {
	_, err := in.solveAnyClass(spec, func(s *system) *limitrange.Conflict {
		return &limitrange.Conflict{Resource: s.name}
	})
	var conflicts *ConflictError
	if !errors.As(err, &conflicts) {
		return nil, err
	}
	var names []corev1.ResourceName
	for _, c := range conflicts.Conflicts {
		names = append(names, c.Resource)
	}
	return names, nil
}

// solveAnyClass is Solve with a function that returns why a resource has no solution.
func (in *Input) solveAnyClass(spec *corev1.PodSpec, why func(*system) *limitrange.Conflict) (Solution, error) {
	class := podwalk.Class(spec, release.Rules(in.Kubernetes))
	if class != corev1.PodQOSBestEffort || !in.scopedByClass() {
		return in.solve(spec, class, why)
	}
	return ofEitherClass(corev1.PodQOSBestEffort, in.Kubernetes, func(class corev1.PodQOSClass) (Solution, error) {
		return in.solve(spec, class, why)
	})
}

// ofEitherClass returns a result whose pod has the class that quotas counted it with, of the preferred class if
// both have one. If the pod of neither has, it is the result for a Burstable pod, or else the reason why there is
// no BestEffort one.
func ofEitherClass[R interface {
	isBestEffort(computeresources.Kubernetes) bool
}](
	preferred corev1.PodQOSClass, kubernetes computeresources.Kubernetes, solve func(class corev1.PodQOSClass) (R, error),
) (R, error) {
	classes := []corev1.PodQOSClass{corev1.PodQOSBurstable, corev1.PodQOSBestEffort}
	if preferred == corev1.PodQOSBestEffort {
		slices.Reverse(classes)
	}
	results, errs := map[corev1.PodQOSClass]R{}, map[corev1.PodQOSClass]error{}
	for _, class := range classes {
		r, err := solve(class)
		if err == nil && r.isBestEffort(kubernetes) == (class == corev1.PodQOSBestEffort) {
			return r, nil
		}
		results[class], errs[class] = r, err
	}
	if errs[corev1.PodQOSBurstable] == nil && errs[corev1.PodQOSBestEffort] != nil {
		return results[corev1.PodQOSBestEffort], errs[corev1.PodQOSBestEffort]
	}
	return results[corev1.PodQOSBurstable], errs[corev1.PodQOSBurstable]
}

// scopedByClass reports whether any quota is one of pods of some class.
func (in *Input) scopedByClass() bool {
	return slices.ContainsFunc(in.Quotas, func(q *corev1.ResourceQuota) bool {
		return slices.ContainsFunc(quota.Scopes(q), func(s corev1.ScopedResourceSelectorRequirement) bool {
			return s.ScopeName == corev1.ResourceQuotaScopeBestEffort || s.ScopeName == corev1.ResourceQuotaScopeNotBestEffort
		})
	})
}

// isBestEffort reports whether a pod with this solution is BestEffort.
func (s Solution) isBestEffort(kubernetes computeresources.Kubernetes) bool {
	spec := &corev1.PodSpec{}
	for i := range s.Parts {
		requirements := corev1.ResourceRequirements{Requests: s.Parts[i].Requests, Limits: s.Parts[i].Limits}
		if s.Parts[i].Ref.Kind == computeresources.Pod {
			spec.Resources = &requirements
		} else {
			spec.Containers = append(spec.Containers, corev1.Container{Resources: requirements})
		}
	}
	return podwalk.Class(spec, release.Rules(kubernetes)) == corev1.PodQOSBestEffort
}

// solve is Solve for a pod that scopes of quotas count as one of the class.
func (in *Input) solve(
	spec *corev1.PodSpec, class corev1.PodQOSClass, why func(*system) *limitrange.Conflict,
) (Solution, error) {
	o, err := in.objects(spec, class)
	if err != nil {
		return Solution{}, err
	}
	solution, _, err := o.solve(spec, why)
	return solution, err
}

// solve returns the smallest requests and limits that satisfy the objects and keep the amounts of the spec, and the
// nearest ones to what is wanted, which the spec does not set. It also returns which of the amounts differ from that.
// The function says why a resource has no solution.
func (o objects) solve(
	spec *corev1.PodSpec, why func(*system) *limitrange.Conflict,
) (Solution, []computeresources.Change, error) {
	if !release.Rules(o.Kubernetes).CountsPodLevel() {
		spec = podwalk.SpecWithoutPodLevel(spec)
	}
	all, err := systems(spec, o)
	if err != nil {
		return Solution{}, nil, err
	}
	var capped []computeresources.Change
	var found computeresources.Problems[*limitrange.Conflict]
	solved := resourcesOnly(spec)
	parts := requirementsOf(solved)
	for _, s := range all {
		d := s.demands(s.entries)
		least := d.solve()
		switch {
		case least == nil:
			found = append(found, why(s))
			continue
		case s.wants != nil:
			nearest, sizing := d.rightSize()
			capped = append(capped, sizing.capped(nearest.assignment)...)
			least = nearest
			d.setWanted(least.requests)
		}
		d.write(least, parts)
	}
	if len(found) > 0 {
		slices.SortFunc(found, func(a, b *limitrange.Conflict) int {
			return cmp.Or(cmp.Compare(len(a.Values), len(b.Values)), cmp.Compare(a.Resource, b.Resource))
		})
		return Solution{}, nil, &ConflictError{found}
	}
	// What the server derives at pod level, such as hugepages.
	computeresources.ApplyRequestDefaults(solved, o.Kubernetes)
	computeresources.ApplyPodLevelDefaults(solved, o.Kubernetes)
	return solutionOf(spec, solved), capped, nil
}

// Apply writes the solution into the spec and returns the changes. If there is an error, the spec
// is not changed. Calling Apply again changes nothing. The spec and the result share no memory.
// Errors and cost are those of Solve.
//
// The pod is then admitted in every order in which the server may use LimitRanges and quotas (see
// admit.Namespace.Possible): every amount that any LimitRange has a default for is set, so none applies.
func Apply(spec *corev1.PodSpec, in Input) ([]computeresources.Change, error) {
	solution, err := Solve(spec, in)
	if err != nil {
		return nil, err
	}
	if err := computeresources.ApplyChanges(spec, solution.Changes); err != nil {
		return nil, err // names no container that spec does not have
	}
	return solution.Changes, nil
}

// part is where the requirements of a container, or of the pod level, stand.
type part struct {
	ref          computeresources.Ref
	requirements *corev1.ResourceRequirements
}

func requirementsOf(spec *corev1.PodSpec) []part {
	var parts []part
	for ref, c := range computeresources.Containers(spec) {
		parts = append(parts, part{ref, &c.Resources})
	}
	if spec != nil && spec.Resources != nil {
		parts = append(parts, part{computeresources.Ref{Kind: computeresources.Pod}, spec.Resources})
	}
	return parts
}

// resourcesOnly returns a copy of a spec with only what the solver writes, or reads when it does.
// Amounts are as the server stores them.
func resourcesOnly(spec *corev1.PodSpec) *corev1.PodSpec {
	if spec == nil {
		return &corev1.PodSpec{}
	}
	solved := &corev1.PodSpec{InitContainers: bareContainers(spec.InitContainers),
		Containers: bareContainers(spec.Containers)}
	if spec.Resources != nil {
		whole := copyOf(spec.Resources)
		solved.Resources = &whole
	}
	return solved
}

func bareContainers(containers []corev1.Container) []corev1.Container {
	bare := make([]corev1.Container, len(containers))
	for i := range containers {
		c := &containers[i]
		bare[i] = corev1.Container{Name: c.Name, RestartPolicy: c.RestartPolicy, Resources: copyOf(&c.Resources)}
	}
	return bare
}

func copyOf(r *corev1.ResourceRequirements) corev1.ResourceRequirements {
	copied := corev1.ResourceRequirements{Requests: r.Requests.DeepCopy(), Limits: r.Limits.DeepCopy()}
	roundUp(copied.Requests)
	roundUp(copied.Limits)
	return copied
}

// write puts a solution for one resource into the parts of a pod.
func (d *demands) write(s *solution, parts []part) {
	limits := d.limitsPresent(s)
	requests := d.requestsPresent(s, limits)
	for i := range d.kinds {
		r := parts[i].requirements
		if requests[i] {
			d.setIfMissing(&r.Requests, s.requests[i])
		}
		if limits[i] {
			d.setIfMissing(&r.Limits, s.limits[i])
		}
	}
	if whole := s.needs.podLevelRequest; whole != nil {
		r := parts[len(d.kinds)].requirements
		d.setIfMissing(&r.Requests, atLeast(whole, s.request))
		if d.together {
			d.setIfMissing(&r.Limits, whole)
		}
	}
}

// limitsPresent returns which containers get a limit. Where requests and limits are
// together, zero is the same as absent, unless it is set or required.
func (d *demands) limitsPresent(s *solution) []bool {
	present := make([]bool, len(d.kinds))
	for i := range present {
		present[i] = s.limits[i] != nil
		if d.together {
			stated := d.requests[i] != nil || d.limits[i] != nil
			present[i] = d.limited || d.requested || stated || s.requests[i].Sign() > 0
		}
	}
	if s.needs.someLimit || d.together && s.needs.someRequest {
		d.ensureOnePresent(present)
	}
	return present
}

// requestsPresent returns which containers get a request: those with a limit too, since
// the API server would set it otherwise.
func (d *demands) requestsPresent(s *solution, limits []bool) []bool {
	present := slices.Clone(limits)
	for i := range present {
		present[i] = present[i] || d.requested || d.requests[i] != nil || s.requests[i].Sign() > 0
	}
	if s.needs.someRequest {
		d.ensureOnePresent(present)
	}
	return present
}

// ensureOnePresent makes the first container in the order of raising present, if none is.
func (d *demands) ensureOnePresent(present []bool) {
	if !slices.Contains(present, true) {
		present[raisingOrder(d.kinds)[0]] = true
	}
}

// setIfMissing writes an amount, in units, unless the list sets one, which is the same.
func (d *demands) setIfMissing(list *corev1.ResourceList, amount *big.Int) {
	if _, stated := (*list)[d.name]; !stated {
		quantity.Set(list, d.name, quantityOf(d.name, new(big.Int).Mul(amount, d.unit)))
	}
}
