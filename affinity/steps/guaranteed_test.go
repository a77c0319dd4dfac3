package steps_test

import (
	"errors"
	"fmt"
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
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// settings are what a plan sets, in lines.
func settings(g steps.GuaranteedPlan) (all []string) {
	line := func(where, name string, r corev1.ResourceRequirements) {
		all = append(all, fmt.Sprintf("%s %s: %s / %s", where, name, resourcelist.String(r.Requests), resourcelist.String(r.Limits)))
	}
	for _, o := range g.Run.StepOverrides {
		line("step", o.Name, o.Resources)
	}
	for _, o := range g.Run.SidecarOverrides {
		line("sidecar", o.Name, o.Resources)
	}
	for name, r := range g.ContainerDefaults {
		line("config", name, r)
	}
	slices.Sort(all)
	return all
}

func TestGuaranteed(t *testing.T) {
	both := func(cpu, memory string) corev1.ResourceList { return testkit.List("cpu", cpu, "memory", memory) }
	defaults := rangeOf("range", bounded(both("1", "1Gi"), both("2", "2Gi"), nil, nil, nil))
	task := requirements(both("1", "1Gi"), both("2", "2Gi"))
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		runs []steps.TaskRun
		in   environment
		want []string
	}{
		{"nothing demands anything", pod(step("step-a", "", "")), nil, environment{}, []string{"step a: cpu=1m,memory=12Mi / cpu=1m,memory=12Mi"}},
		{"parts of the default", pod(step("step-a", "", ""), step("step-b", "", "")), nil, environment{LimitRanges: []*corev1.LimitRange{defaults}},
			[]string{"step a: cpu=500m,memory=512Mi / cpu=500m,memory=512Mi", "step b: cpu=500m,memory=512Mi / cpu=500m,memory=512Mi"}},
		{"a limit is kept, a request is kept", pod(step("step-a", "1", "3"), step("step-b", "2", ""), step("step-c", "", "4")), nil, environment{},
			[]string{"step a: cpu=3,memory=12Mi / cpu=3,memory=12Mi", "step b: cpu=2,memory=12Mi / cpu=2,memory=12Mi", "step c: cpu=4,memory=12Mi / cpu=4,memory=12Mi"}},
		{"zero counts as missing", pod(step("step-a", "0", "0"), step("step-b", "1", "0")), nil, environment{},
			[]string{"step a: cpu=1m,memory=12Mi / cpu=1m,memory=12Mi", "step b: cpu=1,memory=12Mi / cpu=1,memory=12Mi"}},
		{"instead of the task level", pod(step("step-a", "", ""), step("step-b", "", "")), []steps.TaskRun{{StepPrefix: "step-", SidecarPrefix: "sidecar-", ComputeResources: &task}}, environment{},
			[]string{"step a: cpu=2,memory=2Gi / cpu=2,memory=2Gi", "step b: cpu=2,memory=2Gi / cpu=2,memory=2Gi"}},
		{"sidecars, and containers of Tekton", &corev1.PodSpec{InitContainers: []corev1.Container{{Name: "prepare"}}, Containers: []corev1.Container{step("step-a", "1", ""), step("sidecar-x", "", "1"), {Name: "sidecar-tekton-log-results"}}}, nil,
			environment{ContainerDefaults: map[string]corev1.ResourceRequirements{"prepare": requirements(both("100m", "64Mi"), nil)}},
			[]string{"config prepare: cpu=100m,memory=64Mi / cpu=100m,memory=64Mi", "config sidecar-tekton-log-results: cpu=1m,memory=12Mi / cpu=1m,memory=12Mi", "sidecar x: cpu=1,memory=12Mi / cpu=1,memory=12Mi", "step a: cpu=1,memory=12Mi / cpu=1,memory=12Mi"}},
		{"the minimum", pod(step("step-a", "", "")), nil, environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(nil, nil, both("100m", "64Mi"), nil, nil))}},
			[]string{"step a: cpu=100m,memory=64Mi / cpu=100m,memory=64Mi"}},
		{"halved for the quota", pod(step("step-a", "", ""), step("step-b", "", "")), nil, environment{LimitRanges: []*corev1.LimitRange{defaults}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("limits.cpu", "500m"))}},
			[]string{"step a: cpu=250m,memory=512Mi / cpu=250m,memory=512Mi", "step b: cpu=250m,memory=512Mi / cpu=250m,memory=512Mi"}},
		{"other overrides are kept", pod(step("step-a", "", "")), []steps.TaskRun{{StepPrefix: "step-", StepOverrides: []steps.Override{{Name: "a", Resources: requirements(testkit.List("ephemeral-storage", "1Gi"), nil)}}}}, environment{},
			[]string{"step a: cpu=1m,ephemeral-storage=1Gi,memory=12Mi / cpu=1m,memory=12Mi"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := guaranteed(test.spec, test.runs, test.in, steps.Options{})
			testkit.OK(t, err)
			testkit.NoDiff(t, settings(g), test.want)
			testkit.Equal(t, g.Pod.Rejected, "")
			testkit.Equal(t, g.Pod.Effect.Decision.Object.(*corev1.Pod).Status.QOSClass, corev1.PodQOSGuaranteed)
		})
	}
}

// What else the configuration, earlier runs and overrides set is kept. Of two overrides, the last counts.
func TestGuaranteedKeepsTheRest(t *testing.T) {
	run := func(overrides ...steps.Override) steps.TaskRun {
		return steps.TaskRun{StepPrefix: "step-", SidecarPrefix: "sidecar-", StepOverrides: overrides}
	}
	storage := requirements(testkit.List("ephemeral-storage", "1Gi"), nil)
	in := environment{ContainerDefaults: map[string]corev1.ResourceRequirements{"other": storage}}
	runs := []steps.TaskRun{run(steps.Override{Name: "a", Resources: storage}), run(steps.Override{Name: "a", Resources: requirements(cpu("1"), nil)}, steps.Override{Name: "a", Resources: requirements(cpu("2"), nil)})}
	g, err := guaranteed(pod(step("step-a", "", "")), runs, in, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{"config other: ephemeral-storage=1Gi / ", "step a: cpu=1 / ", "step a: cpu=2,memory=12Mi / cpu=2,memory=12Mi"})
	stored := g.Pod.Effect.Decision.Object.(*corev1.Pod)
	testkit.Equal(t, stored.Status.QOSClass, corev1.PodQOSGuaranteed)
	testkit.Equal(t, resourcelist.String(stored.Spec.Containers[0].Resources.Requests), "cpu=2,ephemeral-storage=1Gi,memory=12Mi")
	if g.Pod.Rejected == "" || !strings.Contains(g.Pod.Rejected, "Duplicate value") {
		t.Errorf("rejected: %v", g.Pod.Rejected)
	}
}

// What contradicts is the smallest set of bounds, with the class among them if it takes part.
func TestGuaranteedIsImpossible(t *testing.T) {
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		in   environment
		want string
	}{
		{"a maximum below the limit", pod(step("step-a", "1", "3")), environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(nil, nil, nil, cpu("2"), nil))}},
			"cpu: no amount satisfies all of: Container cpu max 2 of LimitRange range; container step-a cpu limit 3"},
		{"a quota of requests", pod(step("step-a", "1", "3"), step("step-b", "1", "3")), environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", "5"))}},
			"cpu: no amount satisfies all of: Container cpu maxLimitRequestRatio 1 of QoS class Guaranteed; requests.cpu remaining 5 of ResourceQuota quota; container step-a cpu limit 3; container step-b cpu limit 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := guaranteed(test.spec, nil, test.in, steps.Options{})
			var conflict *solver.ConflictError
			if !errors.As(err, &conflict) || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if g.Run.StepOverrides != nil || g.ContainerDefaults != nil || g.Pod.Amounts != nil {
				t.Errorf("%v", g)
			}
		})
	}
}

// The answer makes the pod Guaranteed and keeps each limit, or else no whole amounts do.
func TestGuaranteedByAllAmounts(t *testing.T) {
	possible, impossible := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spec, in := smallInput(t)
		g, err := guaranteed(spec, nil, in, steps.Options{})
		if err == nil {
			possible++
			testkit.Equal(t, g.Pod.Rejected, "")
			stored := &g.Pod.Effect.Decision.Object.(*corev1.Pod).Spec
			testkit.Equal(t, testkit.SpecClass(stored), corev1.PodQOSGuaranteed)
			for i, c := range spec.Containers {
				if limit := c.Resources.Limits.Cpu(); limit.Sign() > 0 && stored.Containers[i].Resources.Limits.Cpu().Cmp(*limit) != 0 {
					t.Fatalf("limit %s, stored %v", limit, stored.Containers[i].Resources)
				}
			}
			return
		}
		impossible++
		var conflict *solver.ConflictError
		if !errors.As(err, &conflict) {
			t.Fatal(err)
		}
		ns, compileErr := admit.Compile(in.LimitRanges, in.ResourceQuotas, admit.Options{})
		testkit.OK(t, compileErr)
		own := spec.DeepCopy()
		var try func(at int)
		try = func(at int) {
			if at == len(own.Containers) {
				if ns.Create(&corev1.Pod{Spec: *own}, admit.Attributes{}).Admitted() {
					t.Fatalf("%v\nbut with %v it is admitted", err, own.Containers)
				}
				return
			}
			set := spec.Containers[at].Resources
			for n := int64(1); n <= 4; n++ {
				limit, request := set.Limits.Cpu().Value(), set.Requests.Cpu().Value()
				if limit > 0 && n != limit || limit == 0 && request > 0 && n != request {
					continue
				}
				list := corev1.ResourceList{"cpu": *resource.NewQuantity(n, resource.DecimalSI), "memory": resource.MustParse("1")}
				own.Containers[at].Resources = corev1.ResourceRequirements{Requests: list, Limits: list}
				try(at + 1)
			}
		}
		try(0)
	})
	if !testing.Short() && (possible == 0 || impossible == 0) {
		t.Errorf("%d possible, %d impossible", possible, impossible)
	}
	t.Log(possible, "possible", impossible, "impossible")
}

// The contract; and other resources are as WholePod has them.
func TestGuaranteedOfRuns(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		in := wholeInputs().Draw(t, "input")
		cluster := in.In.compiled()
		testkit.Contract(t, func() any {
			g, err := steps.Guaranteed(in.Spec, in.Runs, cluster, steps.Options{})
			return []any{g.Run, g.ContainerDefaults, g.Pod.Changes, g.Pod.Amounts, g.Pod.Effect.Decision.Object, fmt.Sprint(err)}
		}, in.Spec, in.Runs, in.In.ContainerDefaults)
		g, err := guaranteed(in.Spec, in.Runs, in.In, steps.Options{})
		if err != nil {
			return
		}
		stored := &g.Pod.Effect.Decision.Object.(*corev1.Pod).Spec
		if g.Pod.Rejected != "" && !strings.HasPrefix(g.Pod.Rejected, "spec.") {
			t.Fatal(g.Pod.Rejected)
		}
		found++
		testkit.Equal(t, testkit.SpecClass(stored), corev1.PodQOSGuaranteed)
		for ref, c := range computeresources.Containers(stored) {
			if len(c.Resources.Limits) == 0 {
				t.Fatal(ref)
			}
		}
	})
	if found == 0 && !testing.Short() {
		t.Error("no pod was ever Guaranteed")
	}
}
