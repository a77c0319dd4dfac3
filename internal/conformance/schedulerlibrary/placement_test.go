package schedulerlibrary_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
	"sigs.k8s.io/scheduler-library/pkg/upstreamsync/snapshot"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/schedulerlibrary"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// cluster136 is the release that the module requires.
var cluster136 = computeresources.Kubernetes{Release: "1.36"}

// judgement is what is said about the nodes for a pod.
type judgement struct {
	feasible []string          // names, sorted
	reasons  map[string]string // of the others
	scores   map[string]int64  // of the feasible ones
	chosen   string            // one of the best
	message  string            // if none is feasible
	first    string            // the node of SchedulePods, which is any feasible one
}

// The nodes that a pod fits on, the reasons of the others and the scores are those of the library, and whatif chooses one
// of the best.
func TestPlacement(t *testing.T) {
	scheduler, err := schedulerlibrary.New(t.Context())
	testkit.OK(t, err)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.SchedulingClusters(30, 200).Draw(t, "cluster")
		theirs := libraryJudges(t, scheduler, c)
		ours := kernelsJudge(t, c)
		testkit.NoDiff(t, ours.reasons, theirs.reasons)
		testkit.NoDiff(t, ours.feasible, theirs.feasible)
		testkit.NoDiff(t, ours.scores, theirs.scores)
		node, message := whatifPlaces(t, c)
		testkit.Equal(t, message, theirs.message)
		if len(ours.feasible) == 0 {
			testkit.Equal(t, [3]string{node, theirs.chosen, theirs.first}, [3]string{})
		} else {
			best := schedulerlibrary.Best(theirs.scores)
			testkit.Equal(t, node, best[0])
			testkit.Equal(t, slices.Contains(best, theirs.chosen), true, theirs.chosen, best)
			testkit.Equal(t, slices.Contains(ours.feasible, theirs.first), true, theirs.first)
			reached["the first node that SchedulePods finds is one of the best: "+fmt.Sprint(slices.Contains(best, theirs.first))]++
		}
		for _, reason := range ours.reasons {
			reached[reason]++
		}
		reached[fmt.Sprint("has room: ", node != "")]++
	})
	for what, times := range reached {
		t.Log(times, what)
	}
}

func libraryJudges(t testkit.TB, s *schedulerlibrary.Scheduler, c *testkit.SchedulingCluster) (j judgement) {
	namespaces, services, replicaSets := s.Stores()
	var all []any
	for _, namespace := range c.Namespaces {
		all = append(all, namespace)
	}
	testkit.OK(t, namespaces.Replace(all, ""))
	testkit.OK(t, services.Replace([]any{c.Service}, ""))
	testkit.OK(t, replicaSets.Replace([]any{c.ReplicaSet}, ""))
	taken, everywhere, err := s.Load(c.Nodes, c.Pods)
	testkit.OK(t, err)
	defer func() { testkit.OK(t, s.Remove(c.Nodes, c.Pods)) }()
	ctx := context.Background()
	feasible, diagnosis, err := taken.CanSchedulePod(ctx, c.Incoming, everywhere)
	testkit.OK(t, err)
	j.feasible, j.reasons, j.scores = slices.Sorted(slices.Values(feasible)), map[string]string{}, map[string]int64{}
	for _, node := range c.Nodes {
		if !slices.Contains(feasible, node.Name) {
			j.reasons[node.Name] = diagnosis.NodeToStatus.Get(node.Name).Message()
		}
	}
	if len(feasible) > 0 {
		j.scores, err = s.Scores(ctx, c.Incoming, feasible)
		testkit.OK(t, err)
	}
	j.chosen, j.message, err = s.Place(ctx, c.Incoming)
	testkit.OK(t, err)
	dryRun := snapshot.NewSchedulePodsOptions(true, false)
	results, err := taken.SchedulePods(ctx, []*corev1.Pod{c.Incoming.DeepCopy()}, everywhere, dryRun) // it sets the node of the pod
	testkit.OK(t, err)
	j.first = results[0].SelectedNodeName
	return j
}

func kernelsJudge(t testkit.TB, c *testkit.SchedulingCluster) (j judgement) {
	namespaces := map[string]map[string]string{}
	for _, namespace := range c.Namespaces {
		namespaces[namespace.Name] = namespace.Labels
	}
	around := placement.Around{Namespaces: namespaces, Services: []*corev1.Service{c.Service}, Controller: c.ReplicaSet}
	on := placement.Of(c.Incoming, around).On(c.Nodes, interpodaffinity.NewIndex(c.Nodes, c.PodsOn), c.PodsOn)
	opts := computeresources.Options{Kubernetes: cluster136}
	request := noderesources.PodRequest(c.Incoming, opts)
	j.reasons, j.scores = map[string]string{}, map[string]int64{}
	var room []int
	var scores []int64
	for i, node := range c.Nodes {
		ledger := noderesources.NewLedger(node.Status.Allocatable)
		for _, pod := range c.PodsOn(i) {
			testkit.OK(t, ledger.Add(pod.UID, noderesources.PodRequest(pod, opts)))
		}
		reason := on.BeforeResources(i).Message
		if reason == "" {
			reason = inWords(ledger.Shortages(request, noderesources.FitOptions{}))
		}
		if reason == "" {
			reason = on.AfterResources(i).Message
		}
		if reason != "" {
			j.reasons[node.Name] = reason
			continue
		}
		room, scores = append(room, i), append(scores, ledger.Score(request, nil))
		j.feasible = append(j.feasible, node.Name)
	}
	on.AddScores(room, scores)
	for k, i := range room {
		j.scores[c.Nodes[i].Name] = scores[k]
	}
	slices.Sort(j.feasible)
	return j
}

// inWords returns shortages as the status of the plugin does.
func inWords(shortages noderesources.Shortages) string {
	var words []string
	for _, s := range shortages {
		words = append(words, s.Error())
	}
	return strings.Join(words, ", ")
}

func whatifPlaces(t testkit.TB, c *testkit.SchedulingCluster) (node, message string) {
	objects := []admit.APIObject{c.Service, c.ReplicaSet}
	for _, namespace := range c.Namespaces {
		objects = append(objects, namespace)
	}
	for _, node := range c.Nodes {
		objects = append(objects, node)
	}
	for _, pod := range c.Pods {
		objects = append(objects, pod)
	}
	read, err := whatif.Read(objects, whatif.Options{Admission: admit.Options{Kubernetes: cluster136}})
	testkit.OK(t, err)
	result, _ := read.Apply(c.Incoming)
	testkit.Equal(t, len(result.Pods) > 0, true, result.Objects[0].Reason.Message)
	return result.Pods[0].Node, result.Pods[0].Waits.Message
}

// A pod that the library has placed does not keep others off by its anti-affinity, because the snapshot keeps its list of
// nodes with such pods. In a cluster, it does, and in whatif.
// See docs/decisions/quota.md#anti-affinity-of-placed-pods.
func TestDivergenceAntiAffinityOfPlacedPods(t *testing.T) {
	node := &corev1.Node{}
	node.Name, node.Labels = "node", map[string]string{corev1.LabelHostname: "node"}
	node.Status.Allocatable = testkit.List("cpu", "4", "memory", "8Gi", "pods", "10")
	alone, other := podOf("alone"), podOf("other")
	alone.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: other.Labels},
		}},
	}}
	scheduler, err := schedulerlibrary.New(t.Context())
	testkit.OK(t, err)
	taken, everywhere, err := scheduler.Load([]*corev1.Node{node}, nil)
	testkit.OK(t, err)
	pods := []*corev1.Pod{alone.DeepCopy(), other.DeepCopy()}
	results, err := taken.SchedulePods(t.Context(), pods, everywhere, snapshot.SchedulePodsOptions{})
	testkit.OK(t, err)
	testkit.Equal(t, results[0].SelectedNodeName, "node")
	testkit.Equal(t, results[1].SelectedNodeName, "node")

	read, err := whatif.Read([]admit.APIObject{node}, whatif.Options{Admission: admit.Options{Kubernetes: cluster136}})
	testkit.OK(t, err)
	result, _ := read.Apply(alone, other)
	testkit.Equal(t, result.Pods[0].Node, "node")
	testkit.Equal(t, result.Pods[1].Waits.Message, "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.")
}

func podOf(name string) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name, pod.UID, pod.Labels = "shop", name, types.UID(name), map[string]string{"app": name}
	pod.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", "1"), nil)}
	return pod
}
