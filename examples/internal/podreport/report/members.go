package report

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/qos"
)

// Owner is the controller of a workload, or of a pod.
type Owner struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// Member is an object of the input that is part of a workload: a ReplicaSet of a Deployment, a Job of
// a CronJob, a pod.
type Member struct {
	Source objects.Source `json:"source"`
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Node   string         `json:"node,omitempty"`  // of a pod, if it has one
	Ended  bool           `json:"ended,omitempty"` // it has finished, and does not count
}

// describeMembers lists the objects that belong to a workload.
func (w *Workload) describeMembers(of *manifest.Workload, c *cluster) {
	if of.Owner != nil {
		w.Owner = &Owner{of.Owner.Kind, of.Owner.Name}
	}
	if s := of.Scaled; s != nil {
		w.Autoscaler = &Autoscaler{s.Source(), s.Name, s.Min, s.Max}
	}
	for i := range of.Members {
		m := &of.Members[i]
		w.Members = append(w.Members, Member{m.Source(), m.Kind, m.Name, m.Node, m.Ended})
	}
	for _, v := range variantsOf(of, false) {
		other := Variant{Pods: v.n, Class: qos.PodClass(v.pod, computeresources.Gates{}), Pod: c.sumsOf(v.pod)}
		if other.Class != w.QoS.Class || !other.Pod.equal(&w.Pod) {
			w.Others = append(w.Others, other)
		}
	}
}

// Variant are existing pods whose requests or limits differ from those of a pod created now.
type Variant struct {
	Pods  int64              `json:"pods"`
	Class corev1.PodQOSClass `json:"class"`
	Pod   Sums               `json:"pod"` // the amounts of one of them
}

// Autoscaler is a HorizontalPodAutoscaler that targets a workload.
type Autoscaler struct {
	Source objects.Source `json:"source"`
	Name   string         `json:"name"`
	Min    int64          `json:"min"` // replicas
	Max    int64          `json:"max"`
}

// NodePods is the number of pods of a workload that are on a node, or are placed there.
type NodePods struct {
	Node string `json:"node"` // may be one that is not in the input
	Pods int64  `json:"pods"`
}

// Unplaced are pods of a workload for which no node has room.
type Unplaced struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Pods      int64  `json:"pods"`
	// Message is the scheduler's message about the first of them.
	Message string `json:"message"`
}
