package steps_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// explained returns the amounts of a plan, with where they come from: "step-a cpu request - -> 1 (Task spec…)".
func explained(p steps.PodPlan) (all []string) {
	text := func(q *resource.Quantity) string {
		if q == nil {
			return "-"
		}
		return q.String()
	}
	for _, c := range p.Amounts {
		s := c.Source
		from := strings.Join(strings.Fields(s.Kind+" "+s.Name+" "+s.Field), " ")
		name := c.Ref.Name
		if c.Ref.Kind == computeresources.Pod {
			name = "pod"
		}
		all = append(all, fmt.Sprintf("%s %s %s %s -> %s (%s)", name, c.Resource, c.List, text(c.From), text(c.To), from))
	}
	return all
}

func quotaOf(hard corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}}
	q.Name = "quota"
	q.Status.Hard, q.Status.Used = hard, corev1.ResourceList{}
	for name := range hard {
		q.Status.Used[name] = resource.Quantity{}
	}
	return q
}

// Each source, and which of two wins.
// The sums of a pod are those of its cluster: since 1.38, a container without a limit leaves the pod without one.
func TestEffectOfAnUnlimitedStep(t *testing.T) {
	spec := pod(step("step-a", "1", "2"), step("step-b", "3", ""))
	spec.Overhead = testkit.List("cpu", "500m")
	for release, want := range map[string]corev1.ResourceList{"": testkit.List("cpu", "2500m"), "1.38": {}} {
		ns := namespaceOf(nil, admit.Options{Kubernetes: computeresources.Kubernetes{Release: release}})
		e := steps.WholePod(spec, nil, steps.Environment{Namespace: ns, Tekton: steps.Tekton{Complete: true}}, steps.Options{}).Effect
		testkit.NoDiff(t, e.Requests, testkit.List("cpu", "4500m"), release)
		testkit.NoDiff(t, e.Limits, want, release)
	}
}

func TestWholePod(t *testing.T) {
	list := testkit.List
	task := func(requests, limits corev1.ResourceList) steps.TaskRun {
		r := requirements(requests, limits)
		return steps.TaskRun{ComputeResources: &r}
	}
	own := steps.TaskRun{StepPrefix: "step-", SidecarPrefix: "sidecar-"}
	with := func(run steps.TaskRun, change func(*steps.TaskRun)) steps.TaskRun {
		change(&run)
		return run
	}
	override := func(name string, requests corev1.ResourceList) []steps.Override {
		return []steps.Override{{Name: "other"}, {Name: name, Resources: requirements(requests, nil)}}
	}
	template := func(r *steps.TaskRun) { r.Template = requirements(cpu("3"), nil) }
	defaults := map[string]corev1.ResourceRequirements{"default": requirements(cpu("50m"), nil)}
	ranges := func(item corev1.LimitRangeItem) []*corev1.LimitRange {
		return []*corev1.LimitRange{rangeOf("range", item)}
	}
	spec := pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", ""))
	for _, test := range []struct {
		name     string
		spec     *corev1.PodSpec
		runs     []steps.TaskRun
		in       environment
		want     []string
		rejected string
	}{
		{"what the task sets", pod(step("step-a", "1", "2")), nil, environment{}, []string{"step-a cpu request 1 -> 1 ()", "step-a cpu limit 2 -> 2 ()"}, ""},
		{"a request that follows from a limit", pod(step("step-a", "", "2")), nil, environment{},
			[]string{"step-a cpu request - -> 2 (API server)", "step-a cpu limit 2 -> 2 ()"}, ""},
		{"the template", pod(step("step-a", "1", ""), step("step-b", "", "")), []steps.TaskRun{with(own, template)}, environment{},
			[]string{"step-a cpu request 1 -> 1 ()", "step-b cpu request - -> 3 (Task spec.stepTemplate.computeResources.requests[cpu])"}, ""},
		{"an override after the template", pod(step("step-a", "", ""), step("sidecar-a", "", "")), []steps.TaskRun{with(own, func(r *steps.TaskRun) {
			template(r)
			r.StepOverrides, r.SidecarOverrides = override("a", cpu("4")), override("a", cpu("5"))
		})}, environment{}, []string{
			"step-a cpu request - -> 4 (TaskRun spec.stepSpecs[1].computeResources.requests[cpu])",
			"sidecar-a cpu request - -> 5 (TaskRun spec.sidecarSpecs[1].computeResources.requests[cpu])",
		}, ""},
		{"an override whose name is the end of another", pod(step("step-ba", "", "")), []steps.TaskRun{with(own, func(r *steps.TaskRun) {
			template(r)
			r.StepOverrides = override("a", cpu("4"))
		})}, environment{}, []string{"step-ba cpu request - -> 3 (Task spec.stepTemplate.computeResources.requests[cpu])"}, ""},
		{"two overrides of a step", pod(step("step-a", "", "")), []steps.TaskRun{with(own, func(r *steps.TaskRun) {
			r.StepOverrides = []steps.Override{{Name: "a", Resources: requirements(list("cpu", "4", "memory", "1Gi"), nil)}, {Name: "a", Resources: requirements(cpu("5"), nil)}}
		})}, environment{}, []string{
			"step-a cpu request - -> 5 (TaskRun spec.stepSpecs[1].computeResources.requests[cpu])",
		}, "spec.stepSpecs[1].name: Duplicate value"},
		{"333m, and what is removed", pod(step("step-a", "", ""), step("step-b", "", ""), stepOf("memory", "step-c", "1Gi", "")), []steps.TaskRun{task(cpu("1"), nil)}, environment{}, []string{
			"step-a cpu request - -> 333m (TaskRun spec.computeResources.requests[cpu])", "step-b cpu request - -> 333m (TaskRun spec.computeResources.requests[cpu])",
			"step-c cpu request - -> 333m (TaskRun spec.computeResources.requests[cpu])", "step-c memory request 1Gi -> - (TaskRun spec.computeResources.requests[memory])",
		}, ""},
		{"the limit of the task as its request", pod(step("step-a", "", "")), []steps.TaskRun{task(nil, cpu("2"))}, environment{},
			[]string{"step-a cpu request - -> 2 (TaskRun spec.computeResources.limits[cpu])", "step-a cpu limit - -> 2 (TaskRun spec.computeResources.limits[cpu])"}, ""},
		{"a later run replaces an earlier one", pod(step("step-a", "", "")), []steps.TaskRun{
			with(task(cpu("1"), nil), func(r *steps.TaskRun) { r.Source = computeresources.Source{Kind: "Pipeline", Field: "ignored"} }), with(own, func(r *steps.TaskRun) {
				r.StepOverrides, r.Source = override("a", list("memory", "1Gi")), computeresources.Source{Kind: "PipelineRun", Name: "run", Field: "ignored"}
			}),
		}, environment{}, []string{
			"step-a cpu request - -> 1 (Pipeline spec.computeResources.requests[cpu])",
			"step-a memory request - -> 1Gi (PipelineRun run spec.stepSpecs[1].computeResources.requests[memory])",
		}, ""},
		{"the configuration after the run, and before LimitRanges", &corev1.PodSpec{InitContainers: []corev1.Container{step("prepare", "", "")}, Containers: pod(step("step-a", "", ""), step("step-b", "1", "")).Containers}, nil,
			environment{ContainerDefaults: defaults, LimitRanges: ranges(bounded(cpu("2"), nil, nil, nil, nil))}, []string{
				"prepare cpu request - -> 50m (ConfigMap config-defaults default-container-resource-requirements[default])",
				"step-a cpu request - -> 50m (ConfigMap config-defaults default-container-resource-requirements[default])",
				"step-b cpu request 1 -> 1 ()",
			}, ""},
		{"a default request, divided, and a default limit", spec, nil, environment{LimitRanges: ranges(bounded(cpu("1"), cpu("2"), nil, nil, nil))}, []string{
			"step-a cpu request - -> 333m (LimitRange range spec.limits[0])", "step-a cpu limit - -> 2 (LimitRange range spec.limits[0])",
			"step-b cpu request - -> 333m (LimitRange range spec.limits[0])", "step-b cpu limit - -> 2 (LimitRange range spec.limits[0])",
			"step-c cpu request - -> 333m (LimitRange range spec.limits[0])", "step-c cpu limit - -> 2 (LimitRange range spec.limits[0])",
		}, ""},
		{"the minimum of one LimitRange, the default of another", pod(step("step-a", "", ""), step("step-b", "", "")), nil, environment{LimitRanges: []*corev1.LimitRange{
			rangeOf("defaults", bounded(cpu("1"), nil, nil, nil, nil)), nil, rangeOf("minimum", bounded(nil, nil, cpu("700m"), nil, nil)),
		}}, []string{"step-a cpu request - -> 700m (LimitRange minimum spec.limits[0])", "step-b cpu request - -> 700m (LimitRange minimum spec.limits[0])"}, ""},
		{"the minimum of one LimitRange, which is above the part of the default of another", spec, nil, environment{LimitRanges: []*corev1.LimitRange{
			rangeOf("defaults", bounded(cpu("1"), nil, nil, nil, nil)), rangeOf("minimum", bounded(cpu("2"), nil, cpu("400m"), nil, nil)),
		}}, []string{
			"step-a cpu request - -> 400m (LimitRange minimum spec.limits[0])", "step-b cpu request - -> 400m (LimitRange minimum spec.limits[0])",
			"step-c cpu request - -> 400m (LimitRange minimum spec.limits[0])",
		}, ""},
		{"the default request of one LimitRange, the default limit of another", pod(step("step-a", "", "")), nil, environment{LimitRanges: []*corev1.LimitRange{
			rangeOf("requests", bounded(cpu("600m"), nil, nil, nil, nil)), rangeOf("limits", bounded(nil, cpu("2"), nil, nil, nil)),
		}}, []string{"step-a cpu request - -> 600m (LimitRange requests spec.limits[0])", "step-a cpu limit - -> 2 (LimitRange limits spec.limits[0])"}, ""},
		{"a LimitRange that the server completes", pod(step("step-a", "", ""), step("step-b", "", "")), nil, environment{LimitRanges: ranges(bounded(nil, nil, nil, cpu("2"), nil))}, []string{
			"step-a cpu request - -> 1 (LimitRange range spec.limits[0])", "step-a cpu limit - -> 2 (LimitRange range spec.limits[0])",
			"step-b cpu request - -> 1 (LimitRange range spec.limits[0])", "step-b cpu limit - -> 2 (LimitRange range spec.limits[0])",
		}, ""},
		{"what the task sets at the pod level", &corev1.PodSpec{Containers: pod(step("step-a", "1", "")).Containers, Resources: &corev1.ResourceRequirements{Limits: cpu("3")}}, nil, environment{},
			[]string{"step-a cpu request 1 -> 1 ()", "pod cpu request - -> 1 (API server)", "pod cpu limit 3 -> 3 ()"}, ""},
		{"a LimitRange rejects", pod(step("step-a", "2", "")), nil, environment{LimitRanges: ranges(bounded(nil, nil, nil, cpu("1"), nil))},
			[]string{"step-a cpu request 2 -> 2 ()", "step-a cpu limit - -> 1 (LimitRange range spec.limits[0])"}, "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1"},
		{"a quota rejects", pod(step("step-a", "2", "")), nil, environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "1"))}},
			[]string{"step-a cpu request 2 -> 2 ()"}, "exceeded quota: quota, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1"},
		{"the webhook rejects before a quota", pod(step("step-a", "2", "")), []steps.TaskRun{{}, with(own, func(r *steps.TaskRun) { r.StepOverrides = []steps.Override{{}} })},
			environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "1"))}}, []string{"step-a cpu request 2 -> 2 ()"}, "spec.stepSpecs[0].name: Required value"},
		{"the first of two problems of an earlier run", pod(step("step-a", "2", "")), []steps.TaskRun{with(own, func(r *steps.TaskRun) { r.StepOverrides = []steps.Override{{}, {}} }), {}},
			environment{}, []string{"step-a cpu request 2 -> 2 ()"}, "spec.stepSpecs[0].name: Required value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := wholePod(test.spec, test.runs, test.in, steps.TektonOptions())
			testkit.NoDiff(t, explained(p), test.want)
			got := ""
			if p.Rejected != "" {
				got = p.Rejected
			}
			if test.rejected == "" && got != "" || !strings.Contains(got, test.rejected) {
				t.Errorf("rejected with %q, want %q", got, test.rejected)
			}
		})
	}
}

func TestWholePodOfNothing(t *testing.T) {
	p := wholePod(nil, nil, environment{}, steps.Options{})
	if len(p.Amounts)+len(p.Changes) > 0 {
		t.Errorf("%v, %v", p.Amounts, p.Changes)
	}
}

// Conflicts of a run come before those of LimitRanges.
func TestWholePodConflicts(t *testing.T) {
	run := steps.TaskRun{StepPrefix: "step-", StepOverrides: []steps.Override{{Name: "a", Resources: requirements(cpu("3"), nil)}}}
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("1"), nil, cpu("500m"), nil, nil))}}
	p := wholePod(pod(step("step-a", "", "2"), step("step-b", "", "100m")), []steps.TaskRun{run}, in, steps.Options{})
	var got []string
	for _, c := range p.Conflicts {
		got = append(got, fmt.Sprint(c.Ref.Name, " ", c.Cause))
	}
	testkit.NoDiff(t, got, []string{fmt.Sprint("step-a ", limitrange.RequestAboveLimit), fmt.Sprint("step-b ", limitrange.LimitBelowMin)})
}

// With one LimitRange, the default limit is known, and with it the request that keeps the ratio.
func TestWholePodOfOneLimitRange(t *testing.T) {
	ratio := rangeOf("ratio", bounded(cpu("1"), cpu("4"), nil, nil, cpu("2")))
	other := rangeOf("other", bounded(testkit.List("memory", "1Gi"), nil, nil, nil, nil))
	for _, test := range []struct {
		ranges []*corev1.LimitRange
		want   int
	}{{[]*corev1.LimitRange{ratio}, 2}, {[]*corev1.LimitRange{nil, ratio, nil}, 2}, {[]*corev1.LimitRange{ratio, other}, 0}} {
		p := wholePod(pod(step("step-a", "", ""), step("step-b", "", "")), nil, environment{LimitRanges: test.ranges}, steps.Options{})
		n := 0
		for _, c := range p.Changes {
			if c.Resource == "cpu" && c.To.String() == "2" && c.Source.Kind == "LimitRange" {
				n++
			}
		}
		testkit.Equal(t, n, test.want)
	}
}

// A part of zero is set because of a LimitRange too.
func TestWholePodPartOfZero(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("memory", "1"), nil, nil, nil, nil))}}
	p := wholePod(pod(step("step-a", "", ""), step("step-b", "", "")), nil, in, steps.Options{})
	testkit.NoDiff(t, explained(p), []string{"step-a memory request - -> 1 (LimitRange range spec.limits[0])", "step-b memory request - -> 0 (LimitRange range spec.limits[0])"})
}

// Amounts beyond 64 bits, which share memory when a Quantity is copied, belong to the caller.
func TestWholePodSharesNoAmounts(t *testing.T) {
	huge := testkit.List("memory", "100000000000000000000001")
	p := wholePod(pod(testkit.Container("step-a", huge, nil)), nil, environment{}, steps.Options{})
	p.Amounts[0].To.Add(resource.MustParse("1"))
	p.Amounts[0].From.Add(resource.MustParse("1"))
	stored := p.Effect.Decision.Object.(*corev1.Pod).Spec.Containers[0].Resources.Requests["memory"]
	want := resource.MustParse("100000000000000000000001")
	if original := huge["memory"]; stored.Cmp(want) != 0 || original.Cmp(want) != 0 {
		t.Errorf("stored %s, of the task %s", &stored, &original)
	}
}

// The pod level is shown if quotas count less, or if the pod is admitted because of it.
func TestWholePodAtPodLevel(t *testing.T) {
	both := pod(step("step-a", "", ""), step("step-b", "", ""))
	requests, limits := requirements(cpu("1"), nil), requirements(cpu("1"), cpu("2"))
	ofPods := func(item corev1.LimitRangeItem) []*corev1.LimitRange {
		item.Type = corev1.LimitTypePod
		return []*corev1.LimitRange{rangeOf("pods", item)}
	}
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		task *corev1.ResourceRequirements
		in   environment
		want string
	}{
		{"admitted because of it, with the same limits", pod(step("step-a", "", ""), step("sidecar-b", "", "")), &limits,
			environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("limits.cpu", "3"))}}, "cpu=2 -> cpu=2, admitted"},
		{"no task-level requirements", both, nil, environment{}, "none"},
		{"the same requests", both, &requests, environment{}, "none"},
		{"smaller limits", both, &limits, environment{}, "cpu=4 -> cpu=2"},
		{"admitted because of it", both, &limits, environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("limits.cpu", "3"))}}, "cpu=4 -> cpu=2, admitted"},
		{"rejected either way", both, &limits, environment{LimitRanges: ofPods(bounded(nil, nil, cpu("1500m"), nil, nil))}, "cpu=4 -> cpu=2"},
		{"without the gate", both, &limits, environment{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}}, "none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The last requirements with amounts count.
			earlier := requirements(nil, testkit.List("memory", "1Gi"))
			runs := []steps.TaskRun{{ComputeResources: test.task}, {}, {ComputeResources: &corev1.ResourceRequirements{}}}
			if test.task != nil {
				runs = append([]steps.TaskRun{{ComputeResources: &earlier}}, runs...)
			}
			p := wholePod(test.spec, runs, test.in, steps.TektonOptions())
			got := "none"
			if l := steps.PodLevel(test.spec, p.Changes, runs, steps.TektonStep, test.in.compiled().Namespace); l.Saves {
				got = resourcelist.String(l.Divided.Limits) + " -> " + resourcelist.String(l.PodLevel.Limits)
				if !l.Divided.Decision.Admitted() && l.PodLevel.Decision.Admitted() {
					got += ", admitted"
				}
			}
			testkit.Equal(t, got, test.want)
		})
	}
}

// Requirements of a task whose lists are empty set nothing, unless it is as Tekton does: the template does.
func TestSourceOfEmptyRequirements(t *testing.T) {
	run := steps.TaskRun{Template: requirements(cpu("3"), nil), ComputeResources: &corev1.ResourceRequirements{Requests: corev1.ResourceList{}}}
	for _, test := range []struct {
		opts steps.Options
		want []string
	}{
		{steps.Options{}, []string{"step-a cpu request - -> 3 (Task spec.stepTemplate.computeResources.requests[cpu])"}},
		{steps.TektonOptions(), nil},
	} {
		plan := wholePod(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{}, test.opts)
		testkit.NoDiff(t, explained(plan), test.want, test.opts.AsTekton)
	}
}

// environment is a steps.Environment before its namespace is compiled.
type environment struct {
	ContainerDefaults map[string]corev1.ResourceRequirements
	LimitRanges       []*corev1.LimitRange
	ResourceQuotas    []*corev1.ResourceQuota
	Admission         admit.Options
	adds              bool // the containers of Tekton
}

func (e environment) compiled() steps.Environment {
	namespace, err := admit.Compile(e.LimitRanges, e.ResourceQuotas, e.Admission)
	if err != nil {
		panic(err)
	}
	return steps.Environment{ContainerDefaults: e.ContainerDefaults, Namespace: namespace, Tekton: steps.Tekton{Complete: !e.adds}}
}

func wholePod(spec *corev1.PodSpec, runs []steps.TaskRun, in environment, opts steps.Options) steps.PodPlan {
	return steps.WholePod(spec, runs, in.compiled(), opts)
}

func admittedPod(spec *corev1.PodSpec, runs []steps.TaskRun, in environment, opts steps.Options) steps.PodPlan {
	return steps.AdmittedPod(spec, runs, in.compiled(), opts)
}

func guaranteed(
	spec *corev1.PodSpec, runs []steps.TaskRun, in environment, opts steps.Options,
) (steps.GuaranteedPlan, error) {
	return steps.Guaranteed(spec, runs, in.compiled(), opts)
}

// wholeInput is what WholePod takes, in whole milli-units, which the API does not round.
type wholeInput struct {
	Spec *corev1.PodSpec
	Runs []steps.TaskRun
	In   environment
}

func wholeInputs() *rapid.Generator[wholeInput] {
	return rapid.Custom(func(t *rapid.T) (in wholeInput) {
		amounts := func(label string) corev1.ResourceList {
			list := corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{"cpu", "memory"} {
				if rapid.Bool().Draw(t, label+" has "+string(name)) {
					list[name] = resource.MustParse(rapid.SampledFrom([]string{"1", "3", "7", "100", "1000", "2048"}).Draw(t, label))
				}
			}
			if len(list) == 0 {
				return nil
			}
			return list
		}
		both := func(label string) corev1.ResourceRequirements {
			return requirements(amounts(label+" requests"), amounts(label+" limits"))
		}
		in.Spec = &corev1.PodSpec{InitContainers: []corev1.Container{{Name: "prepare"}}}
		for i := range rapid.IntRange(0, 3).Draw(t, "steps") {
			r := both("step")
			in.Spec.Containers = append(in.Spec.Containers, testkit.Container("step-"+string(rune('a'+i)), r.Requests, r.Limits))
		}
		if rapid.Bool().Draw(t, "a sidecar") {
			r := both("sidecar")
			in.Spec.Containers = append(in.Spec.Containers, testkit.Container("sidecar-x", r.Requests, r.Limits))
		}
		for range rapid.IntRange(0, 2).Draw(t, "runs") {
			run := steps.TaskRun{StepPrefix: "step-", SidecarPrefix: "sidecar-", Template: both("template")}
			if rapid.Bool().Draw(t, "overrides") {
				run.StepOverrides = []steps.Override{{Name: "a", Resources: both("override")}}
				run.SidecarOverrides = []steps.Override{{Name: "x", Resources: both("override")}}
			} else if rapid.Bool().Draw(t, "task level") {
				r := both("task")
				run.ComputeResources = &r
			}
			in.Runs = append(in.Runs, run)
		}
		keys := rapid.SampledFrom([]string{"prepare", "default", "prefix-step", "sidecar-x"})
		in.In.ContainerDefaults = rapid.MapOfN(keys, rapid.Custom(func(t *rapid.T) corev1.ResourceRequirements { return both("default") }), 0, 2).Draw(t, "configuration")
		item := bounded(amounts("default request"), amounts("default"), amounts("min"), amounts("max"), nil)
		if lr := rangeOf("range", item); rapid.Bool().Draw(t, "a LimitRange") {
			if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil {
				in.In.LimitRanges = append(in.In.LimitRanges, lr)
			}
		}
		if hard := amounts("quota"); hard != nil {
			in.In.ResourceQuotas = append(in.In.ResourceQuotas, quotaOf(hard))
		}
		return in
	})
}

// An amount is by the reference what it is by WholePod, and has the same source.
func TestWholePodEqualsReference(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		in := wholeInputs().Draw(t, "input")
		p := wholePod(in.Spec, in.Runs, in.In, steps.TektonOptions())
		var got []string
		for _, c := range p.Amounts {
			if c.To != nil {
				got = append(got, fmt.Sprintf("%s %s %s %s %s", c.Ref.Name, c.Resource, c.List, testkit.Exact(*c.To).RatString(), c.Source.Kind))
				seen[c.Source.Kind]++
			}
		}
		want := slowWholePod(in)
		slices.Sort(got)
		testkit.NoDiff(t, got, want)
	})
	for _, kind := range []string{"", "Task", "TaskRun", "ConfigMap", "LimitRange", "API server"} {
		if seen[kind] == 0 && !testing.Short() {
			t.Errorf("no amount comes from %q", kind)
		}
	}
}

// The contract, with either kind of options. The changes make the pod that is admitted, and the amounts are those of
// the stored pod.
func TestWholePodAnswersForOnePod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := wholeInputs().Draw(t, "input")
		opts := steps.Options{}
		if rapid.Bool().Draw(t, "as Tekton") {
			opts = steps.TektonOptions()
		}
		lower, cluster := rapid.Bool().Draw(t, "lower defaults"), in.In.compiled()
		testkit.Contract(t, func() any {
			p := steps.WholePod(in.Spec, in.Runs, cluster, opts)
			if lower {
				p = steps.AdmittedPod(in.Spec, in.Runs, cluster, opts)
			}
			all := []any{p.Changes, p.Conflicts, p.Amounts, p.Effect.Decision.Object, p.Effect.Requests, p.Effect.Limits}
			l := steps.PodLevel(in.Spec, p.Changes, in.Runs, steps.TektonStep, cluster.Namespace)
			all = append(all, l.Changes, l.Conflicts)
			for _, e := range []steps.Effect{l.Divided, l.PodLevel} {
				all = append(all, e.Decision.Object, e.Decision.Changes, e.Requests, e.Limits)
			}
			return all
		}, in.Spec, in.Runs, in.In.ContainerDefaults)
		p := wholePod(in.Spec, in.Runs, in.In, opts)
		ns, err := admit.Compile(in.In.LimitRanges, in.In.ResourceQuotas, admit.Options{})
		testkit.OK(t, err)
		d := ns.Create(&corev1.Pod{Spec: *apply(t, in.Spec, p.Changes)}, admit.Attributes{})
		testkit.Equal(t, p.Effect.Decision.Admitted(), d.Admitted())
		testkit.Equal(t, p.Rejected == "", d.Admitted())
		l := steps.PodLevel(in.Spec, p.Changes, in.Runs, steps.TektonStep, ns)
		if l.Saves && l.Divided.Decision.Admitted() && !l.PodLevel.Decision.Admitted() {
			t.Fatalf("the pod level makes the server reject the pod: %v", l.PodLevel.Decision.Err())
		}
		spec := &d.Object.(*corev1.Pod).Spec
		amounts := map[string]bool{}
		for _, c := range p.Amounts {
			if c.To != nil {
				amounts[fmt.Sprint(c.Ref, c.List, c.Resource, c.To)] = true
			}
		}
		for ref, c := range computeresources.Containers(spec) {
			for _, list := range []computeresources.List{computeresources.Requests, computeresources.Limits} {
				for name, q := range list.Of(&c.Resources) {
					key := fmt.Sprint(ref, list, name, &q)
					if !amounts[key] {
						t.Fatalf("%s is not among %v", key, slices.Sorted(maps.Keys(amounts)))
					}
					delete(amounts, key)
				}
			}
		}
		if len(amounts) > 0 {
			t.Fatalf("not stored: %v", slices.Sorted(maps.Keys(amounts)))
		}
	})
}

// uneven reports whether the steps cannot get equal parts of a task, so that some get a unit more than in Tekton.
func uneven(in wholeInput) bool {
	n := int64(0)
	for _, c := range in.Spec.Containers {
		if strings.HasPrefix(c.Name, "step-") {
			n++
		}
	}
	for _, run := range in.Runs {
		if run.ComputeResources == nil || n == 0 {
			continue
		}
		for _, list := range []corev1.ResourceList{run.ComputeResources.Requests, run.ComputeResources.Limits} {
			if list.Cpu().MilliValue()%n != 0 || list.Memory().Value()%n != 0 {
				return true
			}
		}
	}
	return false
}

// limitsOnly reports whether a task limits what it does not request: its steps request the limit in total, and those of
// Tekton nothing, so that a LimitRange sets their requests.
func limitsOnly(in wholeInput) bool {
	return slices.ContainsFunc(in.Runs, func(run steps.TaskRun) bool {
		if run.ComputeResources == nil {
			return false
		}
		for name := range run.ComputeResources.Limits {
			if _, isRequested := run.ComputeResources.Requests[name]; !isRequested {
				return true
			}
		}
		return false
	})
}

// With Options{}, a LimitRange that admits the pod of Tekton admits ours if its parts are equal, and the steps
// request in total what the task does.
func TestWholePodAsItShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := wholeInputs().Draw(t, "input")
		in.In.ResourceQuotas = nil // parts that add up may be one unit more
		theirs := wholePod(in.Spec, in.Runs, in.In, steps.TektonOptions())
		ours := wholePod(in.Spec, in.Runs, in.In, steps.Options{})
		if theirs.Rejected == "" && ours.Rejected != "" && !uneven(in) && !limitsOnly(in) {
			t.Fatalf("Tekton's pod is admitted, ours is not: %v", ours.Rejected)
		}
		if n := len(in.Runs); n > 0 && in.Runs[n-1].ComputeResources != nil {
			for name, want := range in.Runs[n-1].ComputeResources.Requests {
				total, sum := 0, resource.Quantity{}
				for _, c := range apply(t, in.Spec, ours.Changes).Containers {
					if strings.HasPrefix(c.Name, "step-") {
						total++
						sum.Add(c.Resources.Requests[name])
					}
				}
				// A step whose part is zero gets the default of the LimitRange.
				if total > 0 && !(name == "memory" && want.CmpInt64(int64(total)) < 0) {
					testkit.Equal(t, sum.Cmp(want), 0, name)
				}
			}
		}
	})
	// Tekton requests the default although the limit is smaller.
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("2"), nil, nil, nil, nil))}}
	for _, test := range []struct {
		opts     steps.Options
		admitted bool
	}{{steps.TektonOptions(), false}, {steps.Options{}, true}} {
		p := wholePod(pod(step("step-a", "", "1")), nil, in, test.opts)
		testkit.Equal(t, p.Rejected == "", test.admitted)
	}
}

// The message of a rejection has the name of the pod, if it is known.
func TestPodName(t *testing.T) {
	full := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "0")}}
	full.Name = "q"
	full.Status.Hard, full.Status.Used = full.Spec.Hard, testkit.List("pods", "0")
	namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{full}, admit.Options{})
	testkit.OK(t, err)
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-a"}}}
	for name, want := range map[string]string{"": "pods is forbidden: exceeded quota: q", "build-pod": `pods "build-pod" is forbidden: exceeded quota: q`} {
		got := steps.WholePod(spec, nil, steps.Environment{Namespace: namespace, PodName: name}, steps.TektonOptions())
		testkit.Equal(t, strings.HasPrefix(got.Rejected, want), true, got.Rejected)
	}
}
