package conformance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/apis/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures"
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// nodePlugins are the admission plugins that look at the node of a pod that is resized, in the order
// of the API server.
type nodePlugins struct {
	nodes   interface{ Update(obj any) error }
	plugins []admission.ValidationInterface
}

func newNodePlugins(t *testing.T) *nodePlugins {
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), 0)
	features, err := nodedeclaredfeatures.NewPlugin()
	testkit.OK(t, err)
	size, err := podresize.NewPlugin()
	testkit.OK(t, err)
	nodes := factory.Core().V1().Nodes().Informer()
	starts := initializer.New(nil, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, nil, nil)
	starts.Initialize(features)
	starts.Initialize(size)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return &nodePlugins{nodes.GetStore(), []admission.ValidationInterface{features, size}}
}

// answers returns the answer of each plugin about an update, without the wrapping error.
func (p *nodePlugins) answers(t testkit.TB, old, updated *corev1.Pod, node *corev1.Node) (texts []string) {
	if err := p.nodes.Update(node); err != nil {
		t.Fatalf("%v", err)
	}
	theirs, before := corePod(t, updated), corePod(t, old)
	registry.ResizeStrategy.PrepareForUpdate(context.Background(), theirs, before)
	a := admission.NewAttributesRecord(theirs, before, core.Kind("Pod").WithVersion("v1"), "team", "p",
		core.Resource("pods").WithVersion("v1"), "resize", admission.Update, nil, false, nil)
	for _, plugin := range p.plugins {
		if err := plugin.Validate(context.Background(), a, nil); err != nil {
			texts = append(texts, err.Error())
		}
	}
	return texts
}

// first removes messages that repeat a problem that an earlier plugin has reported.
func first(problems computeresources.Problems[*computeresources.ResizeProblem]) (texts []string) {
	seen := map[bool]bool{}
	for i := range problems {
		ofFeatures := problems[i].Cause == computeresources.ResizeNodeLacksFeatures
		if !seen[ofFeatures] {
			texts = append(texts, apierrors.NewForbidden(corev1.Resource("pods"), "p", problems[i]).Error())
		}
		seen[ofFeatures] = true
	}
	return texts
}

func containerNames(pod *corev1.Pod) (names []string) {
	for ref := range computeresources.Containers(&pod.Spec) {
		names = append(names, ref.String())
	}
	return names
}

func TestResizeOnNode(t *testing.T) {
	plugins := newNodePlugins(t)
	causes, accepted := map[computeresources.ResizeCause]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		old, updated := resizePair(t)
		if !slices.Equal(containerNames(old), containerNames(updated)) {
			return // is refused before, and the plugins may panic
		}
		if rapid.IntRange(0, 9).Draw(t, "placed") > 0 {
			old.Spec.NodeName, updated.Spec.NodeName = "node-1", "node-1"
		}
		if rapid.IntRange(0, 3).Draw(t, "overhead") == 0 {
			old.Spec.Overhead = testkit.List("cpu", "1", "memory", "1Gi")
			updated.Spec.Overhead = old.Spec.Overhead.DeepCopy()
		}
		for i, before := range old.Spec.InitContainers { // see TestDivergenceFeaturesForNotation
			if after := &updated.Spec.InitContainers[i]; equality.Semantic.DeepEqual(before.Resources, after.Resources) {
				after.Resources = *before.Resources.DeepCopy()
			}
		}
		node := &corev1.Node{}
		node.Name = "node-1"
		amount := func(amounts ...string) resource.Quantity {
			return resource.MustParse(rapid.SampledFrom(amounts).Draw(t, "allocatable"))
		}
		node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: amount("0", "1", "4", "1E"), corev1.ResourceMemory: amount("1Gi", "1.5Gi", "8Gi", "4E")}
		for _, feature := range []string{"InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers"} {
			if rapid.Bool().Draw(t, "declared") {
				node.Status.DeclaredFeatures = append(node.Status.DeclaredFeatures, feature)
			}
		}
		if os := rapid.SampledFrom([]string{"linux", "linux", "windows", "none"}).Draw(t, "os"); os != "none" {
			node.Labels = map[string]string{corev1.LabelOSStable: os}
		}
		problems := computeresources.ValidateResizeOnNode(old, updated, node, computeresources.ResizeOptions{Kubernetes: kubernetes})
		theirs, ours := plugins.answers(t, old, updated, node), first(problems)
		if len(ours) > 0 && strings.Contains(ours[len(ours)-1], fmt.Sprint(math.MaxInt64)) { // see TestDivergenceResizeBeyond64Bits
			theirs, ours = theirs[:len(theirs)-1], ours[:len(ours)-1]
		}
		testkit.NoDiff(t, ours, theirs)
		if len(problems) == 0 {
			accepted++
		}
		for i := range problems {
			causes[problems[i].Cause]++
		}
	})
	t.Logf("%d accepted; %v", accepted, causes)
	if accepted == 0 || len(causes) != 3 {
		t.Errorf("%d resizes accepted; causes drawn: %v", accepted, causes)
	}
}

// In milli-units, more than nine peta-CPUs are any integer in the message of the plugin, such as 0. Here, they are the
// largest one.
// See docs/decisions/computeresources.md#resize-message-of-huge-cpu.
func TestDivergenceResizeBeyond64Bits(t *testing.T) {
	old := &corev1.Pod{}
	old.Spec.NodeName = "node-1"
	old.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", "1"), nil)}
	storedPod(old)
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1E")
	node := &corev1.Node{}
	node.Name, node.Status.Allocatable = "node-1", testkit.List("cpu", "4", "memory", "1Gi")

	theirs := newNodePlugins(t).answers(t, old, updated, node)
	if len(theirs) != 1 || !strings.Contains(theirs[0], "cpu, requested: ") || strings.Contains(theirs[0], "1000000000000000000000") {
		t.Errorf("kubernetes: got %v", theirs)
	}
	problems := computeresources.ValidateResizeOnNode(old, updated, node, computeresources.ResizeOptions{Kubernetes: kubernetes})
	testkit.Equal(t, problems[0].Error(), "node didn't have enough allocatable resources: cpu, requested: 9223372036854775807, allocatable: 4000")
}

// The plugin compares the objects in memory: if anything else of a pod changes, it treats an amount of an
// init container that is written differently, or an empty list instead of nil, as a change.
// See docs/decisions/computeresources.md#notation-needs-no-feature.
func TestDivergenceFeaturesForNotation(t *testing.T) {
	old := &corev1.Pod{}
	old.Spec.NodeName = "node-1"
	old.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", "1"), nil)}
	old.Spec.InitContainers = []corev1.Container{testkit.Container("setup", testkit.List("cpu", "1"), nil)}
	storedPod(old)
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("2")
	updated.Spec.InitContainers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1000m")
	node := &corev1.Node{}
	node.Name, node.Status.Allocatable = "node-1", testkit.List("cpu", "4")

	theirs := newNodePlugins(t).answers(t, old, updated, node)
	want := []string{`pods "p" is forbidden: pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "node-1"`}
	if !slices.Equal(theirs, want) {
		t.Errorf("kubernetes: got %v, want %v", theirs, want)
	}
	if ours := computeresources.ValidateResizeOnNode(old, updated, node, computeresources.ResizeOptions{Kubernetes: kubernetes}); ours != nil {
		t.Errorf("kubemath: got %v", ours)
	}
}
