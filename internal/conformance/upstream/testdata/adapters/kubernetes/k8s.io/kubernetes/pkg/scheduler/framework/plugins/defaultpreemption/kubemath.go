package defaultpreemption

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"

	"github.com/kubemath/kubemath/computeresources"
	ledger "github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// filters are what another plugin than NodeResourcesFit has to do with the victims, "" if nothing.
func (pl *DefaultPreemption) filters() string {
	f, ok := pl.fh.(framework.Framework)
	if !ok || pl.otherOrder() {
		return "another order of pods"
	}
	byResources := false
	for _, p := range f.ListPlugins().Filter.Enabled {
		if p.Name != names.NodeResourcesFit && p.Name != "FakeFilter" {
			return "other filters"
		}
		byResources = byResources || p.Name == names.NodeResourcesFit
	}
	if !byResources {
		return "no filter of resources"
	}
	return ""
}

// selected is what SelectVictimsOnNode returns.
type selected struct {
	pods       []*v1.Pod
	violations int
	status     *fwk.Status
}

// selectVictims is SelectVictimsOnNode. The pods that may be evicted are eligible.
func (pl *DefaultPreemption) selectVictims(pod *v1.Pod, nodeInfo fwk.NodeInfo, pdbs []*policy.PodDisruptionBudget, eligible func(fwk.PodInfo) bool, original func() selected) ([]*v1.Pod, int, *fwk.Status) {
	node := ledger.NewLedger(nodeInfo.Node().Status.Allocatable)
	there, all := map[types.UID]*v1.Pod{}, []*v1.Pod{pod}
	var potential []ledger.PotentialVictim
	for i, p := range nodeInfo.GetPods() {
		v := ledger.PotentialVictimOf(p.GetPod())
		v.UID = types.UID(fmt.Sprint(i))
		there[v.UID], all = p.GetPod(), append(all, p.GetPod())
		if err := node.Add(v.UID, ledger.PodRequest(p.GetPod(), computeresources.Options{Kubernetes: cluster.Kubernetes()})); err != nil {
			panic(err)
		}
		if eligible(p) {
			potential = append(potential, v)
		}
	}
	opts := ledger.PreemptOptions{Kubernetes: computeresources.Kubernetes{Release: "1.36"}, Priority: corev1helpers.PodPriority(pod), Budgets: pdbs}
	for _, p := range pl.fh.NominatedPodsForNode(nodeInfo.Node().Name) {
		if other := p.GetPod(); other.UID != pod.UID {
			opts.Nominated = append(opts.Nominated, ledger.NominatedPod{Priority: corev1helpers.PodPriority(other), Request: ledger.SpecRequest(&other.Spec, computeresources.Options{Kubernetes: cluster.Kubernetes()})})
		}
	}
	ours, err := node.Victims(ledger.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: cluster.Kubernetes()}), potential, opts)
	theirs := original()
	pods, violations, status := theirs.pods, theirs.violations, theirs.status
	why := pl.filters()
	if !status.IsSuccess() && (status.Code() == fwk.Error || status.Plugin() != "" && status.Plugin() != names.NodeResourcesFit) {
		why = "refused by another plugin"
	}
	if cluster.Claims(all...) {
		why = "claims for resources of the node"
	}
	if why != "" {
		beside.Forward("SelectVictimsOnNode", why)
		return pods, violations, status
	}
	if beside.Compare("SelectVictimsOnNode: possible", err == nil, status.IsSuccess()); err != nil {
		return nil, 0, status
	}
	var victims []*v1.Pod
	for _, i := range ours.Victims {
		victims = append(victims, there[potential[i].UID])
	}
	beside.Compare("SelectVictimsOnNode", byName(victims), byName(pods))
	beside.Compare("SelectVictimsOnNode: violated budgets", ours.PDBViolations, violations)
	return victims, ours.PDBViolations, status
}

func byName(pods []*v1.Pod) (names []string) {
	for _, p := range pods {
		names = append(names, p.Namespace+"/"+p.Name)
	}
	return names
}
