package admit_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// sequences finds the least and the most complete groups by trying every decision on every object in turn.
type sequences struct {
	t       testkit.TB
	ranges  []*corev1.LimitRange
	objects []admit.APIObject
	seen    map[string][2]int64
}

// from returns the least and the most groups that follow, with the object of this index next.
func (s *sequences) from(quotas []*corev1.ResourceQuota, index int) (least, most int64) {
	key := testkit.Fingerprint([]any{quotas, index})
	if known, found := s.seen[key]; found {
		return known[0], known[1]
	}
	complete := int64(0)
	if index == len(s.objects)-1 {
		complete = 1
	}
	least = math.MaxInt64
	namespace := compile(s.t, s.ranges, quotas, admit.Options{})
	for _, d := range namespace.Possible(nil, s.objects[index], admit.Attributes{}).Decisions {
		if !d.Admitted() {
			least = 0
			continue
		}
		l, m := s.from(namespace.After(d).Quotas(), (index+1)%len(s.objects))
		least, most = min(least, l+complete), max(most, m+complete)
	}
	s.seen[key] = [2]int64{least, most}
	return least, most
}

// A range has the least and the most of all sequences of decisions.
func TestRangeIsAllSequences(t *testing.T) {
	wide := 0
	check := func(t testkit.TB, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, objects []admit.APIObject) {
		quotas = append(quotas, resourceQuota("z", list("pods", "9", "requests.ephemeral-storage", "9", "limits.ephemeral-storage", "10"), list("pods", "1", "requests.ephemeral-storage", "1", "limits.ephemeral-storage", "0")))
		s := sequences{t, ranges, objects, map[string][2]int64{}}
		wantLeast, wantMost := s.from(quotas, 0)
		fit := compile(t, ranges, quotas, admit.Options{}).Replicas(objects, admit.Attributes{})
		least, most, exact := rangeOf(fit)
		if !exact || least != wantLeast || most != wantMost {
			t.Fatalf("from %d to %d, exact %v, want from %d to %d", least, most, exact, wantLeast, wantMost)
		}
		if fit.Replicas < least || fit.Replicas > most {
			t.Fatalf("%d replicas are not from %d to %d", fit.Replicas, least, most)
		}
		if least < most {
			wide++
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		ranges, quotas := contested().Draw(t, "ranges"), contestedQuotas().Draw(t, "quotas")
		objects := []admit.APIObject{contestedPod().Draw(t, "pod")}
		if rapid.Bool().Draw(t, "group") {
			objects = append(objects, contestedPod().Draw(t, "another pod"))
		}
		check(t, ranges, quotas, objects)
	})
	for seed := 0; wide == 0 && seed < 1000; seed++ { // until a number depends on the order
		check(t, contested().Example(seed), contestedQuotas().Example(seed), []admit.APIObject{contestedPod().Example(seed)})
	}
	if wide == 0 {
		t.Error("no number depended on the order")
	}
}
func TestRange(t *testing.T) {
	// The first default uses little of one resource and much of the other, the second the other way round.
	crosswise := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "1")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "2")}),
		limitRange("c", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "3")}),
	}
	for i, memory := range []string{"3", "2", "1"} {
		crosswise[i].Spec.Limits[0].DefaultRequest["memory"] = list("memory", memory)["memory"]
	}
	free := func(cpu, memory string) []*corev1.ResourceQuota {
		return []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", cpu, "requests.memory", memory), list("requests.cpu", "0", "requests.memory", "0"))}
	}
	bounded := append(crosswise[:2:2], limitRange("max", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "1")}))
	bounded[0] = limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1", "memory", "3")})
	bounded[1] = limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "2", "memory", "2")})
	elsewhere := resourceQuota("elsewhere", list("requests.cpu", "1"), list("requests.cpu", "0"))
	elsewhere.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	requests := func(name string, requests ...string) *corev1.LimitRange {
		return limitRange(name, corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list(requests...)})
	}
	// Each default uses one resource.
	apart := []*corev1.LimitRange{
		requests("a", "cpu", "0", "memory", "0", "ephemeral-storage", "4"), requests("b", "cpu", "1", "memory", "0", "ephemeral-storage", "0"), requests("c", "cpu", "0", "memory", "1", "ephemeral-storage", "0"),
	}
	storage := resourceQuota("s", list("requests.ephemeral-storage", "8"), list("requests.ephemeral-storage", "0"))
	for _, test := range []struct {
		name                  string
		ranges                []*corev1.LimitRange
		quotas                []*corev1.ResourceQuota
		replicas, least, most int64
		exact                 bool
	}{
		{"no LimitRanges", nil, free("0", "0"), 0, 0, 0, true},
		{"one LimitRange", crosswise[:1], free("9", "9"), 3, 3, 3, true},
		{"two that are mixed", []*corev1.LimitRange{crosswise[0], crosswise[2]}, free("8", "8"), 2, 2, 4, true},
		{"all three", crosswise, free("12", "12"), 4, 4, 6, true},
		{"two, of amounts in milli-units", []*corev1.LimitRange{crosswise[0], crosswise[2]}, free("7500m", "6500m"), 2, 2, 3, true},
		{"large numbers", []*corev1.LimitRange{crosswise[0], crosswise[2]}, free("8E", "8E"), 2666666666666666666, 2666666666666666666, 4000000000000000000, true},
		{"all three, each on its own", apart, append(free("3", "3"), storage), 2, 2, 8, true},
		{"more than there are integers", []*corev1.LimitRange{requests("a", "cpu", "1", "memory", "1m"), requests("b", "cpu", "1m", "memory", "1")}, free("8E", "8E"), 8e18, 8e18, math.MaxInt64, true},
		{"more sets of defaults than are looked for", pairs(7, "1", "2"), nil, math.MaxInt64, math.MaxInt64, math.MaxInt64, false},
		{"a quota of other pods", []*corev1.LimitRange{crosswise[0], crosswise[2]}, append(free("8", "8"), elsewhere), 2, 2, 4, true},
		{"three, and large numbers", crosswise, free("12k", "12k"), 4000, 4000, 12000, false},
		{"no quota", crosswise, nil, math.MaxInt64, math.MaxInt64, math.MaxInt64, true},
		{"a quota that is exceeded already", crosswise, []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", "1", "requests.memory", "1"), list("requests.cpu", "2", "requests.memory", "0"))}, 0, 0, 0, true},
		{"a default that is refused", bounded, free("9", "9"), 3, 0, 3, true},
		{"a default that is refused in any order", bounded[1:], free("9", "9"), 0, 0, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, test.quotas, admit.Options{})
			fit := namespace.Replicas([]admit.APIObject{bare()}, admit.Attributes{})
			least, most, exact := rangeOf(fit)
			if fit.Replicas != test.replicas || least != test.least || most != test.most || exact != test.exact {
				t.Errorf("%d replicas, from %d to %d, exact %v", fit.Replicas, least, most, exact)
			}
			deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: bare().Spec}}}
			if l, m, e := rangeOf(namespace.Create(deployment, admit.Attributes{}).Pods.Fit); l != test.least || m != test.most || e != test.exact {
				t.Errorf("of a Deployment: from %d to %d, exact %v", l, m, e)
			}
			if _, _, e := rangeOf(namespace.Replicas([]admit.APIObject{pairOf(deployment)}, admit.Attributes{})); e != (len(test.ranges) < 2 || test.name == "a default that is refused in any order") {
				t.Errorf("of two pods: exact %v", e)
			}
			other := &corev1.ConfigMap{ObjectMeta: named("x")}
			for _, group := range [][]admit.APIObject{{other, bare()}, {bare(), other}, {other, deployment}} {
				if l, m, e := rangeOf(namespace.Replicas(group, admit.Attributes{})); l != test.least || m != test.most || e != test.exact {
					t.Errorf("of a group of %T and %T: from %d to %d, exact %v", group[0], group[1], l, m, e)
				}
			}
		})
	}
}

// An object of another namespace is refused in any order, and the attributes of the request count.
func TestRangeOfGroups(t *testing.T) {
	ranges := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "1")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "2")}),
	}
	quotas := []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", "9", "count/widgets.example.com", "3"), list("requests.cpu", "0", "count/widgets.example.com", "0"))}
	namespace := compile(t, ranges, quotas, admit.Options{})
	foreign := bare()
	foreign.Namespace = "elsewhere"
	if least, most, exact := rangeOf(namespace.Replicas([]admit.APIObject{bare(), foreign}, admit.Attributes{})); least != 0 || most != 0 || !exact {
		t.Errorf("with a pod of another namespace: from %d to %d, exact %v", least, most, exact)
	}
	widgets := admit.Attributes{Resource: schema.GroupResource{Group: "example.com", Resource: "widgets"}}
	if least, most, exact := rangeOf(namespace.Replicas([]admit.APIObject{bare(), &corev1.ConfigMap{ObjectMeta: named("x")}}, widgets)); least != 3 || most != 3 || !exact {
		t.Errorf("with a widget: from %d to %d, exact %v", least, most, exact)
	}
}

// Both replicas of each Deployment request 1 or 2, by the LimitRange that comes first.
func TestRangeOfWorkloads(t *testing.T) {
	ranges := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "1")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", "2")}),
	}
	quotas := []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", "12"), list("requests.cpu", "0"))}
	web := &appsv1.Deployment{ObjectMeta: named("web"), Spec: appsv1.DeploymentSpec{Replicas: pointer[int32](2)}}
	web.Spec.Template.Spec = pod(testkit.Container("app", nil, nil)).Spec
	least, most, exact := rangeOf(compile(t, ranges, quotas, admit.Options{}).Replicas([]admit.APIObject{web}, admit.Attributes{}))
	if least != 3 || most != 6 || exact {
		t.Errorf("from %d to %d, exact %v, want from 3 to 6", least, most, exact)
	}
}

// A pod with 40 sets of defaults, and two with 79 combinations of them: most is too large.
func TestRangeOfManyCombinations(t *testing.T) {
	var ranges []*corev1.LimitRange
	for i := range 40 {
		ranges = append(ranges, limitRange(fmt.Sprintf("r%02d", i), corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, DefaultRequest: list("cpu", fmt.Sprint(i+1), "memory", fmt.Sprint(40-i)),
		}))
	}
	quotas := []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", "90", "requests.memory", "90"), list("requests.cpu", "0", "requests.memory", "0"))}
	for n, want := range map[int][3]any{1: {int64(2), int64(90), false}, 2: {int64(1), int64(math.MaxInt64), false}} {
		objects := slices.Repeat([]admit.APIObject{bare()}, n)
		least, most, exact := rangeOf(compile(t, ranges, quotas, admit.Options{}).Replicas(objects, admit.Attributes{}))
		testkit.Equal(t, [3]any{least, most, exact}, want, n, "pods")
	}
}

// rangeOf returns the least and the most replicas, and whether both are exact.
func rangeOf(fit admit.ReplicaCount) (least, most int64, exact bool) {
	return fit.Least, fit.Most, !fit.Inexact
}

// pairOf returns a Deployment with two replicas.
func pairOf(d *appsv1.Deployment) *appsv1.Deployment {
	d = d.DeepCopy()
	d.Spec.Replicas = pointer[int32](2)
	return d
}
