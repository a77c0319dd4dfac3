package report

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/qos"
)

// Cgroup has the cgroup settings of a pod or a container.
type Cgroup struct {
	// V1 and V2 are the files of its cgroup, with their content, under cgroup v1 and v2.
	// The weight of a pod is linear, as the kubelet sets it; that of a container is
	// logarithmic, as runc since 1.3.2 and crun since 1.23 set it.
	V1 map[string]string `json:"v1"`
	V2 map[string]string `json:"v2"`
	// CPU is what it gets if all pods of the report share the node and use as much CPU as they
	// can. It is omitted for init containers, and for pods that do not run.
	CPU *Contention `json:"cpu,omitempty"`
}

// Contention is the CPU that a cgroup gets, in milli-CPU, rounded down.
type Contention struct {
	V1 string `json:"v1"`
	V2 string `json:"v2"`
	// V2Linear is the CPU under cgroup v2 with older runtimes, whose weights are linear.
	V2Linear string `json:"v2Linear"`
}

func cgroupOf(c cgroupconfig.Cgroup, formula cgroup.Formula) Cgroup {
	return Cgroup{V1: files(c.V1()), V2: files(c.V2(formula))}
}

func files(settings []cgroupconfig.Setting) map[string]string {
	content := map[string]string{}
	for _, s := range settings {
		content[s.Name] = s.Value
	}
	return content
}

// tell describes a workload on its node.
func (h *host) tell(w *Workload, of *cluster) {
	pod, kubelet := w.Stored, h.kubelet()
	j := 0
	for _, c := range computeresources.Containers(&pod.Spec) {
		score := qos.OOMScoreAdj(pod, c, h.memory.Value(), computeresources.Gates{})
		w.Containers[j].OOMScoreAdj = &score
		j++
	}
	if !h.known {
		return
	}
	fit, next := h.ledger(w.request).Replicas(w.request, of.fit())
	w.OnNode = &OnNode{Fit: fit, Stops: Amounts(next.Shortfall()), Cgroup: cgroupOf(cgroupconfig.ForPod(pod, kubelet), cgroup.Linear)}
	i := 0
	for _, c := range computeresources.Containers(&pod.Spec) {
		own := cgroupOf(cgroupconfig.ForContainer(pod, c, kubelet).Cgroup, cgroup.Logarithmic)
		w.Containers[i].Cgroup = &own
		i++
	}
}

// contend computes the CPU of each cgroup if all pods on the node use as much as they can.
func (h *host) contend(node *Node) {
	if node.Crowded {
		return
	}
	root, err := nodetree.Build(h.crowd(), nodetree.Options{
		MilliCPU: quantity.FloorMilli(h.allocatable[corev1.ResourceCPU]),
		Kubelet:  h.kubelet(),
	})
	if err != nil {
		return // cannot happen: names and classes are checked, and the UIDs are ours
	}
	var w *Workload
	for _, g := range root.All() {
		switch g.Level {
		case cgroupname.Pod:
			i, _ := strconv.Atoi(g.Title)
			if w = h.spots[i].w; w.OnNode == nil || w.host != h {
				w = nil // it is shown on another node
				continue
			}
			w.OnNode.Cgroup.CPU = contention(&g.CPU)
		case cgroupname.Container:
			if w == nil {
				continue
			}
			if i := slices.IndexFunc(w.Containers, func(p Part) bool { return p.Name == g.Title }); i >= 0 {
				w.Containers[i].Cgroup.CPU = contention(&g.CPU)
			}
		case cgroupname.AllPods, cgroupname.Tier, cgroupname.WithinContainer, cgroupname.Monitor:
			// Belongs to no workload, or is not in a tree.
		}
	}
}

// crowd returns all pods on the node, named after the index of their spot.
func (h *host) crowd() []*corev1.Pod {
	var pods []*corev1.Pod
	for i, s := range h.spots {
		for n := range s.n {
			pod := *s.pod
			pod.Namespace, pod.Name, pod.UID = "", fmt.Sprint(i), types.UID(fmt.Sprintf("%d-%d", i, n))
			pod.Status = corev1.PodStatus{QOSClass: pod.Status.QOSClass} // without names of its own
			pods = append(pods, &pod)
		}
	}
	return pods
}

func contention(c *nodetree.CPU) *Contention {
	return &Contention{V1: milli(c.Shares), V2: milli(c.Mixed), V2Linear: milli(c.Linear)}
}

// milli returns milli-CPU as a quantity.
func milli(thousandths *big.Rat) string {
	whole := new(big.Int).Quo(thousandths.Num(), thousandths.Denom())
	return quantity.Canonical(*resource.NewMilliQuantity(whole.Int64(), resource.DecimalSI))
}
