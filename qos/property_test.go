package qos_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := rapid.OneOf(testkit.Pod(), testkit.LimitedPod()).Draw(t, "pod")
		pods := []*corev1.Pod{pod, testkit.Pod().Draw(t, "other"), nil}
		capacity := rapid.Int64().Draw(t, "capacity")
		testkit.Contract(t, func() any { return qos.Class(&pod.Spec, computeresources.Kubernetes{}) }, pod)
		testkit.Contract(t, func() any { return qos.PodClass(pod, computeresources.Kubernetes{}) }, pod)
		testkit.Contract(t, func() any { r := qos.Explain(&pod.Spec, computeresources.Kubernetes{}); return &r }, pod)
		testkit.Contract(t, func() any { return adviceFor(&pod.Spec) }, pod)
		reason := qos.Explain(&pod.Spec, computeresources.Kubernetes{})
		testkit.Contract(t, func() any { return reason.String() }, reason)
		testkit.Contract(t, func() any { return qos.TierTotals(pods, computeresources.Kubernetes{}) }, pods)
		testkit.Contract(t, func() any {
			var scores []int
			for _, c := range computeresources.Containers(&pod.Spec) {
				scores = append(scores, qos.OOMScoreAdj(pod, c, capacity, computeresources.Kubernetes{}))
			}
			return scores
		}, pod)
		testkit.Contract(t, func() any {
			var cpus []int64
			for _, c := range computeresources.Containers(&pod.Spec) {
				cpus = append(cpus, qos.ExclusiveCPUs(pod, c, computeresources.Kubernetes{}), qos.ExclusiveCPUs(nil, c, computeresources.Kubernetes{}))
			}
			return cpus
		}, pod)
	})
}

// specs draws pods that may be of any class: many with limits everywhere, and requests
// that equal them but for an amount moved from one to another.
func specs() *rapid.Generator[*corev1.PodSpec] {
	return rapid.Custom(func(t *rapid.T) *corev1.PodSpec {
		if rapid.Bool().Draw(t, "any") {
			return testkit.SpecWith(rapid.OneOf(testkit.Quantity(), testkit.Bytes())).Draw(t, "spec")
		}
		spec := &corev1.PodSpec{}
		for range rapid.IntRange(1, 4).Draw(t, "containers") {
			limits := corev1.ResourceList{"cpu": testkit.Positive().Draw(t, "cpu"), "memory": testkit.Positive().Draw(t, "memory")}
			spec.Containers = append(spec.Containers, container("c", limits.DeepCopy(), limits))
		}
		if rapid.Bool().Draw(t, "move") {
			name := rapid.SampledFrom([]corev1.ResourceName{"cpu", "memory"}).Draw(t, "name")
			amount := testkit.Positive().Draw(t, "amount")
			from := rapid.IntRange(0, len(spec.Containers)-1).Draw(t, "from")
			to := rapid.IntRange(0, len(spec.Containers)-1).Draw(t, "to")
			change(&spec.Containers[to], name, amount)
			if rapid.IntRange(0, 3).Draw(t, "lose") > 0 {
				amount.Neg()
				change(&spec.Containers[from], name, amount)
			}
		}
		return spec
	})
}

func change(c *corev1.Container, name corev1.ResourceName, by resource.Quantity) {
	var sum resource.Quantity
	sum.Add(c.Resources.Requests[name])
	sum.Add(by)
	c.Resources.Requests[name] = sum
}

func TestClassEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		got, want := qos.Class(spec, computeresources.Kubernetes{}), testkit.SpecClass(spec)
		testkit.Equal(t, got, want, "Class")
	})
}

// Following the advice, with any amount where it leaves a choice, makes the pod Guaranteed. All advice is
// necessary, except advice about sums.
func TestAdviceLeadsToGuaranteed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		advice := adviceFor(spec)
		if qos.Class(spec, computeresources.Kubernetes{}) == guaranteed && len(advice.Changes)+len(advice.Unset) > 0 {
			t.Fatalf("a Guaranteed pod is to change: %v", advice)
		}
		follow(t, spec, func() resource.Quantity { return testkit.Positive().Draw(t, "choice") })
		if len(testkit.PartsOfClass(spec, false)) == 0 {
			return // there is nothing that could be Guaranteed
		}
		testkit.Equal(t, qos.Class(spec, computeresources.Kubernetes{}), guaranteed, "following", advice)
	})
}

// advice is what GuaranteedChanges returns.
type advice struct {
	Changes []computeresources.Change
	Unset   []qos.Unset
}

func adviceFor(spec *corev1.PodSpec) advice {
	changes, unset := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
	return advice{changes, unset}
}

// follow makes a pod Guaranteed by the advice.
func follow(t rapid.TB, spec *corev1.PodSpec, choose func() resource.Quantity) {
	a := adviceFor(spec)
	for _, u := range a.Unset {
		amount := choose()
		for _, list := range []computeresources.List{computeresources.Requests, computeresources.Limits} {
			a.Changes = append(a.Changes, computeresources.Change{Ref: u.Ref, List: list, Resource: u.Resource, To: &amount})
		}
	}
	testkit.OK(t, computeresources.ApplyChanges(spec, a.Changes))
}

// setsPodLevel reports whether a list of spec.resources has a resource that it may have: without any, the class is that of
// the containers since 1.37.
func setsPodLevel(list corev1.ResourceList) bool {
	for name := range list {
		if name == corev1.ResourceCPU || name == corev1.ResourceMemory || strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix) {
			return true
		}
	}
	return false
}

// The reason is the first advice, if there is any.
func TestReasonIsFirstAdvice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		reason, advice := qos.Explain(spec, computeresources.Kubernetes{}), adviceFor(spec)
		testkit.Equal(t, reason.Class, qos.Class(spec, computeresources.Kubernetes{}), "Explain says")
		switch reason.Class {
		case guaranteed:
			testkit.NoDiff(t, reason, qos.Reason{Class: guaranteed})
		case bestEffort:
			want := qos.Reason{Class: bestEffort}
			if r := spec.Resources; r != nil && (setsPodLevel(r.Requests) || setsPodLevel(r.Limits)) {
				want.Ref.Kind = computeresources.Pod
			}
			testkit.NoDiff(t, reason, want)
		default:
			changed := slices.ContainsFunc(advice.Changes[:min(1, len(advice.Changes))], func(c computeresources.Change) bool {
				return c.Ref == reason.Ref && c.Resource == reason.Resource && (reason.Limit.Sign() <= 0) == (c.List == computeresources.Limits)
			})
			unset := slices.Contains(advice.Unset[:min(1, len(advice.Unset))], qos.Unset{Ref: reason.Ref, Resource: reason.Resource})
			if changed == unset {
				t.Fatalf("%v, but the advice is %v", reason, advice)
			}
		}
	})
}

// PodClass and the tier totals computed together equal those computed separately, and sums are
// only clamped at the end.
func TestTierTotalsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Bytes()}).Draw(t, "quantities")
		pods := rapid.SliceOfN(testkit.PodWith(quantities), 0, 5).Draw(t, "pods")
		tiers := map[corev1.PodQOSClass]*slowTier{guaranteed: {}, burstable: {}, bestEffort: {}}
		for _, pod := range pods {
			class := pod.Status.QOSClass
			if class == "" {
				class = testkit.SpecClass(&pod.Spec)
			}
			tiers[class].add(&pod.Spec)
		}
		want := qos.Tiers{Guaranteed: tiers[guaranteed].tier(), Burstable: tiers[burstable].tier(), BestEffort: tiers[bestEffort].tier()}
		testkit.NoDiff(t, qos.TierTotals(pods, computeresources.Kubernetes{}), want)
	})
}

// slowTier is a tier in arbitrary precision.
type slowTier struct {
	cpu, memory, storage big.Rat
}

func (s *slowTier) add(spec *corev1.PodSpec) {
	for _, add := range []struct {
		sum         *big.Rat
		name        corev1.ResourceName
		unitsPerOne int64
	}{{&s.cpu, "cpu", 1000}, {&s.memory, "memory", 1}, {&s.storage, "ephemeral-storage", 1}} {
		add.sum.Add(add.sum, new(big.Rat).SetInt64(testkit.RoundedAway(slowRequest(spec, add.name), add.unitsPerOne)))
	}
}

func (s *slowTier) tier() computeresources.Totals {
	return computeresources.Totals{
		MilliCPU: testkit.RoundedAway(&s.cpu, 1), Memory: testkit.RoundedAway(&s.memory, 1), EphemeralStorage: testkit.RoundedAway(&s.storage, 1),
	}
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.Pod(), 0, 2).Draw(t, "pods")
		testkit.EmptyIsNil(t, pods, func(pods []*corev1.Pod) any {
			answers := []any{qos.TierTotals(pods, computeresources.Kubernetes{})}
			for _, pod := range pods {
				answers = append(answers, qos.Class(&pod.Spec, computeresources.Kubernetes{}), qos.Explain(&pod.Spec, computeresources.Kubernetes{}), adviceFor(&pod.Spec))
				for _, c := range computeresources.Containers(&pod.Spec) {
					answers = append(answers, qos.OOMScoreAdj(pod, c, 1<<34, computeresources.Kubernetes{}))
				}
			}
			return answers
		})
	})
}

// For any requests and limits of two containers, the class is that of the slow twin, following
// the advice makes the pod Guaranteed, and OOM scores stay in their range.
func FuzzClass(f *testing.F) {
	f.Add("1", "1", "1Gi", "1024Mi", "500m", "0.5", "1", "1", int64(16<<30))
	f.Add("1.5Gi", "1536Mi", "-1", "0", "1n", "2n", "1E", "10E", int64(1))
	f.Add("2", "1", "1", "1", "1", "2", "1", "1", int64(0))
	f.Fuzz(func(t *testing.T, cpuA, cpuLimitA, memoryA, memoryLimitA, cpuB, cpuLimitB, memoryB, memoryLimitB string, capacity int64) {
		parse := func(cpu, memory string) corev1.ResourceList {
			list := corev1.ResourceList{}
			if q, ok := testkit.Parse(cpu); ok {
				list["cpu"] = q
			}
			if q, ok := testkit.Parse(memory); ok {
				list["memory"] = q
			}
			return list
		}
		spec := &corev1.PodSpec{Containers: []corev1.Container{
			container("a", parse(cpuA, memoryA), parse(cpuLimitA, memoryLimitA)),
			container("b", parse(cpuB, memoryB), parse(cpuLimitB, memoryLimitB)),
		}}
		testkit.Equal(t, qos.Class(spec, computeresources.Kubernetes{}), testkit.SpecClass(spec.DeepCopy()), "Class")
		score := qos.OOMScoreAdj(&corev1.Pod{Spec: *spec}, &spec.Containers[0], capacity, computeresources.Kubernetes{})
		if score < -997 || score > 1000 {
			t.Errorf("OOM score %d", score)
		}
		follow(t, spec, func() resource.Quantity { return quantity(7) })
		testkit.Equal(t, testkit.SpecClass(spec), guaranteed, "following the advice")
	})
}

// blockerOf returns which of the texts of a reason it has.
func blockerOf(reason qos.Reason) string {
	text := reason.String()
	for _, part := range []string{"no container", "neither cpu nor memory", "requests equal", "but no request", "but its limit is", "limit"} {
		if strings.Contains(text, part) {
			return part
		}
	}
	return text
}

// The generators of the property tests reach each class, for each reason.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		spec := specs().Draw(t, "spec")
		reason := qos.Explain(spec, computeresources.Kubernetes{})
		reached = append(reached, string(reason.Class)+": "+blockerOf(reason))
		changes, unset := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
		for _, c := range changes {
			reached = append(reached, "change of "+c.List.String())
		}
		if len(unset) > 0 {
			reached = append(reached, "an amount is unset")
		}
		pod := rapid.OneOf(testkit.Pod(), testkit.LimitedPod()).Draw(t, "pod")
		for ref, c := range computeresources.Containers(&pod.Spec) {
			switch score := qos.OOMScoreAdj(pod, c, 16<<30, computeresources.Kubernetes{}); score {
			case 3, 999, -997, 1000:
				reached = append(reached, "a score at an end")
			default:
				reached = append(reached, "a score between")
				if ref.Kind == computeresources.Sidecar {
					reached = append(reached, "that of a sidecar")
				}
			}
		}
		return reached
	},
		string(corev1.PodQOSGuaranteed)+": requests equal",
		string(corev1.PodQOSBestEffort)+": no container", string(corev1.PodQOSBestEffort)+": neither cpu nor memory",
		string(corev1.PodQOSBurstable)+": limit", string(corev1.PodQOSBurstable)+": but no request", string(corev1.PodQOSBurstable)+": but its limit is",
		"change of request", "change of limit", "an amount is unset", "a score at an end", "a score between", "that of a sidecar",
	)
}

// Without its pod, a container has the exclusive CPUs that it has in any Guaranteed pod where each container
// requests its limits.
func TestExclusiveCPUsWithoutPod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpus := rapid.SampledFrom([]string{"1", "2", "1500m", "0.9999", "0"})
		pod := &corev1.Pod{}
		for i := range rapid.IntRange(1, 4).Draw(t, "containers") {
			amounts := testkit.List("cpu", cpus.Draw(t, "cpu"), "memory", rapid.SampledFrom([]string{"1Gi", "1Gi", "1Gi", "0"}).Draw(t, "memory"))
			c := container("c", amounts, amounts)
			if i == 0 && rapid.Bool().Draw(t, "init") {
				pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
			} else {
				pod.Spec.Containers = append(pod.Spec.Containers, c)
			}
		}
		guaranteed := qos.Class(&pod.Spec, computeresources.Kubernetes{}) == corev1.PodQOSGuaranteed
		for ref, c := range computeresources.Containers(&pod.Spec) {
			alone, inPod := qos.ExclusiveCPUs(nil, c, computeresources.Kubernetes{}), qos.ExclusiveCPUs(pod, c, computeresources.Kubernetes{})
			if guaranteed && alone != inPod || inPod > alone {
				t.Fatalf("%v: %d CPUs without the pod, %d with it", ref, alone, inPod)
			}
		}
	})
}
