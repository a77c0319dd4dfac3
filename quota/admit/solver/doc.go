// Package solver finds which requests and limits to set on a pod so that the LimitRanges and
// ResourceQuotas of its namespace admit it: the smallest ones that satisfy all of them, without
// changing what the spec sets. If there are none, it returns the smallest set of constraints that
// contradict each other, each with its source.
//
//	changes, err := solver.Apply(&pod.Spec, solver.Input{LimitRanges: ranges, Quotas: quotas})
//
// # Functions
//
// [RightSize] replaces requests and limits instead: by the nearest to recommendations that are admitted, with the
// ratio of each limit to its request wherever that is possible. It is for vertical autoscalers.
//
// The package is for controllers and webhooks that generate pods, and for tools that explain why a
// namespace admits none. After [Apply], admission changes nothing: neither the API server nor the LimitRanger
// has a default to set, no LimitRange rejects the pod, and no quota that was passed does.
//
// # What is fixed, and what is free
//
// A request or limit that the spec sets is fixed. Everything else is free. Two consequences may
// surprise:
//
//   - A limit without a request leaves the request free, and the result is the smallest request that
//     the bounds allow. The API server would set the request to the limit. Call
//     [computeresources.ApplyRequestDefaults] first to get that.
//   - The defaults of a LimitRange only require that something is set, since otherwise they would
//     apply. Apply them first to prefer them to the smallest amounts.
//
// "Smallest" is meant literally. If there is only a maximum, the result is a request and a limit of
// zero. They are admitted, although a node treats a limit of zero as no limit. A [Floor] states what
// a container needs, such as its measured usage.
//
// # The constraints
//
// For each resource on its own, as in the API server, the LimitRanger and the quota plugin:
//
//   - 0 ≤ request ≤ limit. A container with a limit has a request. Hugepages and extended resources
//     have both, and they are equal.
//   - For each container: request ≥ min; limit ≤ max, and a max requires a limit; limit ≤ ratio ·
//     request, and a ratio requires both to be above zero. A ratio below 1 contradicts itself.
//   - For the pod, by items of type Pod: the same, for the largest of the sum of containers that run
//     together and the sums while each init container runs (KEP-753). Overhead is not included. A
//     container without a limit counts as zero.
//   - For quotas whose scopes match: the usage of the pod, including overhead, times the number of
//     replicas, does not exceed what remains. Every container sets each cpu or memory amount that the
//     quota counts. A usage of zero fits even if the remaining amount is negative.
//   - For each Floor: the request of its container is at least the floor. For each policy of a
//     Recommendation: it is within its minimum and maximum.
//   - If the spec sets pod-level resources, they replace the sums and bound the containers (KEP-2837). Since 1.37, the
//     limit of a pod that sets a pod-level request, and of which all containers have a limit, is their sum or the
//     request, whichever is more.
//
// Computation uses integers of any size. The server computes ratios in floating point; solutions
// satisfy the ratio both exactly and in the server's floating point.
//
// The package does not validate amounts or resource names otherwise. It does not know constraints
// across resources, such as that hugepages require cpu or memory. Resources that the configuration of
// the quota admission plugin limits by default are left to [github.com/kubemath/kubemath/quota.Admit].
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. The result does not depend on the order of
// LimitRanges, quotas, floors and recommendations.
//
// # Sources
//
// k8s.io/kubernetes v1.37: plugin/pkg/admission/limitranger, pkg/quota/v1/evaluator/core,
// pkg/apis/core/validation, and its defaults; KEP-753 (sidecars), KEP-2837 (pod-level resources);
// Tekton's "LimitRange support in Pipeline"; pkg/utils/vpa of the Vertical Pod Autoscaler 1.8.
package solver
