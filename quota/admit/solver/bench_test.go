package solver_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// large is a pod of many containers, each third a sidecar or an init container if mixed,
// and a problem in five resources.
func large(containers int, mixed bool) (*corev1.PodSpec, solver.Objects) {
	spec := &corev1.PodSpec{}
	for i := range containers {
		name := fmt.Sprint("c-", i)
		requests := testkit.List("cpu", fmt.Sprint(10+i, "m"), "memory", fmt.Sprint(16+i, "Mi"))
		switch limits := testkit.List("ephemeral-storage", "1Gi"); {
		case mixed && i%3 == 1:
			spec.InitContainers = append(spec.InitContainers, testkit.Sidecar(name, requests, limits))
		case mixed && i%3 == 2:
			spec.InitContainers = append(spec.InitContainers, testkit.Container(name, nil, nil))
		case i%2 == 0:
			spec.Containers = append(spec.Containers, testkit.Container(name, requests, limits))
		default:
			spec.Containers = append(spec.Containers, testkit.Container(name, nil, nil))
		}
	}
	return spec, solver.Objects{
		Items: []solver.RangeItem{
			{Source: source("LimitRange containers"), Item: corev1.LimitRangeItem{
				Type:                 corev1.LimitTypeContainer,
				Min:                  testkit.List("cpu", "5m", "memory", "4Mi", "ephemeral-storage", "1Mi"),
				Max:                  testkit.List("cpu", "4", "memory", "8Gi"),
				MaxLimitRequestRatio: testkit.List("cpu", "4"),
			}},
			{Source: source("LimitRange pods"), Item: corev1.LimitRangeItem{
				Type: corev1.LimitTypePod,
				Max:  testkit.List("cpu", "40", "memory", "80Gi", "hugepages-2Mi", "0", "example.com/gpu", "4"),
			}},
		},
		Budgets: []solver.Budget{{Source: source("ResourceQuota compute"), Remaining: testkit.List("requests.cpu", "20", "limits.memory", "40Gi")}},
	}
}

func BenchmarkSolve(b *testing.B) {
	run := func(name string, spec *corev1.PodSpec, p solver.Objects) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				solution, err := solver.SolveObjects(spec, p)
				testkit.Keep(solution)
				testkit.Keep(err)
			}
		})
	}
	standard := testkit.StandardPod(false)
	_, p := large(0, false)
	run("5 containers", &standard.Spec, p)
	spec, p := large(100, false)
	run("100 containers", spec, p)
	raised := p
	raised.Items = append(raised.Items[:2:2], solver.RangeItem{Source: source("LimitRange more"), Item: corev1.LimitRangeItem{
		Type:                 corev1.LimitTypePod,
		Min:                  testkit.List("cpu", "15", "memory", "30Gi"),
		MaxLimitRequestRatio: testkit.List("ephemeral-storage", "2"),
	}})
	run("100 containers, raised", spec, raised)
	mixed, _ := large(100, true)
	run("100 containers of all kinds, raised", mixed, raised)
	crowded := p
	crowded.Items = append(crowded.Items[:2:2], solver.RangeItem{Source: source("LimitRange small"), Item: corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "70m"),
	}})
	run("100 containers, contradiction of 2", spec, crowded)
	short := p
	short.Budgets = []solver.Budget{{Source: source("ResourceQuota compute"), Remaining: testkit.List("requests.cpu", "2")}}
	run("100 containers, contradiction of many", spec, short)
}

// initContainers is a pod of many init containers, half of them sidecars, that have to give up their ratios. Each
// of its sums has to be tried.
func initContainers(n int) (*corev1.PodSpec, []solver.Recommendation, solver.Input) {
	spec := &corev1.PodSpec{}
	var recs []solver.Recommendation
	for i := range n {
		kind := testkit.Container
		if i%2 == 0 {
			kind = testkit.Sidecar
		}
		name, requests := fmt.Sprint("c-", i), testkit.List("memory", fmt.Sprint(16+i, "Mi"))
		spec.InitContainers = append(spec.InitContainers, kind(name, requests, testkit.List("memory", "1Gi")))
		recs = append(recs, solver.Recommendation{Ref: computeresources.Ref{Name: name}, Requests: requests, KeepLimits: i%3 == 0})
	}
	return spec, recs, inputOf(solver.Objects{Items: []solver.RangeItem{{Source: source("LimitRange pods"), Item: corev1.LimitRangeItem{
		Type:                 corev1.LimitTypePod,
		MaxLimitRequestRatio: testkit.List("memory", "1.5"),
		Min:                  testkit.List("memory", "64Mi"),
	}}}})
}

func BenchmarkRightSize(b *testing.B) {
	run := func(name string, spec *corev1.PodSpec, recs []solver.Recommendation, in solver.Input) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sized, err := solver.RightSize(spec, recs, in)
				testkit.Keep(sized)
				testkit.Keep(err)
			}
		})
	}
	spec, recs, in := initContainers(100)
	run("100 init containers, ratios given up", spec, recs, in)
	spec, recs, in = manyContainers(300, false)
	run("300 containers, ratios above that of a LimitRange", spec, recs, in)
	spec, recs, in = manyContainers(300, true)
	run("300 containers, ratios given up", spec, recs, in)
}
