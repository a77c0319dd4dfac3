// Package podvolumes answers on which nodes the volumes of a pod can be used, and how well their storage suits a node,
// as the plugins VolumeRestrictions, VolumeBinding and VolumeZone of the scheduler do:
//
//	volumes := podvolumes.Of(pod, objects)   // nil if the plugins have nothing to say
//	nodes := volumes.On(all, pods)           // the pods on each node
//	nodes.Verdict(i)                         // why the pod may not be on node i, and whether preemption can help
//	nodes.Scores(feasible, scores)           // of VolumeBinding
//	nodes.Bindings(i)                        // which claims are bound or provisioned if the pod is placed there
//
// The plugins read claims, volumes and classes. An input, such as a dump, often lacks some kinds of objects: the answer
// then names the kinds that decide it. The limits of NodeVolumeLimits are not computed; MayReachLimit tells where they
// may concern the pod.
//
// Source: volumerestrictions, volumebinding and volumezone below k8s.io/kubernetes/pkg/scheduler/framework/plugins, and
// k8s.io/component-helpers/storage, of Kubernetes 1.37.2.
package podvolumes
