package affinity_test

import (
	"encoding/json"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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

// cloneAndBuild is the first PipelineRun of TEP-0135: it clones into a claim that is made, and
// builds with a cache in one that is there.
func cloneAndBuild() *affinity.Run {
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

// coscheduled returns options with a behavior.
func coscheduled(b affinity.Behavior) affinity.Options {
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

// One placeholder for the first PipelineRun of TEP-0135: it mounts the claim that is there,
// makes the other one, and all tasks go to its node.
func ExamplePlanFor() {
	plan, err := affinity.PlanFor(cloneAndBuild(), coscheduled(affinity.PerRun))
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

// The terms that are added to the pods of tasks.
func ExampleTaskAffinity() {
	printYAML(map[string]any{"affinity": affinity.TaskAffinity(nil, affinity.Workspace{}.AssistantName("my-pipelinerun"))})
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
