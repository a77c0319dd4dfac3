package coschedule

import (
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/affinity"
)

// taskPod has the parts of a task's pod that the plan sets.
type taskPod struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Affinity *corev1.Affinity `json:"affinity,omitempty"`
	} `json:"spec"`
}

func (p *taskPod) DeepCopyObject() runtime.Object { return p } // it is not changed

// writeManifests prints, for each run, claims, StatefulSets, and the pods of tasks: the first one of a matrix.
func writeManifests(w io.Writer, all []planned) error {
	s := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, nil, json.SerializerOptions{Yaml: true})
	for i := range all {
		for _, object := range objectsOf(&all[i]) {
			if _, err := io.WriteString(w, "---\n"); err != nil {
				return err
			}
			if err := s.Encode(object, w); err != nil {
				return err
			}
		}
	}
	return nil
}

func objectsOf(p *planned) (objects []runtime.Object) {
	for i := range p.plan.Claims {
		objects = append(objects, &p.plan.Claims[i])
	}
	for i := range p.plan.StatefulSets {
		objects = append(objects, &p.plan.StatefulSets[i])
	}
	for _, t := range p.plan.Tasks {
		if t.Refused != nil || !p.hasPod(t) {
			continue
		}
		pod := &taskPod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
		pod.Name, pod.Namespace = affinity.PodName(affinity.TaskRunName(p.run.Name, t.Task, 0, p.fanOut(t)), 0), p.run.Namespace
		if t.Assistant != "" {
			pod.Annotations = map[string]string{affinity.AssistantAnnotation: t.Assistant}
		}
		pod.Spec.Affinity = t.Affinity
		objects = append(objects, pod)
	}
	return objects
}
