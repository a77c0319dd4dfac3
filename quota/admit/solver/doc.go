// Package solver answers what to write into a pod so that the LimitRanges and the
// ResourceQuotas of its namespace admit it: the least requests and limits that satisfy all
// of them, beside what the spec sets already, which stays as it is. If that is impossible, the
// answer is the smallest set of constraints that contradict each other, each with its source.
//
//	changes, err := solver.Apply(&pod.Spec, solver.Input{LimitRanges: ranges, Quotas: quotas})
//
// It is for controllers and webhooks that generate pods, and for tools that explain why a
// namespace admits none. After [Apply], admission has nothing left to do: neither the
// defaults of the API server nor those of LimitRanger change the pod, no LimitRange
// rejects it, and no quota that was given.
//
// # What is fixed, and what is free
//
// A request or limit that the spec sets is fixed, and everything else is free. So a limit
// without a request leaves the request free, and what is set is the least that the bounds
// allow, where the API server would take the limit: call
// computeresources.ApplyRequestDefaults first to keep to that. Likewise the defaults of a
// LimitRange only demand that something is set, since they would be filled in
// otherwise; to prefer them to the least, apply them first.
//
// Least is meant literally. If there is only a maximum, it is a request and a limit of
// zero, which is admitted although a node takes a limit of zero for none. A [Floor] says what
// a container needs, such as its measured usage.
//
// # What is demanded
//
// For each resource by itself, as the API server, LimitRanger and the quota plugin do:
//
//   - 0 ≤ request ≤ limit; a container with a limit has a request; hugepages and extended
//     resources have both, and equal.
//   - Of each container: request ≥ min; limit ≤ max, and there is one; limit ≤ ratio ·
//     request, and neither is zero. A ratio below 1 contradicts itself.
//   - The same of the pod as one, by the items of type Pod, for the largest of: what runs
//     together, and what runs beside each init container (KEP-753). Overhead is left out.
//     A container without a limit counts as zero.
//   - Of quotas whose scopes match: what the pod takes, overhead included and times the number
//     of replicas, is no more than is left; and what is counted of cpu and memory is set by
//     every container. A usage of zero fits even where the remaining amount is negative.
//   - Of each Floor: the request of its container is no less.
//   - If the spec sets amounts at pod level, they count in place of the sums,
//     and bound the containers (KEP-2837).
//
// Arithmetic is in integers of any size. In one place the server calculates in floats, for
// ratios; solutions satisfy the ratio exactly, and the server's floats too.
//
// The package does not judge amounts otherwise, or names of resources. It does not know
// what concerns several resources at once, such as that hugepages are only admitted beside
// cpu or memory. What is limited by default, in the configuration of the admission plugin, is
// for quota.Admit.
//
// # Why the answer is exact
//
// Take a pod with a sidecar and two app containers, a Pod minimum of 1 CPU, and 300m of it
// set for one app container:
//
//	            sidecar   app       worker
//	set         -         300m      -
//	min 100m    100m      300m      100m     each container by itself: 500m in all
//	Pod min 1   100m      300m      600m     the pod as one
//
// All bounds of a single container say either "at least" or "at most", and where one
// amount pushes another (a limit its request, by the ratio), it pushes upwards. So there is
// one least pair of amounts for each container, and if those satisfy the bounds of the pod
// as one, they are the answer: anything else has more.
//
// What is left are the lower bounds of the pod as one: its minimum, and its ratio. They say
// that some sum has to grow, but not by whom. The pod's requests are those of the largest of
// its sums, so it is enough that one of these grows, and each is tried. Within a sum,
// containers are raised in an order by which nothing is lost: app and init containers,
// which are in one sum only, before sidecars, and late sidecars before early ones, which
// are in more. Each takes as much as fits. Whatever a solution gives to later ones instead
// can be moved forward, and no sum grows by that.
//
// A request drags its limit along where both are free, one for one. The limits of the pod
// so never grow faster than its requests; since a ratio is at least one, it is easier to
// meet the more is requested, and the least request is found by bisection. Finally, a
// limit that nobody must have may still be needed, for the pod as one to have any: one is
// enough, since that can grow in place of others.
//
// For contradictions, the same is asked of subsets of the constraints: see [ConflictError].
// What the subset leaves out is free.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity, so that concurrent calls on a shared pod are safe;
// [Apply] changes its first argument. Results own their memory. Nothing depends on the
// order of LimitRanges, quotas and floors.
//
// # Sources
//
// k8s.io/kubernetes v1.36: plugin/pkg/admission/limitranger, pkg/quota/v1/evaluator/core,
// pkg/apis/core/validation, and its defaults; KEP-753 (sidecars), KEP-2837 (pod-level
// resources); Tekton's "LimitRange support in Pipeline".
package solver
