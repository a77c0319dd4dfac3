// Package autoscaler compares kubemath with the code of the Vertical Pod Autoscaler, which requires a newer
// k8s.io/api than k8s.io/kubernetes does, so that it has a module of its own.
package autoscaler
