package steps_test

import (
	"errors"
	"fmt"
	"slices"
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

// Defaults that LimitRanges of pods or quotas do not admit are halved; limits of LimitRanges are kept if they can be.
func TestAdmittedPod(t *testing.T) {
	range4 := rangeOf("range", bounded(cpu("4"), cpu("8"), nil, nil, nil))
	ofPods := func(item corev1.LimitRangeItem) *corev1.LimitRange {
		item.Type = corev1.LimitTypePod
		return rangeOf("pods", item)
	}
	quota := func(pairs ...string) []*corev1.ResourceQuota {
		return []*corev1.ResourceQuota{quotaOf(testkit.List(pairs...))}
	}
	const halvedBy = " (LimitRanges and quotas)"
	for _, test := range []struct {
		name string
		in   environment
		want []string // of step-a, with step-b the same
	}{
		{"admitted as they are", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("requests.cpu", "4")},
			[]string{"step-a cpu request - -> 2 (LimitRange range spec.limits[0])", "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
		{"halved once", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("requests.cpu", "3999m")},
			[]string{"step-a cpu request - -> 1" + halvedBy, "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
		{"halved twice", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("requests.cpu", "1")},
			[]string{"step-a cpu request - -> 500m" + halvedBy, "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
		{"halved three times", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("requests.cpu", "600m")},
			[]string{"step-a cpu request - -> 250m" + halvedBy, "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
		{"halved five times, rounded down", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("requests.cpu", "124m")},
			[]string{"step-a cpu request - -> 62m" + halvedBy, "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
		{"given up", environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("memory", "4Gi"), testkit.List("memory", "8Gi"), nil, nil, nil))}, ResourceQuotas: quota("requests.memory", "0")},
			[]string{"step-a memory request - -> 0" + halvedBy, "step-a memory limit - -> 8Gi (LimitRange range spec.limits[0])"}},
		{"limits too", environment{LimitRanges: []*corev1.LimitRange{range4}, ResourceQuotas: quota("limits.cpu", "15")},
			[]string{"step-a cpu request - -> 2" + halvedBy, "step-a cpu limit - -> 2" + halvedBy}},
		{"a maximum of pods", environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("4"), nil, nil, nil, nil)), ofPods(bounded(nil, nil, nil, cpu("2"), nil))}},
			[]string{"step-a cpu request - -> 1" + halvedBy, "step-a cpu limit - -> 1" + halvedBy}},
		{"not even zero", environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("4"), cpu("8"), cpu("3"), nil, nil))}, ResourceQuotas: quota("requests.cpu", "5")},
			[]string{"step-a cpu request - -> 3 (LimitRange range spec.limits[0])", "step-a cpu limit - -> 8 (LimitRange range spec.limits[0])"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := admittedPod(pod(step("step-a", "", ""), step("step-b", "", "")), nil, test.in, steps.Options{})
			testkit.NoDiff(t, explained(p)[:2], test.want)
			testkit.Equal(t, p.Rejected == "", test.name != "not even zero")
		})
	}
}

// Options that leave containers or resources alone, or set what Tekton sets, do not halve anything.
func TestAdmittedPodChangesNothing(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("4"), cpu("8"), nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", "1"))}}
	for _, opts := range []steps.Options{{StepsOnly: true}, {Only: []corev1.ResourceName{"cpu"}}, {Unchecked: true}, steps.TektonOptions()} {
		p := admittedPod(pod(step("step-a", "", ""), step("step-b", "", "")), nil, in, opts)
		if p.Rejected == "" {
			t.Errorf("%+v: admitted with %v", opts, sentences(p.Changes))
		}
	}
}

// An admitted pod says as well which defaults its steps do not divide.
func TestAdmittedPodKeepsConflicts(t *testing.T) {
	ofPods := bounded(nil, nil, cpu("1m"), nil, nil)
	ofPods.Type = corev1.LimitTypePod
	in := environment{ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", "4"))},
		LimitRanges: []*corev1.LimitRange{rangeOf("ratio", bounded(cpu("4"), cpu("8"), nil, nil, cpu("4"))), rangeOf("pods", ofPods)}}
	p := admittedPod(pod(step("step-a", "", ""), step("step-b", "", "")), nil, in, steps.Options{})
	testkit.Equal(t, p.Rejected, "")
	testkit.Equal(t, resourcelist.String(p.Effect.Requests), "cpu=4")
	var got []string
	for _, c := range p.Conflicts {
		got = append(got, c.Error())
	}
	const why = " cpu: no request suits every limit that the container may get: defaultRequest 4"
	testkit.NoDiff(t, got, []string{"container step-a" + why, "container step-b" + why})
}

// A cluster without pod-level resources counts the containers.
func TestAdmittedPodByGates(t *testing.T) {
	in := environment{
		LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("4"), nil, nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", "1"))},
		Admission: admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}},
	}
	spec := pod(step("step-a", "", ""), step("step-b", "", ""))
	whole := requirements(cpu("3"), nil)
	spec.Resources = &whole
	p := admittedPod(spec, nil, in, steps.Options{})
	testkit.Equal(t, p.Rejected, "")
	testkit.NoDiff(t, sentences(p.Changes), []string{"container step-a: set the cpu request to 500m (LimitRanges and quotas)", "container step-b: set the cpu request to 500m (LimitRanges and quotas)"})
}

// What is not a step gets the whole default, and half of it as well; half of an odd amount is less. Limits at the pod
// level are not kept as those of LimitRanges are.
func TestAdmittedPodBesideSteps(t *testing.T) {
	beside := func(request, hard string) environment {
		return environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu(request), nil, nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", hard))}}
	}
	withSidecar := pod(step("step-a", "", ""))
	withSidecar.InitContainers = []corev1.Container{testkit.Sidecar("log", nil, nil)}
	huge := pod(testkit.Container("step-a", nil, testkit.List("hugepages-2Mi", "2Mi")), step("step-b", "", ""))
	whole := requirements(cpu("3"), nil)
	huge.Resources = &whole
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		in   environment
		want []string
	}{
		{"a sidecar", withSidecar, beside("4", "4"), []string{"sidecar log: set the cpu request to 2 (LimitRanges and quotas)", "container step-a: set the cpu request to 2 (LimitRanges and quotas)"}},
		{"an odd amount", pod(step("step-a", "", "")), beside("5m", "4m"), []string{"container step-a: set the cpu request to 2m (LimitRanges and quotas)"}},
		{"a limit of the pod level", huge, beside("8", "3"), []string{
			"container step-a: set the cpu request to 1 (LimitRanges and quotas)", "container step-a: set the hugepages-2Mi request to 2Mi (LimitRanges and quotas)",
			"container step-b: set the cpu request to 1 (LimitRanges and quotas)", "pod: set the hugepages-2Mi request to 2Mi (LimitRanges and quotas)",
			"pod: set the hugepages-2Mi limit to 2Mi (LimitRanges and quotas)"}},
	} {
		p := admittedPod(test.spec, nil, test.in, steps.Options{})
		testkit.Equal(t, p.Rejected, "", test.name)
		testkit.NoDiff(t, sentences(p.Changes), test.want, test.name)
	}
}

// smallInput is a pod of one or two steps with cpu amounts of a few cores, and what they run into.
func smallInput(t *rapid.T) (*corev1.PodSpec, environment) {
	amount := func(label string) corev1.ResourceList {
		if n := rapid.IntRange(-3, 4).Draw(t, label); n >= 0 {
			return corev1.ResourceList{"cpu": *resource.NewQuantity(int64(n), resource.DecimalSI)}
		}
		return nil
	}
	spec := &corev1.PodSpec{}
	for _, name := range []string{"step-a", "step-b"}[:rapid.IntRange(1, 2).Draw(t, "steps")] {
		spec.Containers = append(spec.Containers, testkit.Container(name, amount("request"), amount("limit")))
	}
	var in environment
	for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
		item := bounded(nil, nil, amount("min"), amount("max"), nil)
		if kind == corev1.LimitTypeContainer {
			item.DefaultRequest, item.Default = amount("default request"), amount("default")
		}
		if rapid.IntRange(0, 3).Draw(t, "ratio") == 0 {
			item.MaxLimitRequestRatio = cpu(rapid.SampledFrom([]string{"1", "2"}).Draw(t, "ratio"))
		}
		item.Type = kind
		lr := rangeOf(string(kind), item)
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil {
			in.LimitRanges = append(in.LimitRanges, lr)
		}
	}
	for _, name := range []corev1.ResourceName{"requests.cpu", "limits.cpu"} {
		if hard := amount("quota"); hard != nil && rapid.Bool().Draw(t, "with a quota") {
			q := quotaOf(corev1.ResourceList{name: hard["cpu"]})
			q.Name = string(name)
			in.ResourceQuotas = append(in.ResourceQuotas, q)
		}
	}
	return spec, in
}

// With Options{}, the pod is admitted if it is with any whole amounts, or none, in place of those that are missing.
func TestAdmittedPodIsAdmittedIfAnyIs(t *testing.T) {
	admitted, halved, rejected := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spec, in := smallInput(t)
		p := admittedPod(spec, nil, in, steps.Options{})
		if p.Rejected == "" {
			admitted++
			for _, c := range p.Changes {
				if c.Source.Kind == "LimitRanges and quotas" {
					halved++
					break
				}
			}
			return
		}
		rejected++
		ns, err := admit.Compile(in.LimitRanges, in.ResourceQuotas, admit.Options{})
		testkit.OK(t, err)
		var missing []corev1.ResourceList
		own := spec.DeepCopy()
		for i := range own.Containers {
			r := &own.Containers[i].Resources
			for _, list := range []*corev1.ResourceList{&r.Requests, &r.Limits} {
				if len(*list) == 0 {
					*list = corev1.ResourceList{}
					missing = append(missing, *list)
				}
			}
		}
		var try func(missing []corev1.ResourceList)
		try = func(missing []corev1.ResourceList) {
			if len(missing) == 0 {
				if ns.Create(&corev1.Pod{Spec: *own}, admit.Attributes{}).Admitted() {
					t.Fatalf("rejected: %v\nbut with %v it is admitted", p.Rejected, own.Containers)
				}
				return
			}
			delete(missing[0], "cpu")
			try(missing[1:])
			for n := range int64(5) {
				missing[0]["cpu"] = *resource.NewQuantity(n, resource.DecimalSI)
				try(missing[1:])
			}
			delete(missing[0], "cpu")
		}
		try(missing)
	})
	if !testing.Short() && (admitted == 0 || halved == 0 || rejected == 0) {
		t.Errorf("%d admitted, %d halved, %d rejected", admitted, halved, rejected)
	}
	t.Log(admitted, "admitted", halved, "halved", rejected, "rejected")
}

// slowAdmittedPod is AdmittedPod of a pod without runs and configuration, in words: a default of a resource is halved
// while Solve says that its bounds contradict each other.
func slowAdmittedPod(t testkit.TB, spec *corev1.PodSpec, in environment) (stored *corev1.PodSpec, isAdmitted bool) {
	ns := in.compiled().Namespace
	whole := steps.WholePod(spec, nil, in.compiled(), steps.Options{}).Effect.Decision
	wanted := &whole.Object.(*corev1.Pod).Spec
	if whole.Admitted() {
		return wanted, true
	}
	withLimits := spec.DeepCopy()
	for _, c := range whole.Changes {
		if c.List == computeresources.Limits && c.Ref.Kind != computeresources.Pod {
			testkit.OK(t, computeresources.ApplyChanges(withLimits, []computeresources.Change{c}))
		}
	}
	for _, own := range []*corev1.PodSpec{withLimits, spec.DeepCopy()} {
		if !slowHalved(own, wanted, solver.Input{LimitRanges: in.LimitRanges, Quotas: in.ResourceQuotas}) {
			continue
		}
		if d := ns.Create(&corev1.Pod{Spec: *own}, admit.Attributes{}); d.Admitted() {
			return &d.Object.(*corev1.Pod).Spec, true
		}
	}
	return wanted, false
}

// slowHalved writes the amounts of the solver into a spec, with the largest of the halved defaults for which it has
// some. It reports whether there are any.
func slowHalved(own, wanted *corev1.PodSpec, in solver.Input) bool {
	for halved := map[corev1.ResourceName]int{}; ; {
		in.Floors = nil
		for i := range own.Containers {
			floor := solver.Floor{Ref: computeresources.Ref{Name: own.Containers[i].Name}, Requests: corev1.ResourceList{}}
			for name, q := range wanted.Containers[i].Resources.Requests {
				_, isSet := own.Containers[i].Resources.Requests[name]
				switch {
				case isSet || q.Sign() <= 0 || halved[name] > 10:
				case name == "cpu":
					floor.Requests[name] = *resource.NewMilliQuantity(q.MilliValue()>>halved[name], q.Format)
				default:
					floor.Requests[name] = *resource.NewQuantity(q.Value()>>halved[name], q.Format)
				}
			}
			in.Floors = append(in.Floors, floor)
		}
		solution, err := solver.Solve(own, in)
		var conflict *solver.ConflictError
		switch {
		case err == nil:
			return computeresources.ApplyChanges(own, solution.Changes) == nil
		case !errors.As(err, &conflict):
			return false
		}
		for _, c := range conflict.Conflicts {
			halved[c.Resource]++
			if halved[c.Resource] > 11 {
				return false // not even without the default
			}
		}
	}
}

// The amounts are those of the slow twin.
func TestAdmittedPodEqualsSlow(t *testing.T) {
	same, halved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		spec, in := smallInput(t)
		if rapid.Bool().Draw(t, "with memory") {
			q := quotaOf(testkit.List("requests.memory", fmt.Sprint(rapid.OneOf(rapid.IntRange(0, 8), rapid.IntRange(0, 3000)).Draw(t, "memory"))))
			q.Name = "memory"
			item := bounded(testkit.List("memory", "2000"), nil, nil, nil, nil)
			item.Type = corev1.LimitTypeContainer
			in.ResourceQuotas, in.LimitRanges = append(in.ResourceQuotas, q), append(in.LimitRanges, rangeOf("memory", item))
		}
		p := admittedPod(spec, nil, in, steps.Options{})
		want, isAdmitted := slowAdmittedPod(t, spec, in)
		if isAdmitted != (p.Rejected == "") {
			t.Fatalf("admitted by the slow twin: %v, rejected: %v", isAdmitted, p.Rejected)
		}
		got := &p.Effect.Decision.Object.(*corev1.Pod).Spec
		for i := range want.Containers {
			testkit.Equal(t, resourcelist.String(got.Containers[i].Resources.Requests), resourcelist.String(want.Containers[i].Resources.Requests), "requests")
			testkit.Equal(t, resourcelist.String(got.Containers[i].Resources.Limits), resourcelist.String(want.Containers[i].Resources.Limits), "limits")
		}
		same++
		if slices.ContainsFunc(p.Changes, func(c computeresources.Change) bool { return c.Source.Kind == "LimitRanges and quotas" }) {
			halved++
		}
	})
	if !testing.Short() && halved == 0 {
		t.Error("nothing was halved")
	}
	t.Log(same, "the same,", halved, "of them halved")
}
