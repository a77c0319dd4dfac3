package computeresources_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod, opts := testkit.Pod().Draw(t, "pod"), options().Draw(t, "options")
		spec, renamed, path := few(&pod.Spec), opts, field.NewPath("spec", "template")
		renamed.CPUName, renamed.MemoryName = "memory", "ephemeral-storage"
		claim := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": testkit.Quantity().Draw(t, "storage")}}}
		testkit.Contract(t, func() any { // each together with the others, which also share nothing
			own := spec.DeepCopy()
			all := []any{
				computeresources.PodRequests(pod, opts), computeresources.PodLimits(pod, opts),
				computeresources.PodRequestsInto(used(), pod, opts), computeresources.PodLimitsInto(used(), pod, opts),
				computeresources.SpecRequests(spec, opts), computeresources.SpecLimits(spec, opts),
				computeresources.SpecRequestsInto(used(), spec, opts), computeresources.BindingLimits(spec, opts),
				computeresources.PodRequests(pod, renamed), computeresources.BindingLimits(spec, renamed),
				computeresources.ApplyRequestDefaults(own, computeresources.Gates{}), own,
				computeresources.SpecWarnings(spec, nil), computeresources.VolumeClaimWarnings(claim, path), computeresources.PendingResize(pod),
			}
			for _, list := range lists {
				all = append(all, computeresources.PodTotals(pod, list, opts), computeresources.SpecTotals(spec, list, opts))
			}
			for ref, c := range computeresources.Containers(spec) {
				downward := corev1.ResourceFieldSelector{ContainerName: c.Name, Resource: "limits.memory"}
				value, err := computeresources.DownwardValue(spec, downward, computeresources.DownwardOptions{NodeAllocatable: spec.Overhead})
				all = append(all, value, fmt.Sprint(err), computeresources.ValidateRequirements(&c.Resources))
				all = append(all, ref.Path(path).String(), c.Name, len(computeresources.Requests.Of(ref.Resources(spec))))
			}
			return all
		}, pod, opts, renamed, claim, path)
		old, updated := &edited(t, pod).Spec, &edited(t, pod).Spec
		testkit.Contract(t, func() any { return computeresources.Validate(old, updated, computeresources.Gates{}) }, old, updated)
		invalid, changes := computeresources.Validate(old, updated, computeresources.Gates{}), computeresources.ApplyRequestDefaults(spec.DeepCopy(), computeresources.Gates{})
		sum := computeresources.PodTotals(pod, computeresources.Requests, opts)
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			all := []any{computeresources.ApplyChanges(own, changes), own, invalid.ErrorList(path), fmt.Sprint(invalid.Err()), maps.Collect(sum.All())}
			for _, i := range invalid {
				all = append(all, i.Error(), i.Field(path))
			}
			for _, c := range changes {
				all = append(all, c.String(), computeresources.ApplyChanges(nil, []computeresources.Change{c}))
			}
			used := computeresources.Totals{MilliCPU: 3, ScalarResources: scalars{"example.com/left": 1}}
			used.Add(sum)
			used.Sub(sum)
			used.Add(sum)
			return append(all, used)
		}, changes, invalid, sum, path)
		contractOfResize(t)
	})
}

// The causes of resizes and their texts keep the contract, and errors wrap the problems themselves.
func contractOfResize(t *rapid.T) {
	r := resizes(t)
	testkit.Contract(t, func() any {
		own := r.old.DeepCopy()
		computeresources.ApplyResize(own, r.updated, r.opts)
		return []any{r.problems(), own}
	}, r.old, r.updated, r.node, r.opts)
	problems := r.problems()
	testkit.Contract(t, func() any {
		all := []any{problems.ErrorList(field.NewPath("spec")), fmt.Sprint(problems.Err())}
		for _, p := range problems {
			all = append(all, p.Error(), p.Field(nil))
		}
		return all
	}, problems)
	var wrapped []error
	if err, ok := problems.Err().(interface{ Unwrap() []error }); ok {
		wrapped = err.Unwrap()
	}
	if !slices.EqualFunc(wrapped, problems, func(err error, p *computeresources.ResizeProblem) bool { return err == error(p) }) {
		t.Fatalf("Err wraps %v, want %v", wrapped, problems)
	}
}

// used is a list that was filled before.
func used() corev1.ResourceList { return testkit.List("cpu", "3", "example.com/left", "1.5Gi") }

// The kernels give the results of the slow twin, in all forms.
func TestEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkAgainstSlow(t, testkit.Pod().Draw(t, "pod"), options().Draw(t, "options")) })
}

// The same holds for ordinary pods, which are computed with plain integers.
func TestIntegersEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Bytes()}).Draw(t, "quantities")
		pod := testkit.PodWith(quantities).Draw(t, "pod")
		if rapid.Bool().Draw(t, "nothing but containers") {
			pod.Spec.Resources, pod.Spec.Overhead = nil, nil
		}
		checkAgainstSlow(t, pod, computeresources.Options{})
	})
}

// And for running pods whose status equals the spec except for one list of a container or of the
// pod.
func TestRunningPodsEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Bytes(), testkit.Quantity()}).Draw(t, "quantities")
		pod := runningPod(quantities).Draw(t, "pod")
		lists := resourceLists(pod)
		if i := rapid.IntRange(-1, len(lists)-1).Draw(t, "another list"); i >= 0 {
			*lists[i] = testkit.ResourceList(quantities).Draw(t, "says")
		}
		if rapid.IntRange(0, 3).Draw(t, "pending") == 0 {
			reason := rapid.SampledFrom([]string{corev1.PodReasonInfeasible, corev1.PodReasonDeferred}).Draw(t, "reason")
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: reason}}
		}
		checkAgainstSlow(t, pod, computeresources.Options{})
	})
}

// runningPod draws pods that are not being resized, some with two statuses of one name, some
// without one of their statuses.
func runningPod(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := &corev1.Pod{Spec: *testkit.SpecWith(quantities).Draw(t, "spec")}
		for _, c := range computeresources.Containers(&pod.Spec) {
			status := corev1.ContainerStatus{Name: c.Name, AllocatedResources: c.Resources.Requests.DeepCopy(), Resources: c.Resources.DeepCopy()}
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
		}
		pod.Status.ContainerStatuses = rapid.Permutation(pod.Status.ContainerStatuses).Draw(t, "statuses")
		if n := len(pod.Status.ContainerStatuses); n > 0 && rapid.IntRange(0, 7).Draw(t, "one is missing") == 0 {
			pod.Status.ContainerStatuses = pod.Status.ContainerStatuses[1:]
		}
		n := rapid.IntRange(0, len(pod.Status.ContainerStatuses)).Draw(t, "of init containers")
		pod.Status.InitContainerStatuses = pod.Status.ContainerStatuses[:n:n]
		pod.Status.ContainerStatuses = pod.Status.ContainerStatuses[n:]
		if rapid.Bool().Draw(t, "pod-level status") {
			pod.Status.AllocatedResources = computeresources.SpecRequests(&pod.Spec, computeresources.Options{})
			pod.Status.Resources = &corev1.ResourceRequirements{
				Requests: computeresources.SpecRequests(&pod.Spec, computeresources.Options{ExcludeOverhead: true}),
				Limits:   computeresources.SpecLimits(&pod.Spec, computeresources.Options{ExcludeOverhead: true}),
			}
		}
		return pod
	})
}

// resourceLists returns where the lists of a pod are.
func resourceLists(pod *corev1.Pod) (lists []*corev1.ResourceList) {
	both := func(r *corev1.ResourceRequirements) {
		if r != nil {
			lists = append(lists, &r.Requests, &r.Limits)
		}
	}
	for _, c := range computeresources.Containers(&pod.Spec) {
		both(&c.Resources)
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			lists = append(lists, &statuses[i].AllocatedResources)
			both(statuses[i].Resources)
		}
	}
	both(pod.Spec.Resources)
	both(pod.Status.Resources)
	return append(lists, &pod.Spec.Overhead, &pod.Status.AllocatedResources)
}

func checkAgainstSlow(t *rapid.T, pod *corev1.Pod, opts computeresources.Options) {
	t.Helper()
	want := slowRequests(&pod.Spec, &pod.Status, opts)
	wantList(t, computeresources.PodRequests(pod, opts), want)
	wantList(t, computeresources.PodRequestsInto(used(), pod, opts), want)
	wantTotals(t, computeresources.PodTotals(pod, computeresources.Requests, opts), want)

	want = slowRequests(&pod.Spec, nil, opts)
	wantList(t, computeresources.SpecRequests(&pod.Spec, opts), want)
	wantList(t, computeresources.SpecRequestsInto(used(), &pod.Spec, opts), want)
	wantTotals(t, computeresources.SpecTotals(&pod.Spec, computeresources.Requests, opts), want)

	want = slowLimits(&pod.Spec, &pod.Status, opts)
	wantList(t, computeresources.PodLimits(pod, opts), want)
	wantList(t, computeresources.PodLimitsInto(used(), pod, opts), want)
	wantTotals(t, computeresources.PodTotals(pod, computeresources.Limits, opts), want)

	want = slowLimits(&pod.Spec, nil, opts)
	wantList(t, computeresources.SpecLimits(&pod.Spec, opts), want)
	wantTotals(t, computeresources.SpecTotals(&pod.Spec, computeresources.Limits, opts), want)
}

func wantList(t *rapid.T, got corev1.ResourceList, want rats) {
	t.Helper()
	exact := cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	testkit.NoDiff(t, ratsOf(got), want, exact)
}

func wantTotals(t *rapid.T, got computeresources.Totals, want rats) {
	t.Helper()
	got.AllSet = computeresources.AllSet{}
	totals := computeresources.Totals{
		MilliCPU:         rounded(want["cpu"], 1000),
		Memory:           rounded(want["memory"], 1),
		EphemeralStorage: rounded(want["ephemeral-storage"], 1),
	}
	for name, amount := range want {
		switch name {
		case "cpu", "memory", "ephemeral-storage":
			continue
		}
		if n := rounded(amount, 1); n != 0 {
			totals.ScalarResources = with(totals.ScalarResources, name, n)
		}
	}
	if len(got.ScalarResources) == 0 {
		got.ScalarResources = nil // may be an empty map that was used before
	}
	testkit.NoDiff(t, got, totals)
}

func with(m map[corev1.ResourceName]int64, name corev1.ResourceName, n int64) map[corev1.ResourceName]int64 {
	if m == nil {
		m = map[corev1.ResourceName]int64{}
	}
	m[name] = n
	return m
}

// Binding limits are those of the API without those that some container lacks, and Complete
// reports which.
func TestBindingLimitsAreCompleteLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options().Draw(t, "options")
		limits := computeresources.SpecLimits(&pod.Spec, opts)
		binding := computeresources.BindingLimits(&pod.Spec, opts)
		complete := computeresources.SpecTotals(&pod.Spec, computeresources.Limits, opts).AllSet
		for name, limit := range limits {
			bound, binds := binding[name]
			if binds && bound.Cmp(limit) != 0 {
				t.Fatalf("%s: binding limit %s, want the API's, %s", name, bound.String(), limit.String())
			}
			want := true
			switch name {
			case "cpu":
				want = complete.CPU && limit.Sign() > 0
			case "memory":
				want = complete.Memory && limit.Sign() > 0
			case "ephemeral-storage":
				want = complete.EphemeralStorage && limit.Sign() > 0
			}
			testkit.Equal(t, binds, want, name, "limit binds")
		}
		for name := range binding {
			if _, ok := limits[name]; !ok {
				t.Fatalf("%s: a limit binds that the pod does not have", name)
			}
		}
	})
}

// Without a status, complete means that every container sets the resource, or the pod does at pod level.
func TestCompleteMeansEveryContainer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Quantity()}).Draw(t, "quantities")).Draw(t, "spec")
		if rapid.IntRange(0, 2).Draw(t, "all at pod level") == 0 {
			all := testkit.List("cpu", "1", "memory", "1Gi")
			spec.Resources = &corev1.ResourceRequirements{Requests: all, Limits: all}
		}
		opts := computeresources.Options{IgnoreContainers: rapid.IntRange(0, 3).Draw(t, "ignore containers") == 0}
		requests, limits := map[corev1.ResourceName]bool{}, map[corev1.ResourceName]bool{}
		for _, name := range testkit.ResourceNames {
			requests[name], limits[name] = !opts.IgnoreContainers, !opts.IgnoreContainers
			for _, c := range computeresources.Containers(spec) {
				request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
				requests[name] = requests[name] && request.Sign() > 0
				limits[name] = limits[name] && limit.Sign() > 0
			}
			if own := spec.Resources; own != nil && (name == "cpu" || name == "memory") {
				request, limit := own.Requests[name], own.Limits[name]
				requests[name] = requests[name] || request.Sign() > 0
				limits[name] = limits[name] || limit.Sign() > 0
			}
		}
		want := func(each map[corev1.ResourceName]bool) computeresources.AllSet {
			return computeresources.AllSet{CPU: each["cpu"], Memory: each["memory"], EphemeralStorage: each["ephemeral-storage"]}
		}
		testkit.NoDiff(t, computeresources.SpecTotals(spec, computeresources.Requests, opts).AllSet, want(requests), "requests")
		testkit.NoDiff(t, computeresources.SpecTotals(spec, computeresources.Limits, opts).AllSet, want(limits), "limits")
	})
}

func TestAppContainersHaveNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		before := computeresources.SpecRequests(spec, computeresources.Options{})
		other := spec.DeepCopy()
		other.Containers = rapid.Permutation(other.Containers).Draw(t, "order")
		after := computeresources.SpecRequests(other, computeresources.Options{})
		testkit.NoDiff(t, after, before, "another order of containers, another answer")
	})
}

// Raising a request of a container never lowers an effective request.
func TestRequestsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		opts := computeresources.Options{Gates: computeresources.Gates{IgnorePodLevel: rapid.Bool().Draw(t, "ignore pod level")}}
		var containers []*corev1.Container
		for _, c := range computeresources.Containers(spec) {
			containers = append(containers, c)
		}
		if len(containers) == 0 {
			return
		}
		before := computeresources.SpecRequests(spec, opts)
		c := rapid.SampledFrom(containers).Draw(t, "container")
		for name, q := range c.Resources.Requests {
			var raised resource.Quantity
			raised.Add(q)
			raised.Add(testkit.Positive().Draw(t, "more"))
			c.Resources.Requests[name] = raised
		}
		for name, after := range computeresources.SpecRequests(spec, opts) {
			if b := before[name]; after.Cmp(b) < 0 {
				t.Fatalf("%s fell from %s to %s", name, b.String(), after.String())
			}
		}
	})
}

// A caller of ApplyRequestDefaults may share quantities between specs, so a request that is set
// from a limit must not share the decimal of the limit.
func TestApplyRequestDefaultsCopies(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, testkit.List("memory", "1.5Gi"))}}
	computeresources.ApplyRequestDefaults(spec, computeresources.Gates{})
	request := spec.Containers[0].Resources.Requests["memory"]
	request.Add(resource.MustParse("1Gi"))
	if limit := spec.Containers[0].Resources.Limits["memory"]; limit.String() != "1536Mi" {
		t.Errorf("adding to the request changed the limit to %s", limit.String())
	}

	shared := resource.MustParse("100n")
	spec = &corev1.PodSpec{Overhead: corev1.ResourceList{"cpu": shared}}
	computeresources.ApplyRequestDefaults(spec, computeresources.Gates{})
	if rounded := spec.Overhead["cpu"]; rounded.String() != "1m" || shared.String() != "100n" {
		t.Errorf("rounded to %s, from what is %s now", rounded.String(), shared.String())
	}
}

// thousandths rounds what a pod states as the API does.
func thousandths(spec *corev1.PodSpec) {
	lists := []corev1.ResourceList{spec.Overhead}
	for _, c := range slices.Concat(spec.Containers, spec.InitContainers) {
		lists = append(lists, c.Resources.Requests, c.Resources.Limits)
	}
	if spec.Resources != nil {
		lists = append(lists, spec.Resources.Requests, spec.Resources.Limits)
	}
	for _, list := range lists {
		for name, q := range list {
			q = q.DeepCopy()
			q.RoundUp(resource.Milli)
			list[name] = q
		}
	}
}

// An empty status, empty options and empty lists do not change a result or its format, whichever
// way it is computed.
func TestSayingNothingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Quantity(), testkit.Unformatted(testkit.Ordinary())}).Draw(t, "quantities")
		spec := testkit.SpecWith(quantities).Draw(t, "spec")
		if rapid.Bool().Draw(t, "nothing but containers") {
			spec.Resources, spec.Overhead = nil, nil
		}
		nothing := corev1.ResourceList{}
		bare := spec.DeepCopy()
		if bare.Resources == nil {
			bare.Resources = &corev1.ResourceRequirements{Requests: nothing, Limits: nothing}
		}
		if bare.Overhead == nil {
			bare.Overhead = nothing
		}
		saying := []struct {
			what string
			spec *corev1.PodSpec
			opts computeresources.Options
		}{
			{"empty lists in the options", spec, computeresources.Options{MissingRequests: nothing, ClaimedFromNode: nothing}},
			{"options about a missing status", spec, computeresources.Options{Gates: computeresources.Gates{PodLevelStatus: testkit.Off()}}},
			{"empty lists in the spec", bare, computeresources.Options{}},
			{"quantities that no claim uses", spec, computeresources.Options{ClaimedFromNode: corev1.ResourceList{}}},
		}
		for name, of := range map[string]func(*corev1.PodSpec, computeresources.Options) any{
			"PodRequests": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.SpecRequests(s, o))
			},
			"PodLimits": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.SpecLimits(s, o))
			},
			"BindingLimits": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.BindingLimits(s, o))
			},
			"request totals": func(s *corev1.PodSpec, o computeresources.Options) any {
				return computeresources.SpecTotals(s, computeresources.Requests, o)
			},
			"limit totals": func(s *corev1.PodSpec, o computeresources.Options) any {
				return computeresources.SpecTotals(s, computeresources.Limits, o)
			},
		} {
			want := of(spec, computeresources.Options{})
			for _, s := range saying {
				testkit.NoDiff(t, of(s.spec, s.opts), want, name, "with", s.what)
			}
		}
		for what, status := range map[string]corev1.PodStatus{
			"no status":                     {},
			"another condition":             {Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Reason: corev1.PodReasonInfeasible}}},
			"statuses of other containers":  {ContainerStatuses: []corev1.ContainerStatus{{Name: "other", AllocatedResources: testkit.List("cpu", "1000")}}},
			"resources that name no amount": {Resources: &corev1.ResourceRequirements{}, InitContainerStatuses: []corev1.ContainerStatus{{Name: "c-0", Resources: &corev1.ResourceRequirements{}}}},
			"amounts allocated alone":       {AllocatedResources: testkit.List("cpu", "1000")},
		} {
			pod := &corev1.Pod{Spec: *spec, Status: status}
			for name, diff := range map[string]string{
				"requests":       cmp.Diff(testkit.Texts(computeresources.SpecRequests(spec, computeresources.Options{})), testkit.Texts(computeresources.PodRequests(pod, computeresources.Options{}))),
				"limits":         cmp.Diff(testkit.Texts(computeresources.SpecLimits(spec, computeresources.Options{})), testkit.Texts(computeresources.PodLimits(pod, computeresources.Options{}))),
				"request totals": cmp.Diff(computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}), computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{})),
				"limit totals":   cmp.Diff(computeresources.SpecTotals(spec, computeresources.Limits, computeresources.Options{}), computeresources.PodTotals(pod, computeresources.Limits, computeresources.Options{})),
			} {
				testkit.Equal(t, diff, "", name, "of a pod with", what, "(-spec +pod):")
			}
		}
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options().Draw(t, "options")
		type input struct {
			Spec *corev1.PodSpec
			Opts computeresources.Options
		}
		testkit.EmptyIsNil(t, input{&pod.Spec, opts}, func(in input) any {
			answers := []any{
				computeresources.SpecRequests(in.Spec, in.Opts), computeresources.SpecLimits(in.Spec, in.Opts), computeresources.BindingLimits(in.Spec, in.Opts),
				computeresources.SpecTotals(in.Spec, computeresources.Requests, in.Opts), computeresources.SpecTotals(in.Spec, computeresources.Limits, in.Opts),
				fmt.Sprint(computeresources.Validate(nil, in.Spec, computeresources.Gates{}).ErrorList(nil)),
			}
			return append(answers, computeresources.ApplyRequestDefaults(in.Spec, computeresources.Gates{}), in.Spec)
		})
	})
}
