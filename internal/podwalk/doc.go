// Package podwalk reads the containers of a pod: their kinds, the order in which they start,
// the sum of their amounts (KEP-753), and the QoS class. Every package that adds up, compares
// or lists the requests of containers uses this package, so that every rule about containers
// is implemented only here.
//
//   - [Containers] walks over the containers of a pod spec. [Kind] tells them apart, and
//     has the only test for a sidecar.
//   - [Sum] is the formula for one resource, over any type of amounts; [Units] is the same
//     over integers. [Simultaneous] names the containers that run at one time.
//   - [Exact] is an amount without bounds, which Sum adds up as resource.Quantity does.
//   - [Compute] is the fast path: cpu, memory and ephemeral storage in integers
//     that are exact, and [Formats] their formats; [Both] reads requests and limits together, and the class.
//   - [Class] is the class of a pod spec.
//   - [Writer] writes amounts into a pod spec, and copies what others may share before.
//
// All but Writer only read the pod, down to the cached string and the decimal behind a
// resource.Quantity.
//
// Source: KEP-753; k8s.io/component-helpers/resource;
// k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
package podwalk
