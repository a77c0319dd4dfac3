// Package admit answers what becomes of an object in a namespace: what the API server stores of
// it, or which error its client gets, and what to change so that it is admitted.
//
//	namespace, err := admit.Compile(ranges, quotas, admit.Options{}) // once per namespace
//	decision := namespace.Create(pod, admit.Attributes{})
//	err = decision.Err() // the *StatusError that a client gets; nil if the pod is admitted
//
// A [Namespace] is its LimitRanges, its ResourceQuotas and what is limited by default, made ready
// for many objects. [Namespace.Create], [Namespace.Update] and [Namespace.Resize] take an object
// the way of the API server, as far as requests, limits and quotas decide it:
//
//   - defaults: requests follow from limits, and LimitRanges fill in what is missing;
//   - validation of resources, which answers 422 Invalid;
//   - the bounds of LimitRanges, which answer 403 Forbidden;
//   - ResourceQuotas, which answer 403 Forbidden.
//
// The server stops at the first step that objects. A [Decision] has the [Refusals] of all steps,
// each with its place, its source and a remedy; [Decision.Err] is the answer of the first.
// [Decision.After] is the namespace with the object in it, so that manifests can be taken one
// after the other, as [Namespace.CreateAll] does. [Namespace.Replicas] tells how many equal
// objects are admitted, and [Namespace.GroupReplicas] how many groups of them, such as a pod and its
// claims.
//
// Pods, PersistentVolumeClaims, Services and ResourceClaims have amounts. Of the workloads
// (Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Job, CronJob), the
// template is validated by its own path, and [Decision.Pods] is what becomes of the pods that
// follow. All other objects are counted.
//
// # What it leaves out
//
// Fields that have nothing to do with resources are not validated. Overhead, priority, storage
// class and volumes are taken as set: other admission plugins, and webhooks, set them. Objects
// that controllers create between a workload and its pods, such as ReplicaSets and the claims of
// a StatefulSet, are objects of their own: pass them to Create. The LimitRanges and quotas of the
// namespace are those that are passed to Compile, and give it its name: objects without a namespace
// are stored in it, and those of another one are refused, with a 400 BadRequest as by the API
// server.
//
// Where the answer of the server depends on the order of a map or a list without order,
// Decision.Err is one that it can give, and always the same: LimitRanges and quotas come by name,
// containers and resources in their order.
//
// # Sources
//
// k8s.io/apiserver v0.36 (registry/rest, admission and its plugin resourcequota) and
// k8s.io/kubernetes v1.36 (pkg/apis/core/v1 and validation, plugin/pkg/admission/limitranger).
package admit
