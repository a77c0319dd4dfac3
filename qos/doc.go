// Package qos classifies pods: which QoS class a pod gets, why it does not get a better one, which
// oom_score_adj its containers get, and which pod of a node is evicted first.
//
//	class := qos.Class(&pod.Spec, computeresources.Kubernetes{})
//
// # Functions
//
// [Class] is what the API server computes when it creates a pod. [PodClass] returns the class in the status of the
// pod, if there is one. [Explain] returns the first container and resource that keep the pod from the next better
// class, and [GuaranteedChanges] all changes that make it Guaranteed. [OOMScoreAdj] is the score that the kubelet
// sets for a container, [TierTotals] counts the pods of a node and their requests by class, and [ExclusiveCPUs] is
// the number of CPUs that the static policy of the CPU manager gives to a container alone. [EvictionOrder] is the
// order in which the kubelet evicts the pods of a node that is short of memory, storage, inodes or process IDs, and
// [EvictionMessage] its message.
//
// A manifest has no requests that follow from limits, and a pod with limits alone would be
// Burstable. Call [computeresources.ApplyRequestDefaults] and [computeresources.ApplyPodLevelDefaults] first, as the
// API server does.
//
// The package does not measure usage, evict or admit pods.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath].
//
// # Sources
//
// k8s.io/kubernetes v1.37: pkg/apis/core/v1/helper/qos (class), pkg/kubelet/qos (OOM score), pkg/kubelet/eviction
// (evictions), pkg/kubelet/cm (tiers); KEP-2837 (pod-level resources); the kubelet's "Pod level resource
// management" and Tekton's "Compute Resources".
package qos
