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
	reused := corev1.ResourceList{}
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
			Kernel: "pod quota usage", Rival: "kubernetes v1.36.3 quota evaluator", AtLeast: 5, Aim: 8, Allocs: 2,
			Ours:   func() { usageSink = quota.Pod(ours, now, quota.PodOptions{}).Usage() },
			Theirs: usage,
		},
		{
			Kernel: "pod quota usage, reused list", Rival: "kubernetes v1.36.3 quota evaluator", AtLeast: 5, Aim: 8,
			Ours:   func() { usageSink = quota.Pod(ours, now, quota.PodOptions{}).UsageInto(reused) },
			Theirs: usage,
		},
		{
			Kernel: "does it fit (4 resources)", Rival: "apiserver v0.36.3 Mask+Add+LessThanOrEqual", AtLeast: 6, Aim: 12,
			Ours:   func() { fitSink = quota.Fits(requested, used, hard) },
			Theirs: func() { fitSink = upstreamFits(theirHard, theirUsed, theirRequested) },
		},
	}
}

// upstreamFits is what the admission plugin does with each quota.
func upstreamFits(hard, used, requested corev1.ResourceList) bool {
	delta := upstreamquota.Mask(requested, upstreamquota.ResourceNames(hard))
	sum := upstreamquota.Mask(upstreamquota.Add(used, delta), upstreamquota.ResourceNames(delta))
	fits, _ := upstreamquota.LessThanOrEqual(sum, hard)
	return fits
}
