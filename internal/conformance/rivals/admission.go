//go:build !kubernetes138

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

var resultSink []scheduler.AdmissionResult

// admissionCheck is what the kubelet asks before it admits a pod.
func admissionCheck(pod *corev1.Pod, info *framework.NodeInfo) {
	resultSink = scheduler.AdmissionCheck(pod, info, true)
}
