package steps_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// rangeOf returns a LimitRange of one item.
func rangeOf(name string, item corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
	lr.Name = name
	return lr
}

// podLevel returns the plan at the pod level after the changes of TaskLevel, with the conflicts of both.
func podLevel(
	spec *corev1.PodSpec, run steps.TaskRun, isStep steps.Predicate, ns *admit.Namespace, opts division.Options,
) steps.PodLevelPlan {
	changes, conflicts := steps.TaskLevel(spec, run, isStep, opts)
	plan := steps.PodLevel(spec, changes, []steps.TaskRun{run}, isStep, ns)
	plan.Conflicts = append(conflicts, plan.Conflicts...)
	return plan
}

// namespaceOf returns a namespace with those of the LimitRanges that the API server stores.
func namespaceOf(ranges []*corev1.LimitRange, opts admit.Options) *admit.Namespace {
	var valid []*corev1.LimitRange
	for _, lr := range ranges {
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, opts); err == nil {
			valid = append(valid, lr)
		}
	}
	namespace, _ := admit.Compile(valid, nil, opts)
	return namespace
}

// Requirements at the pod level save what quotas count of the limits of one resource, whatever is limited besides.
func TestPodLevelSavesOneResource(t *testing.T) {
	spec := pod(step("step-a", "", ""), step("step-b", "", ""), testkit.Container("sidecar-c", nil, testkit.List("cpu", "1", "memory", "1Gi")))
	for _, test := range []struct {
		limits        corev1.ResourceList
		divided, want string
		saves         bool
	}{{cpu("2"), "cpu=5,memory=1Gi", "cpu=3,memory=1Gi", true}, {nil, "cpu=1,memory=1Gi", "cpu=1,memory=1Gi", false}} {
		r := requirements(cpu("1"), test.limits)
		plan := podLevel(spec, steps.TaskRun{ComputeResources: &r}, steps.TektonStep, namespaceOf(nil, admit.Options{}), division.Options{})
		testkit.Equal(t, resourcelist.String(plan.Divided.Limits), test.divided)
		testkit.Equal(t, resourcelist.String(plan.PodLevel.Limits), test.want)
		testkit.Equal(t, plan.Saves, test.saves)
	}
}

func TestPodLevel(t *testing.T) {
	two := func(more ...corev1.Container) *corev1.PodSpec {
		return pod(append([]corev1.Container{step("step-a", "", ""), step("step-b", "", "")}, more...)...)
	}
	task := func(requests, limits corev1.ResourceList) steps.TaskRun {
		r := requirements(requests, limits)
		return steps.TaskRun{ComputeResources: &r}
	}
	withPodLevel := func(spec *corev1.PodSpec, r corev1.ResourceRequirements) *corev1.PodSpec {
		spec.Resources = &r
		return spec
	}
	for _, test := range []struct {
		name      string
		spec      *corev1.PodSpec
		run       steps.TaskRun
		item      corev1.LimitRangeItem
		want      []string // at the pod level
		conflicts []string
		counted   [4]string // requests and limits of Divided, and of PodLevel
	}{
		{"requests and limits", two(), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 1", "pod: set the cpu limit to 2"}, nil, [4]string{"cpu=1", "cpu=4", "cpu=1", "cpu=2"}},
		{"requests alone", two(), task(cpu("1"), nil), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 1"}, nil, [4]string{"cpu=1", "", "cpu=1", ""}},
		{"limits stand in for requests", two(), task(nil, cpu("2")), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 2", "pod: set the cpu limit to 2"}, nil, [4]string{"cpu=2", "cpu=4", "cpu=2", "cpu=2"}},
		{"steps and a sidecar", two(step("sidecar-c", "500m", "1")), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 1500m", "pod: set the cpu limit to 3"}, nil, [4]string{"cpu=1500m", "cpu=5", "cpu=1500m", "cpu=3"}},
		{"a sidecar without a limit", two(step("sidecar-c", "500m", "")), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 1500m"}, nil, [4]string{"cpu=1500m", "cpu=4", "cpu=1500m", "cpu=4"}},
		{"a sidecar that gets the defaults", two(step("sidecar-c", "", "")), task(cpu("1"), cpu("2")), bounded(cpu("500m"), cpu("1"), nil, nil, nil),
			[]string{"pod: set the cpu request to 1500m", "pod: set the cpu limit to 3"}, nil, [4]string{"cpu=1500m", "cpu=5", "cpu=1500m", "cpu=3"}},
		{"another resource, with larger defaults of LimitRanges", two(corev1.Container{Name: "sidecar-c", Resources: requirements(cpu("100m"), nil)}), task(testkit.List("memory", "1Gi"), nil), bounded(cpu("200m"), nil, nil, nil, nil),
			[]string{"pod: set the memory request to 1Gi"}, nil, [4]string{"cpu=500m,memory=1Gi", "", "cpu=500m,memory=1Gi", ""}},
		{"another resource, with larger defaults of LimitRanges, in 1.36", two(corev1.Container{Name: "sidecar-c", Resources: requirements(cpu("100m"), nil)}), task(testkit.List("memory", "1Gi"), nil), bounded(cpu("200m"), nil, nil, nil, nil),
			[]string{"pod: set the memory request to 1Gi", "pod: set the cpu request to 500m"}, nil, [4]string{"cpu=500m,memory=1Gi", "", "cpu=500m,memory=1Gi", ""}},
		{"hugepages, and cpu from LimitRanges", two(), task(testkit.List("hugepages-2Mi", "2Mi"), testkit.List("hugepages-2Mi", "2Mi")), bounded(cpu("200m"), nil, nil, nil, nil),
			[]string{"pod: set the hugepages-2Mi request to 2Mi", "pod: set the hugepages-2Mi limit to 2Mi"}, nil,
			[4]string{"cpu=400m,hugepages-2Mi=2Mi", "hugepages-2Mi=2Mi", "cpu=400m,hugepages-2Mi=2Mi", "hugepages-2Mi=2Mi"}},
		{"hugepages, and cpu from LimitRanges, in 1.36", two(), task(testkit.List("hugepages-2Mi", "2Mi"), testkit.List("hugepages-2Mi", "2Mi")), bounded(cpu("200m"), nil, nil, nil, nil),
			[]string{"pod: set the hugepages-2Mi request to 2Mi", "pod: set the hugepages-2Mi limit to 2Mi", "pod: set the cpu request to 400m"}, nil,
			[4]string{"cpu=400m,hugepages-2Mi=2Mi", "hugepages-2Mi=2Mi", "cpu=400m,hugepages-2Mi=2Mi", "hugepages-2Mi=2Mi"}},
		{"another resource, with hugepages of a LimitRange for one container, in 1.36", pod(step("step-a", "", ""), corev1.Container{Name: "sidecar-c", Resources: requirements(testkit.List("hugepages-2Mi", "2Mi"), testkit.List("hugepages-2Mi", "2Mi"))}), task(testkit.List("memory", "1Gi"), nil),
			corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: testkit.List("hugepages-2Mi", "4Mi")},
			[]string{"pod: set the memory request to 1Gi", "pod: set the hugepages-2Mi request to 6Mi", "pod: set the hugepages-2Mi limit to 6Mi"}, nil,
			[4]string{"hugepages-2Mi=6Mi,memory=1Gi", "hugepages-2Mi=6Mi", "hugepages-2Mi=6Mi,memory=1Gi", "hugepages-2Mi=6Mi"}},
		{"another resource, with defaults of LimitRanges only", two(), task(testkit.List("memory", "1Gi"), nil), bounded(cpu("200m"), nil, nil, nil, nil),
			[]string{"pod: set the memory request to 1Gi"}, nil, [4]string{"cpu=400m,memory=1Gi", "", "cpu=400m,memory=1Gi", ""}},
		{"a resource that cannot be set at pod level", two(), task(testkit.List("ephemeral-storage", "1Gi"), gpu("1")), corev1.LimitRangeItem{}, nil, nil,
			[4]string{"ephemeral-storage=1Gi,nvidia.com/gpu=1", "nvidia.com/gpu=1", "ephemeral-storage=1Gi,nvidia.com/gpu=1", "nvidia.com/gpu=1"}},
		{"a resource that is set at pod level", withPodLevel(two(), requirements(cpu("9"), nil)), task(cpu("1"), nil), corev1.LimitRangeItem{}, nil, nil,
			[4]string{"cpu=9", "", "cpu=9", ""}},
		{"a resource with a pod-level limit", withPodLevel(two(), requirements(nil, cpu("9"))), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{}, nil, nil,
			[4]string{"cpu=1", "cpu=9", "cpu=1", "cpu=9"}},
		{"more than a step may use", two(), task(cpu("3"), cpu("2")), corev1.LimitRangeItem{}, nil,
			[]string{"pod cpu: the request is above the limit: request 3, limit 2"}, [4]string{"cpu=3", "cpu=4", "cpu=3", "cpu=4"}},
		{"overhead is not of the containers", func() *corev1.PodSpec { s := two(); s.Overhead = cpu("1"); return s }(), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{},
			[]string{"pod: set the cpu request to 1", "pod: set the cpu limit to 2"}, nil, [4]string{"cpu=2", "cpu=5", "cpu=2", "cpu=3"}},
		{"no requirements", two(), steps.TaskRun{}, corev1.LimitRangeItem{}, nil, nil, [4]string{}},
		{"no steps", pod(step("a", "1", "2")), task(cpu("1"), cpu("2")), corev1.LimitRangeItem{}, nil, nil, [4]string{"cpu=1", "cpu=2", "cpu=1", "cpu=2"}},
		{"no spec", nil, task(cpu("1"), cpu("2")), corev1.LimitRangeItem{}, nil, nil, [4]string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var opts admit.Options
			if strings.HasSuffix(test.name, "in 1.36") {
				opts.Kubernetes.Release = "1.36"
			}
			namespace := namespaceOf([]*corev1.LimitRange{rangeOf("a", test.item)}, opts)
			plan := podLevel(test.spec, test.run, steps.TektonStep, namespace, division.Options{})
			var changes []computeresources.Change
			for _, c := range plan.Changes {
				if c.Ref.Kind == computeresources.Pod {
					changes = append(changes, c)
				}
			}
			ofSteps, _ := steps.TaskLevel(test.spec, test.run, steps.TektonStep, division.Options{})
			testkit.Equal(t, len(ofSteps)+len(changes), len(plan.Changes), "changes", sentences(plan.Changes))
			testkit.NoDiff(t, sentences(changes), test.want, "changes")
			testkit.NoDiff(t, sentences(plan.Conflicts[max(0, len(plan.Conflicts)-len(test.conflicts)):]), test.conflicts, "conflicts")
			for _, c := range plan.Conflicts {
				for _, v := range c.Values {
					testkit.Equal(t, v.Ref, c.Ref, "what is in conflict")
				}
			}
			var counted [4]string
			for i, list := range []corev1.ResourceList{plan.Divided.Requests, plan.Divided.Limits, plan.PodLevel.Requests, plan.PodLevel.Limits} {
				counted[i] = resourcelist.String(list)
			}
			testkit.NoDiff(t, counted, test.counted, "counted")
		})
	}
}

// A cluster without pod-level resources drops them: there is nothing to gain.
func TestPodLevelIgnored(t *testing.T) {
	task := requirements(cpu("1"), cpu("2"))
	namespace := namespaceOf(nil, admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}})
	plan := podLevel(pod(step("step-a", "", ""), step("step-b", "", "")), steps.TaskRun{ComputeResources: &task}, steps.TektonStep, namespace, division.Options{})
	testkit.Equal(t, plan.PodLevel.Limits.Cpu().String(), "4", "counted", resourcelist.String(plan.PodLevel.Limits))
}

// The pod level costs nothing: quotas count the same requests, and the same limits or less.
// LimitRanges for containers that admit the divided amounts also admit the pod.
func TestPodLevelCostsNothing(t *testing.T) {
	raised, less := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spec, isStep := ordinarySpecs(divided).Draw(t, "spec"), predicates(t)
		var ranges []*corev1.LimitRange
		if rapid.Bool().Draw(t, "with ranges") {
			ranges = ordinaryRanges(divided).Draw(t, "ranges")
		}
		run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{}}
		for _, name := range []corev1.ResourceName{"cpu", "hugepages-2Mi", "memory"} {
			draw(t, name, []*corev1.ResourceList{&run.ComputeResources.Requests, &run.ComputeResources.Limits}, []int{2, 2})
		}
		if rapid.Bool().Draw(t, "limits of two steps") {
			spec, run.ComputeResources = pod(step("a", "", ""), step("b", "", "")), &corev1.ResourceRequirements{Requests: cpu("1"), Limits: cpu("2")}
			isStep = steps.TektonStep
			if rapid.Bool().Draw(t, "named as Tekton does") {
				spec = pod(step("step-a", "", ""), step("step-b", "", ""))
			}
		}
		opts := admit.Options{Kubernetes: computeresources.Kubernetes{Release: rapid.SampledFrom([]string{"1.36", "1.37"}).Draw(t, "release")}}
		plan := podLevel(spec, run, isStep, namespaceOf(ranges, opts), divisions(t))
		if plan.Divided.Decision.Admitted() && !plan.PodLevel.Decision.Admitted() {
			t.Fatalf("rejected after %v: %v", sentences(plan.Changes), plan.PodLevel.Decision.Refusals)
		}
		if !plan.Divided.Decision.Admitted() {
			return
		}
		if !resourcelist.Equals(resourcelist.RemoveZeros(plan.Divided.Requests), resourcelist.RemoveZeros(plan.PodLevel.Requests)) {
			t.Fatalf("requests %v become %v", plan.Divided.Requests, plan.PodLevel.Requests)
		}
		for name, q := range plan.PodLevel.Limits {
			switch before := plan.Divided.Limits[name]; q.Cmp(before) {
			case 1:
				t.Fatalf("%s: the limit %s becomes %s", name, before.String(), q.String())
			case -1:
				less++
			}
		}
		if plan.PodLevel.Decision.Object.(*corev1.Pod).Spec.Resources != nil {
			raised++
		}
	})
	if !testing.Short() && (raised == 0 || less == 0) {
		t.Errorf("%d with pod-level amounts, %d limits less", raised, less)
	}
}

// A pod that is refused either way saves nothing.
func TestPodLevelOfARefusedPod(t *testing.T) {
	task := requirements(cpu("1"), nil)
	in := environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("pods", "0"))}}
	plan := steps.PodLevel(pod(step("step-a", "", "")), nil, []steps.TaskRun{{ComputeResources: &task}}, steps.TektonStep, in.compiled().Namespace)
	testkit.Equal(t, plan.Divided.Decision.Admitted() || plan.PodLevel.Decision.Admitted() || plan.Saves, false)
}
