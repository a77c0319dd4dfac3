package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	upstreamquota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

var (
	decisionSink admit.Decision
	outcomesSink admit.Outcomes
)

// admitRows are about a pod that is admitted to a namespace with two LimitRanges and two quotas: by
// kubemath, and by the functions that the API server calls in turn, from the pod that a client sends to
// the updated quotas, with the types of the API server.
func admitRows() []measure.Row {
	sent := testkit.StandardPod(false)
	sent.Namespace = "shop"
	for _, containers := range [][]corev1.Container{sent.Spec.Containers, sent.Spec.InitContainers} {
		for i := range containers {
			containers[i].Image = "registry.example/app"
		}
	}
	ranges, quotas := admitObjects()
	namespace, err := admit.Compile(ranges, quotas, admit.Options{})
	if err != nil {
		panic(err)
	}
	evaluator := evaluators.NewPodEvaluator(nil, clock.RealClock{})
	values := make([]corev1.ResourceQuota, len(quotas))
	for i, q := range quotas {
		values[i] = *q
	}
	return []measure.Row{{
		Kernel: "a pod through a namespace (2 LimitRanges, 2 quotas)", Rival: "the same plugins of " + kubernetes, AtLeast: 6, Aim: 8, Allocs: 31, // 5 containers; most of them is the stored copy
		Floor: func() { // the copy that is stored, its amounts three times, and its usage
			podFloorSink = sent.DeepCopy()
			floorSink = present(&sent.Spec) + lookUps(&sent.Spec) + lookUps(&sent.Spec)
			usedSink = insertUsage(make(corev1.ResourceList, 8))
		},
		Above:  "validation, both LimitRanges, the list of changes, the new usage of both quotas",
		Ours:   func() { decisionSink = namespace.Create(sent, admit.Attributes{}) },
		Theirs: func() { errorSink = throughPlugins(sent, ranges, values, evaluator) },
	}}
}

// possibleScales are about all decisions on a pod that lacks limits, beside one: with one LimitRange, and with three
// that have different defaults.
func possibleScales() (scales []measure.Scale) {
	pod := testkit.StandardPod(false)
	pod.Namespace = "shop"
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Resources.Limits = nil
	}
	for n, atMost := range map[int]float64{1: 1.2, 3: 4} {
		var ranges []*corev1.LimitRange
		for i := range n {
			lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("defaults-", i)}}
			lr.Spec.Limits = []corev1.LimitRangeItem{{
				Type: corev1.LimitTypeContainer, Default: testkit.List("cpu", fmt.Sprint(4+i), "memory", fmt.Sprint(4+i, "Gi")), DefaultRequest: testkit.List("cpu", "100m", "memory", "128Mi"),
			}}
			ranges = append(ranges, lr)
		}
		namespace, err := admit.Compile(ranges, nil, admit.Options{})
		if err != nil {
			panic(err)
		}
		scales = append(scales, measure.Scale{
			Subject: fmt.Sprintf("1000 pods in all orders of LimitRanges (%d)", n), Yardstick: "in one order", AtMost: atMost,
			Prepare: func() (subject, yardstick func(), limit time.Duration) {
				all := func() {
					for range 1000 {
						outcomesSink = namespace.Possible(nil, pod, admit.Attributes{})
					}
				}
				one := func() {
					for range 1000 {
						decisionSink = namespace.Create(pod, admit.Attributes{})
					}
				}
				return all, one, 0
			},
		})
	}
	slices.SortFunc(scales, func(a, b measure.Scale) int { return cmp.Compare(a.Subject, b.Subject) })
	return scales
}

// throughPlugins runs the steps of the API server, and panics if one of them returns an error.
func throughPlugins(sent *corev1.Pod, ranges []*corev1.LimitRange, quotas []corev1.ResourceQuota, evaluator upstreamquota.Evaluator) error {
	own := sent.DeepCopy()
	upstream.SetObjectDefaults_Pod(own)
	pod := internalPod(own)
	for _, lr := range ranges {
		if err := limitranger.PodMutateLimitFunc(lr, pod); err != nil {
			return err
		}
	}
	registry.Strategy.PrepareForCreate(context.Background(), pod)
	if errs := registry.Strategy.Validate(context.Background(), pod); len(errs) > 0 {
		panic(errs.ToAggregate())
	}
	for _, lr := range ranges {
		if err := oracle.PodViolations(lr, pod, nil); err != nil {
			panic(err)
		}
	}
	attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), "shop", pod.Name, core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	if _, err := resourcequota.CheckRequest(quotas, attributes, evaluator, nil); err != nil {
		panic(err)
	}
	return nil
}

// admitObjects returns two LimitRanges and two quotas that the standard pod passes.
func admitObjects() ([]*corev1.LimitRange, []*corev1.ResourceQuota) {
	bounds := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "bounds"}}
	bounds.Spec.Limits = []corev1.LimitRangeItem{
		{
			Type: corev1.LimitTypeContainer, Min: testkit.List("cpu", "10m", "memory", "1Mi"), Max: testkit.List("cpu", "16", "memory", "64Gi"),
			MaxLimitRequestRatio: testkit.List("cpu", "16", "memory", "16"),
			Default:              testkit.List("cpu", "16", "memory", "64Gi"), DefaultRequest: testkit.List("cpu", "16", "memory", "64Gi"),
		},
		{Type: corev1.LimitTypePod, Max: testkit.List("cpu", "64", "memory", "256Gi")},
	}
	defaults := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "defaults"}}
	defaults.Spec.Limits = []corev1.LimitRangeItem{{
		Type: corev1.LimitTypeContainer, Default: testkit.List("cpu", "1", "memory", "1Gi"), DefaultRequest: testkit.List("cpu", "100m", "memory", "128Mi"),
	}}
	quota := func(name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
		return &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			Spec:       corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used},
		}
	}
	return []*corev1.LimitRange{bounds, defaults}, []*corev1.ResourceQuota{
		quota("compute", testkit.List("requests.cpu", "1k", "requests.memory", "2Ti", "limits.cpu", "2k", "limits.memory", "4Ti"),
			testkit.List("requests.cpu", "2500m", "requests.memory", "3Gi", "limits.cpu", "5", "limits.memory", "6Gi")),
		quota("objects", testkit.List("pods", "1k", "services", "5"), testkit.List("pods", "12", "services", "2")),
	}
}
