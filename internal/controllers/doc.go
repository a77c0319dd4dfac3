// Package controllers decides what the controllers of workloads do next. Each answer is that of one sync of one
// controller, from a workload, what it owns and what is known of its pods: what is created, deleted and scaled. The
// caller carries out what is admitted, and asks again until nothing remains.
//
// Sources are functions of k8s.io/kubernetes/pkg/controller, in the packages for the workload.
package controllers
