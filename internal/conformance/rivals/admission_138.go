//go:build kubernetes138

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// admissionCheck fails, because since 1.38 only the kubelet can ask: times are measured with 1.37.
func admissionCheck(*corev1.Pod, *framework.NodeInfo) { panic("the rivals are those of 1.37") }
