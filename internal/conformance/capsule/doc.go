// Package kubemath migrates random Tenants as kubemath pool -migrate says, with the controllers of Capsule itself: what its
// Tenant controller keeps before, and what its controllers of resource pools make of the written steps.
//
// The path of its module is one within Capsule's, because the controllers are internal to it. They run on a client in
// memory. What is not Capsule's is done here: what the API server sets, what the quota controller counts, and the random
// Tenants.
package kubemath
