package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// packer places pods on new nodes by first fit decreasing, as the scheduler's filters allow.
type packer struct {
	*defaultScheduler
	*cluster // with the nodes and pods so far
	template *corev1.Node
	refused  map[int]string
}

// try returns whether the scheduler accepts a node for the pod, or else its message.
func (p *packer) try(t testkit.TB, node int) (accepted bool, message string) {
	j := p.judge(t, p.cluster)
	if j.refusal != "" {
		return false, j.refusal
	}
	return j.statuses[node].IsSuccess(), j.statuses[node].Message()
}

func (p *packer) grow() {
	n := p.template.DeepCopy()
	n.Name = fmt.Sprintf("new-%d", len(p.nodes))
	if n.Labels == nil {
		n.Labels = map[string]string{}
	}
	n.Labels[corev1.LabelHostname] = n.Name
	p.nodes = append(p.nodes, n)
}

// place returns the node of a pod, or -1.
func (p *packer) place(t testkit.TB, i int, pod *corev1.Pod) int {
	cpu, most := pod.Spec.Containers[0].Resources.Requests["cpu"], p.template.Status.Allocatable["cpu"]
	if cpu.Cmp(most) > 0 {
		return -1
	}
	p.pod = pod
	isEmpty := func(node int) bool {
		return !slices.ContainsFunc(p.pods, func(on *corev1.Pod) bool { return on.Spec.NodeName == p.nodes[node].Name })
	}
	for node := 0; ; node++ {
		if node == len(p.nodes) {
			if node > 0 && isEmpty(node-1) {
				return -1
			}
			p.grow()
		}
		accepted, message := p.try(t, node)
		if accepted {
			own := *pod
			own.Spec.NodeName = p.nodes[node].Name
			p.pods = append(p.pods, &own)
			delete(p.refused, i)
			return node
		}
		p.refused[i] = message
	}
}

// New nodes accept the pods that the scheduler's filters accept there, one after the other.
func TestEstimate(t *testing.T) {
	scheduler := newDefaultScheduler(t)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		c.settleVolumes()
		pods := append(c.pods, c.pod)
		for _, pod := range pods {
			pod.Spec.InitContainers = nil // so that pods that request as much are in the order of the list
		}
		objects := append([]admit.APIObject{c.namespace, c.service, c.replicaSet}, c.storage.all()...)
		read, err := whatif.Read(objects, whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release}}})
		testkit.OK(t, err)
		e, refused := read.Estimate(pods, c.nodes[0], nil)

		own := *c
		p := &packer{scheduler, &own, c.nodes[0], map[int]string{}}
		p.nodes, p.pods = nil, nil
		order, want := []int{}, make([]int, len(pods))
		for i, pod := range pods {
			pods[i] = pod.DeepCopy()
			pods[i].Spec.NodeName = ""
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(a, b int) int {
			x, y := pods[a].Spec.Containers[0].Resources.Requests["cpu"], pods[b].Spec.Containers[0].Resources.Requests["cpu"]
			return cmp.Or(y.Cmp(x), a-b)
		})
		for _, i := range order {
			want[i] = p.place(t, i, pods[i])
		}
		testkit.NoDiff(t, e.Placed, want, p.refused)
		testkit.NoDiff(t, refused, p.refused)
		reached[fmt.Sprint("nodes: ", min(e.Nodes, 4), ", refused: ", min(len(refused), 2))]++
	})
	t.Log(reached)
}
