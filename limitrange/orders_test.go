package limitrange_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// giveInTurn sets defaults as the LimitRanger does, one LimitRange after the other.
func giveInTurn(ranges []*corev1.LimitRange, spec *corev1.PodSpec) {
	for _, lr := range ranges {
		for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
			for i := range containers {
				r := &containers[i].Resources
				giveMissing(&r.Requests, lr, func(item *corev1.LimitRangeItem) corev1.ResourceList { return item.DefaultRequest })
				giveMissing(&r.Limits, lr, func(item *corev1.LimitRangeItem) corev1.ResourceList { return item.Default })
			}
		}
	}
}

func giveMissing(list *corev1.ResourceList, lr *corev1.LimitRange, of func(item *corev1.LimitRangeItem) corev1.ResourceList) {
	defaults := corev1.ResourceList{}
	for i := range lr.Spec.Limits {
		if lr.Spec.Limits[i].Type == corev1.LimitTypeContainer {
			for name, q := range of(&lr.Spec.Limits[i]) {
				defaults[name] = q
			}
		}
	}
	for name, q := range defaults {
		if _, set := (*list)[name]; !set {
			if *list == nil {
				*list = corev1.ResourceList{}
			}
			(*list)[name] = q.DeepCopy()
		}
	}
}

// writtenSpec returns the amounts of a pod as text.
func writtenSpec(spec *corev1.PodSpec) string {
	var lines []string
	for ref, c := range computeresources.Containers(spec) {
		lines = append(lines, fmt.Sprint(ref, testkit.Texts(c.Resources.Requests), testkit.Texts(c.Resources.Limits)))
	}
	return strings.Join(lines, "\n")
}

// fewDefaults draws one to four LimitRanges with defaults of a few resources, some of them equal.
func fewDefaults(t *rapid.T) (ranges []*corev1.LimitRange) {
	lists := rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		drawn := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"cpu", "memory", "example.com/gpu"} {
			if amount := rapid.SampledFrom([]string{"", "", "1", "2", "3", "1Gi", "1073741824"}).Draw(t, string(name)); amount != "" {
				drawn[name] = resource.MustParse(amount)
			}
		}
		return drawn
	})
	for _, name := range []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(t, "ranges")] {
		lr := namedRange(name, corev1.LimitRangeItem{Type: container, Default: lists.Draw(t, "limits"), DefaultRequest: lists.Draw(t, "requests")})
		if rapid.IntRange(0, 5).Draw(t, "second item") == 0 {
			lr.Spec.Limits = append(lr.Spec.Limits, corev1.LimitRangeItem{Type: container, Default: lists.Draw(t, "limits"), DefaultRequest: lists.Draw(t, "requests")})
		}
		ranges = append(ranges, lr)
	}
	return ranges
}

// The orders give a pod exactly the sets of amounts that it gets in any order of the LimitRanges, each of them
// once, and every policy sets what the LimitRanger sets in its order.
func TestOrdersAreAllOrders(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		ranges := fewDefaults(t)
		spec := testkit.SpecWith(testkit.Ordinary()).Draw(t, "spec")
		policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
		want, got := map[string]bool{}, map[string]bool{}
		for _, order := range permutations(ranges) {
			names, own, ours := []string{}, spec.DeepCopy(), spec.DeepCopy()
			for _, lr := range order {
				names = append(names, lr.Name)
			}
			giveInTurn(order, own)
			policy.InOrder(names...).ApplyDefaults(ours)
			testkit.NoDiff(t, writtenSpec(ours), writtenSpec(own), "in order", names)
			want[writtenSpec(own)] = true
		}
		orders, complete := policy.Orders(policy.ApplyDefaults(spec.DeepCopy()), 1000)
		if !complete || orders[0] != nil {
			t.Fatalf("orders %v, complete %v", orders, complete)
		}
		for _, names := range orders {
			own := spec.DeepCopy()
			another := policy.InOrder(names...)
			if same, complete := another.Orders(another.ApplyDefaults(own), 1000); !complete || !cmp.Equal(same, orders) {
				t.Fatalf("orders %v in order %v, and otherwise %v", same, names, orders)
			}
			if got[writtenSpec(own)] {
				t.Fatalf("order %v gives what an earlier one gives", names)
			}
			got[writtenSpec(own)] = true
		}
		testkit.NoDiff(t, got, want)
		for most := range len(orders) + 2 {
			some, complete := policy.Orders(policy.ApplyDefaults(spec.DeepCopy()), most)
			if diff := cmp.Diff(orders[:min(max(most, 1), len(orders))], some); diff != "" || complete != (len(some) == len(orders)) {
				t.Fatalf("at most %d of %d: complete %v\n%s", most, len(orders), complete, diff)
			}
		}
		if len(orders) > 2 {
			several++
		}
	})
	if !testing.Short() && several == 0 {
		t.Error("there were never more than two orders")
	}
}

// Only defaults depend on the order. Bounds do not, nor does what counts of a pod.
func TestInOrderHasTheSameBounds(t *testing.T) {
	a := namedRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1"), Max: list("cpu", "3")})
	a.Spec.Limits = append(a.Spec.Limits, corev1.LimitRangeItem{Type: pod, Max: list("cpu", "5")}, corev1.LimitRangeItem{Type: claim, Max: list("storage", "1Gi")})
	ranges := []*corev1.LimitRange{a, namedRange("b", corev1.LimitRangeItem{Type: container, Default: list("cpu", "2")})}
	spec := podOf(testkit.Container("app", nil, list("cpu", "4")))
	spec.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "6")}
	large := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "2Gi")}}
	for _, ignored := range []bool{false, true} {
		policy := limitrange.Compile(ranges, computeresources.Kubernetes{PodLevelResources: testkit.OffIf(ignored)}).InOrder("b")
		want := []string{"maximum cpu usage per Container is 3, but limit is 4"}
		if !ignored {
			want = append(want, "maximum cpu usage per Pod is 5, but limit is 6")
		}
		var got []string
		for _, v := range policy.Validate(nil, spec) {
			got = append(got, v.Error())
		}
		testkit.NoDiff(t, got, want, "pod level ignored", ignored)
		testkit.Equal(t, len(policy.ValidateClaim(nil, large)), 1, "claims that are too large")
		bare := podOf(testkit.Container("app", nil, nil))
		policy.ApplyDefaults(bare)
		testkit.NoDiff(t, bare.Containers[0].Resources.Limits, list("cpu", "2"))
	}
}

func TestOrdersContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranges := testkit.LimitRanges(testkit.Ordinary()).Draw(t, "ranges")
		spec := testkit.SpecWith(testkit.Ordinary()).Draw(t, "spec")
		policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
		set := policy.ApplyDefaults(spec.DeepCopy())
		testkit.Contract(t, func() any { orders, complete := policy.Orders(set, 5); return []any{orders, complete} }, policy, set)
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			return []any{policy.InOrder("d", "b").ApplyDefaults(own), own}
		}, policy, spec)
	})
}

func TestOrdersOfNothing(t *testing.T) {
	var none *limitrange.Policy
	if none.InOrder("a") != nil {
		t.Error("no policy has an order")
	}
	if orders, complete := none.Orders(nil, 3); len(orders) != 1 || orders[0] != nil || !complete {
		t.Errorf("orders %v, complete %v", orders, complete)
	}
}

// A request that the server sets to the limit, before LimitRanges are asked, is none of their defaults.
func TestOrdersOfRequestsFromLimits(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{
		namedRange("a", corev1.LimitRangeItem{Type: container, DefaultRequest: list("cpu", "1")}),
		namedRange("b", corev1.LimitRangeItem{Type: container, DefaultRequest: list("cpu", "2")}),
	}, computeresources.Kubernetes{})
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: list("cpu", "3")}}}}
	set := computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{})
	if orders, complete := policy.Orders(set, 3); len(set) != 1 || len(orders) != 1 || !complete {
		t.Errorf("changes %v, orders %v, complete %v", set, orders, complete)
	}
}

// 0.5Ki is stored as 512.
func TestOrdersOfAmountsWithTheSameText(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{
		namedRange("a", corev1.LimitRangeItem{Type: container, DefaultRequest: list("memory", "0.5Ki")}),
		namedRange("b", corev1.LimitRangeItem{Type: container, DefaultRequest: list("memory", "512")}),
	}, computeresources.Kubernetes{})
	set := policy.ApplyDefaults(&corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}})
	if orders, complete := policy.Orders(set, 3); len(orders) != 1 || !complete {
		t.Errorf("orders %v, complete %v", orders, complete)
	}
}

// Pairs of LimitRanges that do not concern each other have 2^n sets of defaults. Not all are looked for.
func TestManyOrders(t *testing.T) {
	var ranges []*corev1.LimitRange
	for i := range 40 {
		name := fmt.Sprintf("example.com/%c%02d", 'a'+i%2, i/2)
		for _, amount := range []string{"1", "2"} {
			ranges = append(ranges, namedRange(name[12:]+amount, corev1.LimitRangeItem{Type: container, Default: list(name, amount), DefaultRequest: list(name, "1")}))
		}
	}
	policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
	set := policy.ApplyDefaults(&corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}})
	if orders, complete := policy.Orders(set, 64); len(orders) != 64 || complete {
		t.Errorf("%d orders, complete %v", len(orders), complete)
	}
}
