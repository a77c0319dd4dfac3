// Package steps divides requests among containers of which only one runs at a time, such as the steps of a Tekton task,
// and returns what such a pod uses at its peak.
//
//	changes, conflicts := steps.Fill(&pod.Spec, item, steps.TektonStep, steps.Options{})
//
// Kubernetes assumes that app containers run at the same time: it adds up their requests, and
// quotas count the sum. Only one step runs at a time, so the default request of a LimitRange is
// meant for all steps together, as are the requirements of a task.
//
// # Functions
//
// A [Predicate] decides which containers are steps; [TektonStep] is the one for Tekton's pods.
//
//   - [Fill] sets missing requests to the defaults of a LimitRange, divided among the steps.
//   - [Fit] also moves requests and limits that are set into the bounds of the LimitRange.
//   - [TaskLevel] divides the requirements of a task among its steps, and applies the step
//     template and the overrides of a run. [ValidateTaskRun] rejects requirements that contradict
//     each other.
//   - [PodLevel] sets the requirements of a task at the pod level as well, so that quotas count
//     them once, and shows how much that saves.
//   - [ContainerDefaults] sets what the configuration of Tekton has for containers by name.
//   - [WholePod] does all of this in Tekton's order, and shows where each amount comes from and what rejects
//     the pod. [AdmittedPod] lowers the defaults that make the API server reject it.
//   - [Guaranteed] returns what to set in a run so that its pod is Guaranteed.
//   - [PeakRequests] and [PeakLimits] return what is used at the same time.
//
// Fill, Fit, TaskLevel and ContainerDefaults return the changes to make and the bounds that cannot be met, and change
// nothing; [computeresources.ApplyChanges] writes the changes. If no container is a step, amounts
// meant for steps are not assigned. A nil spec is treated as a pod without containers.
//
// # The LimitRange
//
// Fill and Fit take one item. If a namespace has several LimitRanges, it is their aggregate (see
// [github.com/kubemath/kubemath/limitrange.AggregateOf]): the largest of each minimum, the smallest
// of each maximum, of each ratio and of each default. Items of other types than Container are
// ignored. In the item,
//
//   - a default counts if it is above zero, and is clamped to [min, max];
//   - without a default request, the minimum is the default request; without a default limit, the
//     maximum is the default limit;
//   - bounds count even if they are zero or negative. If no amount can meet them, nothing is
//     changed, and a [limitrange.Conflict] is returned.
//
// A request or limit of a container that is not above zero counts as missing. However, Fill sets no
// request for a container with a limit of zero. A default is divided by package
// [github.com/kubemath/kubemath/computeresources/division]: exactly by default, so that the steps
// request it in total. It is divided among all steps, so the part of one step does not depend on
// what another step requests.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Changes and conflicts are in the order of
// [computeresources.Containers], then sorted by resource name, with the request before the limit.
//
// # Sources
//
// Tekton's "Compute Resources in Tekton" and "LimitRange support in Pipeline"; the LimitRanger of
// k8s.io/kubernetes v1.37 for what the bounds demand; KEP-753 for init containers and sidecars.
package steps
