package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// resizablePod is a running, Burstable pod with an init container, a sidecar and an app container.
func resizablePod() *corev1.Pod {
	always := corev1.ContainerRestartPolicyAlways
	one := func(name string) corev1.Container {
		return testkit.Container(name, testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"), testkit.List("cpu", "2", "memory", "2Gi"))
	}
	sidecar := one("proxy")
	sidecar.RestartPolicy = &always
	return &corev1.Pod{
		Spec: corev1.PodSpec{InitContainers: []corev1.Container{one("setup"), sidecar}, Containers: []corev1.Container{one("app")}},
		Status: corev1.PodStatus{QOSClass: corev1.PodQOSBurstable, ContainerStatuses: []corev1.ContainerStatus{
			{Name: "app", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, Resources: &corev1.ResourceRequirements{}},
		}},
	}
}

func TestValidateResize(t *testing.T) {
	const podLevelOff = "[]: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled"
	restart := []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}, {ResourceName: "memory", RestartPolicy: corev1.RestartContainer}}
	claimable := func(pod *corev1.Pod) { pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}} }
	withClaim := func(pod *corev1.Pod) {
		claimable(pod)
		pod.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
	}
	podLevel := func(pod *corev1.Pod) {
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8", "memory", "8Gi"), Limits: testkit.List("hugepages-2Mi", "4Mi", "cpu", "9")}
	}
	of136, of138 := computeresources.Kubernetes{Release: "1.36"}, computeresources.Kubernetes{Release: "1.38"}
	in136 := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}
	tests := []struct {
		name   string
		old    func(*corev1.Pod) // changes both pods
		change func(*corev1.Pod) // changes the updated one
		opts   computeresources.ResizeOptions
		want   []string
	}{
		{name: "no changes"},
		{name: "cpu and memory of all kinds of containers, up and down", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Limits["memory"] = resource.MustParse("1Gi")
			pod.Spec.InitContainers[0].Resources.Requests["cpu"] = resource.MustParse("100m")
			pod.Spec.InitContainers[1].Resources.Limits["cpu"] = resource.MustParse("3")
		}},
		{name: "a limit is added", old: func(pod *corev1.Pod) { delete(pod.Spec.Containers[0].Resources.Limits, "cpu") },
			change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Limits["cpu"] = resource.MustParse("3") }},
		{name: "changes that the server ignores", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Image, pod.Spec.NodeName, pod.Labels = "other", "node-2", map[string]string{"a": "b"}
			pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{}}
			pod.Status.QOSClass = corev1.PodQOSGuaranteed
		}},
		{name: "an ended pod", old: func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodSucceeded },
			change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("2") }},
		{name: "two reasons beside claims of the node", opts: computeresources.ResizeOptions{Kubernetes: of136, ClaimedFromNode: testkit.List("cpu", "1")},
			change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("3") },
			want: []string{
				`spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`,
				"spec: Forbidden: pods with node allocatable resource claims cannot be resized",
			}},
		{name: "another claim at pod level", old: func(pod *corev1.Pod) {
			podLevel(pod)
			pod.Spec.Resources.Limits = testkit.List("cpu", "9")
			pod.Spec.Resources.Claims = []corev1.ResourceClaim{{Name: "a"}}
		}, change: func(pod *corev1.Pod) { pod.Spec.Resources.Claims = []corev1.ResourceClaim{{Name: "b"}} },
			want: []string{
				"spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
				`spec.resources.claims[0]: Not found: "b": must be one of the names in pod.spec.resourceClaims which is empty`,
				"spec: Forbidden: only cpu and memory resources are mutable at pod-level",
			}},
		{name: "a renamed container, and another init container", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Name = "other"
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, *pod.Spec.InitContainers[0].DeepCopy())
		}, want: []string{
			"spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize",
			"spec.initContainers: Forbidden: initContainers may not be added or removed on resize",
		}},
		{name: "invalid amounts", change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("3") },
			want: []string{`spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`}},
		{name: "parts of hugepages that were there before", old: func(pod *corev1.Pod) {
			pod.Spec.InitContainers[0].Resources.Requests["hugepages-2Mi"] = resource.MustParse("1Mi")
			pod.Spec.InitContainers[0].Resources.Limits["hugepages-2Mi"] = resource.MustParse("1Mi")
		}},
		{name: "a mirror pod with other problems", old: func(pod *corev1.Pod) { pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""} },
			change: func(pod *corev1.Pod) { pod.Spec.Containers = nil },
			want:   []string{"[]: Forbidden: static pods cannot be resized"}},
		{name: "only the updated pod is marked as a mirror", change: func(pod *corev1.Pod) { pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""} }},
		{name: "windows", old: func(pod *corev1.Pod) { pod.Spec.OS = &corev1.PodOS{Name: corev1.Windows} },
			want: []string{"[]: Forbidden: windows pods cannot be resized"}},
		{name: "the class changes", change: func(pod *corev1.Pod) {
			for _, c := range computeresources.Containers(&pod.Spec) {
				c.Resources.Requests["cpu"], c.Resources.Requests["memory"] = c.Resources.Limits["cpu"], c.Resources.Limits["memory"]
			}
		}, want: []string{`spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing`}},
		{name: "the class of the status counts", old: func(pod *corev1.Pod) { pod.Status.QOSClass = corev1.PodQOSGuaranteed },
			want: []string{`spec: Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing`}},
		{name: "an empty class in the status does not count", old: func(pod *corev1.Pod) { pod.Status.QOSClass = "" }},
		{name: "a kubelet that does not report resources", old: func(pod *corev1.Pod) { pod.Status.ContainerStatuses[0].Resources = nil },
			want: []string{"spec: Forbidden: Pod running on node without support for resize"}},
		{name: "a kubelet that does not report resources in 1.38", old: func(pod *corev1.Pod) { pod.Status.ContainerStatuses[0].Resources = nil },
			opts: computeresources.ResizeOptions{Kubernetes: of138}},
		{name: "a container that does not run is ignored", old: func(pod *corev1.Pod) {
			waiting := corev1.ContainerStatus{Name: "waiting"}
			pod.Status.ContainerStatuses = append([]corev1.ContainerStatus{waiting}, pod.Status.ContainerStatuses...)
		}},
		{name: "only the first container that runs shows what a kubelet reports", old: func(pod *corev1.Pod) {
			runs := pod.Status.ContainerStatuses[0]
			runs.Name, runs.Resources = "first", nil
			pod.Status.ContainerStatuses = append([]corev1.ContainerStatus{runs}, pod.Status.ContainerStatuses...)
		}, want: []string{"spec: Forbidden: Pod running on node without support for resize"}},
		{name: "resources of the first container that runs are enough", old: func(pod *corev1.Pod) {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: "last", State: pod.Status.ContainerStatuses[0].State})
		}},
		{name: "claims for node-allocatable resources", opts: computeresources.ResizeOptions{ClaimedFromNode: testkit.List("cpu", "1")}},
		{name: "claims for node-allocatable resources in 1.36", opts: computeresources.ResizeOptions{Kubernetes: of136, ClaimedFromNode: testkit.List("cpu", "1")},
			want: []string{"spec: Forbidden: pods with node allocatable resource claims cannot be resized"}},
		{name: "a container is added", change: func(pod *corev1.Pod) {
			pod.Spec.Containers = append(pod.Spec.Containers, testkit.Container("new", nil, nil))
		}, want: []string{"spec.containers: Forbidden: containers may not be added or removed on resize"}},
		{name: "an init container is removed", change: func(pod *corev1.Pod) { pod.Spec.InitContainers = pod.Spec.InitContainers[1:] },
			want: []string{"spec.initContainers: Forbidden: initContainers may not be added or removed on resize"}},
		{name: "init containers are reordered", change: func(pod *corev1.Pod) {
			inits := pod.Spec.InitContainers
			inits[0], inits[1] = inits[1], inits[0]
		}, want: []string{
			"spec.initContainers[0].name: Forbidden: initContainers may not be renamed or reordered on resize",
			"spec.initContainers[1].name: Forbidden: initContainers may not be renamed or reordered on resize",
		}},
		{name: "requests and limits are removed", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Requests = testkit.List("ephemeral-storage", "1Gi")
			delete(pod.Spec.InitContainers[1].Resources.Limits, "memory")
		}, want: []string{
			"spec.initContainers[1].resources.limits: Forbidden: resource limits cannot be removed",
			"spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
		}},
		{name: "a resource other than cpu and memory changes", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Requests["ephemeral-storage"] = resource.MustParse("2Gi")
			pod.Spec.InitContainers[0].Resources.Limits["ephemeral-storage"] = resource.MustParse("2Gi")
		}, want: []string{
			"spec: Forbidden: only cpu and memory resources are mutable",
			"spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable",
		}},
		{name: "a resource other than cpu and memory is removed", change: func(pod *corev1.Pod) { delete(pod.Spec.Containers[0].Resources.Requests, "ephemeral-storage") },
			want: []string{
				"spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
				"spec: Forbidden: only cpu and memory resources are mutable",
			}},
		{name: "a resource other than cpu and memory of a sidecar changes", change: func(pod *corev1.Pod) {
			pod.Spec.InitContainers[1].Resources.Requests["ephemeral-storage"] = resource.MustParse("2Gi")
		}, want: []string{"spec.initContainers[1]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable"}},
		{name: "the same quantity in another format is not a change", change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Requests["ephemeral-storage"] = resource.MustParse("1024Mi")
		}},
		{name: "the resize policy changes", change: func(pod *corev1.Pod) { pod.Spec.Containers[0].ResizePolicy = restart },
			want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "an invalid resize policy", change: func(pod *corev1.Pod) {
			pod.Spec.InitContainers[0].ResizePolicy = restart[:1]
			pod.Spec.Containers[0].ResizePolicy = append(restart[:1:1], restart[0])
		}, want: []string{
			"spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
			`spec.containers[0].resizePolicy[1]: Duplicate value: "cpu"`,
			"spec: Forbidden: only cpu and memory resources are mutable",
			"spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable",
			"spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized",
		}},
		{name: "a container with claims", old: withClaim},
		{name: "a container with claims in 1.36", old: withClaim, opts: computeresources.ResizeOptions{Kubernetes: of136},
			want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "a claim is removed", old: withClaim, change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Claims = nil },
			want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "a claim is added", old: claimable, change: withClaim, want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "a claim is added in 1.36", old: claimable, change: withClaim, opts: computeresources.ResizeOptions{Kubernetes: of136}},
		{name: "an init container would restart", old: func(pod *corev1.Pod) { pod.Spec.InitContainers[0].ResizePolicy = restart },
			change: func(pod *corev1.Pod) { pod.Spec.InitContainers[0].Resources.Limits["cpu"] = resource.MustParse("3") },
			want: []string{
				"spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized",
				"spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized",
			}},
		{name: "an init container that would restart does not change", old: func(pod *corev1.Pod) { pod.Spec.InitContainers[0].ResizePolicy = restart },
			change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Resources.Limits["cpu"] = resource.MustParse("3") }},
		{name: "a sidecar may restart", old: func(pod *corev1.Pod) { pod.Spec.InitContainers[1].ResizePolicy = restart },
			change: func(pod *corev1.Pod) { pod.Spec.InitContainers[1].Resources.Limits["cpu"] = resource.MustParse("3") }},
		{name: "a cluster that cannot resize init containers", opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{InPlacePodVerticalScalingInitContainers: testkit.Off()}},
			change: func(pod *corev1.Pod) {
				delete(pod.Spec.InitContainers[0].Resources.Limits, "cpu")
				pod.Spec.InitContainers[1].Resources.Limits["cpu"] = resource.MustParse("3")
			}, want: []string{"spec: Forbidden: resources for non-sidecar init containers are immutable"}},
		{name: "pod-level cpu", old: podLevel, change: func(pod *corev1.Pod) { pod.Spec.Resources.Requests["cpu"] = resource.MustParse("7") }},
		{name: "pod-level resources that are missing are kept", old: podLevel, change: func(pod *corev1.Pod) { pod.Spec.Resources = nil }},
		{name: "pod-level resources are removed in 1.36", old: podLevel, change: func(pod *corev1.Pod) { pod.Spec.Resources = nil }, opts: in136,
			want: []string{"spec.resources: Forbidden: pod-level resources cannot be removed"}},
		{name: "pod-level amounts are removed, and others change", old: podLevel, change: func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8"), Limits: testkit.List("hugepages-2Mi", "8Mi")}
		}, opts: in136, want: []string{
			"spec.resources.requests: Forbidden: pod-level resource requests cannot be removed",
			"spec.resources.limits: Forbidden: pod-level resource limits cannot be removed",
			"spec: Forbidden: only cpu and memory resources are mutable at pod-level",
		}},
		{name: "pod-level amounts that have a default are not removed, and others change", old: podLevel, change: func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8"), Limits: testkit.List("hugepages-2Mi", "8Mi")}
		}, want: []string{"spec: Forbidden: only cpu and memory resources are mutable at pod-level"}},
		{name: "pod-level cpu and memory are added in 1.36", change: func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8", "memory", "8Gi")}
		}, opts: in136},
		{name: "pod-level requests above all limits are added, and become limits", change: func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8", "memory", "8Gi")}
		}, want: []string{`spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing`}},
		{name: "empty pod-level resources are added in 1.36", change: func(pod *corev1.Pod) { pod.Spec.Resources = &corev1.ResourceRequirements{} },
			old:  func(pod *corev1.Pod) { pod.Status.QOSClass = corev1.PodQOSBestEffort },
			opts: in136,
			want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "empty pod-level resources are added", change: func(pod *corev1.Pod) { pod.Spec.Resources = &corev1.ResourceRequirements{} },
			want: []string{"spec: Forbidden: only cpu and memory resources are mutable"}},
		{name: "a cluster that cannot resize pod-level resources", old: podLevel, opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}},
			want: []string{podLevelOff}},
		{name: "pod-level resources that a cluster drops", opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}, change: podLevel},
		{name: "a cluster without pod-level resources, which would make the pod Guaranteed", old: func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8", "memory", "8Gi"), Limits: testkit.List("cpu", "8", "memory", "8Gi")}
		}, opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, want: []string{podLevelOff}},
		{name: "a cluster without pod-level resources", old: podLevel, opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}},
			want: []string{podLevelOff}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			old := resizablePod()
			if test.old != nil {
				test.old(old)
			}
			computeresources.ApplyPodLevelDefaults(&old.Spec, test.opts.Kubernetes) // it is stored
			updated := old.DeepCopy()
			if test.change != nil {
				test.change(updated)
			}
			testkit.NoDiff(t, testkit.Strings(computeresources.ValidateResize(old, updated, test.opts).ErrorList(nil)), test.want)
		})
	}
}

// The texts of ValidatePodResize of v1.33.4, v1.34.2 and v1.35.3, and what 1.33 refuses.
func TestValidateResizeOfOlderReleases(t *testing.T) {
	limit := func(i int, amount string) func(*corev1.Pod) {
		return func(pod *corev1.Pod) {
			pod.Spec.InitContainers[i].Resources.Limits["memory"] = resource.MustParse(amount)
		}
	}
	policy := func(name corev1.ResourceName, restart corev1.ResourceResizeRestartPolicy) func(*corev1.Pod) {
		return func(pod *corev1.Pod) {
			pod.Spec.InitContainers[1].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: name, RestartPolicy: restart}}
		}
	}
	podLevel := func(pod *corev1.Pod) {
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8", "memory", "8Gi")}
		pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""}
	}
	none, mirror := []string(nil), []string{"[]: Forbidden: static pods cannot be resized"}
	lower := []string{"spec.initContainers[1].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer"}
	add := []string{"spec.initContainers[1].resources.limits[memory]: Forbidden: memory limits cannot be added unless resizePolicy is RestartContainer"}
	sidecar := []string{"spec: Forbidden: only cpu and memory resources for sidecar containers are mutable"}
	initOrSidecar := []string{"spec.initContainers[1]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable"}
	asAWhole := []string{"[]: Forbidden: pods with pod-level resources cannot be resized"}
	for _, test := range []struct {
		name        string
		old, change func(*corev1.Pod)
		want        map[string][]string
	}{
		{"a smaller memory limit", nil, limit(1, "1.5Gi"), map[string][]string{"1.33": lower, "1.34": none}},
		{"a larger memory limit", nil, limit(1, "3Gi"), map[string][]string{"1.33": none}},
		{"the same memory limit", nil, limit(1, "2048Mi"), map[string][]string{"1.33": none}},
		{"a smaller memory limit by a restart", policy("memory", corev1.RestartContainer), limit(1, "1.5Gi"), map[string][]string{"1.33": none}},
		{"a smaller memory limit without a restart", policy("memory", corev1.NotRequired), limit(1, "1.5Gi"), map[string][]string{"1.33": lower}},
		{"a smaller memory limit with a policy that is empty", policy("memory", ""), limit(1, "1.5Gi"),
			map[string][]string{"1.33": append([]string{"spec.initContainers[1].resizePolicy: Required value"}, lower...)}},
		{"a smaller memory limit with a restart for cpu", policy("cpu", corev1.RestartContainer), limit(1, "1.5Gi"), map[string][]string{"1.33": lower}},
		{"a new memory limit", func(pod *corev1.Pod) { delete(pod.Spec.InitContainers[1].Resources.Limits, "memory") }, limit(1, "3Gi"), map[string][]string{"1.33": add, "1.34": none}},
		{"a memory limit is removed", nil, func(pod *corev1.Pod) { delete(pod.Spec.InitContainers[1].Resources.Limits, "memory") },
			map[string][]string{"1.33": {"spec.initContainers[1].resources.limits: Forbidden: resource limits cannot be removed"}}},
		{"a smaller memory limit of an init container", nil, limit(0, "1.5Gi"),
			map[string][]string{"1.33": {"spec: Forbidden: resources for non-sidecar init containers are immutable"}, "1.36": none}},
		{"another resource of a sidecar", nil, func(pod *corev1.Pod) {
			pod.Spec.InitContainers[1].Resources.Requests["ephemeral-storage"] = resource.MustParse("2Gi")
		}, map[string][]string{"1.33": sidecar, "1.34": sidecar, "1.35": sidecar, "1.36": initOrSidecar, "": initOrSidecar}},
		{"pod-level resources of a mirror pod", podLevel, nil, map[string][]string{"1.33": asAWhole, "1.34": asAWhole, "1.35": mirror, "1.36": mirror}},
		{"pod-level resources of the request, which are dropped", nil, func(pod *corev1.Pod) { podLevel(pod) }, map[string][]string{"1.33": none, "1.34": none, "1.35": none}},
	} {
		for release, want := range test.want {
			old := resizablePod()
			if test.old != nil {
				test.old(old)
			}
			updated := old.DeepCopy()
			if test.change != nil {
				test.change(updated)
			}
			opts := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: release}}
			testkit.NoDiff(t, testkit.Strings(computeresources.ValidateResize(old, updated, opts).ErrorList(nil)), want, test.name, "of", release)
		}
	}
	// A gate that is set counts in every release.
	old := resizablePod()
	podLevel(old)
	opts := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{
		Release: "1.34", InPlacePodLevelResourcesVerticalScaling: testkit.On(),
	}}
	testkit.NoDiff(t, testkit.Strings(computeresources.ValidateResize(old, old, opts).ErrorList(nil)), mirror)
}

// What the server stores has the resources and policies of the request, and nothing else of it, as long as it has the
// same containers.
func TestApplyResize(t *testing.T) {
	old := resizablePod()
	updated := old.DeepCopy()
	updated.Labels, updated.Spec.NodeName = map[string]string{"a": "b"}, "node-2"
	want := old.DeepCopy()
	policy := []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}}
	for _, spec := range []*corev1.PodSpec{&updated.Spec, &want.Spec} {
		spec.InitContainers[0].Resources.Requests = testkit.List("cpu", "1500m")
		spec.InitContainers[1].Resources.Limits = testkit.List("cpu", "3")
		spec.Containers[0].Resources.Requests, spec.Containers[0].ResizePolicy = testkit.List("cpu", "2"), policy
	}
	updated.Spec.Containers[0].Image = "other"
	for _, with := range []*corev1.Pod{updated, nil} {
		computeresources.ApplyResize(old, with, computeresources.ResizeOptions{})
		testkit.NoDiff(t, old, want)
	}
	updated.Spec.Containers = append(updated.Spec.Containers, corev1.Container{Name: "other"})
	computeresources.ApplyResize(old, updated, computeresources.ResizeOptions{})
	testkit.NoDiff(t, old.Spec, updated.Spec)
	computeresources.ApplyResize(nil, updated, computeresources.ResizeOptions{})
}

// A renamed container is the one of the request.
func TestRefOfARenamedContainer(t *testing.T) {
	old := resizablePod()
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Name = "other"
	problems := computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{})
	if len(problems) != 1 || problems[0].Ref.Name != "other" {
		t.Errorf("%+v", problems)
	}
}

// The Ref of a problem has the name of the container, not its image.
func TestRefOfResizes(t *testing.T) {
	old := resizablePod()
	for _, c := range computeresources.Containers(&old.Spec) {
		c.Image = "registry/" + c.Name
	}
	updated := old.DeepCopy()
	var want []computeresources.Ref
	for i, c := range updated.Spec.InitContainers {
		c.Resources.Requests["ephemeral-storage"] = resource.MustParse("2Gi")
		kind := []computeresources.Kind{computeresources.Init, computeresources.Sidecar}[i]
		want = append(want, computeresources.Ref{Kind: kind, Index: i, Name: c.Name})
	}
	var got []computeresources.Ref
	for _, p := range computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}) {
		got = append(got, p.Ref)
	}
	testkit.NoDiff(t, got, want)
	got = nil
	without := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: "1.35"}}
	for _, p := range computeresources.ValidateResize(old, updated, without) {
		got = append(got, p.Ref)
	}
	testkit.NoDiff(t, got, want, "of 1.35")
	old.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8")}
	off := computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}
	found := computeresources.ValidateResize(old, old, off)
	testkit.Equal(t, found[0].Ref, computeresources.Ref{Kind: computeresources.Pod})
}

func TestResizeOfNilPods(t *testing.T) {
	testkit.NoDiff(t, computeresources.ValidateResize(nil, nil, computeresources.ResizeOptions{}), nil)
	got := computeresources.ValidateResize(resizablePod(), nil, computeresources.ResizeOptions{})
	if want := computeresources.ResizeAddsOrRemovesContainers; len(got) == 0 || got[len(got)-1].Cause != want {
		t.Errorf("without an update: %v", got)
	}
}

// The fields of a problem agree with its text, at any path.
func TestResizeProblemFields(t *testing.T) {
	old, updated := resizablePod(), resizablePod()
	updated.Spec.InitContainers[1].Resources.Limits = testkit.List("cpu", "500m")
	found := computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{})
	if len(found) != 2 {
		t.Fatalf("%v", found)
	}
	proxy := computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}
	if p := found[0]; p.Ref != proxy || p.List != computeresources.Requests || p.Resource != "cpu" || p.Invalid == nil || p.Invalid.Cause != computeresources.RequestAboveLimit {
		t.Errorf("the request: %+v", p)
	}
	if p := found[1]; p.Ref != proxy || p.List != computeresources.Limits || p.Resource != "memory" || p.Cause != computeresources.ResizeRemovesAmount {
		t.Errorf("the limit: %+v", p)
	}
	want := "pod.initContainers[1].resources.limits: Forbidden: resource limits cannot be removed"
	testkit.Equal(t, found[1].Field(field.NewPath("pod")).Error(), want)
	testkit.Equal(t, (&computeresources.ResizeProblem{Cause: "Other"}).Field(field.NewPath("pod")).Error(), "pod: Forbidden: Other")
	for i := range updated.Spec.InitContainers {
		updated.Spec.InitContainers[i].Resources.Requests = testkit.List("cpu", "2", "memory", "2Gi")
		updated.Spec.InitContainers[i].Resources.Limits = testkit.List("cpu", "2", "memory", "2Gi")
	}
	old.Status.QOSClass = ""
	updated.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "1Gi")
	found = computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{})
	if p := found[0]; p.Cause != computeresources.ResizeChangesClass || p.ClassBefore != corev1.PodQOSBurstable || p.ClassAfter != corev1.PodQOSGuaranteed {
		t.Errorf("the class: %+v", p)
	}
}

// linuxNode has 4 CPUs and 8Gi allocatable, and declares both features that a resize may need.
func linuxNode() *corev1.Node {
	node := &corev1.Node{}
	node.Name, node.Labels = "node-1", map[string]string{corev1.LabelOSStable: "linux"}
	node.Status.Allocatable = testkit.List("cpu", "4", "memory", "8Gi")
	node.Status.DeclaredFeatures = []string{"InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers", "Other"}
	return node
}

func TestValidateResizeOnNode(t *testing.T) {
	request := func(container string, name corev1.ResourceName, amount string) func(*corev1.Pod) {
		return func(pod *corev1.Pod) {
			for ref, c := range computeresources.Containers(&pod.Spec) {
				if ref.Name == container {
					c.Resources.Requests[name] = resource.MustParse(amount)
				}
			}
		}
	}
	const setup, proxy, app = "setup", "proxy", "app"
	podLevel := func(amount string) func(*corev1.Pod) {
		return func(pod *corev1.Pod) {
			pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", amount)}
		}
	}
	tests := []struct {
		name   string
		old    func(*corev1.Pod)  // changes both pods
		change func(*corev1.Pod)  // changes the updated one
		node   func(*corev1.Node) // changes the node
		opts   computeresources.ResizeOptions
		want   []string
	}{
		{name: "within the node", change: request(app, "cpu", "1500m")},
		{name: "exactly as much as the node has", change: request(app, "cpu", "3")},
		{name: "one milli-unit more", change: request(app, "cpu", "3001m"),
			want: []string{"node didn't have enough allocatable resources: cpu, requested: 4001, allocatable: 4000"}},
		{name: "cpu and memory", change: func(pod *corev1.Pod) { request(app, "cpu", "5")(pod); request(app, "memory", "8Gi")(pod) },
			want: []string{"node didn't have enough allocatable resources: cpu, requested: 6000, allocatable: 4000; memory, requested: 9663676416, allocatable: 8589934592"}},
		{name: "with overhead", old: func(pod *corev1.Pod) { pod.Spec.Overhead = testkit.List("cpu", "1m") }, change: request(app, "cpu", "3"),
			want: []string{"node didn't have enough allocatable resources: cpu, requested: 4001, allocatable: 4000"}},
		{name: "the status is ignored", old: func(pod *corev1.Pod) {
			pod.Status.ContainerStatuses[0].Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "100")}
		}, change: request(app, "cpu", "3")},
		{name: "other resources do not count", change: request(app, "cpu", "2"), node: func(node *corev1.Node) { delete(node.Status.Allocatable, "ephemeral-storage") }},
		{name: "a resource that the node does not have", change: request(app, "cpu", "2"), node: func(node *corev1.Node) { delete(node.Status.Allocatable, "memory") },
			want: []string{"node didn't have enough allocatable resources: memory, requested: 2147483648, allocatable: 0"}},
		{name: "a decrease for a pod that is too large", old: request(app, "cpu", "9"), change: request(app, "cpu", "7"),
			want: []string{"node didn't have enough allocatable resources: cpu, requested: 8000, allocatable: 4000"}},
		{name: "no change for a pod that is too large", old: request(app, "cpu", "9")},
		{name: "written differently only", old: request(app, "cpu", "9"), change: request(app, "cpu", "9000m")},
		{name: "changes that the server ignores", old: request(app, "cpu", "9"), change: func(pod *corev1.Pod) { pod.Spec.Containers[0].Image = "other" }},
		{name: "only a resize policy changes", old: request(app, "cpu", "9"), change: func(pod *corev1.Pod) {
			pod.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}}
		}, want: []string{"node didn't have enough allocatable resources: cpu, requested: 10000, allocatable: 4000"}},
		{name: "no node yet", old: func(pod *corev1.Pod) { pod.Spec.NodeName = "" }, change: request(app, "cpu", "9")},
		{name: "a node named by the update only", old: func(pod *corev1.Pod) { pod.Spec.NodeName = "" }, change: func(pod *corev1.Pod) {
			request(app, "cpu", "9")(pod)
			pod.Spec.NodeName = "node-1"
		}},

		{name: "windows", change: request(app, "cpu", "2"), node: func(node *corev1.Node) { node.Labels[corev1.LabelOSStable] = "windows" },
			want: []string{`pod resize is only supported on linux nodes, node "node-1" is "windows"`}},
		{name: "an empty label", change: request(app, "cpu", "2"), node: func(node *corev1.Node) { node.Labels[corev1.LabelOSStable] = "" },
			want: []string{`pod resize is only supported on linux nodes, node "node-1" is ""`}},
		{name: "no label", change: request(app, "cpu", "2"), node: func(node *corev1.Node) { node.Labels = nil }},

		{name: "pod-level resources", old: podLevel("2"), change: podLevel("3")},
		{name: "pod-level resources above the node", old: podLevel("2"), change: podLevel("5"),
			want: []string{"node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000"}},
		{name: "pod-level resources on a node without the feature", old: podLevel("2"), change: podLevel("3"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = node.Status.DeclaredFeatures[1:] },
			want: []string{`pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "node-1"`}},
		{name: "pod-level resources that stay need no feature", old: podLevel("2"), change: request(app, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil }},
		{name: "an init container on a node without the feature", change: request(setup, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = []string{"Other"} },
			want: []string{`pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "node-1"`}},
		{name: "two init containers lack one feature", old: func(pod *corev1.Pod) {
			second := *pod.Spec.InitContainers[0].DeepCopy()
			second.Name = "setup-2"
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, second)
		}, change: func(pod *corev1.Pod) { request(setup, "cpu", "500m")(pod); request("setup-2", "cpu", "500m")(pod) },
			node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil },
			want: []string{`pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "node-1"`}},
		{name: "the last of several init containers", old: func(pod *corev1.Pod) {
			second := *pod.Spec.InitContainers[0].DeepCopy()
			second.Name = "setup-2"
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, second)
		}, change: request("setup-2", "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil },
			want: []string{`pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "node-1"`}},
		{name: "pod-level resources that 1.36 removes need the feature", old: podLevel("2"), change: func(pod *corev1.Pod) { pod.Spec.Resources = nil }, node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil },
			opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{Release: "1.36"}},
			want: []string{`pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "node-1"`}},
		{name: "a sidecar needs no feature", change: request(proxy, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil }},
		{name: "a cluster in which nodes do not declare features", change: request(setup, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil },
			opts: computeresources.ResizeOptions{Kubernetes: computeresources.Kubernetes{NodeDeclaredFeatures: testkit.Off()}}},
		{name: "everything at once", old: podLevel("2"), change: func(pod *corev1.Pod) { podLevel("5")(pod); request(setup, "cpu", "500m")(pod) }, node: func(node *corev1.Node) {
			node.Status.DeclaredFeatures, node.Labels[corev1.LabelOSStable] = nil, "windows"
		}, want: []string{
			`pod update requires features InPlacePodLevelResourcesVerticalScaling, InPlacePodVerticalScalingInitContainers which are not available on node "node-1"`,
			`pod resize is only supported on linux nodes, node "node-1" is "windows"`,
			"node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000",
		}},
		{name: "containers removed", change: func(pod *corev1.Pod) { pod.Spec.InitContainers = nil }, node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			old, node := resizablePod(), linuxNode()
			old.Spec.NodeName = "node-1"
			if test.old != nil {
				test.old(old)
			}
			computeresources.ApplyPodLevelDefaults(&old.Spec, test.opts.Kubernetes) // it is stored
			updated := old.DeepCopy()
			if test.change != nil {
				test.change(updated)
			}
			if test.node != nil {
				test.node(node)
			}
			problems := computeresources.ValidateResizeOnNode(old, updated, node, test.opts)
			var got []string
			for i := range problems {
				got = append(got, problems[i].Error())
			}
			testkit.NoDiff(t, got, test.want)
			if err := problems.Err(); (err != nil) != (len(test.want) > 0) {
				t.Errorf("Err: %v", err)
			}
			testkit.Contract(t, func() any { return computeresources.ValidateResizeOnNode(old, updated, node, test.opts) }, old, updated, node)
			for i, p := range problems {
				testkit.Contract(t, func() any { return p.Error() }, problems)
				if err := p.Field(field.NewPath("pod")); err.Error() != "pod: Forbidden: "+test.want[i] {
					t.Errorf("as the error of a field: %v", err)
				}
			}
		})
	}
}

func TestValidateResizeOnNodeOfNothing(t *testing.T) {
	pod, node := resizablePod(), linuxNode()
	pod.Spec.NodeName = "node-1"
	larger := pod.DeepCopy()
	larger.Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("9")
	for name, got := range map[string]computeresources.Problems[*computeresources.ResizeProblem]{
		"no old pod":     computeresources.ValidateResizeOnNode(nil, larger, node, computeresources.ResizeOptions{}),
		"no updated pod": computeresources.ValidateResizeOnNode(pod, nil, node, computeresources.ResizeOptions{}),
		"no node":        computeresources.ValidateResizeOnNode(pod, larger, nil, computeresources.ResizeOptions{}),
	} {
		if got != nil || got.Err() != nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// Amounts beyond 64 bits are the largest integer in the message.
func TestShortOfBeyond64Bits(t *testing.T) {
	p := computeresources.ResizeProblem{
		Cause: computeresources.ResizeNodeIsTooSmall, Requested: testkit.List("cpu", "1E", "memory", "16Ei"),
		Allocatable: testkit.List("cpu", "1100u", "memory", "1500m"),
	}
	testkit.Equal(t, p.Error(), "node didn't have enough allocatable resources: cpu, requested: 9223372036854775807, allocatable: 2; "+
		"memory, requested: 9223372036854775807, allocatable: 2")
}
