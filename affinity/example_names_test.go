package affinity_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
)

func ExampleWorkspace_AssistantName() {
	fmt.Println(affinity.Workspace{}.AssistantName("my-pipelinerun"))
	fmt.Println(affinity.Workspace{Name: "source"}.AssistantName("my-pipelinerun"))
	// Output:
	// affinity-assistant-0b79942a50
	// affinity-assistant-835c6588ed
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

// One node will be repaired, and another is known to be gone. The state of the last is unknown.
func ExampleStranded() {
	pod := func(run, node string) *corev1.Pod {
		assistant := affinity.Workspace{}.AssistantName(run)
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

// A run that was cancelled before its parameters were put in.
func ExampleCleanup() {
	run := &affinity.Run{Name: "build", Workspaces: []affinity.Workspace{{Name: "cache", ClaimName: "$(params.claim)"}, {Name: "scratch"}}}
	_, err := affinity.PlanFor(run, affinity.Options{})
	statefulSets, claims := affinity.Cleanup(run, affinity.Options{})
	fmt.Println(err != nil, statefulSets, claims)
	// Output:
	// true [affinity-assistant-0a1958eb5c] []
}
