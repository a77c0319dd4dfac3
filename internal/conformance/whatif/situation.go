package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// situation is what the scheduler knows when it tries to find a node for a pod.
type situation struct {
	pod       *corev1.Pod // without a node
	nodes     []*corev1.Node
	pods      []*corev1.Pod     // on nodes
	nominated []*corev1.Pod     // which preempt others, on the nodes where they do so
	others    []admit.APIObject // Namespaces, Services, and controllers that select pods
}

// hasClaims reports whether a pod uses claims.
func hasClaims(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim != nil || v.Ephemeral != nil })
}

// podsOn returns the pods on node i.
func (s *situation) podsOn(i int) []*corev1.Pod { return on(s.pods, s.nodes[i].Name) }

func on(pods []*corev1.Pod, node string) (some []*corev1.Pod) {
	for _, p := range pods {
		if p.Spec.NodeName == node {
			some = append(some, p)
		}
	}
	return some
}

// verdict is where a pod may be.
type verdict struct {
	best    []string // the nodes with the highest score, sorted
	message string   // if there are none
}

// judge returns the nodes of the highest score: of all plugins, or of those of resources only. The scheduler looks at a node with
// the pods that are to come to it, and without them.
//
// Source: RunFilterPluginsWithNominatedPods of k8s.io/kubernetes/pkg/scheduler/framework/runtime.
func (s *situation) judge(allScores bool) verdict {
	index := interpodaffinity.NewIndex(s.nodes, s.podsOn)
	state := placement.Of(s.pod, s.around()).On(s.nodes, index, s.podsOn)
	crowded := s.crowded(state, index)
	request := noderesources.PodRequest(s.pod, computeresources.Options{Kubernetes: kubernetes})
	e := &noderesources.FitError{Nodes: len(s.nodes)}
	var room []int
	var scores []int64
	for i, n := range s.nodes {
		var reasons []string
		if coming := s.comingTo(n.Name); len(coming) > 0 {
			crowded.BeforeResources(i) // looks at the pods that are there
			for _, p := range coming {
				index.Move(i, p, false)
				crowded.Add(i, p)
			}
			reasons = reasonsOn(crowded, i, ledgerWith(n, slices.Concat(s.podsOn(i), coming)), request)
			for _, p := range coming {
				index.Move(i, p, true)
				crowded.Remove(i, p)
			}
		}
		ledger := ledgerWith(n, s.podsOn(i))
		if len(reasons) == 0 {
			reasons = reasonsOn(state, i, ledger, request)
		}
		if len(reasons) == 0 {
			room, scores = append(room, i), append(scores, ledger.Score(request, nil))
		}
		countReasons(e, reasons)
	}
	if len(room) == 0 {
		return verdict{message: e.Error()}
	}
	if allScores {
		state.AddScores(room, scores)
	}
	return verdict{best: s.best(room, scores)}
}

// crowded returns the state that is told of the pods that are to come to a node. If no pod that is there affects the pod by affinity, and
// it has none itself, the scheduler skips that plugin, whatever pods come.
//
// Source: PreFilter of k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity.
func (s *situation) crowded(state *placement.State, index *interpodaffinity.Index) *placement.State {
	around := s.around()
	if !interpodaffinity.Of(s.pod, around.Namespaces, interpodaffinity.Options{}).On(index).SkipsFilter() {
		return state
	}
	around.Profile = &placement.Profile{Config: placement.Config{NoFilters: []string{placement.InterPodAffinity}}}
	return placement.Of(s.pod, around).On(s.nodes, index, s.podsOn)
}

// best returns the nodes of the highest score. A pod that others were preempted for gets its node if it may be there.
func (s *situation) best(room []int, scores []int64) (names []string) {
	for k, i := range room {
		name := s.nodes[i].Name
		switch {
		case name == s.pod.Status.NominatedNodeName:
			return []string{name}
		case scores[k] == slices.Max(scores):
			names = append(names, name)
		}
	}
	return names
}

// comingTo returns the pods that are to come to a node and that are at least as important as the pod.
func (s *situation) comingTo(node string) (pods []*corev1.Pod) {
	for _, p := range on(s.nominated, node) {
		if priorityOf(p) >= priorityOf(s.pod) {
			pods = append(pods, p)
		}
	}
	return pods
}

func priorityOf(p *corev1.Pod) int32 {
	if p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

func ledgerWith(n *corev1.Node, pods []*corev1.Pod) *noderesources.Ledger {
	l := noderesources.NewLedger(n.Status.Allocatable)
	for _, p := range pods {
		if err := l.Add(p.UID, noderesources.PodRequest(p, computeresources.Options{Kubernetes: kubernetes})); err != nil {
			panic(err) // a pod is on a node once
		}
	}
	return l
}

// reasonsOn returns why a pod may not be on node i.
func reasonsOn(state *placement.State, i int, ledger *noderesources.Ledger, request noderesources.Request) (reasons []string) {
	if before := state.BeforeResources(i); before.Message != "" {
		return []string{before.Message}
	}
	for _, shortage := range ledger.Shortages(request, noderesources.FitOptions{}) {
		reasons = append(reasons, shortage.Error())
	}
	if after := state.AfterResources(i); len(reasons) == 0 && after.Message != "" {
		reasons = []string{after.Message}
	}
	return reasons
}

// countReasons counts the reasons of a node.
func countReasons(e *noderesources.FitError, reasons []string) {
	for _, reason := range reasons {
		i := slices.IndexFunc(e.Reasons, func(r noderesources.FitReason) bool { return r.Message == reason })
		if i < 0 {
			i, e.Reasons = len(e.Reasons), append(e.Reasons, noderesources.FitReason{Message: reason})
		}
		e.Reasons[i].Nodes++
	}
}

// around returns what else decides about the pod.
func (s *situation) around() placement.Around {
	around := placement.Around{Namespaces: map[string]map[string]string{}}
	owner := metav1.GetControllerOf(s.pod)
	for _, o := range s.others {
		switch o := o.(type) {
		case *corev1.Namespace:
			around.Namespaces[o.Name] = o.Labels
		case *corev1.Service:
			if o.Namespace == s.pod.Namespace {
				around.Services = append(around.Services, o)
			}
		default:
			if owner != nil && owner.UID == o.GetUID() {
				around.Controller = o
			}
		}
	}
	return around
}

// objects returns the objects of the situation, with the controller of the pod, which wants no other.
func (s *situation) objects() (objects []admit.APIObject) {
	owner := metav1.GetControllerOf(s.pod)
	for _, o := range s.others {
		if isController(o) && (owner == nil || owner.UID != o.GetUID()) {
			continue
		}
		switch o := o.(type) {
		case *corev1.ReplicationController:
			own, replicas := *o, int32(1)
			own.Spec.Replicas, own.Status = &replicas, corev1.ReplicationControllerStatus{}
			objects = append(objects, &own)
		case *appsv1.ReplicaSet:
			own, replicas := *o, int32(1)
			own.Spec.Replicas, own.Status = &replicas, appsv1.ReplicaSetStatus{}
			objects = append(objects, &own)
		case *appsv1.StatefulSet:
			own, replicas := *o, int32(1)
			own.Spec.Replicas, own.Status = &replicas, appsv1.StatefulSetStatus{}
			own.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: ordinalOf(s.pod)}
			objects = append(objects, &own)
		default:
			objects = append(objects, o)
		}
	}
	for _, n := range s.nodes {
		objects = append(objects, n)
	}
	for _, p := range s.pods {
		own := *p
		own.OwnerReferences, own.DeletionTimestamp = nil, nil
		objects = append(objects, &own)
	}
	return objects
}

// isController reports whether an object is a controller by whose selector the scheduler spreads pods.
func isController(o admit.APIObject) bool {
	return slices.Contains([]string{"ReplicationController", "ReplicaSet", "StatefulSet"}, kindOf(o))
}

// ordinalOf returns the number at the end of the name of a pod.
func ordinalOf(p *corev1.Pod) int32 {
	ordinal, err := strconv.ParseInt(p.Name[strings.LastIndex(p.Name, "-")+1:], 10, 32)
	if err != nil {
		return 0
	}
	return int32(ordinal)
}

// write writes objects into a file, as kubectl does.
func write(path string, objects []admit.APIObject) error {
	text, err := dumpOf(objects, whole)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// ask returns what package whatif says about the pod, in a cluster where it waits.
func (s *situation) ask() (whatif.Pod, error) {
	c, err := whatif.Read(append(s.objects(), s.pod), options)
	if err != nil {
		return whatif.Pod{}, err
	}
	return c.Pod(types.NamespacedName{Namespace: s.pod.Namespace, Name: s.pod.Name})
}

// preempt returns the node where package whatif preempts others for the pod, and these.
func (s *situation) preempt() (node string, victims []string, err error) {
	objects := slices.DeleteFunc(append(s.objects(), priorityClasses()...), func(o admit.APIObject) bool {
		return isController(o) // it would create pods again
	})
	c, err := whatif.Read(objects, options)
	if err != nil {
		return "", nil, err
	}
	p := s.pod.DeepCopy()
	p.ObjectMeta = metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, Labels: p.Labels}
	p.Status = corev1.PodStatus{}
	result, _ := c.Apply(p)
	for _, answer := range result.Pods {
		switch {
		case answer.Preempted:
			victims = append(victims, answer.Object.Name)
		case answer.Object.Name == p.Name:
			node = answer.Node
		}
	}
	slices.SortFunc(victims, strings.Compare)
	return node, victims, nil
}
