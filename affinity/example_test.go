package affinity_test

import (
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/affinity"
)

// claimTemplate is the volumeClaimTemplate of the examples of TEP-0135.
func claimTemplate() *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
	}}
}

// kaniko is the first PipelineRun of TEP-0135: it clones into a claim that is made, and
// builds with a cache in one that is there.
func kaniko() *affinity.Run {
	return &affinity.Run{
		Name: "kaniko", UID: "8c4a4b5e",
		Workspaces: []affinity.Workspace{
			{Name: "source", ClaimTemplate: claimTemplate()},
			{Name: "cache", ClaimName: "build-cache-pvc"},
		},
		Tasks: []affinity.Task{
			{Name: "clone", Workspaces: []string{"source"}},
			{Name: "build", Workspaces: []string{"source", "cache"}, RunAfter: []string{"clone"}},
		},
	}
}

// myPipelineRun is the second PipelineRun of TEP-0135.
func myPipelineRun() *affinity.Run {
	return &affinity.Run{
		Name: "my-pipelinerun", UID: "3a1c7a0d",
		Labels: map[string]string{"tekton.dev/pipeline": "my-pipeline"},
		Workspaces: []affinity.Workspace{
			{Name: "workspace-1", ClaimTemplate: claimTemplate()},
			{Name: "workspace-2", ClaimTemplate: claimTemplate()},
		},
		Tasks: []affinity.Task{{Name: "task", Workspaces: []string{"workspace-1", "workspace-2"}}},
	}
}

// held returns options with a behavior.
func held(b affinity.Behavior) affinity.Options {
	return affinity.Options{Behavior: b, Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}}
}

// printYAML prints part of an object.
func printYAML(v any) {
	s := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, nil, nil, jsonserializer.SerializerOptions{Yaml: true})
	if err := s.Encode(part{v}, os.Stdout); err != nil {
		fmt.Println(err)
	}
}

// part is part of an object.
type part struct{ v any }

func (p part) MarshalJSON() ([]byte, error)   { return json.Marshal(p.v) }
func (part) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
func (p part) DeepCopyObject() runtime.Object { return p }

// The table of TEP-0135.
func ExampleBehaviorOf() {
	for _, disable := range []string{"false", "true"} {
		for _, coschedule := range []string{"disabled", "workspaces", "pipelineruns", "isolate-pipelinerun"} {
			flags := affinity.Flags{DisableAffinityAssistant: disable, Coschedule: coschedule}
			during := "N/A: invalid"
			after, _ := affinity.BehaviorOf(flags)
			flags.DuringMigration = true
			if behavior, err := affinity.BehaviorOf(flags); err == nil {
				during = behavior.String()
			}
			fmt.Printf("%-5s | %-19s | %-23s | %v\n", disable, coschedule, during, after)
		}
	}
	// Output:
	// false | disabled            | N/A: invalid            | disabled
	// false | workspaces          | coschedule workspaces   | coschedule workspaces
	// false | pipelineruns        | N/A: invalid            | coschedule pipelineruns
	// false | isolate-pipelinerun | N/A: invalid            | isolate pipelineruns
	// true  | disabled            | disabled                | disabled
	// true  | workspaces          | disabled                | coschedule workspaces
	// true  | pipelineruns        | coschedule pipelineruns | coschedule pipelineruns
	// true  | isolate-pipelinerun | isolate pipelineruns    | isolate pipelineruns
}

func ExampleFlagError() {
	_, err := affinity.BehaviorOf(affinity.Flags{Coschedule: "pipelineruns", DuringMigration: true})
	fmt.Println(err)
	// Output:
	// coschedule value pipelineruns is incompatible with disable-affinity-assistant setting to false
}

func ExampleFlags() {
	configMap := map[string]string{"coschedule": "isolate-pipelinerun"}
	behavior, err := affinity.BehaviorOf(affinity.Flags{
		DisableAffinityAssistant: configMap["disable-affinity-assistant"],
		Coschedule:               configMap["coschedule"],
	})
	fmt.Println(behavior, err)
	// Output:
	// isolate pipelineruns <nil>
}

func ExampleBehavior() {
	for _, b := range []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated, affinity.Disabled} {
		fmt.Printf("%s: %v\n", b.Coschedule(), b)
	}
	// Output:
	// workspaces: coschedule workspaces
	// pipelineruns: coschedule pipelineruns
	// isolate-pipelinerun: isolate pipelineruns
	// disabled: disabled
}

// The build task of the first PipelineRun of TEP-0135 uses two claims. With a placeholder
// for each, there may be no node that has both.
func ExampleValidate() {
	for _, fault := range affinity.Validate(kaniko(), held(affinity.PerWorkspace)) {
		fmt.Println(fault)
	}
	fmt.Println(len(affinity.Validate(kaniko(), held(affinity.PerRun))), "with one placeholder for the run")
	// Output:
	// tasks[1].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", pvc-cc11d3f3cd by workspace "source"
	// 0 with one placeholder for the run
}

func ExampleValidateTasks() {
	faults := affinity.ValidateTasks(&affinity.Run{Tasks: []affinity.Task{
		{Name: "test", RunAfter: []string{"build"}},
		{Name: "build", RunAfter: []string{"test", "clone"}},
	}})
	for _, fault := range faults {
		fmt.Println(fault)
	}
	// Output:
	// tasks[1].runAfter[1]: Not found: "clone"
	// tasks[1].runAfter: Invalid value: "build -> test -> build": the tasks run after each other
}

// One placeholder for the first PipelineRun of TEP-0135: it mounts the claim that is there,
// makes the other one, and all tasks go to its node.
func ExamplePlanFor() {
	plan, err := affinity.PlanFor(kaniko(), held(affinity.PerRun))
	if err != nil {
		fmt.Println(err)
		return
	}
	printYAML(plan.StatefulSets[0])
	for _, task := range plan.Tasks {
		fmt.Println(task.Task, "goes to the node of", task.Assistant)
	}
	fmt.Println("deleted in the end:", plan.DeleteStatefulSets, plan.DeleteClaims)
	// Output:
	// apiVersion: apps/v1
	// kind: StatefulSet
	// metadata:
	//   labels:
	//     app.kubernetes.io/component: affinity-assistant
	//     app.kubernetes.io/instance: affinity-assistant-380dd65a0b
	//     tekton.dev/pipelineRun: kaniko
	//   name: affinity-assistant-380dd65a0b
	//   ownerReferences:
	//   - apiVersion: tekton.dev/v1
	//     blockOwnerDeletion: true
	//     controller: true
	//     kind: PipelineRun
	//     name: kaniko
	//     uid: 8c4a4b5e
	// spec:
	//   replicas: 1
	//   selector:
	//     matchLabels:
	//       app.kubernetes.io/component: affinity-assistant
	//       app.kubernetes.io/instance: affinity-assistant-380dd65a0b
	//       tekton.dev/pipelineRun: kaniko
	//   serviceName: ""
	//   template:
	//     metadata:
	//       labels:
	//         app.kubernetes.io/component: affinity-assistant
	//         app.kubernetes.io/instance: affinity-assistant-380dd65a0b
	//         tekton.dev/pipelineRun: kaniko
	//     spec:
	//       affinity:
	//         podAntiAffinity:
	//           preferredDuringSchedulingIgnoredDuringExecution:
	//           - podAffinityTerm:
	//               labelSelector:
	//                 matchLabels:
	//                   app.kubernetes.io/component: affinity-assistant
	//               topologyKey: kubernetes.io/hostname
	//             weight: 100
	//       containers:
	//       - image: registry.k8s.io/pause:3.10
	//         name: affinity-assistant
	//         resources:
	//           limits:
	//             cpu: 50m
	//             memory: 100Mi
	//           requests:
	//             cpu: 50m
	//             memory: 100Mi
	//         securityContext: {}
	//         volumeMounts:
	//         - mountPath: pvc-cc11d3f3cd
	//           name: pvc-cc11d3f3cd
	//       volumes:
	//       - name: workspace-0
	//         persistentVolumeClaim:
	//           claimName: build-cache-pvc
	//   updateStrategy: {}
	//   volumeClaimTemplates:
	//   - metadata:
	//       name: pvc-cc11d3f3cd
	//     spec:
	//       accessModes:
	//       - ReadWriteOnce
	//       resources:
	//         requests:
	//           storage: 1Gi
	//     status: {}
	// status:
	//   availableReplicas: 0
	//   replicas: 0
	// build goes to the node of affinity-assistant-380dd65a0b
	// clone goes to the node of affinity-assistant-380dd65a0b
	// deleted in the end: [affinity-assistant-380dd65a0b] [pvc-cc11d3f3cd-affinity-assistant-380dd65a0b-0]
}

// The claim templates of the second PipelineRun of TEP-0135, as the document draws them:
// one for each workspace, with labels and an owner.
func ExamplePlanFor_claimTemplates() {
	opts := held(affinity.PerRun)
	opts.LabelClaims = true
	plan, err := affinity.PlanFor(myPipelineRun(), opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	set := plan.StatefulSets[0]
	fmt.Println("name:", set.Name)
	printYAML(set.Spec.VolumeClaimTemplates)
	// Output:
	// name: affinity-assistant-0b79942a50
	// - apiVersion: v1
	//   kind: PersistentVolumeClaim
	//   metadata:
	//     labels:
	//       tekton.dev/pipelineRun: my-pipelinerun
	//       tekton.dev/workspace: workspace-1
	//     name: pvc-690705965e
	//     ownerReferences:
	//     - apiVersion: tekton.dev/v1
	//       blockOwnerDeletion: true
	//       controller: true
	//       kind: PipelineRun
	//       name: my-pipelinerun
	//       uid: 3a1c7a0d
	//   spec:
	//     accessModes:
	//     - ReadWriteOnce
	//     resources:
	//       requests:
	//         storage: 1Gi
	//   status: {}
	// - apiVersion: v1
	//   kind: PersistentVolumeClaim
	//   metadata:
	//     labels:
	//       tekton.dev/pipelineRun: my-pipelinerun
	//       tekton.dev/workspace: workspace-2
	//     name: pvc-711ea0b44c
	//     ownerReferences:
	//     - apiVersion: tekton.dev/v1
	//       blockOwnerDeletion: true
	//       controller: true
	//       kind: PipelineRun
	//       name: my-pipelinerun
	//       uid: 3a1c7a0d
	//   spec:
	//     accessModes:
	//     - ReadWriteOnce
	//     resources:
	//       requests:
	//         storage: 1Gi
	//   status: {}
}

// The claim that the StatefulSet makes for the first workspace.
func ExamplePlanFor_provisioned() {
	opts := held(affinity.PerRun)
	opts.LabelClaims = true
	plan, err := affinity.PlanFor(myPipelineRun(), opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, claim := range plan.Provisioned {
		if claim.Labels[affinity.WorkspaceLabel] == "workspace-1" {
			printYAML(claim)
		}
	}
	// Output:
	// apiVersion: v1
	// kind: PersistentVolumeClaim
	// metadata:
	//   labels:
	//     app.kubernetes.io/component: affinity-assistant
	//     app.kubernetes.io/instance: affinity-assistant-0b79942a50
	//     tekton.dev/pipeline: my-pipeline
	//     tekton.dev/pipelineRun: my-pipelinerun
	//     tekton.dev/workspace: workspace-1
	//   name: pvc-690705965e-affinity-assistant-0b79942a50-0
	//   ownerReferences:
	//   - apiVersion: tekton.dev/v1
	//     blockOwnerDeletion: true
	//     controller: true
	//     kind: PipelineRun
	//     name: my-pipelinerun
	//     uid: 3a1c7a0d
	// spec:
	//   accessModes:
	//   - ReadWriteOnce
	//   resources:
	//     requests:
	//       storage: 1Gi
	// status: {}
}

// The reference that goes into the workspace of a TaskRun.
func ExampleBinding() {
	plan, err := affinity.PlanFor(myPipelineRun(), held(affinity.PerRun))
	if err != nil {
		fmt.Println(err)
		return
	}
	behind := plan.Workspaces[1]
	fmt.Println("behind", behind.Workspace)
	printYAML(map[string]any{"workspaces": []any{map[string]any{
		"name":                  "another-workspace",
		"persistentVolumeClaim": corev1.PersistentVolumeClaimVolumeSource{ClaimName: behind.Claim},
	}}})
	// Output:
	// behind workspace-2
	// workspaces:
	// - name: another-workspace
	//   persistentVolumeClaim:
	//     claimName: pvc-711ea0b44c-affinity-assistant-0b79942a50-0
}

// The labels of a placeholder. TEP-0135 draws another component, by which the tasks would
// not find it; Tekton has this one.
func ExamplePlan() {
	plan, err := affinity.PlanFor(myPipelineRun(), held(affinity.PerRun))
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := plan.StatefulSets[0].Spec.Template.Labels
	for _, key := range []string{affinity.ComponentLabel, affinity.InstanceLabel} {
		fmt.Printf("%s: %s\n", key, labels[key])
	}
	// Output:
	// app.kubernetes.io/component: affinity-assistant
	// app.kubernetes.io/instance: affinity-assistant-0b79942a50
}

// The terms that are added to the pods of tasks.
func ExampleTaskAffinity() {
	printYAML(map[string]any{"affinity": affinity.TaskAffinity(nil, affinity.AssistantName("", "my-pipelinerun"))})
	// Output:
	// affinity:
	//   podAffinity:
	//     requiredDuringSchedulingIgnoredDuringExecution:
	//     - labelSelector:
	//         matchLabels:
	//           app.kubernetes.io/component: affinity-assistant
	//           app.kubernetes.io/instance: affinity-assistant-0b79942a50
	//       topologyKey: kubernetes.io/hostname
}

// With isolation, no two placeholders stand on one node.
func ExamplePlanFor_isolated() {
	plan, err := affinity.PlanFor(myPipelineRun(), held(affinity.PerRunIsolated))
	if err != nil {
		fmt.Println(err)
		return
	}
	printYAML(map[string]any{"affinity": plan.StatefulSets[0].Spec.Template.Spec.Affinity})
	// Output:
	// affinity:
	//   podAntiAffinity:
	//     requiredDuringSchedulingIgnoredDuringExecution:
	//     - labelSelector:
	//         matchLabels:
	//           app.kubernetes.io/component: affinity-assistant
	//       topologyKey: kubernetes.io/hostname
}

func ExamplePlacement() {
	plan, _ := affinity.PlanFor(kaniko(), held(affinity.PerRun))
	for _, task := range plan.Tasks {
		fmt.Printf("%s: %s=%s\n", task.Task, affinity.AssistantAnnotation, task.Assistant)
	}
	// Output:
	// build: pipeline.tekton.dev/affinity-assistant=affinity-assistant-380dd65a0b
	// clone: pipeline.tekton.dev/affinity-assistant=affinity-assistant-380dd65a0b
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

func ExamplePlaceholder() {
	plan, _ := affinity.PlanFor(kaniko(), affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{
		Image:    "example.com/nop",
		Args:     []string{"tekton_run_indefinitely"},
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("1.5Gi")},
	}})
	printYAML(plan.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources)
	// Output:
	// limits:
	//   cpu: "2"
	//   memory: 1536Mi
	// requests:
	//   cpu: "2"
	//   memory: 1536Mi
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

func ExampleAssistantName() {
	fmt.Println(affinity.AssistantName("", "my-pipelinerun"))
	fmt.Println(affinity.AssistantName("source", "my-pipelinerun"))
	// Output:
	// affinity-assistant-0b79942a50
	// affinity-assistant-835c6588ed
}

func ExampleClaimName() {
	fmt.Println(affinity.ClaimName("", "workspace-1", "3a1c7a0d"))
	fmt.Println(affinity.ClaimName("scratch", "workspace-1", "3a1c7a0d"))
	// Output:
	// pvc-690705965e
	// scratch-690705965e
}

func ExampleProvisionedClaimName() {
	fmt.Println(affinity.ProvisionedClaimName("", "workspace-1", "3a1c7a0d", "my-pipelinerun"))
	long := "a-template-with-a-name-that-is-too-long-for-the-name-of-a-volume"
	fmt.Println(affinity.ProvisionedClaimName(long, "workspace-1", "3a1c7a0d", "my-pipelinerun"))
	// Output:
	// pvc-690705965e-affinity-assistant-0b79942a50-0
	// a-template-with-a-name-that-is-too-long-for-the-name-42469a5ac3-affinity-assistant-0b79942a50-0
}

// Two runs of one namespace, whose names, put together with those of their workspaces, are
// the same.
func ExampleCollisions() {
	var plans []*affinity.Plan
	for run, workspace := range map[string]string{"build-1": "src", "uild-1": "srcb"} {
		plan, err := affinity.PlanFor(&affinity.Run{
			Name: run, Namespace: "ci", UID: "8c4a4b5e",
			Workspaces: []affinity.Workspace{{Name: workspace, ClaimName: "sources"}},
		}, held(affinity.PerWorkspace))
		if err != nil {
			fmt.Println(err)
			return
		}
		plans = append(plans, plan)
	}
	for _, c := range affinity.Collisions(plans) {
		fmt.Println(c)
	}
	// Output:
	// StatefulSet ci/affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"
}

func ExampleCollision() {
	c := affinity.Collision{Kind: "PersistentVolumeClaim", Namespace: "ci", Name: "sources", Users: []affinity.User{{Run: "a", Workspace: "w"}, {Run: "b"}}}
	fmt.Println(c)
	// Output:
	// PersistentVolumeClaim ci/sources: workspace "w" of run "a", run "b"
}

func ExampleUser() {
	fmt.Println(affinity.User{Run: "build-1", Workspace: "src"})
	fmt.Println(affinity.User{Run: "build-1"})
	// Output:
	// workspace "src" of run "build-1"
	// run "build-1"
}

// A node is to be repaired, another one has gone.
func ExampleStranded() {
	pod := func(run, node string) *corev1.Pod {
		assistant := affinity.AssistantName("", run)
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: assistant + "-0", Labels: map[string]string{
				affinity.ComponentLabel: affinity.Component, affinity.InstanceLabel: assistant,
			}},
			Spec: corev1.PodSpec{NodeName: node},
		}
	}
	nodes := []*corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "node-2"}, Spec: corev1.NodeSpec{Unschedulable: true}},
	}
	for _, s := range affinity.Stranded([]*corev1.Pod{pod("a", "node-1"), pod("b", "node-2"), pod("c", "node-3")}, nodes) {
		fmt.Println(s.Remedy, s.Pod, "on", s.Node)
	}
	// Output:
	// force-delete ci/affinity-assistant-2e7d2c03a9-0 on node-3
	// delete ci/affinity-assistant-3e23e81600-0 on node-2
}

func ExampleStray() {
	s := affinity.Stray{Assistant: "affinity-assistant-0b79942a50", Node: "node-2", Remedy: affinity.Delete}
	fmt.Printf("%v the pod of %s: %s is cordoned\n", s.Remedy, s.Assistant, s.Node)
	// Output:
	// delete the pod of affinity-assistant-0b79942a50: node-2 is cordoned
}

func ExampleRemedy() {
	fmt.Println(affinity.Delete, affinity.ForceDelete)
	// Output:
	// delete force-delete
}

func ExampleBehavior_Coschedule() {
	for _, b := range []affinity.Behavior{affinity.PerWorkspace, affinity.PerRun, affinity.PerRunIsolated, affinity.Disabled} {
		fmt.Println(b.Coschedule())
	}
	// Output:
	// workspaces
	// pipelineruns
	// isolate-pipelinerun
	// disabled
}
