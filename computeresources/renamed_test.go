package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

const batchCPU, batchMemory = "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"

func batch() computeresources.Options {
	return computeresources.Options{CPUName: batchCPU, MemoryName: batchMemory}
}

func TestRenamed(t *testing.T) {
	list := testkit.List
	sidecar := testkit.Container("proxy", list(batchCPU, "500"), nil)
	always := corev1.ContainerRestartPolicyAlways
	sidecar.RestartPolicy = &always
	tests := []struct {
		name             string
		spec             corev1.PodSpec
		status           corev1.PodStatus
		opts             computeresources.Options
		requests, limits corev1.ResourceList
		binding          corev1.ResourceList
	}{
		{
			name:     "cpu renamed, memory not",
			spec:     corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list(batchCPU, "10", "cpu", "3", "memory", "5", batchMemory, "7"), nil)}},
			opts:     computeresources.Options{CPUName: batchCPU},
			requests: list("cpu", "10m", "memory", "5", batchMemory, "7"), limits: list(), binding: list(),
		},
		{
			name:     "memory renamed, cpu not",
			spec:     corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list(batchCPU, "10", "cpu", "3", "memory", "5", batchMemory, "7"), nil)}},
			opts:     computeresources.Options{MemoryName: batchMemory},
			requests: list("cpu", "3", "memory", "7", batchCPU, "10"), limits: list(), binding: list(),
		},
		{
			name:     "their own names",
			spec:     corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list("cpu", "3", "memory", "5"), nil)}},
			opts:     computeresources.Options{CPUName: "cpu", MemoryName: "memory"},
			requests: list("cpu", "3", "memory", "5"), limits: list(), binding: list(),
		},
		{
			name: "overhead by either name",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{testkit.Container("a", list(batchCPU, "10", batchMemory, "5"), nil)},
				Overhead:   list("cpu", "1", "memory", "2", batchMemory, "3"),
			},
			opts:     batch(),
			requests: list("cpu", "1010m", "memory", "8"), limits: list(), binding: list(),
		},
		{
			name:     "fractions are rounded up, and much is exact",
			spec:     corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list(batchCPU, "1500m"), list(batchCPU, "10000E"))}},
			opts:     batch(),
			requests: list("cpu", "2m"), limits: list("cpu", "10E"), binding: list("cpu", "10E"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{Spec: test.spec, Status: test.status}
			for what, lists := range map[string][2]corev1.ResourceList{
				"requests": {computeresources.PodRequests(pod, test.opts), test.requests},
				"limits":   {computeresources.PodLimits(pod, test.opts), test.limits},
				"binding":  {computeresources.BindingLimits(&pod.Spec, test.opts), test.binding},
			} {
				testkit.NoDiff(t, lists[0], lists[1], what)
			}
			want := test.requests["cpu"]
			if got := computeresources.PodTotals(pod, computeresources.Requests, test.opts).MilliCPU; got != want.MilliValue() {
				t.Errorf("PodTotals: %d milli-CPU, want %v", got, &want)
			}
		})
	}
}

// A pod that sets the same amounts under other names has the same sums.
func TestRenamedSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(testkit.Bytes()).Draw(t, "pod")
		pod.Spec.Resources = nil // in which there are no other names
		other := pod.DeepCopy()
		rename(other)
		opts := batch()
		for name, sums := range map[string][2]any{
			"PodRequests":          {computeresources.PodRequests(pod, computeresources.Options{}), computeresources.PodRequests(other, opts)},
			"PodLimits":            {computeresources.PodLimits(pod, computeresources.Options{}), computeresources.PodLimits(other, opts)},
			"SpecRequests":         {computeresources.SpecRequests(&pod.Spec, computeresources.Options{}), computeresources.SpecRequests(&other.Spec, opts)},
			"SpecLimits":           {computeresources.SpecLimits(&pod.Spec, computeresources.Options{}), computeresources.SpecLimits(&other.Spec, opts)},
			"PodTotals, requests":  {computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{}), computeresources.PodTotals(other, computeresources.Requests, opts)},
			"PodTotals, limits":    {computeresources.PodTotals(pod, computeresources.Limits, computeresources.Options{}), computeresources.PodTotals(other, computeresources.Limits, opts)},
			"SpecTotals, requests": {computeresources.SpecTotals(&pod.Spec, computeresources.Requests, computeresources.Options{}), computeresources.SpecTotals(&other.Spec, computeresources.Requests, opts)},
			"SpecTotals, limits":   {computeresources.SpecTotals(&pod.Spec, computeresources.Limits, computeresources.Options{}), computeresources.SpecTotals(&other.Spec, computeresources.Limits, opts)},
			"BindingLimits":        {computeresources.BindingLimits(&pod.Spec, computeresources.Options{}), computeresources.BindingLimits(&other.Spec, opts)},
		} {
			testkit.NoDiff(t, sums[1], sums[0], name)
		}
	})
}

// rename moves cpu, which is whole, and memory to other names, in all lists of a pod.
func rename(pod *corev1.Pod) {
	move := func(list corev1.ResourceList) {
		if q, ok := list["cpu"]; ok {
			for range 3 { // times 1000
				sum := q.DeepCopy()
				for range 9 {
					sum.Add(q)
				}
				q = sum
			}
			list[batchCPU] = q
			delete(list, "cpu")
		}
		if q, ok := list["memory"]; ok {
			list[batchMemory] = q
			delete(list, "memory")
		}
	}
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range containers {
			move(containers[i].Resources.Requests)
			move(containers[i].Resources.Limits)
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			move(statuses[i].AllocatedResources)
			if r := statuses[i].Resources; r != nil {
				move(r.Requests)
				move(r.Limits)
			}
		}
	}
	move(pod.Spec.Overhead)
	move(pod.Status.AllocatedResources)
	if r := pod.Status.Resources; r != nil {
		move(r.Requests)
		move(r.Limits)
	}
}
