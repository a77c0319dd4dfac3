package admit_test

import (
	"math"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	for _, d := range compile(s.t, s.ranges, quotas, admit.Options{}).Create(s.objects[index], admit.Attributes{}).Possible().Decisions {
		if !d.Admitted() {
			least = 0
			continue
		}
		l, m := s.from(d.After().Quotas(), (index+1)%len(s.objects))
		least, most = min(least, l+complete), max(most, m+complete)
	}
	s.seen[key] = [2]int64{least, most}
	return least, most
}

// A range has the least and the most of all sequences of decisions.
func TestRangeIsAllSequences(t *testing.T) {
	wide, inner := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		ranges, quotas := contested().Draw(t, "ranges"), contestedQuotas().Draw(t, "quotas")
		quotas = append(quotas, resourceQuota("z", list("pods", "9", "requests.ephemeral-storage", "9", "limits.ephemeral-storage", "10"), list("pods", "1", "requests.ephemeral-storage", "1", "limits.ephemeral-storage", "0")))
		objects := []admit.APIObject{contestedPod().Draw(t, "pod")}
		if rapid.Bool().Draw(t, "group") {
			objects = append(objects, contestedPod().Draw(t, "another pod"))
		}
		s := sequences{t, ranges, objects, map[string][2]int64{}}
		wantLeast, wantMost := s.from(quotas, 0)
		fit := compile(t, ranges, quotas, admit.Options{}).Replicas(objects, admit.Attributes{})
		least, most, exact := fit.Range()
		if !exact || least != wantLeast || most != wantMost {
			t.Fatalf("from %d to %d, exact %v, want from %d to %d", least, most, exact, wantLeast, wantMost)
		}
		if fit.Replicas < least || fit.Replicas > most {
			t.Fatalf("%d replicas are not from %d to %d", fit.Replicas, least, most)
		}
		if least < most {
			wide++
		}
		if least > 0 && least < fit.Replicas && fit.Replicas < most {
			inner++
		}
	})
	if !testing.Short() && wide == 0 {
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
		{"three, and large numbers", crosswise, free("12k", "12k"), 4000, 4000, 12000, false},
		{"no quota", crosswise, nil, math.MaxInt64, math.MaxInt64, math.MaxInt64, true},
		{"a quota that is exceeded already", crosswise, []*corev1.ResourceQuota{resourceQuota("q", list("requests.cpu", "1", "requests.memory", "1"), list("requests.cpu", "2", "requests.memory", "0"))}, 0, 0, 0, true},
		{"a default that is refused", bounded, free("9", "9"), 3, 0, 3, true},
		{"a default that is refused in any order", bounded[1:], free("9", "9"), 0, 0, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			namespace := compile(t, test.ranges, test.quotas, admit.Options{})
			fit := namespace.Replicas([]admit.APIObject{bare()}, admit.Attributes{})
			least, most, exact := fit.Range()
			if fit.Replicas != test.replicas || least != test.least || most != test.most || exact != test.exact {
				t.Errorf("%d replicas, from %d to %d, exact %v", fit.Replicas, least, most, exact)
			}
			deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: bare().Spec}}}
			if l, m, e := namespace.Create(deployment, admit.Attributes{}).Pods.Fit().Range(); l != test.least || m != test.most || e != test.exact {
				t.Errorf("of a Deployment: from %d to %d, exact %v", l, m, e)
			}
			if l, m, e := namespace.Replicas([]admit.APIObject{&corev1.ConfigMap{ObjectMeta: named("x")}, bare()}, admit.Attributes{}).Range(); l != test.least || m != test.most || e != test.exact {
				t.Errorf("of a group: from %d to %d, exact %v", l, m, e)
			}
		})
	}
}

func TestRangeOfNothing(t *testing.T) {
	var none *admit.Namespace
	if least, most, exact := none.Replicas(nil, admit.Attributes{}).Range(); least != math.MaxInt64 || most != math.MaxInt64 || !exact {
		t.Errorf("of no objects: from %d to %d, exact %v", least, most, exact)
	}
	if least, most, exact := (admit.ReplicaCount{}).Range(); least != 0 || most != 0 || !exact {
		t.Errorf("of the zero value: from %d to %d, exact %v", least, most, exact)
	}
}

// Replicas is within the range for objects of all kinds.
func TestRangeHasReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obj := object().Draw(t, "object")
		ranges := append(rangeList().Draw(t, "ranges"), contested().Draw(t, "contested")...)
		namespace := compile(t, ranges, quotaList(counted(obj)).Draw(t, "quotas"), options().Draw(t, "options"))
		for _, objects := range [][]admit.APIObject{{obj}, {obj, obj}} {
			fit := namespace.Replicas(objects, admit.Attributes{})
			if least, most, exact := fit.Range(); exact && (fit.Replicas < least || fit.Replicas > most) {
				t.Fatalf("%d replicas are not from %d to %d", fit.Replicas, least, most)
			}
			testkit.Contract(t, func() any {
				least, most, exact := fit.Range()
				return []any{least, most, exact}
			}, fit)
		}
	})
}
