package computeresources_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestDownwardValue(t *testing.T) {
	list := testkit.List
	node := list("cpu", "8", "memory", "16Gi", "ephemeral-storage", "100Gi", "hugepages-2Mi", "64Mi")
	spec := func(requests, limits corev1.ResourceList) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", requests, limits)}}
	}
	atPodLevel := func(s *corev1.PodSpec, limits corev1.ResourceList) *corev1.PodSpec {
		s.Resources = &corev1.ResourceRequirements{Limits: limits}
		return s
	}
	twins := &corev1.PodSpec{
		Containers:     []corev1.Container{testkit.Container("app", list("cpu", "1"), nil)},
		InitContainers: []corev1.Container{testkit.Container("app", list("cpu", "2"), nil), testkit.Container("setup", list("cpu", "3"), nil)},
	}
	tests := []struct {
		name           string
		spec           *corev1.PodSpec
		field, divisor string
		container      string
		opts           computeresources.DownwardOptions
		want           int64
	}{
		{name: "no divisor is one, rounded up", spec: spec(nil, list("cpu", "1500m")), field: "limits.cpu", want: 2},
		{name: "a divisor of zero is one", spec: spec(nil, list("cpu", "1500m")), field: "limits.cpu", divisor: "0", want: 2},
		{name: "milli-units", spec: spec(nil, list("cpu", "1500m")), field: "limits.cpu", divisor: "1m", want: 1500},
		{name: "finer amounts are rounded up first", spec: spec(list("cpu", "100n"), nil), field: "requests.cpu", divisor: "1m", want: 1},
		{name: "memory in mebibytes", spec: spec(list("memory", "1.5Gi"), nil), field: "requests.memory", divisor: "1Mi", want: 1536},
		{name: "a part of a mebibyte counts", spec: spec(list("memory", "1048577"), nil), field: "requests.memory", divisor: "1Mi", want: 2},
		{name: "ephemeral storage", spec: spec(nil, list("ephemeral-storage", "3Gi")), field: "limits.ephemeral-storage", divisor: "1Gi", want: 3},
		{name: "hugepages", spec: spec(nil, list("hugepages-2Mi", "4Mi")), field: "limits.hugepages-2Mi", divisor: "1Mi", want: 4},
		{name: "hugepages have no default", spec: spec(nil, nil), field: "limits.hugepages-2Mi", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 0},
		{name: "a request has no default", spec: spec(nil, list("cpu", "2")), field: "requests.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 0},
		{name: "a limit that is not set is the node's", spec: spec(nil, nil), field: "limits.memory", divisor: "1Gi", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 16},
		{name: "a limit of zero is the node's", spec: spec(nil, list("cpu", "0")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 8},
		{name: "no node", spec: spec(nil, nil), field: "limits.cpu", want: 0},
		{name: "a node without the resource", spec: atPodLevel(spec(nil, nil), list("cpu", "3")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: list("memory", "1")}, want: 0},
		{name: "the pod-level limit", spec: atPodLevel(spec(nil, nil), list("cpu", "3")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 3},
		{name: "a pod-level limit of zero", spec: atPodLevel(spec(nil, nil), list("cpu", "0")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 8},
		{name: "a resource that cannot be set at pod level is ignored", spec: atPodLevel(spec(nil, nil), list("ephemeral-storage", "3Gi")), field: "limits.ephemeral-storage", divisor: "1Gi", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 100},
		{name: "the pod level ignored", spec: atPodLevel(spec(nil, nil), list("cpu", "3")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node, Gates: computeresources.Gates{IgnorePodLevel: true}}, want: 8},
		{name: "the container's own limit first", spec: atPodLevel(spec(nil, list("cpu", "2")), list("cpu", "3")), field: "limits.cpu", opts: computeresources.DownwardOptions{NodeAllocatable: node}, want: 2},
		{name: "app containers first", spec: twins, field: "requests.cpu", want: 1},
		{name: "an init container", spec: twins, container: "setup", field: "requests.cpu", want: 3},
		{name: "below zero, rounded up", spec: spec(list("memory", "-3"), nil), field: "requests.memory", divisor: "2", want: -1},
		{name: "by a divisor below zero", spec: spec(list("memory", "3"), nil), field: "requests.memory", divisor: "-2", want: -1},
		{name: "amount and divisor below zero", spec: spec(list("memory", "-3"), nil), field: "requests.memory", divisor: "-2", want: 2},
		{name: "exact beyond 2^53", spec: spec(list("memory", "9007199254740993"), nil), field: "requests.memory", want: 9007199254740993},
		{name: "more than fits", spec: spec(list("cpu", "10E"), nil), field: "requests.cpu", divisor: "1m", want: math.MaxInt64},
		{name: "a large negative amount with a negative divisor", spec: spec(list("memory", "-10E"), nil), field: "requests.memory", divisor: "-1", want: math.MaxInt64},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			field := corev1.ResourceFieldSelector{ContainerName: "app", Resource: test.field}
			if test.container != "" {
				field.ContainerName = test.container
			}
			if test.divisor != "" {
				field.Divisor = resource.MustParse(test.divisor)
			}
			got, err := computeresources.DownwardValue(test.spec, field, test.opts)
			if err != nil || got != test.want {
				t.Errorf("DownwardValue = %d, %v, want %d", got, err, test.want)
			}
		})
	}
}

func TestDownwardValueErrors(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, nil)}}
	for _, test := range []struct {
		name             string
		spec             *corev1.PodSpec
		container, field string
		want             string
	}{
		{"an extended resource", spec, "app", "limits.example.com/gpu", "unsupported container resource : limits.example.com/gpu"},
		{"no list", spec, "app", "cpu", "unsupported container resource : cpu"},
		{"nothing", spec, "app", "", "unsupported container resource : "},
		{"no such container", spec, "web", "limits.cpu", "container web not found"},
		{"neither", spec, "web", "pods", "container web not found"},
		{"no pod", nil, "app", "limits.cpu", "container app not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			field := corev1.ResourceFieldSelector{ContainerName: test.container, Resource: test.field}
			_, err := computeresources.DownwardValue(test.spec, field, computeresources.DownwardOptions{})
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}
