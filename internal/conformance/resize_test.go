package conformance

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/apis/core"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/features"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// storedPod makes a pod what the API server would store, in all that has nothing to do with
// resources.
func storedPod(pod *corev1.Pod) {
	pod.Name, pod.Namespace, pod.ResourceVersion = "p", "team", "1"
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range containers {
			containers[i].Name += "-" + strconv.Itoa(i) // another error, otherwise, for those of one name
			containers[i].Image = "registry.example/app"
			if policy := containers[i].RestartPolicy; policy != nil && *policy == "" {
				containers[i].RestartPolicy = nil
			}
		}
	}
	if len(pod.Spec.Containers) == 0 {
		pod.Spec.Containers = []corev1.Container{{Name: "c-0", Image: "registry.example/app"}}
	}
	upstream.SetObjectDefaults_Pod(pod)
}

// resizePair draws a stored pod and an update of it: of the same pod with other amounts of cpu and
// memory, and now and then with other things that a resize may not change.
func resizePair(t *rapid.T) (old, updated *corev1.Pod) {
	quantities := stored(quantityRanges[rapid.SampledFrom([]string{"any quantity", "ordinary quantities", "bytes"}).Draw(t, "range")])
	once := func(label string, n int) bool { return rapid.IntRange(1, n).Draw(t, label) == 1 }
	if once("even", 2) {
		quantities = stored(testkit.Positive())
		old = evenPod().Draw(t, "old")
	} else {
		old = testkit.PodWith(quantities).Draw(t, "old")
		old.Spec.Overhead = nil // is validated at its own path
	}
	if once("tidy", 2) {
		old.Spec.Resources = nil
		for _, c := range computeresources.Containers(&old.Spec) {
			c.Resources = corev1.ResourceRequirements{Limits: testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi")}
			if rapid.Bool().Draw(t, "requests alone") {
				c.Resources = corev1.ResourceRequirements{Requests: c.Resources.Limits}
			}
		}
		if rapid.Bool().Draw(t, "pod level") {
			old.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "16", "memory", "64Gi")}
		}
	}
	tooMany := func(containers []corev1.Container) []corev1.Container { return containers[:min(3, len(containers))] }
	old.Spec.Containers, old.Spec.InitContainers = tooMany(old.Spec.Containers), tooMany(old.Spec.InitContainers)
	old.Spec.Priority, old.Spec.PriorityClassName = nil, ""
	if !once("mirror", 30) {
		old.Annotations = nil
	}
	if once("windows", 30) {
		old.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
	}
	for i := range old.Status.ContainerStatuses {
		if rapid.Bool().Draw(t, "running") {
			old.Status.ContainerStatuses[i].State.Running = &corev1.ContainerStateRunning{}
			if !once("old kubelet", 8) {
				old.Status.ContainerStatuses[i].Resources = &corev1.ResourceRequirements{}
			}
		}
	}
	for _, c := range computeresources.Containers(&old.Spec) {
		if once("claims", 20) {
			old.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimName: new("gpu")}}
			c.Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
		}
		if once("policy", 4) {
			c.ResizePolicy = resizePolicy().Draw(t, "policy of old")
		}
	}
	storedPod(old)

	updated = old.DeepCopy()
	for _, c := range computeresources.Containers(&updated.Spec) {
		changeForResize(t, &c.Resources, quantities)
		switch rapid.IntRange(0, 60).Draw(t, "other than cpu and memory") {
		case 0:
			c.ResizePolicy = resizePolicy().Draw(t, "policy")
		case 1:
			c.Resources.Claims = nil
		case 2:
			c.Name += "-b"
		case 3:
			c.Image = "registry.example/other" // is dropped
		case 4:
			c.Resources = corev1.ResourceRequirements{Requests: testkit.ResourceList(quantities).Draw(t, "requests"), Limits: testkit.ResourceList(quantities).Draw(t, "limits")}
		}
	}
	if updated.Spec.Resources != nil {
		changeForResize(t, updated.Spec.Resources, quantities)
	}
	if old.Spec.Resources == nil && once("empty pod level", 20) {
		old.Spec.Resources = &corev1.ResourceRequirements{}
	}
	switch rapid.IntRange(0, 30).Draw(t, "pod level") {
	case 0:
		updated.Spec.Resources = nil
	case 1:
		updated.Spec.Resources = &corev1.ResourceRequirements{}
	case 2:
		updated.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.ResourceList(quantities).Draw(t, "requests"), Limits: testkit.ResourceList(quantities).Draw(t, "limits")}
	}
	switch rapid.IntRange(0, 60).Draw(t, "containers") {
	case 0:
		updated.Spec.Containers = append(updated.Spec.Containers, *updated.Spec.Containers[0].DeepCopy())
		updated.Spec.Containers[len(updated.Spec.Containers)-1].Name = "new"
	case 1:
		updated.Spec.InitContainers = updated.Spec.InitContainers[:max(0, len(updated.Spec.InitContainers)-1)]
	case 2:
		slices.Reverse(updated.Spec.Containers)
	case 3:
		updated.Spec.NodeSelector = map[string]string{"a": "b"} // is dropped
	}
	upstream.SetObjectDefaults_Pod(updated)
	return old, updated
}

func resizePolicy() *rapid.Generator[[]corev1.ContainerResizePolicy] {
	return rapid.Custom(func(t *rapid.T) (policies []corev1.ContainerResizePolicy) {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			if rapid.Bool().Draw(t, "set") {
				policies = append(policies, corev1.ContainerResizePolicy{
					ResourceName: name, RestartPolicy: rapid.SampledFrom([]corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer}).Draw(t, "restart"),
				})
			}
		}
		return policies
	})
}

// changeForResize changes some amounts, mostly as a resize may.
func changeForResize(t *rapid.T, r *corev1.ResourceRequirements, quantities *rapid.Generator[resource.Quantity]) {
	for _, name := range testkit.ResourceNames {
		other := name != corev1.ResourceCPU && name != corev1.ResourceMemory
		_, requested := r.Requests[name]
		limit, limited := r.Limits[name]
		for _, list := range []*corev1.ResourceList{&r.Limits, &r.Requests} {
			_, set := (*list)[name]
			if !set && rapid.IntRange(0, 30).Draw(t, "added") > 0 || other && rapid.IntRange(0, 40).Draw(t, "of another") > 0 || rapid.Bool().Draw(t, "as it is") {
				continue
			}
			*list = (*list).DeepCopy()
			if *list == nil {
				*list = corev1.ResourceList{}
			}
			(*list)[name] = quantities.Draw(t, "amount")
			if rapid.IntRange(0, 30).Draw(t, "removed") == 0 {
				delete(*list, name)
			}
		}
		if requested && limited && limit.Cmp(r.Limits[name]) != 0 && rapid.IntRange(0, 3).Draw(t, "even") > 0 {
			r.Requests[name] = r.Limits[name].DeepCopy()
		}
	}
}

// upstreamResize returns what the strategy of the subresource resize makes of a pod, and its errors about resources.
func upstreamResize(
	t testkit.TB, old, updated *corev1.Pod, opts computeresources.ResizeOptions,
) (stored *corev1.Pod, errs field.ErrorList) {
	theirs, before := corePod(t, updated), corePod(t, old)
	if len(opts.ClaimedFromNode) > 0 {
		before.Status.NodeAllocatableResourceClaimStatuses = []core.NodeAllocatableResourceClaimStatus{{ResourceClaimName: "gpu"}}
	}
	// Where pod-level resources cannot be resized, the strategy sets defaults in those of the old pod, too, which then
	// only show in the class of a pod without one in its status: the server stores none such.
	registry.ResizeStrategy.PrepareForUpdate(context.Background(), theirs, before.DeepCopy())
	for _, err := range registry.ResizeStrategy.ValidateUpdate(context.Background(), theirs, before) {
		if ofResources(err) {
			errs = append(errs, err)
		}
	}
	stored = &corev1.Pod{}
	if err := upstream.Convert_core_Pod_To_v1_Pod(theirs, stored, nil); err != nil {
		t.Fatalf("%v", err)
	}
	return stored, errs
}

// Upstream validates whole pods: errors that do not concern a resize are removed here.
func TestResizeValidation(t *testing.T) {
	type gates map[featuregate.Feature]bool
	for name, test := range map[string]struct {
		gates gates
		opts  computeresources.ResizeOptions
	}{
		"default":                               {nil, computeresources.ResizeOptions{Kubernetes: kubernetes}},
		"pod-level resources cannot be resized": {gates{features.InPlacePodLevelResourcesVerticalScaling: false}, computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}},
		"no pod-level resources": {
			gates{features.PodLevelResources: false}, // and those that depend on it
			computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, PodLevelResources: new(bool)}},
		},
		"init containers cannot be resized": {gates{features.InPlacePodVerticalScalingInitContainers: false}, computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, InPlacePodVerticalScalingInitContainers: testkit.Off()}}},
		"claims of the node":                {nil, computeresources.ResizeOptions{Kubernetes: kubernetes, ClaimedFromNode: testkit.List("cpu", "1")}},
	} {
		t.Run(name, func(t *testing.T) {
			for gate := range test.gates {
				if locked[gate] {
					t.Skip(gate, "cannot be turned off in", oracle.Release)
				}
			}
			if _, off := test.gates[features.PodLevelResources]; off {
				withoutPodLevelResources(t)
			}
			featuregatetesting.SetFeatureGatesDuringTest(t, utilfeature.DefaultMutableFeatureGate, test.gates)
			causes, accepted := map[computeresources.ResizeCause]int{}, 0
			rapid.Check(t, func(t *rapid.T) {
				old, updated := resizePair(t)
				found := computeresources.ValidateResize(old, updated, test.opts)
				theirs, errs := upstreamResize(t, old, updated, test.opts)
				testkit.NoDiff(t, certain(found.ErrorList(nil)), certain(errs))
				ours := old.DeepCopy()
				computeresources.ApplyResize(ours, updated, test.opts)
				testkit.NoDiff(t, resources(&ours.Spec), resources(&theirs.Spec), cmpopts.EquateEmpty(), "stored")
				if len(found) == 0 {
					accepted++
				}
				for _, problem := range found {
					causes[problem.Cause]++
				}
			})
			t.Logf("%d accepted; %v", accepted, causes)
			if accepted == 0 && len(test.opts.ClaimedFromNode) == 0 || len(causes) < 8 {
				t.Errorf("%d resizes accepted; causes drawn: %v", accepted, causes)
			}
		})
	}
}

// ofResources removes errors about the names of containers.
func ofResources(err *field.Error) bool {
	return err.Type != field.ErrorTypeDuplicate || !strings.HasSuffix(err.Field, ".name")
}
