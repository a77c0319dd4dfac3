// Package qos answers what becomes of a pod when its node runs short: its class of
// quality of service, why it is not in a better one and what would put it there, and
// which of its containers the kernel kills first.
//
//	class := qos.Class(&pod.Spec)
//
// [Class] is what the API server computes at creation; [PodClass] prefers what it has
// stored since. [Explain] names the first container and resource that keep a pod from
// the next better class, [GuaranteedChanges] all changes that lead to the best.
// [OOMScoreAdj] is the score that the kubelet gives to a container, and [TierTotals]
// counts the pods of a node, and what they request, by class. [ExclusiveCPUs] is how many CPUs
// a container has to itself.
//
// All functions take a spec as it is. In a manifest, requests that follow from limits
// are still missing, and a pod with limits alone is Burstable: call
// computeresources.ApplyRequestDefaults first, as the API server does.
//
// The package does not evict, rank or admit pods.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity, so that concurrent calls on a shared pod are
// safe. Results own their memory. Comparisons are exact at every scale.
//
// # Sources
//
// k8s.io/kubernetes v1.36: pkg/apis/core/v1/helper/qos (class), pkg/kubelet/qos (OOM
// score), pkg/kubelet/cm (tiers); KEP-2837 (pod-level resources); the kubelet's "Pod
// level resource management" and Tekton's "Compute Resources".
package qos
