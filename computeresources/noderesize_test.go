package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
		{name: "a sidecar needs no feature", change: request(proxy, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil }},
		{name: "a cluster in which nodes do not declare features", change: request(setup, "cpu", "500m"), node: func(node *corev1.Node) { node.Status.DeclaredFeatures = nil },
			opts: computeresources.ResizeOptions{Gates: computeresources.Gates{NodeDeclaredFeatures: testkit.Off()}}},
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
