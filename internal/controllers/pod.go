package controllers

import corev1 "k8s.io/api/core/v1"

// Pod is a pod as its controller looks at it.
type Pod struct {
	Object     *corev1.Pod // its metadata and phase; the node may be missing in its spec
	Node       string      // empty while it waits
	IsReady    bool        // which makes it available, too
	IsOutdated bool        // it is of a former template
}
