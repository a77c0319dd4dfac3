package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	helpers "k8s.io/component-helpers/resource"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	invalidSink  computeresources.Problems[*computeresources.InvalidResource]
	resizeSink   computeresources.Problems[*computeresources.ResizeProblem]
	listSink     field.ErrorList
	admitSink    noderesources.Admission
	overviewSink []noderesources.AllocatedResource
	estimateSink noderesources.Estimate
	totalSink    map[corev1.ResourceName]resource.Quantity
)

// podRows are about what the API server and the kubelet check of a pod, what kubectl describe says of a node, and how many
// nodes pods need: beside the functions of Kubernetes, or what a user writes without any.
func podRows() []measure.Row {
	pod := testkit.StandardPod(false)
	internal, path := internalPod(testkit.StandardPod(false)), field.NewPath("spec")
	resized := pod.DeepCopy()
	resized.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "150m", "memory", "128Mi")
	theirResized := internalPod(resized)
	pods, theirPods := node(), node()
	for i, p := range pods {
		p.UID, theirPods[i].UID = types.UID(fmt.Sprint(i)), types.UID(fmt.Sprint(i))
	}
	allocatable := testkit.List("cpu", "1000", "memory", "4Ti", "ephemeral-storage", "10Ti", "pods", "1000")
	described := &corev1.Node{Status: corev1.NodeStatus{Allocatable: allocatable}}
	requests := make([]noderesources.Request, 1000)
	lists := make([]corev1.ResourceList, len(requests))
	for i := range lists {
		lists[i] = testkit.List("cpu", fmt.Sprint(100+i*37%900, "m"), "memory", fmt.Sprint(128+i*53%4000, "Mi"))
		requests[i] = noderesources.RequestOf(lists[i])
	}
	shape := testkit.List("cpu", "16", "memory", "64Gi", "pods", "110")
	return []measure.Row{
		{
			Kernel: "validation of the resources of a pod", Rival: kubernetes + " validation", AtLeast: 3, Aim: 5,
			Floor: func() { floorSink = present(&pod.Spec) },
			Above: "the name of each resource is checked, and each amount is compared with zero and with its limit",
			Ours:  func() { invalidSink = computeresources.Validate(nil, &pod.Spec, computeresources.Kubernetes{}) },
			Theirs: func() {
				listSink = nil
				for i := range internal.Spec.InitContainers {
					listSink = append(listSink, corevalidation.ValidateContainerResourceRequirements(&internal.Spec.InitContainers[i].Resources,
						sets.Set[string]{}, path.Child("initContainers").Index(i).Child("resources"), corevalidation.PodValidationOptions{})...)
				}
				for i := range internal.Spec.Containers {
					listSink = append(listSink, corevalidation.ValidateContainerResourceRequirements(&internal.Spec.Containers[i].Resources,
						sets.Set[string]{}, path.Child("containers").Index(i).Child("resources"), corevalidation.PodValidationOptions{})...)
				}
			},
		},
		{
			Kernel: "validation of a resize", Rival: kubernetes + " validation of the whole pod", AtLeast: 10, Aim: 15, Allocs: 16,
			Ours: func() { resizeSink = computeresources.ValidateResize(pod, resized, computeresources.ResizeOptions{}) },
			Theirs: func() {
				listSink = corevalidation.ValidatePodResize(theirResized, internal, corevalidation.PodValidationOptions{})
			},
		},
		{
			Kernel: fmt.Sprintf("a pod that a node of %d pods admits", len(pods)), Rival: "the kubelet's check of " + kubernetes, AtLeast: 50, Aim: 100, Allocs: 160,
			Ours: func() { admitSink = noderesources.AdmitPod(pod, allocatable, pods, noderesources.KubeletOptions{}) },
			Theirs: func() {
				info := framework.NewNodeInfo(theirPods...)
				info.SetNode(described)
				admissionCheck(pod, info)
			},
		},
		{
			Kernel: fmt.Sprintf("kubectl describe of a node with %d pods", len(pods)), Rival: "component-helpers, added up", AtLeast: 5, Aim: 8, Allocs: 140,
			Ours: func() {
				overviewSink = noderesources.OverviewOf(pods, &described.Status, computeresources.Kubernetes{})
			},
			Theirs: func() { totalSink = addedUp(theirPods) },
		},
		{
			Kernel: "how many nodes 1000 pods need", Rival: "first fit decreasing over quantities", AtLeast: 50, Aim: 80, Allocs: 200,
			Ours: func() {
				estimateSink = noderesources.EstimateNodes(requests, noderesources.NewLedger(shape), noderesources.EstimateOptions{})
			},
			Theirs: func() { intSink = firstFitDecreasing(lists, shape) },
		},
	}
}

// addedUp returns the requests and, after "limits.", the limits of pods, as kubectl describe adds them up.
func addedUp(pods []*corev1.Pod) map[corev1.ResourceName]resource.Quantity {
	sums := map[corev1.ResourceName]resource.Quantity{}
	add := func(prefix corev1.ResourceName, list corev1.ResourceList) {
		for name, q := range list {
			sum := sums[prefix+name]
			sum.Add(q)
			sums[prefix+name] = sum
		}
	}
	for _, p := range pods {
		if p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed {
			add("", helpers.PodRequests(p, helpers.PodResourcesOptions{}))
			add("limits.", helpers.PodLimits(p, helpers.PodResourcesOptions{}))
		}
	}
	return sums
}

// firstFitDecreasing returns how many nodes of a shape pods need, the largest part of a node first.
func firstFitDecreasing(pods []corev1.ResourceList, shape corev1.ResourceList) int {
	part := func(list corev1.ResourceList) (most float64) {
		for name, q := range list {
			of := shape[name]
			most = max(most, q.AsApproximateFloat64()/of.AsApproximateFloat64())
		}
		return most
	}
	sorted := slices.Clone(pods)
	slices.SortStableFunc(sorted, func(a, b corev1.ResourceList) int {
		if x, y := part(a), part(b); x > y {
			return -1
		} else if x < y {
			return 1
		}
		return 0
	})
	var free []corev1.ResourceList
	fits := func(want, in corev1.ResourceList) bool {
		for name, q := range want {
			if left := in[name]; left.Cmp(q) < 0 {
				return false
			}
		}
		return true
	}
	for _, want := range sorted {
		i := slices.IndexFunc(free, func(in corev1.ResourceList) bool { return fits(want, in) })
		if i < 0 {
			i = len(free)
			free = append(free, shape.DeepCopy())
		}
		for name, q := range want {
			left := free[i][name]
			left.Sub(q)
			free[i][name] = left
		}
	}
	return len(free)
}
