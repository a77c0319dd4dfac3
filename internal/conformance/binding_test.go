package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

const period = 100000 // of the CPU quota, in microseconds

// The limits that bind are those that the kubelet writes into the cgroup of the pod.
func TestBindingLimits(t *testing.T) {
	// Few enough CPUs for the kubelet's quota to stay within 64 bits.
	amounts := rapid.Map(rapid.Int64Range(0, 100), func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) })
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(amounts).Draw(t, "pod")
		pod.Status = corev1.PodStatus{}
		if qos.Class(&pod.Spec, kubernetes) == corev1.PodQOSBestEffort {
			return // see TestDivergenceBindingLimitsOfBestEffort
		}
		config := cm.ResourceConfigForPod(pod.DeepCopy(), true, period, false, "")
		binding := computeresources.BindingLimits(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})

		cpu, bound := binding[corev1.ResourceCPU]
		written := config.CPUQuota != nil && *config.CPUQuota > 0
		switch {
		case oracle.Release == "1.36" && overlooked(&pod.Spec, corev1.ResourceCPU):
		case bound != written:
			t.Fatalf("cpu limit %s binds: %v; the kubelet writes one: %v", cpu.String(), bound, written)
		case bound && *config.CPUQuota != cpu.MilliValue()*period/1000:
			t.Fatalf("cpu limit %s, the kubelet writes a quota of %d", cpu.String(), *config.CPUQuota)
		}
		memory, bound := binding[corev1.ResourceMemory]
		written = config.Memory != nil && *config.Memory > 0
		switch {
		case oracle.Release == "1.36" && overlooked(&pod.Spec, corev1.ResourceMemory):
		case bound != written:
			t.Fatalf("memory limit %s binds: %v; the kubelet writes one: %v", memory.String(), bound, written)
		case bound && *config.Memory != memory.Value():
			t.Fatalf("memory limit %s, the kubelet writes %d", memory.String(), *config.Memory)
		}
	})
}

// If spec.resources is set, but to nothing, a pod is BestEffort in 1.36, regardless of its containers, and
// the kubelet writes no limit for the pod. The limits in the cgroups of the containers still apply.
// See docs/decisions/computeresources.md#empty-pod-level-resources.
func TestDivergenceBindingLimitsOfBestEffort(t *testing.T) {
	if oracle.Release != "1.36" {
		t.Skip("since 1.37, it does not differ")
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", nil, testkit.List("cpu", "1", "memory", "1Gi"))},
		Resources:  &corev1.ResourceRequirements{},
	}}
	got := computeresources.BindingLimits(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
	testkit.NoDiff(t, got, testkit.List("cpu", "1", "memory", "1Gi"))
	if theirs := cm.ResourceConfigForPod(pod, true, period, false, ""); theirs.CPUQuota != nil || theirs.Memory != nil {
		t.Error("the kubelet writes limits for the pod: it no longer differs")
	}
}

// The kubelet of 1.36 treats an init container, or a sidecar, as limited if a sidecar before it is
// limited, because it checks the sum so far. So it writes a limit for a pod with a container without a
// limit. Ours follows the documented rule of the kubelet and of Tekton: a container without a limit
// leaves the pod without one.
// See docs/decisions/computeresources.md#unlimited-behind-a-sidecar.
func TestDivergenceBindingLimitsBehindSidecar(t *testing.T) {
	if oracle.Release != "1.36" {
		t.Skip("since 1.37, it does not differ")
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{
			testkit.Sidecar("limited", nil, testkit.List("cpu", "1", "memory", "1Gi")),
			testkit.Sidecar("unlimited", nil, nil),
		},
		Containers: []corev1.Container{testkit.Container("app", nil, testkit.List("cpu", "1", "memory", "1Gi"))},
	}}
	if got := computeresources.BindingLimits(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}); len(got) > 0 {
		t.Errorf("limits that bind: %v, want none", got)
	}
	if theirs := cm.ResourceConfigForPod(pod, true, period, false, ""); theirs.CPUQuota == nil || theirs.Memory == nil {
		t.Error("the kubelet writes no limits: it no longer differs")
	}
}

// overlooked reports whether the kubelet of 1.36 overlooks that an init container has no limit.
func overlooked(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	sidecarLimited := false
	for ref, c := range computeresources.Containers(spec) {
		limit := c.Resources.Limits[name]
		if ref.Kind != computeresources.App && limit.Sign() <= 0 && sidecarLimited {
			return true
		}
		sidecarLimited = sidecarLimited || ref.Kind == computeresources.Sidecar && limit.Sign() > 0
	}
	return false
}
