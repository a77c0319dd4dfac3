package conformance

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/structured"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// deviceNames are resources that a DeviceClass provides, or might.
var deviceNames = []corev1.ResourceName{
	"example.com/gpu", "example.com/other", "deviceclass.resource.kubernetes.io/gold", "deviceclass.resource.kubernetes.io/iron",
}

// deviceManager stands in for the scheduler's view of devices: the class of each resource.
type deviceManager struct {
	classes map[corev1.ResourceName]*resourcev1.DeviceClass
}

func (m *deviceManager) ResourceClaims() fwk.ResourceClaimTracker     { return claimTracker{} }
func (m *deviceManager) ResourceSlices() fwk.ResourceSliceLister      { return m }
func (m *deviceManager) DeviceClasses() fwk.DeviceClassLister         { return nil }
func (m *deviceManager) DeviceClassResolver() fwk.DeviceClassResolver { return m }
func (m *deviceManager) PodGroups() fwk.PodGroupLister                { return nil }

func (m *deviceManager) GetDeviceClass(name corev1.ResourceName) *resourcev1.DeviceClass {
	return m.classes[name]
}

// claimTracker knows no allocated devices.
type claimTracker struct{ fwk.ResourceClaimTracker }

func (claimTracker) GatherAllocatedState() (*structured.AllocatedState, error) {
	return &structured.AllocatedState{}, nil
}

// newDeviceHandle returns what the plugins ask for devices, and what it answers from.
func newDeviceHandle(t *testing.T) (fwk.Handle, *deviceManager) {
	t.Helper()
	m := &deviceManager{}
	handle, err := runtime.NewFramework(context.Background(), nil, nil, runtime.WithSharedDRAManager(m))
	testkit.OK(t, err)
	return handle, m
}

// drawDeviceClasses draws device classes, as the scheduler gets them from m and as options have them.
func drawDeviceClasses(t *rapid.T, m *deviceManager) noderesources.FitOptions {
	*m = deviceManager{classes: map[corev1.ResourceName]*resourcev1.DeviceClass{}}
	opts := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{}}
	for _, name := range []string{"gold", "iron"} {
		if !rapid.Bool().Draw(t, "has class") {
			continue
		}
		class := &resourcev1.DeviceClass{}
		class.Name = name
		extended := rapid.SampledFrom([]corev1.ResourceName{"", "example.com/gpu", "example.com/other"}).Draw(t, "extended resource")
		opts.ExtendedResources[name] = extended
		m.classes[corev1.ResourceName(resourcev1.ResourceDeviceClassPrefix+name)] = class
		if extended != "" {
			m.classes[extended] = class
		}
	}
	return opts
}

// drawDeviceList draws none, few or some of the resources behind devices, and much of cpu.
func drawDeviceList(t *rapid.T, label, cpu string) corev1.ResourceList {
	list := testkit.List("cpu", cpu, "pods", "100")
	for _, name := range deviceNames {
		if rapid.Bool().Draw(t, label+" has") {
			list[name] = resourcelist.Quantity(name, rapid.Int64Range(0, 4).Draw(t, label))
		}
	}
	return list
}

// drawDeviceNode draws a node, and a pod that is to be placed.
func drawDeviceNode(t *rapid.T) (*framework.NodeInfo, *noderesources.Ledger, *corev1.Pod) {
	node := &corev1.Node{}
	node.Name = "n"
	node.Status.Allocatable = drawDeviceList(t, "allocatable", "8")
	info := framework.NewNodeInfo()
	info.SetNode(node.DeepCopy())
	ledger := noderesources.NewLedger(node.Status.Allocatable)
	draw := func(label string) *corev1.Pod {
		pod := &corev1.Pod{}
		requests := drawDeviceList(t, label, "1")
		delete(requests, "pods")
		pod.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: requests, Limits: requests}}}
		return pod
	}
	if rapid.Bool().Draw(t, "has pod") {
		pod := draw("pod there")
		info.AddPod(pod.DeepCopy())
		testkit.OK(t, ledger.Add("", noderesources.PodRequest(pod, computeresources.Options{Kubernetes: kubernetes})))
	}
	return info, ledger, draw("pod")
}

// What the scheduler leaves to dynamic resource allocation, on a node and on the nodes of a cluster.
func TestNodeResourcesFilterOfDeviceClasses(t *testing.T) {
	ctx := context.Background()
	handle, manager := newDeviceHandle(t)
	args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.LeastAllocated}}
	rapid.Check(t, func(t *rapid.T) {
		opts := drawDeviceClasses(t, manager)
		args.IgnoredResources = nil
		if rapid.Bool().Draw(t, "ignored") {
			args.IgnoredResources = []string{"example.com/gpu"}
			opts.IgnoredResources = []corev1.ResourceName{"example.com/gpu"}
		}
		plugin, err := upstream.NewFit(ctx, args, handle, feature.Features{EnablePodLevelResources: true, EnableDRAExtendedResource: true})
		testkit.OK(t, err)
		info, ledger, pod := drawDeviceNode(t)
		state := framework.NewCycleState()
		if _, status := plugin.(*upstream.Fit).PreFilter(ctx, state, pod.DeepCopy(), nil); status != nil {
			t.Fatal(status)
		}
		status := plugin.(*upstream.Fit).Filter(ctx, state, pod.DeepCopy(), info)
		var want []string
		if status != nil {
			want = slices.Sorted(slices.Values(status.Reasons()))
		}
		var got []string
		shortages := ledger.Shortages(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), opts)
		for _, s := range shortages {
			got = append(got, s.Error())
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if unresolvable := status.Code().String() == "UnschedulableAndUnresolvable"; shortages.Unresolvable() != unresolvable {
			t.Fatalf("unresolvable: %v, want %v", !unresolvable, unresolvable)
		}
	})
}
