package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestApplyRequestDefaults(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pod := testkit.PodWith(quantities).Draw(t, "pod")
				upstreamPod := pod.DeepCopy()
				v1.SetObjectDefaults_Pod(upstreamPod)
				set := computeresources.ApplyRequestDefaults(&pod.Spec, kubernetes)
				// Upstream leaves an empty list where ours leaves none.
				testkit.NoDiff(t, pod.Spec.Overhead, upstreamPod.Spec.Overhead, cmpopts.EquateEmpty(), "overhead")
				if diff := cmp.Diff(resources(&upstreamPod.Spec), resources(&pod.Spec), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("-upstream +kubemath:\n%s\nreported: %v", diff, set)
				}
			})
		})
	}
}

// The defaults that the API server sets right before it stores a pod are the same, and so are the pods.
func TestApplyPodLevelDefaults(t *testing.T) {
	changes := 0
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pod := testkit.PodWith(stored(quantities)).Draw(t, "pod")
				if rapid.Bool().Draw(t, "limited") {
					for _, c := range computeresources.Containers(&pod.Spec) {
						c.Resources.Limits = testkit.List("cpu", "1", "memory", "1Gi", "hugepages-2Mi", "4Mi")
					}
				}
				v1.SetObjectDefaults_Pod(pod)
				theirs := corePod(t, pod)
				applyUpstreamPodLevelDefaults(theirs)
				want := &corev1.Pod{}
				testkit.OK(t, v1.Convert_core_Pod_To_v1_Pod(theirs, want, nil))
				set := computeresources.ApplyPodLevelDefaults(&pod.Spec, kubernetes)
				if diff := cmp.Diff(resources(&want.Spec), resources(&pod.Spec), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("-upstream +kubemath:\n%s\nreported: %v", diff, set)
				}
				changes += len(set)
			})
		})
	}
	if after := oracle.Release != "1.36"; (changes > 0) != after {
		t.Errorf("%d changes in %s", changes, oracle.Release)
	}
}

// resources returns all requirements of a pod spec.
func resources(spec *corev1.PodSpec) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for ref, c := range computeresources.Containers(spec) {
		all[ref.Path(nil).String()] = c.Resources
	}
	if spec.Resources != nil {
		all["spec"] = *spec.Resources
	}
	return all
}
