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
		spec, renamed, path := testkit.Few(&pod.Spec), opts, field.NewPath("spec", "template")
		renamed.CPUName, renamed.MemoryName = "memory", "ephemeral-storage"
		testkit.Contract(t, func() any { // each together with the others, which also share nothing
			own := spec.DeepCopy()
			all := []any{
				computeresources.PodRequests(pod, opts), computeresources.PodLimits(pod, opts),
				computeresources.PodRequestsInto(used(), pod, opts), computeresources.PodLimitsInto(used(), pod, opts),
				computeresources.SpecRequests(spec, opts), computeresources.SpecLimits(spec, opts),
				computeresources.SpecRequestsInto(used(), spec, opts), computeresources.BindingLimits(spec, opts),
				computeresources.PodRequests(pod, renamed), computeresources.BindingLimits(spec, renamed),
				computeresources.ApplyRequestDefaults(own, computeresources.Kubernetes{}),
				computeresources.ApplyPodLevelDefaults(own, computeresources.Kubernetes{}), own,
				computeresources.SpecWarnings(spec, nil), computeresources.PendingResize(pod),
			}
			for _, list := range lists {
				all = append(all, computeresources.PodTotals(pod, list, opts), computeresources.SpecTotals(spec, list, opts))
			}
			for ref, c := range computeresources.Containers(spec) {
				all = append(all, computeresources.ValidateRequirements(&c.Resources))
				part, found := computeresources.Ref{Name: c.Name}.In(spec)
				all = append(all, part, found)
				all = append(all, ref.Path(path).String(), c.Name, len(computeresources.Requests.Of(ref.Resources(spec))))
			}
			return all
		}, pod, opts, renamed, path)
		old, updated := &edited(t, pod).Spec, &edited(t, pod).Spec
		testkit.Contract(t, func() any { return computeresources.Validate(old, updated, computeresources.Kubernetes{}) }, old, updated)
		invalid, changes := computeresources.Validate(old, updated, computeresources.Kubernetes{}), computeresources.ApplyRequestDefaults(spec.DeepCopy(), computeresources.Kubernetes{})
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
func TestEqualsSlow(t *testing.T) { rapid.Check(t, equalsSlow) }

func FuzzPodRequests(f *testing.F) { f.Fuzz(rapid.MakeFuzz(equalsSlow)) }

func equalsSlow(t *rapid.T) {
	checkAgainstSlow(t, testkit.Pod().Draw(t, "pod"), options().Draw(t, "options"))
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
	got.CPUAllSet, got.MemoryAllSet, got.EphemeralStorageAllSet = false, false, false
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
		complete := computeresources.SpecTotals(&pod.Spec, computeresources.Limits, opts)
		for name, limit := range limits {
			bound, binds := binding[name]
			if binds && bound.Cmp(limit) != 0 {
				t.Fatalf("%s: binding limit %s, want the API's, %s", name, bound.String(), limit.String())
			}
			want := true
			switch name {
			case "cpu":
				want = complete.CPUAllSet && limit.Sign() > 0
			case "memory":
				want = complete.MemoryAllSet && limit.Sign() > 0
			case "ephemeral-storage":
				want = complete.EphemeralStorageAllSet && limit.Sign() > 0
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
		for list, each := range map[computeresources.List]map[corev1.ResourceName]bool{computeresources.Requests: requests, computeresources.Limits: limits} {
			got := computeresources.SpecTotals(spec, list, opts)
			testkit.NoDiff(t, []bool{got.CPUAllSet, got.MemoryAllSet, got.EphemeralStorageAllSet}, []bool{each["cpu"], each["memory"], each["ephemeral-storage"]}, list)
		}
	})
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

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options().Draw(t, "options")
		type input struct {
			Spec *corev1.PodSpec
			Opts computeresources.Options
		}
		testkit.EmptyIsNil(t, input{testkit.Few(&pod.Spec), opts}, func(in input) any {
			answers := []any{
				computeresources.SpecRequests(in.Spec, in.Opts), computeresources.SpecLimits(in.Spec, in.Opts), computeresources.BindingLimits(in.Spec, in.Opts),
				computeresources.SpecTotals(in.Spec, computeresources.Requests, in.Opts), computeresources.SpecTotals(in.Spec, computeresources.Limits, in.Opts),
				fmt.Sprint(computeresources.Validate(nil, in.Spec, computeresources.Kubernetes{}).ErrorList(nil)),
			}
			answers = append(answers, computeresources.ApplyRequestDefaults(in.Spec, computeresources.Kubernetes{}))
			return append(answers, computeresources.ApplyPodLevelDefaults(in.Spec, computeresources.Kubernetes{}), in.Spec)
		})
	})
}

// gates are all states of a feature gate.
var gates = []*bool{nil, testkit.On(), testkit.Off()}

// options draws options, each of them set in some.
func options() *rapid.Generator[computeresources.Options] {
	return rapid.Custom(func(t *rapid.T) (opts computeresources.Options) {
		opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling = rapid.SampledFrom(gates).Draw(t, "pod-level status")
		opts.IgnorePodLevel = rapid.IntRange(0, 5).Draw(t, "ignore pod level") == 0
		opts.Kubernetes.PodLevelResources = testkit.OffIf(rapid.IntRange(0, 5).Draw(t, "no pod level") == 0)
		opts.Kubernetes.Release = rapid.SampledFrom([]string{"", "1.36", "1.38"}).Draw(t, "release")
		opts.IgnoreContainers = rapid.IntRange(0, 7).Draw(t, "ignore containers") == 0
		opts.ExcludeOverhead = rapid.IntRange(0, 3).Draw(t, "exclude overhead") == 0
		opts.IgnoreInitContainers = rapid.IntRange(0, 3).Draw(t, "ignore init containers") == 0
		if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
			opts.MissingRequests = testkit.ResourceList(testkit.Quantity()).Draw(t, "missing requests")
		}
		if rapid.IntRange(0, 3).Draw(t, "claimed") == 0 {
			opts.ClaimedFromNode = testkit.ResourceList(testkit.Quantity()).Draw(t, "claimed from node")
		}
		return opts
	})
}

// edits are what a user or the kubelet may have done to a pod, so that the server refuses it, or a resize.
var edits = map[string]func(t *rapid.T, pod *corev1.Pod){
	"amounts": func(t *rapid.T, pod *corev1.Pod) {
		some(t, pod).Resources.Requests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")
		some(t, pod).Resources.Limits = testkit.ResourceList(testkit.Ordinary()).Draw(t, "limits")
	},
	"an amount is removed": func(t *rapid.T, pod *corev1.Pod) {
		r := &some(t, pod).Resources
		delete(rapid.SampledFrom([]corev1.ResourceList{r.Requests, r.Limits}).Draw(t, "list"), rapid.SampledFrom(testkit.ResourceNames).Draw(t, "name"))
	},
	"an unknown resource": func(t *rapid.T, pod *corev1.Pod) { some(t, pod).Resources.Limits = testkit.List("unknown", "1") },
	"hugepages alone": func(t *rapid.T, pod *corev1.Pod) {
		some(t, pod).Resources.Limits = testkit.List("hugepages-2Mi", "3Mi")
	},
	"pod-level resources": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.Resources = &corev1.ResourceRequirements{
			Requests: testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests"),
			Limits:   testkit.ResourceList(testkit.Ordinary()).Draw(t, "limits"),
		}
	},
	"no pod-level resources": func(_ *rapid.T, pod *corev1.Pod) { pod.Spec.Resources = nil },
	"claims": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}, {Name: ""}}
		claims := &some(t, pod).Resources.Claims
		if rapid.Bool().Draw(t, "pod level") {
			if pod.Spec.Resources == nil {
				pod.Spec.Resources = &corev1.ResourceRequirements{}
			}
			claims = &pod.Spec.Resources.Claims
		}
		for range 2 {
			*claims = append(*claims, corev1.ResourceClaim{
				Name:    rapid.SampledFrom([]string{"gpu", "gpu", "fpga", ""}).Draw(t, "claim"),
				Request: rapid.SampledFrom([]string{"", "a", "A"}).Draw(t, "request"),
			})
		}
	},
	"a resize policy": func(t *rapid.T, pod *corev1.Pod) {
		pod.Spec.RestartPolicy = rapid.SampledFrom([]corev1.RestartPolicy{"", corev1.RestartPolicyNever}).Draw(t, "policy of the pod")
		c := some(t, pod)
		c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{
			ResourceName:  rapid.SampledFrom([]corev1.ResourceName{"cpu", "cpu", "memory", "", "hugepages-2Mi"}).Draw(t, "resource"),
			RestartPolicy: rapid.SampledFrom([]corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer, "", "x"}).Draw(t, "policy"),
		})
	},
	"an init container that restarts": func(t *rapid.T, pod *corev1.Pod) {
		for i := range pod.Spec.InitContainers {
			c := &pod.Spec.InitContainers[i]
			c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "cpu", RestartPolicy: corev1.RestartContainer}}
			c.Resources.Requests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "requests")
		}
	},
	"a container is added": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{})
	},
	"a container is renamed": func(t *rapid.T, pod *corev1.Pod) { some(t, pod).Name += "-2" },
	"windows":                func(_ *rapid.T, pod *corev1.Pod) { pod.Spec.OS = &corev1.PodOS{Name: corev1.Windows} },
	"a mirror pod": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: ""}
	},
	"a status without resources": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	},
	"a pending resize": func(_ *rapid.T, pod *corev1.Pod) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: "Unknown"}}
	},
}

// some draws a container of a pod, and adds one if there is none.
func some(t *rapid.T, pod *corev1.Pod) *corev1.Container {
	var all []*corev1.Container
	for _, c := range computeresources.Containers(&pod.Spec) {
		all = append(all, c)
	}
	if len(all) == 0 {
		pod.Spec.Containers = []corev1.Container{{Name: "app"}}
		return &pod.Spec.Containers[0]
	}
	return rapid.SampledFrom(all).Draw(t, "container")
}

// edited returns a copy of a pod with some edits.
func edited(t *rapid.T, pod *corev1.Pod) *corev1.Pod {
	own := pod.DeepCopy()
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		edits[rapid.SampledFrom(slices.Sorted(maps.Keys(edits))).Draw(t, "edit")](t, own)
	}
	return own
}

// resize is an update of a pod, on a node.
type resize struct {
	old, updated *corev1.Pod
	node         *corev1.Node
	opts         computeresources.ResizeOptions
}

func resizes(t *rapid.T) (r resize) {
	pod := testkit.PodWith(testkit.Ordinary()).Draw(t, "pod")
	testkit.Few(&pod.Spec)
	pod.Annotations = nil // not many are mirror pods
	if rapid.IntRange(0, 3).Draw(t, "pod level") == 0 {
		edits["pod-level resources"](t, pod)
	}
	r.old = edited(t, pod)
	r.updated, r.old.Spec.NodeName = edited(t, r.old), "node-1"
	if rapid.IntRange(0, 2).Draw(t, "other limits") == 0 {
		for _, c := range computeresources.Containers(&r.updated.Spec) {
			c.Resources.Limits = testkit.List("memory", "1Mi", "ephemeral-storage", "1Mi")
		}
		for _, c := range computeresources.Containers(&r.old.Spec) {
			if rapid.Bool().Draw(t, "limited") {
				c.Resources.Limits = testkit.List("memory", "1Gi")
			}
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "removed at pod level") == 0 {
		r.updated.Spec.Resources = nil
	}
	r.opts.Kubernetes.Release = rapid.SampledFrom([]string{"", "", "1.33", "1.33", "1.33", "1.34", "1.36", "1.36", "1.38"}).Draw(t, "release")
	r.opts.Kubernetes.PodLevelResources = testkit.OffIf(rapid.IntRange(0, 4).Draw(t, "ignore pod level") == 0)
	for _, gate := range []**bool{&r.opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling, &r.opts.Kubernetes.InPlacePodVerticalScalingInitContainers, &r.opts.Kubernetes.NodeDeclaredFeatures} {
		*gate = rapid.SampledFrom([]*bool{nil, nil, testkit.On(), testkit.Off()}).Draw(t, "gate")
	}
	if rapid.IntRange(0, 4).Draw(t, "claimed") == 0 {
		r.opts.ClaimedFromNode = testkit.List("cpu", "1")
	}
	r.node = linuxNode()
	r.node.Labels[corev1.LabelOSStable] = rapid.SampledFrom([]string{"linux", "windows"}).Draw(t, "os")
	r.node.Status.DeclaredFeatures = r.node.Status.DeclaredFeatures[rapid.IntRange(0, 2).Draw(t, "without features"):]
	return r
}

// problems returns all that is wrong with a resize.
func (r resize) problems() computeresources.Problems[*computeresources.ResizeProblem] {
	return append(computeresources.ValidateResize(r.old, r.updated, r.opts), computeresources.ValidateResizeOnNode(r.old, r.updated, r.node, r.opts)...)
}

// surroundings are what a pod spec may share lists with.
type surroundings struct {
	Config  []corev1.ResourceList // of a controller
	Changes []computeresources.Change
}

func sharedSpec(t *rapid.T) (corev1.PodSpec, surroundings) {
	q := testkit.Quantity()
	spec := testkit.Few(testkit.SpecWith(q).Draw(t, "spec"))
	others := surroundings{
		Config: []corev1.ResourceList{testkit.ResourceList(q).Draw(t, "config"), testkit.ResourceList(q).Draw(t, "config")},
	}
	refs := []computeresources.Ref{{Kind: computeresources.Pod}}
	for ref := range computeresources.Containers(spec) {
		refs = append(refs, ref)
	}
	for range rapid.IntRange(0, 6).Draw(t, "changes") {
		c := computeresources.Change{
			Ref:      rapid.SampledFrom(refs).Draw(t, "ref"),
			List:     rapid.SampledFrom([]computeresources.List{computeresources.Requests, computeresources.Limits}).Draw(t, "list"),
			Resource: rapid.SampledFrom(testkit.ResourceNames).Draw(t, "resource"),
		}
		if rapid.IntRange(0, 2).Draw(t, "remove") > 0 {
			to := q.Draw(t, "to")
			c.To = &to
		}
		others.Changes = append(others.Changes, c)
	}
	return *spec, others
}

func TestSharedLists(t *testing.T) {
	t.Run("ApplyChanges", func(t *testing.T) {
		testkit.Applies(t, sharedSpec, func(spec *corev1.PodSpec, others surroundings) any {
			return computeresources.ApplyChanges(spec, others.Changes)
		})
	})
	t.Run("ApplyRequestDefaults", func(t *testing.T) {
		testkit.Applies(t, sharedSpec, func(spec *corev1.PodSpec, _ surroundings) any {
			return computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{})
		})
	})
	t.Run("ApplyPodLevelDefaults", func(t *testing.T) {
		testkit.Applies(t, sharedSpec, func(spec *corev1.PodSpec, _ surroundings) any {
			return computeresources.ApplyPodLevelDefaults(spec, computeresources.Kubernetes{})
		})
	})
	t.Run("ApplyResize", func(t *testing.T) {
		pods := func(t *rapid.T) (corev1.Pod, *corev1.Pod) {
			spec := testkit.SpecWith(testkit.Quantity()) // the status of neither counts
			return corev1.Pod{Spec: *testkit.Few(spec.Draw(t, "pod"))}, &corev1.Pod{Spec: *testkit.Few(spec.Draw(t, "updated"))}
		}
		testkit.Applies(t, pods, func(pod, updated *corev1.Pod) any {
			return computeresources.ApplyResize(pod, updated, computeresources.ResizeOptions{})
		})
	})
}

// The enumerations. The tests of the architecture compare each list with the constants of its type.
var (
	kinds         = []computeresources.Kind{computeresources.App, computeresources.Init, computeresources.Sidecar, computeresources.Pod}
	lists         = []computeresources.List{computeresources.Requests, computeresources.Limits}
	invalidCauses = []computeresources.InvalidCause{
		computeresources.InvalidName, computeresources.NotPodLevel, computeresources.Negative, computeresources.NotInteger,
		computeresources.NotPageMultiple, computeresources.RequestAboveLimit, computeresources.RequestNotLimit, computeresources.LimitMissing,
		computeresources.HugePagesAlone, computeresources.BelowContainers, computeresources.AbovePodLevel, computeresources.PodLevelOnWindows,
		computeresources.ClaimsAtPodLevel, computeresources.InvalidClaim, computeresources.InvalidResizePolicy,
	}
	resizeCauses = []computeresources.ResizeCause{
		computeresources.ResizeInvalid, computeresources.ResizeOfStaticPod, computeresources.ResizeOfWindowsPod, computeresources.ResizeChangesClass,
		computeresources.ResizeUnsupportedByNode, computeresources.ResizePodLevelDisabled, computeresources.ResizeRemovesPodLevel,
		computeresources.ResizeOfPodLevel, computeresources.ResizeLowersMemoryLimit, computeresources.ResizeAddsMemoryLimit, computeresources.ResizeOfSidecar,
		computeresources.ResizeRemovesAmount, computeresources.ResizeOfOtherThanCompute, computeresources.ResizeWithNodeClaims,
		computeresources.ResizeAddsOrRemovesContainers, computeresources.ResizeRenamesContainer, computeresources.ResizeOfInitContainer,
		computeresources.ResizeRestartsInitContainer, computeresources.ResizeNodeLacksFeatures, computeresources.ResizeNodeIsNotLinux, computeresources.ResizeNodeIsTooSmall,
	}
)

// The generators of the property tests reach each view of a pod, all kinds of containers and defaults, and each
// cause for which a pod or a resize is refused.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		pod, opts := testkit.Pod().Draw(t, "pod"), options().Draw(t, "options")
		all := computeresources.PodRequests(pod, opts)
		differs := func(without computeresources.Options, what string) {
			other := computeresources.PodRequests(pod, without)
			for name, q := range all {
				if q.Cmp(other[name]) != 0 {
					reached = append(reached, what)
				}
			}
		}
		spec := computeresources.SpecRequests(&pod.Spec, opts)
		for name, q := range all {
			switch q.Cmp(spec[name]) {
			case 1:
				reached = append(reached, "the status counts more than the spec")
			case -1:
				reached = append(reached, "the status counts less than the spec")
			}
		}
		without := opts
		without.IgnorePodLevel = true
		differs(without, "pod-level amounts count")
		without = opts
		without.ExcludeOverhead = true
		differs(without, "overhead counts")
		without = opts
		without.MissingRequests = nil
		differs(without, "missing requests count")
		without = opts
		without.ClaimedFromNode = nil
		differs(without, "what is claimed from the node counts")
		without = opts
		without.Kubernetes.InPlacePodLevelResourcesVerticalScaling = testkit.Off()
		differs(without, "pod-level status counts")
		for ref := range computeresources.Containers(&pod.Spec) {
			reached = append(reached, "a container: "+ref.Kind.String())
		}
		if len(computeresources.BindingLimits(&pod.Spec, opts)) > 0 {
			reached = append(reached, "binding limits")
		}
		defaults := computeresources.ApplyRequestDefaults(pod.Spec.DeepCopy(), computeresources.Kubernetes{})
		defaults = append(defaults, computeresources.ApplyPodLevelDefaults(pod.Spec.DeepCopy(), computeresources.Kubernetes{})...)
		for _, c := range defaults {
			reached = append(reached, fmt.Sprintf("default: %v of a %v", c.List, c.Ref.Kind))
		}
		for _, i := range computeresources.Validate(nil, &edited(t, pod).Spec, computeresources.Kubernetes{}) {
			reached = append(reached, "invalid: "+string(i.Cause))
		}
		r := resizes(t)
		for _, p := range r.problems() {
			reached = append(reached, "resize is refused: "+string(p.Cause))
		}
		return append(reached, "resize: "+computeresources.PendingResize(r.updated))
	}, slices.Concat([]string{
		"the status counts more than the spec", "the status counts less than the spec", "pod-level amounts count", "pod-level status counts",
		"overhead counts", "missing requests count", "what is claimed from the node counts", "binding limits", "default: limit of a pod",
	}, testkit.Each("a container: ", kinds[:3]), testkit.Each("default: request of a ", kinds),
		testkit.Each("invalid: ", invalidCauses), testkit.Each("resize is refused: ", resizeCauses), []string{"resize: ", "resize: Deferred", "resize: Infeasible"})...)
}
