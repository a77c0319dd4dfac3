package affinity_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
)

func ExampleAssistantName() {
	fmt.Println(affinity.AssistantName("", "my-pipelinerun"))
	fmt.Println(affinity.AssistantName("source", "my-pipelinerun"))
	// Output:
	// affinity-assistant-0b79942a50
	// affinity-assistant-835c6588ed
}

func ExampleClaimName() {
	fmt.Println(affinity.ClaimName("", "workspace-1", "3a1c7a0d", ""))
	fmt.Println(affinity.ClaimName("scratch", "workspace-1", "3a1c7a0d", ""))
	// Output:
	// pvc-690705965e
	// scratch-690705965e
}

func ExampleClaimName_placeholder() {
	fmt.Println(affinity.ClaimName("", "workspace-1", "3a1c7a0d", "my-pipelinerun"))
	long := "a-template-with-a-name-that-is-too-long-for-the-name-of-a-volume"
	fmt.Println(affinity.ClaimName(long, "workspace-1", "3a1c7a0d", "my-pipelinerun"))
	// Output:
	// pvc-690705965e-affinity-assistant-0b79942a50-0
	// a-template-with-a-name-that-is-too-long-for-the-name-42469a5ac3-affinity-assistant-0b79942a50-0
}

// Two runs of one namespace, whose names, put together with those of their workspaces, are
// the same.
func ExampleFindCollisions() {
	var plans []*affinity.Plan
	for run, workspace := range map[string]string{"build-1": "src", "uild-1": "srcb"} {
		plan, err := affinity.PlanFor(&affinity.Run{
			Name: run, Namespace: "ci", UID: "8c4a4b5e",
			Workspaces: []affinity.Workspace{{Name: workspace, ClaimName: "sources"}},
		}, affinity.Options{Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}})
		if err != nil {
			fmt.Println(err)
			return
		}
		plans = append(plans, plan)
	}
	for _, c := range affinity.FindCollisions(plans) {
		fmt.Println(c)
	}
	// Output:
	// StatefulSet ci/affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"
}

func ExampleCollision() {
	c := &affinity.Collision{Kind: "PersistentVolumeClaim", Namespace: "ci", Name: "sources", Users: []string{`workspace "w" of run "a"`, `run "b"`}}
	fmt.Println(c)
	// Output:
	// PersistentVolumeClaim ci/sources: workspace "w" of run "a", run "b"
}

// One node will be repaired, and another is known to be gone. The state of the last is unknown.
func ExampleStranded() {
	pod := func(run, node string) *corev1.Pod {
		assistant := affinity.AssistantName("", run)
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: assistant + "-0", Labels: map[string]string{
				"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": assistant,
			}},
			Spec: corev1.PodSpec{NodeName: node},
		}
	}
	nodes := []*corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "node-2"}, Spec: corev1.NodeSpec{Unschedulable: true}},
	}
	pods := []*corev1.Pod{pod("a", "node-1"), pod("b", "node-2"), pod("c", "node-3"), pod("d", "node-4")}
	for _, s := range affinity.Stranded(pods, nodes, affinity.StrandedOptions{Gone: []string{"node-3"}}) {
		fmt.Println(s.Pod, "on", s.Node, "by force:", s.Force)
	}
	// Output:
	// ci/affinity-assistant-2e7d2c03a9-0 on node-3 by force: true
	// ci/affinity-assistant-3e23e81600-0 on node-2 by force: false
}

// The cluster-autoscaler is about to delete a node.
func ExampleStrandedOptions() {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}, Spec: corev1.NodeSpec{
		Taints: []corev1.Taint{{Key: "ToBeDeletedByClusterAutoscaler", Effect: corev1.TaintEffectNoSchedule}},
	}}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "affinity-assistant-2e7d2c03a9-0"},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
	}
	for _, s := range affinity.Stranded([]*corev1.Pod{pod}, []*corev1.Node{node}, affinity.StrandedOptions{}) {
		fmt.Println("delete", s.Pod.Name, "since the", s.Cause)
	}
	ignored := affinity.StrandedOptions{EmptyingTaints: []string{}}
	fmt.Println(len(affinity.Stranded([]*corev1.Pod{pod}, []*corev1.Node{node}, ignored)))
	// Output:
	// delete affinity-assistant-2e7d2c03a9-0 since the node is being emptied
	// 0
}

func ExampleStrandedCause() {
	fmt.Println(affinity.NodeFull, "/", affinity.NodeEmptied, "/", affinity.NodeCordoned, "/", affinity.NodeGone)
	// Output:
	// node is full / node is being emptied / node is cordoned / node is gone
}

func ExampleVolumeName() {
	fmt.Println(affinity.VolumeName("pvc-0123456789"))
	fmt.Println(affinity.VolumeName("a-claim-template-whose-name-goes-on-and-on-until-it-is-too-long-0123456789"))
	// Output:
	// pvc-0123456789
	// a-claim-template-whose-name-goes-on-and-on-until-it--d25a6bcb8c
}

// A run that was cancelled before its parameters were put in.
func ExampleCleanup() {
	run := &affinity.Run{Name: "build", Workspaces: []affinity.Workspace{{Name: "cache", ClaimName: "$(params.claim)"}, {Name: "scratch"}}}
	_, err := affinity.PlanFor(run, affinity.Options{})
	statefulSets, claims := affinity.Cleanup(run, affinity.Options{})
	fmt.Println(err != nil, statefulSets, claims)
	// Output:
	// true [affinity-assistant-0a1958eb5c] []
}

func ExamplePlaceholderAffinity() {
	a := affinity.PlaceholderAffinity(nil, affinity.PerRunIsolated)
	fmt.Println(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector.MatchLabels)
	// Output:
	// map[app.kubernetes.io/component:affinity-assistant]
}

func ExampleStatefulSetFor() {
	run := &affinity.Run{Name: "build", Namespace: "ci"}
	set := affinity.StatefulSetFor(run, affinity.AssistantName("cache", "build"), []string{"cache-claim"}, nil, affinity.Options{})
	fmt.Println(set.Namespace, set.Name, set.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)
	// Output:
	// ci affinity-assistant-0a1958eb5c cache-claim
}

func ExampleStrandedPlaceholder() {
	s := affinity.StrandedPlaceholder{Assistant: "affinity-assistant-0b79942a50", Node: "node-2", Cause: affinity.NodeCordoned}
	fmt.Printf("delete the pod of %s: %v\n", s.Assistant, s.Cause)
	// Output:
	// delete the pod of affinity-assistant-0b79942a50: node is cordoned
}
