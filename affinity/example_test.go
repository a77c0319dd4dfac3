package affinity_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
)

// kaniko is the first PipelineRun of TEP-0135: it clones into a claim that is made, and
// builds with a cache in one that is there.
func kaniko() *affinity.Run {
	return &affinity.Run{
		Name: "kaniko", UID: "8c4a4b5e",
		Workspaces: []affinity.Workspace{
			{Name: "source", ClaimTemplate: &corev1.PersistentVolumeClaim{}},
			{Name: "cache", ClaimName: "build-cache-pvc"},
		},
		Tasks: []affinity.Task{
			{Name: "clone", Workspaces: []string{"source"}},
			{Name: "build", Workspaces: []string{"source", "cache"}, RunAfter: []string{"clone"}},
		},
	}
}

// held returns options with a behavior.
func held(b affinity.Behavior) affinity.Options {
	return affinity.Options{Behavior: b, Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}}
}

// The feature flag "coschedule", as in the table of TEP-0135.
func ExampleBehaviorOf() {
	for _, coschedule := range []string{"disabled", "", "pipelineruns", "isolate-pipelinerun", "nodes"} {
		behavior, err := affinity.BehaviorOf(coschedule)
		fmt.Printf("%q %v\n", behavior, err)
	}
	// Output:
	// "disabled" <nil>
	// "" <nil>
	// "pipelineruns" <nil>
	// "isolate-pipelinerun" <nil>
	// "disabled" invalid value for feature flag "coschedule": "nodes"
}

// The build task of the first PipelineRun of TEP-0135 uses two claims. With a placeholder
// for each, there may be no node that has both.
func ExampleValidate() {
	opts := held(affinity.PerWorkspace)
	opts.RejectSeveralClaims = true
	for _, fault := range affinity.Validate(kaniko(), opts) {
		fmt.Println(fault)
	}
	fmt.Println(len(affinity.Validate(kaniko(), held(affinity.PerRun))), "with one placeholder for the run")
	// Output:
	// tasks[1].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", pvc-cc11d3f3cd by workspace "source"
	// 0 with one placeholder for the run
}

// With both flags, no pods are kept together.
func ExampleMigratingBehavior() {
	behavior, err := affinity.MigratingBehavior("true", "workspaces")
	fmt.Println(behavior, err)
	_, err = affinity.MigratingBehavior("false", "pipelineruns")
	fmt.Println(err)
	// Output:
	// disabled <nil>
	// coschedule value pipelineruns is incompatible with disable-affinity-assistant setting to false
}
