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

// The table of TEP-0135, during the migration and after it.
func ExampleBehaviorOf() {
	for _, disable := range []string{"false", "true"} {
		for _, coschedule := range []string{"disabled", "workspaces", "pipelineruns", "isolate-pipelinerun"} {
			flags := affinity.Flags{DisableAffinityAssistant: disable, Coschedule: coschedule, DuringMigration: true}
			during, err := affinity.BehaviorOf(flags)
			flags.DuringMigration = false
			after, _ := affinity.BehaviorOf(flags)
			fmt.Printf("%-5s | %-19s | %-21q | %-21q | %v\n", disable, coschedule, during, after, err == nil)
		}
	}
	// Output:
	// false | disabled            | "disabled"            | "disabled"            | false
	// false | workspaces          | ""                    | ""                    | true
	// false | pipelineruns        | "disabled"            | "pipelineruns"        | false
	// false | isolate-pipelinerun | "disabled"            | "isolate-pipelinerun" | false
	// true  | disabled            | "disabled"            | "disabled"            | true
	// true  | workspaces          | "disabled"            | ""                    | true
	// true  | pipelineruns        | "pipelineruns"        | "pipelineruns"        | true
	// true  | isolate-pipelinerun | "isolate-pipelinerun" | "isolate-pipelinerun" | true
}

func ExampleFlags() {
	configMap := map[string]string{"coschedule": "isolate-pipelinerun"}
	behavior, err := affinity.BehaviorOf(affinity.Flags{
		DisableAffinityAssistant: configMap["disable-affinity-assistant"],
		Coschedule:               configMap["coschedule"],
	})
	fmt.Println(behavior, err)
	// Output:
	// isolate-pipelinerun <nil>
}

func ExampleBehavior() {
	fmt.Printf("%q %q %q %q\n", affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated, affinity.Disabled)
	// Output:
	// "" "pipelineruns" "isolate-pipelinerun" "disabled"
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

func ExampleOptions() {
	run := kaniko()
	run.Tasks = nil
	for _, cleanup := range []bool{false, true} {
		plan, _ := affinity.PlanFor(run, affinity.Options{AutoCleanup: cleanup, Placeholder: affinity.Placeholder{Image: "pause"}})
		fmt.Println(plan.DeleteStatefulSets, plan.DeleteClaims)
	}
	// Output:
	// [affinity-assistant-775184b868 affinity-assistant-8a3eed705a] []
	// [affinity-assistant-775184b868 affinity-assistant-8a3eed705a] [pvc-cc11d3f3cd]
}

func ExampleRun() {
	run := affinity.Run{
		Name: "build-7", Namespace: "ci", UID: "8c4a4b5e",
		APIVersion: "example.com/v1", Kind: "Build",
		Workspaces: []affinity.Workspace{{Name: "source", ClaimName: "source"}},
	}
	plan, _ := affinity.PlanFor(&run, held(affinity.PerWorkspace))
	owner := plan.StatefulSets[0].OwnerReferences[0]
	fmt.Println(plan.StatefulSets[0].Name, "of", owner.Kind, owner.Name)
	// Output:
	// affinity-assistant-9558d3b586 of Build build-7
}

func ExampleWorkspace() {
	run := kaniko()
	run.Tasks = nil
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "config"}) // a ConfigMap
	plan, _ := affinity.PlanFor(run, held(affinity.PerWorkspace))
	for _, b := range plan.Workspaces {
		fmt.Printf("%s: claim %q, placeholder %q\n", b.Workspace, b.Claim, b.Assistant)
	}
	// Output:
	// cache: claim "build-cache-pvc", placeholder "affinity-assistant-8a3eed705a"
	// config: claim "", placeholder ""
	// source: claim "pvc-cc11d3f3cd", placeholder "affinity-assistant-775184b868"
}

func ExampleTask() {
	run := kaniko()
	run.Finally = []affinity.Task{{Name: "report"}}
	plan, _ := affinity.PlanFor(run, held(affinity.PerRun))
	for _, task := range plan.Tasks {
		fmt.Println(task.Task)
	}
	// Output:
	// build
	// clone
	// report
}

func ExamplePodTemplate() {
	run := kaniko()
	run.PodTemplate = affinity.PodTemplate{NodeSelector: map[string]string{"disk": "ssd"}, PriorityClassName: "low"}
	plan, _ := affinity.PlanFor(run, held(affinity.PerRun))
	spec := plan.StatefulSets[0].Spec.Template.Spec
	fmt.Println(spec.NodeSelector, spec.PriorityClassName)
	// Output:
	// map[disk:ssd] low
}
