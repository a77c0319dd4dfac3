// Package placement answers where the scheduler's default profile puts a pod, apart from the resources of nodes: which
// nodes refuse it, in the words of the plugin, and how much the plugins prefer each of the others.
//
// Each plugin is a value that knows one pod and all nodes. What it has found stays true while pods come and go, because
// it is told. Package noderesources has the plugins of resources.
//
// Source: getDefaultPlugins of k8s.io/kubernetes/pkg/scheduler/apis/config/v1.
package placement
