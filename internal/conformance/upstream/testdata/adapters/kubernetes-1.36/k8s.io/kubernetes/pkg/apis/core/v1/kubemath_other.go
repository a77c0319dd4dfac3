package v1

import corev1 "k8s.io/api/core/v1"

// otherDefaults sets what is no resource, and not set by 1.36.
func otherDefaults(*corev1.Pod) {}
