package testkit_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

// recorder is a test that only notes how it failed.
type recorder struct{ failure string }

func (*recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	panic(r)
}

// failure returns how Contract fails, or nothing.
func failure(call func() any, inputs ...any) (text string) {
	r := &recorder{}
	defer func() {
		if stopped := recover(); stopped != nil && stopped != any(r) {
			panic(stopped)
		}
		text = r.failure
	}()
	testkit.Contract(r, call, inputs...)
	return ""
}

func TestContractFindsWhatBreaksIt(t *testing.T) {
	calls := 0
	list := func() corev1.ResourceList { return testkit.List("memory", "1.5Gi", "cpu", "100m") }
	shared := list()
	tests := []struct {
		name  string
		input corev1.ResourceList
		call  func(corev1.ResourceList) any
		want  string
	}{
		{"keeps it", list(), func(in corev1.ResourceList) any { return in.DeepCopy() }, ""},
		{"changes an entry", list(), func(in corev1.ResourceList) any { in["cpu"] = resource.MustParse("2"); return nil }, "calling changed the inputs"},
		{"forgets a cached string", testkit.List("cpu", "1"), func(in corev1.ResourceList) any {
			q := in["cpu"]
			q.Add(resource.Quantity{})
			in["cpu"] = q
			return nil
		}, "calling changed the inputs"},
		{"changes the decimal behind an entry", list(), func(in corev1.ResourceList) any {
			q := in["memory"]
			q.Add(resource.MustParse("1"))
			return nil
		}, "calling changed the inputs"},
		{"answers differently", list(), func(corev1.ResourceList) any { calls++; return calls }, "a second call answers differently"},
		{"returns the input", list(), func(in corev1.ResourceList) any { return in }, "changing a result changed the inputs"},
		{"returns the decimal of the input", list(), func(in corev1.ResourceList) any {
			return corev1.ResourceList{"memory": in["memory"]}
		}, "changing a result changed the inputs"},
		{"returns the decimal of the input in a struct", list(), func(in corev1.ResourceList) any {
			return &struct{ Total resource.Quantity }{in["memory"]}
		}, "changing a result changed the inputs"},
		{"returns one list twice", list(), func(corev1.ResourceList) any { return shared }, "changing a result changed another one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := failure(func() any { return test.call(test.input) }, test.input)
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
				t.Errorf("Contract says %q, want %q", got, test.want)
			}
		})
	}
}

func TestFingerprintSeesWhatEqualDoesNot(t *testing.T) {
	parsed, computed := resource.MustParse("1"), *resource.NewQuantity(1, resource.DecimalSI)
	if testkit.Fingerprint(parsed) == testkit.Fingerprint(computed) {
		t.Error("a cached string does not show")
	}
	decimal := *resource.NewQuantity(1, resource.DecimalSI)
	decimal.AsDec()
	if testkit.Fingerprint(decimal) == testkit.Fingerprint(computed) {
		t.Error("a decimal does not show")
	}
	if testkit.Fingerprint(corev1.ResourceList{}) == testkit.Fingerprint(corev1.ResourceList(nil)) {
		t.Error("an empty list does not differ from none")
	}
}

func TestScrambleChangesEverything(t *testing.T) {
	one := resource.MustParse("1")
	type all struct {
		N    int
		S    string
		B    bool
		P    *resource.Quantity
		List []corev1.ResourceList
	}
	v := &all{N: 1, S: "s", B: true, P: &one, List: []corev1.ResourceList{testkit.List("cpu", "1")}}
	testkit.Scramble(v)
	if v.N == 1 || v.S == "s" || v.B || v.P.Value() == 1 || len(v.List[0]) != 0 {
		t.Errorf("left as it was: %+v", v)
	}
}

// The generators reach what they promise.
func TestGeneratorsReach(t *testing.T) {
	seen := map[string]bool{}
	note := func(what string, is bool) { seen[what] = seen[what] || is }
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			q := testkit.Quantity().Draw(t, "quantity")
			_, isInt := q.AsInt64()
			value := testkit.Exact(q)
			note("zero", q.Sign() == 0)
			note("negative", q.Sign() < 0)
			note("a fraction of a byte", !value.IsInt())
			note("beyond int64", value.IsInt() && !value.Num().IsInt64())
			note("a decimal of a whole number", !isInt && value.IsInt() && value.Num().IsInt64())
		}
		pod := testkit.Pod().Draw(t, "pod")
		note("no containers", len(pod.Spec.Containers) == 0)
		note("sidecars", len(pod.Spec.InitContainers) > 0 && pod.Spec.InitContainers[0].RestartPolicy != nil)
		note("pod-level resources", pod.Spec.Resources != nil)
		note("overhead", len(pod.Spec.Overhead) > 0)
		note("allocated by the status", pod.Status.AllocatedResources != nil)
		note("conditions", len(pod.Status.Conditions) > 0)
		for _, s := range pod.Status.ContainerStatuses {
			note("a resize in place", s.AllocatedResources != nil && s.Resources != nil)
		}
	})
	for what, reached := range seen {
		if !reached {
			t.Errorf("never drawn: %s", what)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]bool{"1.5Gi": true, "1e3": true, "1e-9": true, "": false, "x": false, "1e10000": false, "1E": true} {
		if _, got := testkit.Parse(s); got != want {
			t.Errorf("Parse(%q) = %v, want %v", s, got, want)
		}
	}
}
