package autoscaler

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/admission-controller/resource/pod/recommendation"
	vpatypes "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	vpalimitrange "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/utils/limitrange"
	vpautil "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/utils/vpa"
	"k8s.io/client-go/informers"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

var names = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

// counts are how often LimitRanges reject what the autoscaler writes for pods for which something is admitted.
type counts struct{ pods, rejected, withPodItems, rejectedWithPodItems, conflicts int }

// RightSize is always admitted. It keeps the ratio of limits to requests of every container of which the
// autoscaler keeps it, if what the autoscaler writes is admitted.
func TestRightSizeBesideTheAutoscaler(t *testing.T) {
	var n counts
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			compare(t, &n)
		}
	})
	t.Logf("%d pods: LimitRanges reject %d of what the autoscaler writes, and 0 of ours; with items of type Pod, %d of %d. For %d more, nothing is admitted.",
		n.pods, n.rejected, n.rejectedWithPodItems, n.withPodItems, n.conflicts)
	if n.pods > 0 && n.rejectedWithPodItems == 0 {
		t.Error("the autoscaler's amounts are always admitted: what is compared?")
	}
}

func compare(t *rapid.T, n *counts) {
	ranges := drawRanges(t)
	policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
	spec := drawSpec(t)
	computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{})
	policy.ApplyDefaults(spec) // LimitRanger comes before webhooks
	vpa := drawAutoscaler(t, spec)

	theirs := spec.DeepCopy()
	write(t, theirs, vpa, ranges)
	result, err := solver.RightSize(spec, recommendationsOf(vpa, spec, hasPodItems(ranges)), solver.Input{LimitRanges: ranges})
	admitted := isAdmitted(policy, theirs)
	if err != nil {
		var conflict *solver.ConflictError
		if !errors.As(err, &conflict) || admitted && isWithinPolicy(vpa, theirs) {
			t.Fatalf("%v, but the autoscaler has an answer: %v", err, theirs.Containers)
		}
		n.conflicts++
		return
	}
	n.count(admitted, hasPodItems(ranges))
	ours := spec.DeepCopy()
	testkit.OK(t, computeresources.ApplyChanges(ours, result.Changes))
	if !isAdmitted(policy, ours) {
		t.Fatalf("rejected: %v after %v", policy.Validate(nil, ours), result.Changes)
	}
	if !admitted {
		return
	}
	for i := range spec.Containers {
		before := spec.Containers[i].Resources
		if *vpa.Spec.ResourcePolicy.ContainerPolicies[i].ControlledValues == vpatypes.ContainerControlledValuesRequestsOnly {
			continue // limits stay, and have no ratio to keep
		}
		for _, name := range names {
			if keepsRatio(before, theirs.Containers[i].Resources, name) && !keepsRatio(before, ours.Containers[i].Resources, name) {
				t.Fatalf("%s of %s: was %v, theirs %v, ours %v", name, spec.Containers[i].Name, before, theirs.Containers[i].Resources, ours.Containers[i].Resources)
			}
		}
	}
}

func (n *counts) count(admitted, withPodItems bool) {
	n.pods++
	if withPodItems {
		n.withPodItems++
	}
	if !admitted {
		n.rejected++
		if withPodItems {
			n.rejectedWithPodItems++
		}
	}
}

// keepsRatio reports whether a limit is as many times the request as before, rounded down.
func keepsRatio(before, after corev1.ResourceRequirements, name corev1.ResourceName) bool {
	units := func(list corev1.ResourceList) *big.Int {
		q := list[name]
		if name == corev1.ResourceCPU {
			return big.NewInt(q.MilliValue())
		}
		return big.NewInt(q.Value())
	}
	if _, limited := before.Limits[name]; !limited {
		_, limited = after.Limits[name]
		return !limited
	}
	limit := new(big.Int).Mul(units(before.Limits), units(after.Requests))
	if request := units(before.Requests); request.Sign() > 0 {
		return limit.Div(limit, request).Cmp(units(after.Limits)) == 0
	}
	return units(after.Requests).Cmp(units(after.Limits)) == 0
}

// isAdmitted reports whether every LimitRange passes a pod whose requests are no larger than its limits.
func isAdmitted(policy *limitrange.Policy, spec *corev1.PodSpec) bool {
	for _, c := range computeresources.Containers(spec) {
		for name, limit := range c.Resources.Limits {
			if request := c.Resources.Requests[name]; request.Cmp(limit) > 0 {
				return false
			}
		}
	}
	return len(policy.Validate(nil, spec)) == 0
}

// isWithinPolicy reports whether the requests that the autoscaler controls are at least its minima: a limit that
// it keeps wins against them.
func isWithinPolicy(vpa *vpatypes.VerticalPodAutoscaler, spec *corev1.PodSpec) bool {
	for i, p := range vpa.Spec.ResourcePolicy.ContainerPolicies {
		for name, least := range p.MinAllowed {
			if request := spec.Containers[i].Resources.Requests[name]; request.Cmp(least) < 0 {
				return false
			}
		}
	}
	return true
}

// write lets the autoscaler write its amounts, as its webhook does.
func write(t *rapid.T, spec *corev1.PodSpec, vpa *vpatypes.VerticalPodAutoscaler, ranges []*corev1.LimitRange) {
	factory := informers.NewSharedInformerFactory(nil, 0)
	for _, r := range ranges {
		testkit.OK(t, factory.Core().V1().LimitRanges().Informer().GetIndexer().Add(r.DeepCopy()))
	}
	calculator, err := vpalimitrange.NewLimitsRangeCalculator(factory)
	testkit.OK(t, err)
	provider := recommendation.NewProvider(calculator, vpautil.NewCappingRecommendationProcessor(calculator))
	pod := &corev1.Pod{Spec: *spec}
	pod.Namespace = "team"
	resources, _, err := provider.GetContainersResourcesForPod(pod, vpa)
	testkit.OK(t, err)
	for i, r := range resources {
		c := &spec.Containers[i].Resources
		for name, q := range r.Requests {
			c.Requests[name] = q
		}
		for name, q := range r.Limits {
			c.Limits[name] = q
		}
	}
}

// recommendationsOf returns what the autoscaler recommends. If there are LimitRange items of type Pod, it
// scales the requests of containers without a recommendation, too.
func recommendationsOf(vpa *vpatypes.VerticalPodAutoscaler, spec *corev1.PodSpec, all bool) (recommendations []solver.Recommendation) {
	for i, p := range vpa.Spec.ResourcePolicy.ContainerPolicies {
		r := solver.Recommendation{
			Ref: computeresources.Ref{Name: p.ContainerName}, Min: p.MinAllowed, Max: p.MaxAllowed,
			KeepLimits: *p.ControlledValues == vpatypes.ContainerControlledValuesRequestsOnly,
		}
		if all {
			r.Requests = spec.Containers[i].Resources.Requests
		}
		if recommended := vpautil.GetRecommendationForContainer(p.ContainerName, vpa.Status.Recommendation); recommended != nil {
			r.Requests = recommended.Target
		}
		recommendations = append(recommendations, r)
	}
	return recommendations
}

func hasPodItems(ranges []*corev1.LimitRange) bool {
	for _, r := range ranges {
		for _, item := range r.Spec.Limits {
			if item.Type == corev1.LimitTypePod {
				return true
			}
		}
	}
	return false
}

// amounts draws amounts of cpu and memory, each one time in so many.
func amounts(t *rapid.T, rare int, least, most int64) corev1.ResourceList {
	list := corev1.ResourceList{}
	for _, name := range names {
		if rapid.IntRange(1, rare).Draw(t, "rare") != 1 {
			continue
		}
		n := rapid.OneOf(rapid.Int64Range(least, most), rapid.Map(rapid.Int64Range(least/100+1, most/100), func(n int64) int64 { return 100 * n })).Draw(t, string(name))
		if name == corev1.ResourceCPU {
			list[name] = *resource.NewMilliQuantity(n, resource.DecimalSI)
		} else {
			list[name] = *resource.NewQuantity(n*1000+rapid.Int64Range(0, 999).Draw(t, "bytes"), resource.BinarySI)
		}
	}
	return list
}

func drawSpec(t *rapid.T) *corev1.PodSpec {
	spec := &corev1.PodSpec{}
	for i := range rapid.IntRange(1, 4).Draw(t, "containers") {
		c := corev1.Container{Name: fmt.Sprint("c-", i)}
		c.Resources.Requests, c.Resources.Limits = amounts(t, 1, 1, 1000), corev1.ResourceList{}
		for name, more := range amounts(t, 2, 1, 1000) {
			more.Add(c.Resources.Requests[name])
			c.Resources.Limits[name] = more
		}
		spec.Containers = append(spec.Containers, c)
	}
	if rapid.IntRange(0, 4).Draw(t, "init") == 0 {
		c := corev1.Container{Name: "init"}
		c.Resources.Requests = amounts(t, 1, 1, 1000)
		c.Resources.Limits = c.Resources.Requests.DeepCopy()
		spec.InitContainers = append(spec.InitContainers, c)
	}
	return spec
}

func drawAutoscaler(t *rapid.T, spec *corev1.PodSpec) *vpatypes.VerticalPodAutoscaler {
	vpa := &vpatypes.VerticalPodAutoscaler{}
	vpa.Spec.ResourcePolicy, vpa.Status.Recommendation = &vpatypes.PodResourcePolicy{}, &vpatypes.RecommendedPodResources{}
	for _, c := range spec.Containers {
		values := rapid.SampledFrom([]vpatypes.ContainerControlledValues{
			vpatypes.ContainerControlledValuesRequestsAndLimits, vpatypes.ContainerControlledValuesRequestsAndLimits, vpatypes.ContainerControlledValuesRequestsOnly,
		}).Draw(t, "controlled values")
		vpa.Spec.ResourcePolicy.ContainerPolicies = append(vpa.Spec.ResourcePolicy.ContainerPolicies, vpatypes.ContainerResourcePolicy{
			ContainerName: c.Name, ControlledValues: &values, MinAllowed: amounts(t, 5, 1, 300), MaxAllowed: amounts(t, 5, 400, 3000),
		})
		if rapid.IntRange(0, 7).Draw(t, "recommended") > 0 {
			vpa.Status.Recommendation.ContainerRecommendations = append(vpa.Status.Recommendation.ContainerRecommendations,
				vpatypes.RecommendedContainerResources{ContainerName: c.Name, Target: amounts(t, 1, 1, 2000)})
		}
	}
	return vpa
}

func drawRanges(t *rapid.T) (ranges []*corev1.LimitRange) {
	for i := range rapid.IntRange(1, 2).Draw(t, "ranges") {
		r := &corev1.LimitRange{}
		r.Namespace, r.Name = "team", fmt.Sprint("range-", i)
		item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: amounts(t, 4, 1, 300), Max: amounts(t, 3, 500, 5000)}
		if rapid.IntRange(0, 3).Draw(t, "default") == 0 {
			item.Default, item.DefaultRequest = amounts(t, 1, 400, 900), amounts(t, 1, 1, 300)
		}
		r.Spec.Limits = append(r.Spec.Limits, limitrange.WithDefaults(item))
		if rapid.Bool().Draw(t, "pod item") {
			r.Spec.Limits = append(r.Spec.Limits, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: amounts(t, 3, 1, 1500), Max: amounts(t, 2, 1500, 9000)})
		}
		ranges = append(ranges, r)
	}
	return ranges
}
