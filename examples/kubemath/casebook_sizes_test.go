package main_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// sizeCases are questions about the amounts that containers should have.
var sizeCases = []libraryCase{
	{
		name:     "limit that keeps its ratio",
		question: "A vertical autoscaler recommends 3Gi for a container with 1Gi and a limit of 4Gi: which limit does it get?",
		source:   "kubernetes/autoscaler#8401: 12Gi, by the ratio",
		got: func(t *testing.T) string {
			return sized(t, &podOf("web", "memory=1Gi", "memory=4Gi").Spec, "", solver.Recommendation{Ref: computeresources.Ref{Name: "app"}, Requests: list("memory=3Gi")})
		},
		want: "app 3Gi 12Gi",
	},
	{
		name:     "limit that keeps its ratio under a maximum",
		question: "The same in a namespace with a maximum of 10Gi: what is admitted?",
		source:   "kubernetes/autoscaler#8401: at most 2560Mi, a quarter of the maximum",
		got: func(t *testing.T) string {
			return sized(t, &podOf("web", "memory=1Gi", "memory=4Gi").Spec, `{spec: {limits: [{type: Container, max: {memory: 10Gi}}]}}`,
				solver.Recommendation{Ref: computeresources.Ref{Name: "app"}, Requests: list("memory=3Gi")})
		},
		want: "app 2560Mi 10Gi",
	},
	{
		name:     "limit that is kept",
		question: "With RequestsOnly, does the limit stay?",
		source:   "kubernetes/autoscaler#7063: it stays",
		got: func(t *testing.T) string {
			return sized(t, &podOf("web", "memory=1Gi", "memory=4Gi").Spec, "", solver.Recommendation{Ref: computeresources.Ref{Name: "app"}, Requests: list("memory=3Gi"), KeepLimits: true})
		},
		want: "app 3Gi 4Gi",
	},
	{
		name:     "two containers under the maximum of a pod",
		question: "Two containers of 600Mi and 100Mi, and a maximum of 400Mi for the pod: do the amounts fit?",
		source:   "kubernetes/autoscaler#8776, #3868: they add up to 400Mi exactly, 6 to 1",
		got: func(t *testing.T) string {
			spec := &podOf("web", "memory=60Mi", "memory=60Mi").Spec
			spec.Containers = append(spec.Containers, containerOf("proxy", "memory=10Mi", "memory=10Mi"))
			return sized(t, spec, `{spec: {limits: [{type: Pod, max: {memory: 400Mi}}]}}`,
				solver.Recommendation{Ref: computeresources.Ref{Name: "app"}, Requests: list("memory=600Mi")},
				solver.Recommendation{Ref: computeresources.Ref{Name: "proxy"}, Requests: list("memory=100Mi")})
		},
		want: "app 359511772 359511772; proxy 59918628 59918628",
	},
	{
		name:     "recommendation for a second container",
		question: "Why does the sidecar keep its 100Mi, if 6Mi are recommended for the app container of its name?",
		source:   "pkg/apis/core/validation/validation.go (validateContainers), v1.36.3: names of containers are unique, so kind and name are enough",
		got: func(t *testing.T) string {
			spec := &podOf("web", "memory=50Mi", "").Spec
			spec.Containers = append(spec.Containers, containerOf("second", "memory=100Mi", ""))
			return sized(t, spec, "", solver.Recommendation{Ref: computeresources.Ref{Kind: computeresources.App, Name: "second"}, Requests: list("memory=6Mi")})
		},
		want: "app 50Mi 0; second 6Mi 0",
	},
	{
		name:     "recommendation for a container that is not there",
		question: "Is a misspelled name of a container an error?",
		source:   "the rule of Ref in computeresources: what a name does not find is an error",
		got: func(*testing.T) string {
			_, err := solver.RightSize(&podOf("web", "memory=50Mi", "").Spec, []solver.Recommendation{{Ref: computeresources.Ref{Name: "ap"}, Requests: list("memory=6Mi")}}, solver.Input{})
			return fmt.Sprint(err != nil)
		},
		want: "true",
	},
	{
		name:     "ratio of a LimitRange",
		question: "The LimitRange allows a ratio of 2, my container has none yet: which limit must a request of 1Gi get?",
		source:   "kubernetes/autoscaler#1812; plugin/pkg/admission/limitranger/admission.go, v1.36.3: a ratio requires both, and the smallest limit is the request",
		got: func(t *testing.T) string {
			return sized(t, &podOf("web", "memory=512Mi", "").Spec, `{spec: {limits: [{type: Container, maxLimitRequestRatio: {memory: 2}}]}}`,
				solver.Recommendation{Ref: computeresources.Ref{Name: "app"}, Requests: list("memory=1Gi")})
		},
		want: "app 1Gi 1Gi",
	},
	{
		name:     "request above the limit",
		question: "must be less than or equal to cpu limit: which field does it mean, if the second container is wrong?",
		source:   "kubernetes/kubernetes#112835; pkg/apis/core/validation/validation.go, v1.36.3",
		got: func(*testing.T) string {
			spec := &podOf("web", "", "").Spec
			spec.Containers = append(spec.Containers, containerOf("proxy", "cpu=2", "cpu=1"))
			return fmt.Sprint(computeresources.Validate(nil, spec, computeresources.Kubernetes{}).ErrorList(nil).ToAggregate())
		},
		want: `spec.containers[1].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
	},
	{
		name:     "memory in m instead of Mi",
		question: "I wrote memory: 512m: does anything tell me?",
		source:   "zalando-incubator/kubernetes-on-aws#278; pkg/api/pod/warnings.go, v1.36.3",
		got: func(*testing.T) string {
			return lines(computeresources.SpecWarnings(&podOf("web", "memory=512m", "").Spec, nil))
		},
		want: `spec.containers[0].resources.requests[memory]: fractional byte value "512m" is invalid, must be an integer`,
	},
	{
		name:     "steps of a TaskRun",
		question: "All containers of a TaskRun's pod are combined: what counts, and what is used at a time?",
		source:   "tektoncd/pipeline#598, #1791; tektoncd/pipeline, docs/compute-resources.md: 3 x 3Gi count, and the steps use 3Gi one after another",
		got: func(*testing.T) string {
			spec := &corev1.PodSpec{Containers: []corev1.Container{containerOf("step-a", "memory=3Gi", ""), containerOf("step-b", "memory=3Gi", ""), containerOf("step-c", "memory=3Gi", "")}}
			return resourcelist.String(computeresources.SpecRequests(spec, computeresources.Options{})) + " " + resourcelist.String(steps.PeakRequests(spec, steps.TektonStep, computeresources.Options{}))
		},
		want: "memory=9Gi memory=3Gi",
	},
	{
		name:     "default request among steps",
		question: "Three steps without amounts, and a default request of 1 CPU: what does the pod request?",
		source:   "tektoncd/pipeline#7148; docs/compute-resources.md at 3ee1745a: the default request, divided among the steps; each step has the limit",
		got: func(t *testing.T) string {
			spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-a"}, {Name: "step-b"}}}
			lr := parsed[corev1.LimitRange](t, `{spec: {limits: [{type: Container, default: {cpu: 2}, defaultRequest: {cpu: 1}}]}}`)
			namespace, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{})
			plan := steps.WholePod(spec, nil, steps.Environment{Namespace: namespace}, steps.TektonOptions())
			return fmt.Sprint(resourcelist.String(plan.Effect.Requests), " ", resourcelist.String(plan.Effect.Limits), " ", err)
		},
		want: "cpu=1 cpu=4 <nil>",
	},
	{
		name:     "two LimitRanges",
		question: "A namespace has two LimitRanges: which minimum and maximum hold?",
		source:   "tektoncd/pipeline, docs/limitrange.md: the largest minimum and the smallest maximum",
		got: func(t *testing.T) string {
			one := parsed[corev1.LimitRange](t, `{metadata: {name: one}, spec: {limits: [{type: Container, min: {cpu: 1}, max: {cpu: 3}}]}}`)
			two := parsed[corev1.LimitRange](t, `{metadata: {name: two}, spec: {limits: [{type: Container, min: {cpu: 2}, max: {cpu: 4}}]}}`)
			item := limitrange.AggregateOf([]*corev1.LimitRange{one, two}).Item(corev1.LimitTypeContainer)
			return resourcelist.String(item.Min) + " " + resourcelist.String(item.Max)
		},
		want: "cpu=2 cpu=3",
	},
}

// sized returns the memory requests and limits of the containers, once they are changed as RightSize says.
func sized(t *testing.T, spec *corev1.PodSpec, limitRange string, of ...solver.Recommendation) string {
	t.Helper()
	in := solver.Input{}
	if limitRange != "" {
		in.LimitRanges = []*corev1.LimitRange{parsed[corev1.LimitRange](t, limitRange)}
	}
	answer, err := solver.RightSize(spec, of, in)
	if err == nil {
		err = computeresources.ApplyChanges(spec, answer.Changes)
	}
	testkit.OK(t, err)
	var texts []string
	for _, c := range spec.Containers {
		texts = append(texts, fmt.Sprint(c.Name, " ", c.Resources.Requests.Memory(), " ", c.Resources.Limits.Memory()))
	}
	return lines(texts)
}
