package computeresources_test

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// edits are what a user or the kubelet may have done to a pod, so that the server refuses it, or a resize.
var edits = map[string]func(t *rapid.T, pod *corev1.Pod){
	"amounts": func(t *rapid.T, pod *corev1.Pod) {
		some(t, pod).Resources.Requests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")
		some(t, pod).Resources.Limits = testkit.ResourceList(testkit.Ordinary()).Draw(t, "limits")
	},
	"an amount is removed": func(t *rapid.T, pod *corev1.Pod) {
		r := &some(t, pod).Resources
		delete(rapid.SampledFrom([]corev1.ResourceList{r.Requests, r.Limits}).Draw(t, "list"), rapid.SampledFrom(testkit.ResourceNames).Draw(t, "name"))
	},
	"an unknown resource": func(t *rapid.T, pod *corev1.Pod) { some(t, pod).Resources.Limits = testkit.List("unknown", "1") },
	"hugepages alone": func(t *rapid.T, pod *corev1.Pod) {
		some(t, pod).Resources.Limits = testkit.List("hugepages-2Mi", "3Mi")
	},
	"pod-level resources": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.Resources = &corev1.ResourceRequirements{
			Requests: testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests"),
			Limits:   testkit.ResourceList(testkit.Ordinary()).Draw(t, "limits"),
		}
	},
	"no pod-level resources": func(_ *rapid.T, pod *corev1.Pod) { pod.Spec.Resources = nil },
	"claims": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}, {Name: ""}}
		claims := &some(t, pod).Resources.Claims
		if pod.Spec.Resources != nil && rapid.Bool().Draw(t, "pod level") {
			claims = &pod.Spec.Resources.Claims
		}
		for range 2 {
			*claims = append(*claims, corev1.ResourceClaim{
				Name:    rapid.SampledFrom([]string{"gpu", "gpu", "fpga", ""}).Draw(t, "claim"),
				Request: rapid.SampledFrom([]string{"", "a", "A"}).Draw(t, "request"),
			})
		}
	},
	"a resize policy": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.RestartPolicy = rapid.SampledFrom([]corev1.RestartPolicy{"", corev1.RestartPolicyNever}).Draw(t, "policy of the pod")
		c := some(t, pod)
		c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{
			ResourceName:  rapid.SampledFrom([]corev1.ResourceName{"cpu", "cpu", "memory", "", "hugepages-2Mi"}).Draw(t, "resource"),
			RestartPolicy: rapid.SampledFrom([]corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer, "", "x"}).Draw(t, "policy"),
		})
	},
	"an init container that restarts": func(t *rapid.T, pod *corev1.Pod) {
		for i := range pod.Spec.InitContainers {
			c := &pod.Spec.InitContainers[i]
			c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}}
			c.Resources.Requests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")
		}
	},
	"a container is added": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{})
	},
	"a container is renamed": func(t *rapid.T, pod *corev1.Pod) { some(t, pod).Name += "-2" },
	"windows":                func(_ *rapid.T, pod *corev1.Pod) { pod.Spec.OS = &corev1.PodOS{Name: corev1.Windows} },
	"a mirror pod": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""}
	},
	"a status without resources": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	},
	"a pending resize": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: "Unknown"}}
	},
}

// few leaves a spec with at most eight containers of each list: a hundred find no more where lists are shared or
// compared, and take most of the time.
func few(spec *corev1.PodSpec) *corev1.PodSpec {
	spec.Containers, spec.InitContainers = spec.Containers[:min(8, len(spec.Containers))], spec.InitContainers[:min(8, len(spec.InitContainers))]
	return spec
}

// some draws a container of a pod, and adds one if there is none.
func some(t *rapid.T, pod *corev1.Pod) *corev1.Container {
	var all []*corev1.Container
	for _, c := range computeresources.Containers(&pod.Spec) {
		all = append(all, c)
	}
	if len(all) == 0 {
		pod.Spec.Containers = []corev1.Container{{Name: "app"}}
		return &pod.Spec.Containers[0]
	}
	return rapid.SampledFrom(all).Draw(t, "container")
}

// edited returns a copy of a pod with some edits.
func edited(t *rapid.T, pod *corev1.Pod) *corev1.Pod {
	own := pod.DeepCopy()
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		edits[rapid.SampledFrom(slices.Sorted(maps.Keys(edits))).Draw(t, "edit")](t, own)
	}
	return own
}

// resize is an update of a pod, on a node.
type resize struct {
	old, updated *corev1.Pod
	node         *corev1.Node
	opts         computeresources.ResizeOptions
}

func resizes(t *rapid.T) (r resize) {
	pod := testkit.PodWith(testkit.Ordinary()).Draw(t, "pod")
	few(&pod.Spec)
	pod.Annotations = nil // not many are mirror pods
	if rapid.IntRange(0, 3).Draw(t, "pod level") == 0 {
		edits["pod-level resources"](t, pod)
	}
	r.old = edited(t, pod)
	r.updated, r.old.Spec.NodeName = edited(t, r.old), "node-1"
	r.opts.IgnorePodLevel = rapid.IntRange(0, 4).Draw(t, "ignore pod level") == 0
	for _, gate := range []**bool{&r.opts.PodLevelStatus, &r.opts.InitContainers, &r.opts.NodeDeclaredFeatures} {
		*gate = rapid.SampledFrom([]*bool{nil, nil, testkit.On(), testkit.Off()}).Draw(t, "gate")
	}
	if rapid.IntRange(0, 4).Draw(t, "claimed") == 0 {
		r.opts.ClaimedFromNode = testkit.List("cpu", "1")
	}
	r.node = linuxNode()
	r.node.Labels[corev1.LabelOSStable] = rapid.SampledFrom([]string{"linux", "windows"}).Draw(t, "os")
	r.node.Status.DeclaredFeatures = r.node.Status.DeclaredFeatures[rapid.IntRange(0, 2).Draw(t, "without features"):]
	return r
}

// problems returns all that is wrong with a resize.
func (r resize) problems() computeresources.Problems[*computeresources.ResizeProblem] {
	return append(computeresources.ValidateResize(r.old, r.updated, r.opts), computeresources.ValidateResizeOnNode(r.old, r.updated, r.node, r.opts)...)
}
