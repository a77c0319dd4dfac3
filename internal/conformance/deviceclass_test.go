package conformance

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
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

// deviceManager stands in for the scheduler's view of devices: the class of each resource, and one slice
// of devices for all nodes.
type deviceManager struct {
	classes   map[corev1.ResourceName]*resourcev1.DeviceClass
	devices   noderesources.Devices
	allocated sets.Set[structured.DeviceID]
}

func (m *deviceManager) ResourceClaims() fwk.ResourceClaimTracker     { return claimTracker{m: m} }
func (m *deviceManager) ResourceSlices() fwk.ResourceSliceLister      { return m }
func (m *deviceManager) DeviceClasses() fwk.DeviceClassLister         { return nil }
func (m *deviceManager) DeviceClassResolver() fwk.DeviceClassResolver { return m }
func (m *deviceManager) PodGroups() fwk.PodGroupLister                { return nil }

func (m *deviceManager) GetDeviceClass(name corev1.ResourceName) *resourcev1.DeviceClass {
	return m.classes[name]
}

func (m *deviceManager) ListWithDeviceTaintRules() ([]*resourcev1.ResourceSlice, error) {
	slice := &resourcev1.ResourceSlice{Spec: resourcev1.ResourceSliceSpec{Driver: "d", AllNodes: new(bool), Pool: resourcev1.ResourcePool{Name: "p"}}}
	*slice.Spec.AllNodes = true
	for i := range m.devices.Capacity {
		slice.Spec.Devices = append(slice.Spec.Devices, resourcev1.Device{Name: fmt.Sprint("device-", i)})
	}
	return []*resourcev1.ResourceSlice{slice}, nil
}

// claimTracker knows which devices are allocated, the only question of the score plugins.
type claimTracker struct {
	fwk.ResourceClaimTracker
	m *deviceManager
}

func (c claimTracker) GatherAllocatedState() (*structured.AllocatedState, error) {
	return &structured.AllocatedState{AllocatedDevices: c.m.allocated}, nil
}

// newDeviceHandle returns what the plugins ask for devices, and what it answers from.
func newDeviceHandle(t *testing.T) (fwk.Handle, *deviceManager) {
	t.Helper()
	m := &deviceManager{}
	handle, err := runtime.NewFramework(context.Background(), nil, nil, runtime.WithSharedDRAManager(m))
	if err != nil {
		t.Fatal(err)
	}
	return handle, m
}

// drawDeviceClasses draws device classes and devices, as the scheduler gets them from m and as options have
// them.
func drawDeviceClasses(t *rapid.T, m *deviceManager) (map[corev1.ResourceName]noderesources.Devices, noderesources.FitOptions) {
	*m = deviceManager{classes: map[corev1.ResourceName]*resourcev1.DeviceClass{}, allocated: sets.Set[structured.DeviceID]{}}
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
	m.devices.Capacity = rapid.Int64Range(0, 5).Draw(t, "devices")
	m.devices.Allocated = rapid.Int64Range(0, m.devices.Capacity).Draw(t, "allocated devices")
	for i := range m.devices.Allocated {
		m.allocated.Insert(structured.MakeDeviceID("d", "p", fmt.Sprint("device-", i)))
	}
	devices := map[corev1.ResourceName]noderesources.Devices{}
	for name := range m.classes {
		devices[name] = m.devices
	}
	return devices, opts
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
	ledger := noderesources.New(node.Status.Allocatable)
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
		if err := ledger.Add("", noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
			t.Fatal(err)
		}
	}
	return info, ledger, draw("pod")
}

// What the scheduler leaves to dynamic resource allocation, on a node and on the nodes of a cluster.
func TestNodeResourcesFilterOfDeviceClasses(t *testing.T) {
	ctx := context.Background()
	handle, manager := newDeviceHandle(t)
	args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.LeastAllocated}}
	rapid.Check(t, func(t *rapid.T) {
		devices, opts := drawDeviceClasses(t, manager)
		if args.IgnoredResources = nil; rapid.Bool().Draw(t, "ignored") {
			args.IgnoredResources = []string{"example.com/gpu"}
			opts.IgnoredResources = []corev1.ResourceName{"example.com/gpu"}
		}
		plugin, err := upstream.NewFit(ctx, args, handle, feature.Features{EnablePodLevelResources: true, EnableDRAExtendedResource: true})
		if err != nil {
			t.Fatal(err)
		}
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
		ledger.SetDevices(devices) // which change no verdict
		var got []string
		shortages := ledger.Shortages(noderesources.SpecRequest(&pod.Spec, computeresources.Options{}), opts)
		for _, s := range shortages {
			got = append(got, s.Error())
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if unresolvable := status.Code().String() == "UnschedulableAndUnresolvable"; shortages.Unresolvable() != unresolvable {
			t.Fatalf("unresolvable: %v, want %v", !unresolvable, unresolvable)
		}
	})
}

// How the plugins score a node by its devices.
func TestNodeResourcesScoresOfDevices(t *testing.T) {
	ctx := context.Background()
	handle, manager := newDeviceHandle(t)
	gates := feature.Features{EnablePodLevelResources: true, EnableDRAExtendedResource: true}
	rapid.Check(t, func(t *rapid.T) {
		devices, _ := drawDeviceClasses(t, manager)
		info, ledger, pod := drawDeviceNode(t)
		ledger.SetDevices(devices)
		var opts noderesources.ScoreOptions
		var resources []config.ResourceSpec
		for _, name := range append([]corev1.ResourceName{"cpu"}, deviceNames...) {
			opts.Resources = append(opts.Resources, noderesources.ResourceWeight{Name: name, Weight: 1})
			resources = append(resources, config.ResourceSpec{Name: string(name), Weight: 1})
		}
		opts.Strategy = rapid.SampledFrom([]noderesources.Strategy{
			noderesources.LeastAllocated, noderesources.MostAllocated, noderesources.BalancedAllocation,
		}).Draw(t, "strategy")
		var plugin fwk.ScorePlugin
		if opts.Strategy == noderesources.BalancedAllocation {
			p, err := upstream.NewBalancedAllocation(ctx, &config.NodeResourcesBalancedAllocationArgs{Resources: resources}, handle, gates)
			if err != nil {
				t.Fatal(err)
			}
			plugin = p.(fwk.ScorePlugin)
		} else {
			args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.ScoringStrategyType(opts.Strategy), Resources: resources}}
			p, err := upstream.NewFit(ctx, args, handle, gates)
			if err != nil {
				t.Fatal(err)
			}
			plugin = p.(fwk.ScorePlugin)
		}
		scorer, err := noderesources.NewScorer(opts)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := plugin.Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
		if got := ledger.Score(noderesources.SpecRequest(&pod.Spec, computeresources.Options{}), noderesources.Profile{{Scorer: scorer}}); got != want {
			t.Fatalf("%s: %d, want %d", opts.Strategy, got, want)
		}
	})
}
