// Package computeresources computes the effective requests and limits of a pod, the limits that bind, and the default
// requests that the API server sets, and validates all of them. LimitRanges and quotas are considered by package
// [github.com/kubemath/kubemath/quota/admit].
//
//	reserved := computeresources.PodRequests(pod, computeresources.Options{})
//	requests := computeresources.SpecRequests(&template.Spec, computeresources.Options{})
//
// # Pods and templates
//
// Functions that take a pod read its status, because a resize in place changes the answer:
// [PodRequests] is what the scheduler reserves for a pod that is placed on a node. Functions
// that take a pod spec are for templates, for pods that are not scheduled yet, and for what
// kubectl describe node adds up: [SpecRequests]. Both give the same answer for a pod whose status
// does not mention resources. While a pod is resized, its usage of a ResourceQuota differs from
// both: see [github.com/kubemath/kubemath/quota.Object.Usage]. No sum depends on the phase: [HasEnded]
// reports whether a pod still uses its node.
//
// Each sum has three forms: a new list ([PodRequests], [PodLimits], [SpecRequests], [SpecLimits]),
// a list that is reused ([PodRequestsInto]), and integers for hot loops ([PodTotals],
// [Totals]). The zero value of [Options] means a default cluster.
//
// [PodLimits] and [SpecLimits] return the sum that the API computes. If a container has no limit,
// that sum does not bound the pod; [BindingLimits] returns what does.
//
// A manifest is not what the API server stores: it has no requests that follow from limits. Call
// [ApplyRequestDefaults], and then [ApplyPodLevelDefaults], first on any spec that does not come from an API server.
// The other functions, and package [github.com/kubemath/kubemath/qos], expect their result. They return a
// [Change] for each amount that they set, and [ApplyChanges] writes changes into another spec.
//
// Sums are computed for invalid pods, too: negative amounts are added. [Validate] returns why the
// API server rejects a pod, [ValidateResize] why it refuses to resize a running pod in place, and
// [ValidateResizeOnNode] why the node of the pod does not allow it.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath].
//
// # Sources
//
// k8s.io/component-helpers/resource v0.37 (sums), k8s.io/kubernetes v1.37 (defaults and the
// kubelet's view of limits), KEP-753 (sidecars), KEP-1287 and KEP-5419 (resize in place),
// KEP-2837 (pod-level resources), KEP-5517 (claims), and Tekton's "Compute Resources" and
// "LimitRange support in Pipeline".
package computeresources
