package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	upstreamquota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var (
	usageSink corev1.ResourceList
	fitSink   bool
)

func quotaRows() []measure.Row {
	ours, theirs := testkit.StandardPod(false), testkit.StandardPod(false)
	reused, again := corev1.ResourceList{}, corev1.ResourceList{}
	now := time.Now()
	usage := func() {
		list, err := core.PodUsageFunc(theirs, clock.RealClock{})
		if err != nil {
			panic(err)
		}
		usageSink = list
	}
	hard := testkit.List("requests.cpu", "10", "requests.memory", "20Gi", "limits.cpu", "20", "limits.memory", "40Gi")
	used := testkit.List("requests.cpu", "2500m", "requests.memory", "3Gi", "limits.cpu", "5", "limits.memory", "6Gi")
	requested := testkit.List("requests.cpu", "100m", "requests.memory", "128Mi", "limits.cpu", "200m", "limits.memory", "256Mi")
	theirHard, theirUsed, theirRequested := hard.DeepCopy(), used.DeepCopy(), requested.DeepCopy()
	return []measure.Row{
		{
			Kernel: "pod quota usage", Rival: kubernetes + " quota evaluator", AtLeast: 5, Aim: 8, Allocs: 2,
			Floor: func() {
				floorSink, usedSink = lookUps(&ours.Spec), insertUsage(make(corev1.ResourceList, 8))
			},
			Ours:   func() { usageSink = quota.Pod(ours, now, quota.PodOptions{}).Usage() },
			Theirs: usage,
		},
		{
			Kernel: "pod quota usage, reused list", Rival: kubernetes + " quota evaluator", AtLeast: 5, Aim: 8,
			Floor: func() {
				clear(again)
				floorSink, usedSink = lookUps(&ours.Spec), insertUsage(again)
			},
			Above:  "a third of the time sums up the pod by its kinds of containers, and a quarter inserts the amounts",
			Ours:   func() { usageSink = quota.Pod(ours, now, quota.PodOptions{}).UsageInto(reused) },
			Theirs: usage,
		},
		{
			Kernel: "does it fit (4 resources)", Rival: module("k8s.io/apiserver") + " Mask+Add+LessThanOrEqual", AtLeast: 6, Aim: 12,
			Floor:  func() { floorSink = compareAmounts(requested, used, hard) },
			Ours:   func() { fitSink = quota.WithinHard(requested, used, hard) },
			Theirs: func() { fitSink = upstreamFits(theirHard, theirUsed, theirRequested) },
		},
	}
}

// recountBesideEvaluator is about 100,000 pods that a quota of four resources counts: their usage with
// kubemath, and with the functions of the quota controller. The pods are 1,000, a hundred times
// each, as so many would not fit into memory twice.
func recountBesideEvaluator() (ours, theirs func(), _ time.Duration) {
	const all, different = 100_000, 1_000
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1M", "requests.cpu", "1M", "requests.memory", "1Ei", "limits.cpu", "1M")}}
	now := time.Now()
	objects, pods := make([]quota.Object, all), make([]*corev1.Pod, all)
	for i := range different {
		own, upstreams := testkit.StandardPod(i%4 == 0), testkit.StandardPod(i%4 == 0)
		for j := i; j < all; j += different {
			objects[j], pods[j] = quota.Pod(own, now, quota.PodOptions{}), upstreams
		}
	}
	names := upstreamquota.ResourceNames(q.Spec.Hard)
	ours = func() {
		status, err := quota.CalculateUsage(objects, q)
		if err != nil {
			panic(err)
		}
		usageSink = status.Used
	}
	theirs = func() {
		used := corev1.ResourceList{}
		for _, pod := range pods {
			usage, err := core.PodUsageFunc(pod, clock.RealClock{})
			if err != nil {
				panic(err)
			}
			used = upstreamquota.Add(used, upstreamquota.Mask(usage, names))
		}
		usageSink = used
	}
	return ours, theirs, 0
}

// upstreamFits is what the admission plugin does with each quota.
func upstreamFits(hard, used, requested corev1.ResourceList) bool {
	delta := upstreamquota.Mask(requested, upstreamquota.ResourceNames(hard))
	sum := upstreamquota.Mask(upstreamquota.Add(used, delta), upstreamquota.ResourceNames(delta))
	fits, _ := upstreamquota.LessThanOrEqual(sum, hard)
	return fits
}
