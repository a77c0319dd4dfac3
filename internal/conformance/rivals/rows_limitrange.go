package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// The results of the measured functions are stored here.
var (
	violationSink computeresources.Problems[*limitrange.Violation]
	defaultSink   []computeresources.Change
	errorSink     error
	messageSink   string
)

// limitRangeRows are about a pod that satisfies a LimitRange with all kinds of bounds, and that sets
// all amounts for which there are defaults; and the same pod with a limit above the maximum, which is refused with a message.
func limitRangeRows() []measure.Row {
	ours, theirs := testkit.StandardPod(false), internalPod(testkit.StandardPod(false))
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{
			Type:                 corev1.LimitTypeContainer,
			Min:                  testkit.List("cpu", "10m", "memory", "1Mi"),
			Max:                  testkit.List("cpu", "16", "memory", "64Gi"),
			MaxLimitRequestRatio: testkit.List("cpu", "16", "memory", "16"),
			Default:              testkit.List("cpu", "1", "memory", "1Gi"),
			DefaultRequest:       testkit.List("cpu", "100m", "memory", "128Mi"),
		},
		{Type: corev1.LimitTypePod, Max: testkit.List("cpu", "64", "memory", "256Gi")},
	}}}
	policy := limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{})
	refused := ours.DeepCopy()
	refused.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "17", "memory", "256Mi")
	theirsRefused := internalPod(refused)
	return []measure.Row{
		{
			Kernel: "LimitRange validation, passing pod", Rival: kubernetes + " LimitRanger", AtLeast: 4, Aim: 4,
			Floor:  func() { floorSink = lookUps(&ours.Spec) },
			Ours:   func() { violationSink = policy.Validate(nil, &ours.Spec) },
			Theirs: func() { errorSink = oracle.PodViolations(lr, theirs, nil) },
		},
		{
			Kernel: "LimitRange validation, refused pod", Rival: kubernetes + " LimitRanger", AtLeast: 2.5, Aim: 3, Allocs: 14,
			Floor:  func() { floorSink = lookUps(&refused.Spec) },
			Ours:   func() { messageSink = policy.Validate(nil, &refused.Spec).Err().Error() },
			Theirs: func() { messageSink = oracle.PodViolations(lr, theirsRefused, nil).Error() },
		},
		{
			Kernel: "LimitRange defaults, nothing to do", Rival: kubernetes + " LimitRanger", AtLeast: 5, Aim: 10,
			Floor:  func() { floorSink = present(&ours.Spec) },
			Ours:   func() { defaultSink = policy.ApplyDefaults(&ours.Spec) },
			Theirs: func() { errorSink = limitranger.PodMutateLimitFunc(lr, theirs) },
		},
	}
}

// internalPod returns a pod in the types of the API server.
func internalPod(pod *corev1.Pod) *core.Pod {
	out := &core.Pod{}
	if err := upstream.Convert_v1_Pod_To_core_Pod(pod, out, nil); err != nil {
		panic(err)
	}
	return out
}
