package replay_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

// podAdmission is a pod that was created in a namespace with LimitRanges, and what a
// kube-apiserver made of it.
type podAdmission struct {
	Name        string
	LimitRanges []corev1.LimitRange
	Pod         corev1.Pod
	Outcome     string
	Messages    []string
	Containers  []storedPart // init containers first
	PodLevel    *storedPart
	Annotations map[string]string
	QOSClass    corev1.PodQOSClass
}

type storedPart struct {
	Name             string
	Requests, Limits corev1.ResourceList
}

// replayPodAdmission compares requests by default, where no LimitRange had a hand in
// them, and the class of every pod that was admitted, computed from what was stored.
func replayPodAdmission(t *testing.T, raw json.RawMessage) bool {
	var c podAdmission
	decode(t, raw, &c)
	if c.Outcome != "admitted" {
		return false
	}
	spec := c.Pod.Spec.DeepCopy()
	if len(c.LimitRanges) == 0 {
		computeresources.ApplyRequestDefaults(spec)
		want, got := parts(c.stored()), parts(spec)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: defaults (-server +kubemath):\n%s", c.Name, diff)
		}
	}
	stored := c.stored()
	if set := computeresources.ApplyRequestDefaults(stored.DeepCopy()); len(set) > 0 {
		t.Errorf("%s: the server left %v to be set", c.Name, set)
	}
	if got := qos.Class(stored); got != c.QOSClass {
		t.Errorf("%s: class %s, the server says %s", c.Name, got, c.QOSClass)
	}
	return true
}

// stored returns the spec as the server stored it.
func (c *podAdmission) stored() *corev1.PodSpec {
	spec := c.Pod.Spec.DeepCopy()
	byName := map[string]storedPart{}
	for _, part := range c.Containers {
		byName[part.Name] = part
	}
	for _, container := range computeresources.Containers(spec) {
		part := byName[container.Name]
		container.Resources = corev1.ResourceRequirements{Requests: part.Requests, Limits: part.Limits}
	}
	if c.PodLevel != nil {
		spec.Resources = &corev1.ResourceRequirements{Requests: c.PodLevel.Requests, Limits: c.PodLevel.Limits}
	}
	return spec
}

// parts are the requirements of a pod, by where they stand.
func parts(spec *corev1.PodSpec) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for ref, c := range computeresources.Containers(spec) {
		all[ref.String()] = c.Resources
	}
	if spec.Resources != nil {
		all["pod"] = *spec.Resources
	}
	return all
}
