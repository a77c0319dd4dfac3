package preemption

import (
	"fmt"
	"maps"
	"math"
	"slices"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"

	"github.com/kubemath/kubemath/computeresources"
	ledger "github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func pickOneNodeForPreemption(logger klog.Logger, nodesToVictims map[string]*extenderv1.Victims, scoreFuncs []func(node string) int64) string {
	theirs := upstreamPickOneNodeForPreemption(logger, nodesToVictims, scoreFuncs)
	if len(scoreFuncs) > 0 {
		beside.Forward("pickOneNodeForPreemption", "other scores")
		return theirs
	}
	ours := pick(nodesToVictims, slices.Sorted(maps.Keys(nodesToVictims)))
	if ours != theirs && pick(nodesToVictims, []string{theirs, ours}) == theirs { // equal nodes, of which theirs is any
		theirs = ours
	}
	beside.Compare("pickOneNodeForPreemption", ours, theirs)
	return ours
}

// pick chooses one of the nodes, of equal ones the first. Each is full, so that any of its victims would be in the way.
func pick(nodesToVictims map[string]*extenderv1.Victims, order []string) string {
	var nodes ledger.Cluster
	pods, one := map[string][]ledger.PotentialVictim{}, map[v1.ResourceName]string{v1.ResourceCPU: "1", v1.ResourcePods: "1k"}
	request := ledger.SpecRequest(&v1.PodSpec{Containers: []v1.Container{{Resources: v1.ResourceRequirements{Requests: listOf(one)}}}}, computeresources.Options{Kubernetes: cluster.Kubernetes()})
	for i, node := range order {
		name := fmt.Sprintf("%06d", i)
		if err := nodes.AddNode(name, listOf(one)); err != nil {
			panic(err)
		}
		for j, pod := range nodesToVictims[node].Pods {
			v := ledger.PotentialVictimOf(pod)
			v.UID, v.Labels = types.UID(fmt.Sprint(i, "/", j)), map[string]string{"violates": fmt.Sprint(int64(j) < nodesToVictims[node].NumPDBViolations)}
			v.Namespace = ""
			if err := nodes.AddPod(v.UID, name, request); err != nil {
				panic(err)
			}
			pods[name] = append(pods[name], v)
		}
	}
	budget := &policy.PodDisruptionBudget{Spec: policy.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"violates": "true"}}}}
	best, err := nodes.Preempt(request, func(node string) []ledger.PotentialVictim { return pods[node] }, ledger.PreemptOptions{
		Priority: math.MaxInt32, Budgets: []*policy.PodDisruptionBudget{budget},
	})
	if err != nil {
		panic(err)
	}
	var i int
	if _, err := fmt.Sscan(best.Node, &i); err != nil {
		panic(err)
	}
	return order[i]
}

func listOf(amounts map[v1.ResourceName]string) v1.ResourceList {
	list := v1.ResourceList{}
	for name, amount := range amounts {
		list[name] = resource.MustParse(amount)
	}
	return list
}
