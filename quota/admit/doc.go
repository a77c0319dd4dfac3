// Package admit decides on an object in a namespace as the API server does: what is stored, or
// which error the client gets, with a remedy for each refusal. Package solver below it finds the
// least amounts that satisfy all bounds at once.
//
//	namespace, err := admit.Compile(ranges, quotas, admit.Options{}) // once per namespace
//	decision := namespace.Create(pod, admit.Attributes{})
//	err = decision.Err() // the *StatusError that the client gets; nil if the pod is admitted
//
// # The steps
//
// A [Namespace] holds its LimitRanges, its ResourceQuotas and the resources that the configuration
// limits by default, prepared for many objects. [Namespace.Create] and [Namespace.Update] run the steps of the API
// server that concern requests, limits and quotas:
//
//   - defaults: requests that follow from limits, and the defaults of LimitRanges;
//   - classes, if Options has those of the cluster: the priority of a pod, the overhead, node selector and
//     tolerations of its RuntimeClass, and the default StorageClass of a claim; a class that does not exist fails
//     with 403 Forbidden. Each pod gets the tolerations of nodes that are not ready or not reachable;
//   - validation of resources, resource claims, resize policies and size limits of volumes, which
//     fails with 422 Invalid;
//   - the bounds of LimitRanges, which fail with 403 Forbidden;
//   - ResourceQuotas, which fail with 403 Forbidden; before them Capsule's GlobalResourceQuotas, and after them
//     OpenShift's ClusterResourceQuotas, if they are among the quotas: see quota.ClusterQuota.In.
//
// The server stops at the first step that fails. A [Decision] has the Refusals of all steps, each
// with its field, its source and a remedy; [Decision.Err] is the error of the first one.
// [Namespace.After] is the namespace with the object in it, so that manifests can be checked one after
// the other; [github.com/kubemath/kubemath/quota/admit/whatif] does so with all that follows. [Namespace.Replicas]
// returns how many equal objects are admitted, workloads with all of their pods, or equal groups of objects, such as a
// pod and its claims. Pods.Fit is how many pods of one workload are.
//
// Pods, PersistentVolumeClaims, Services and ResourceClaims use amounts. The template of a workload
// (Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Job, CronJob) is validated
// as well, with field paths in the workload, and Decision.Pods is the decision on the pods that its
// controller creates. All other objects are only counted.
//
// # What is not considered
//
// Fields that do not concern resources are not validated, except that they cannot change where they are fixed: see
// [Namespace.Update]. Volumes are used as they are set, and without classes in Options, so are
// overhead, priority and storage class: other admission plugins and webhooks set them. Decision.Unknown names a class
// that Options would have to have. Objects that controllers create between a workload and its pods, such as
// ReplicaSets and the claims of a StatefulSet, are separate objects: pass them to Create.
//
// The LimitRanges and quotas that are passed to Compile determine the namespace. An object without a
// namespace is created in it, and an object that names another one is refused with a 400 BadRequest,
// as by the API server.
//
// Where the server's answer depends on map order, Decision.Err is one of the possible answers, and
// always the same one: LimitRanges and quotas are sorted by name, and containers and resources keep
// their order. In a namespace with several LimitRanges, it is not sure that the server admits what a
// Decision admits, because it uses them in an order that it draws anew for each request.
// [Namespace.Possible] returns every decision that it can make, and whether the verdict depends on the
// order.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. A Namespace is opaque, and never modified. All answers are plain
// data, which compare, marshal as JSON and are read from it again.
//
// # Sources
//
// k8s.io/apiserver v0.37 (registry/rest, admission and its plugin resourcequota) and
// k8s.io/kubernetes v1.37 (pkg/apis/core/v1 and validation, plugin/pkg/admission: limitranger, priority, runtimeclass,
// defaulttolerationseconds and storage/storageclass). A server of another release may answer differently: Options has
// the release.
package admit
