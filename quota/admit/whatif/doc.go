// Package whatif predicts what happens if objects are applied to a cluster, deleted from it, or if a node is
// drained: what is stored and what is refused, which pods come and go, on which nodes they are, which of
// them wait and why, and what remains of quotas and nodes.
//
//	cluster, err := whatif.Read(objects, whatif.Options{}) // once, such as from kubectl get -o yaml
//	result, after := cluster.Apply(manifests...)
//	for _, pod := range result.Pods {
//		fmt.Println(pod.Object.Name, pod.Node, pod.Waits.Message)
//	}
//	result, after = after.Drain("node-1") // the next question is about the next cluster
//
// # Questions
//
// A [Cluster] is never modified. [Cluster.Apply] creates or updates objects, [Cluster.Delete] deletes them
// with what they own, and [Cluster.Drain] empties a node; quotas, LimitRanges and nodes are changed by
// applying them. Each returns a [Result], which is plain data, and the next cluster. [Cluster.Room] returns how many
// replicas of a template are both admitted and placed, and what stops the next one; [Cluster.Estimate] returns how many
// new nodes a list of pods needs.
//
// # What happens
//
// Objects are applied one by one, in the given order. After each, controllers create and delete pods, and the
// scheduler places them, until nothing changes:
//
//   - The API server admits or refuses each object, pod, ReplicaSet and claim as
//     [github.com/kubemath/kubemath/quota/admit] says, with the PriorityClasses, RuntimeClasses and StorageClasses
//     among the objects. What is deleted is subtracted from the usage of quotas. Quotas that several namespaces share
//     (see [github.com/kubemath/kubemath/quota.ClusterQuotasOf]) are kept over all of them.
//   - Controllers of Deployments, ReplicaSets, ReplicationControllers, StatefulSets (with claims), DaemonSets and
//     Jobs, and of CronJobs by option, create the admitted pods. When a quota, a LimitRange or the usage of the
//     namespace changes, they try again, ordered by kind, then name. Updates follow the strategy of the workload, and
//     go on from the revisions that were read. ReplicaSets, ReplicationControllers, StatefulSets and DaemonSets adopt
//     the pods that they select and that have no controller.
//   - The scheduler places a pod on the node with the highest weighted score of its default profile; ties go to the
//     first by name. It considers resources, taints, unschedulable nodes, node affinity, host ports, volumes, topology
//     spread, also by the default constraints of the scheduler, pod affinity, the images of nodes, and features that
//     they declare. Pods that wait are tried again before any new pod when a node may take them: by priority, then by
//     creation time, namespace and name.
//     A pod that finds no node preempts pods of a lower priority, as
//     [github.com/kubemath/kubemath/computeresources/noderesources.Cluster.Preempt] says, with all nodes as candidates
//     and what the status of PodDisruptionBudgets allows. It is placed there immediately.
//   - A pod that gets a node binds its claims, as the controller of volumes does. Claims that bind immediately are
//     bound as soon as there is a volume: the smallest with the fewest access modes, the first by name of several. The
//     volume of a claim that is deleted is released, or deleted if that is its policy. Generic ephemeral volumes have
//     claims, which quotas count. Claims stay bound when pods are deleted, unless their StatefulSet deletes them.
//
// There is no clock. A pod that has a node counts as ready, as does any pod if no nodes are known, unless it was read
// with a container that fails to start: see [Read]. Pods of a StatefulSet or DaemonSet that are being deleted are gone
// once its controller looks at them. Pods of Jobs do not end, unless they are deleted or evicted, which is a failure;
// failed ones are created again at once. Nothing happens by activeDeadlineSeconds, ttlSecondsAfterFinished, a progress
// deadline or a schedule, and a toleration for some time tolerates for good. Names that the server or a controller
// draws at random are numbered: web-1-1.
//
// # What is not considered
//
// [Pod].Unknown names fields of a pod that the scheduler reads and this package does not, such as device claims: the
// pod may be on another node, or wait. Of the pod of a Job, it names activeDeadlineSeconds and the policies of failure
// and success, if they are set, and of the pod of a StatefulSet, status.currentRevision, if it is of that and the
// template of that is not known. It names spec.volumes if the objects do not decide: a claim, a volume, a class, or a
// CSIDriver, CSINode or CSIStorageCapacity is missing, of whose kind no object was read; the volume is provisioned
// immediately, so that it is not known where; or the volumes on a node may exceed a limit of a driver, which is not
// enforced. [Pod].Choice says among which equal nodes the scheduler draws, and how many nodes it compares in a large
// cluster; the answer follows the first by name of the best of all nodes. A namespace that is not among the objects has
// no labels for namespace selectors. Autoscalers are not considered, nor other admission plugins and webhooks, except
// for the containers that pods of a workload were read with. If fewer pods of a DaemonSet are admitted than it wants,
// they are for the first nodes by name, and none of a former template is replaced; its controller takes nodes in any
// order. If several workloads lack pods and a quota gets room for some of them, their controllers race for it; here the
// first by kind and name gets it.
//
// If LimitRanges have different defaults, the server draws which ones a pod gets. The first decision is
// followed, and Depends is set in each answer that may be another one for this reason: see
// [admit.Namespace.Possible].
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath], with one exception: a Cluster keeps the objects that
// it is given by pointer, and results refer to the objects of their Cluster. Like objects of an
// informer's cache, they must not be modified. This package never writes to them.
//
// # Sources
//
// k8s.io/kubernetes v1.37: pkg/controller (deployment, replicaset, statefulset, daemon, job, cronjob,
// garbagecollector), pkg/scheduler (framework and its plugins imagelocality, interpodaffinity, nodeaffinity,
// nodedeclaredfeatures, nodename, nodeports, noderesources, nodeunschedulable, podtopologyspread, tainttoleration,
// volumebinding, volumerestrictions and volumezone) and plugin/pkg/admission; pkg/controller/volume (ephemeral,
// persistentvolume); k8s.io/component-helpers v0.37: scheduling/corev1; k8s.io/apimachinery v0.37:
// util/strategicpatch.
package whatif
