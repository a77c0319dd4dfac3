package testkit_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

// recorder is a TB that only records how it failed.
type recorder struct{ failure string }

func (*recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	panic(r)
}

// failure returns how Contract fails, or nothing.
func failure(call func() any, inputs ...any) (text string) {
	return failureOf(func(t testkit.TB) { testkit.Contract(t, call, inputs...) })
}

// failureOf returns how a check fails, or nothing.
func failureOf(check func(t testkit.TB)) (text string) {
	r := &recorder{}
	defer func() {
		if stopped := recover(); stopped != nil && stopped != any(r) {
			panic(stopped)
		}
		text = r.failure
	}()
	check(r)
	return ""
}

// oneByOne serializes calls that write to shared memory, so that Contract finds them and not the
// race detector.
func oneByOne(call func() any) func() any {
	var lock sync.Mutex
	return func() any {
		lock.Lock()
		defer lock.Unlock()
		return call()
	}
}

func TestContractFindsWhatBreaksIt(t *testing.T) {
	var calls atomic.Int64
	list := func() corev1.ResourceList { return testkit.List("memory", "1.5Gi", "cpu", "100m") }
	decimal := func() resource.Quantity { return resource.MustParse("123456789012345678901234") }
	kept, lent := list(), list()
	type both struct{ Requests, Limits corev1.ResourceList }
	type amounts struct {
		Total resource.Quantity
		To    *resource.Quantity
	}
	tests := []struct {
		name  string
		input any
		call  func(in corev1.ResourceList) any
		want  string
	}{
		{"a copy", list(), func(in corev1.ResourceList) any { return in.DeepCopy() }, ""},
		{"nothing", nil, func(corev1.ResourceList) any { return nil }, ""},
		{"parts of one array whose capacity ends with them", nil, func(corev1.ResourceList) any {
			all := []string{"a", "b", "c"}
			return [][]string{all[:1:1], all[1:2:2], all[2:]}
		}, ""},
		{"an error of package errors", nil, func(corev1.ResourceList) any { return []error{errSample, errSample} }, ""},
		{"times of one zone", nil, func(corev1.ResourceList) any { return []time.Time{time.Unix(1, 0), time.Unix(2, 0)} }, ""},

		{"a decimal of the input changes", list(), func(in corev1.ResourceList) any {
			in = maps.Clone(in)
			q := in["memory"]
			q.Add(resource.MustParse("1"))
			return nil
		}, "calling changed the inputs"},
		{"an element of the input changes", []string{"b", "a"}, nil, "calling changed the inputs"},
		{"concurrent calls answer differently", nil, func(corev1.ResourceList) any { return calls.Add(1) }, "concurrent calls answer differently"},
		{"a later call answers differently", nil, func(corev1.ResourceList) any { return calls.Add(1) > 5 }, "a later call answers differently"},

		{"the input is returned", list(), func(in corev1.ResourceList) any { return in }, "the result and input 0 share memory"},
		{"the decimal of the input is returned", list(), func(in corev1.ResourceList) any {
			return corev1.ResourceList{"memory": in["memory"]}
		}, "the result[memory].d.Dec and input 0[memory].d.Dec share memory"},
		{"the decimal of the input is kept out of reach", list(), func(in corev1.ResourceList) any {
			return &struct{ total resource.Quantity }{in["memory"]}
		}, "the result.total.d.Dec and input 0[memory].d.Dec share memory"},
		{"one list is returned twice", nil, func(corev1.ResourceList) any { return kept }, "the result and the result of a later call share memory"},
		{"what the next call copies is returned", nil, func(corev1.ResourceList) any { return &lender{lent} }, "the result.list and the result of a later call.list share memory"},

		{"one map at two places", nil, func(corev1.ResourceList) any { l := list(); return both{l, l} }, "the result.Requests and the result.Limits share memory"},
		{"one decimal at two places", nil, func(corev1.ResourceList) any {
			q := decimal()
			return corev1.ResourceList{"memory": q, "requests.memory": q}
		}, "share memory"},
		{"one decimal, by value and by pointer", nil, func(corev1.ResourceList) any {
			a := amounts{Total: decimal()}
			to := a.Total
			a.To = &to
			return a
		}, "the result.Total.d.Dec and the result.To.d.Dec share memory"},
		{"one pointer at two places", nil, func(corev1.ResourceList) any { q := decimal(); return []*resource.Quantity{&q, &q} }, "the result[0] and the result[1] share memory"},
		{"a pointer to an element of another slice", nil, func(corev1.ResourceList) any {
			all := []amounts{{}, {}}
			return []any{all, &all[1].Total}
		}, "the result[0] and the result[1] share memory"},
		{"one slice at two places", nil, func(corev1.ResourceList) any { all := []string{"a"}; return [][]string{all, all} }, "the result[0] and the result[1] share memory"},
		{"parts of one array that overlap", nil, func(corev1.ResourceList) any {
			all := []string{"a", "b", "c"}
			return [][]string{all[:2:2], all[1:]}
		}, "the result[0] and the result[1] share memory"},
		{"spare capacity that is another slice", nil, func(corev1.ResourceList) any {
			all := []string{"a", "b"}
			return [][]string{all[:1], all[1:]}
		}, "the result[0] and the result[1] share memory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.name, "decimal") && testkit.DecimalsAreCopied() {
				t.Skip("decimals are never written")
			}
			got := failure(oneByOne(func() any {
				if names, ok := test.input.([]string); ok {
					slices.Sort(names)
					return nil
				}
				in, _ := test.input.(corev1.ResourceList)
				return test.call(in)
			}), test.input)
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("Contract says %q, want %q", got, test.want)
			}
		})
	}
}

var errSample = errors.New("sample")

type lender struct{ list corev1.ResourceList }

// A race that changes an input is also found without the race detector.
func TestContractFindsWritesThatLeaveNoTrace(t *testing.T) {
	t.Run("into the spare capacity of the input", func(t *testing.T) {
		names := make([]string, 1, 4)
		got := failure(oneByOne(func() any { return len(append(names, "mine")) }), names)
		if !strings.HasPrefix(got, "calling changed the inputs") {
			t.Errorf("Contract says %q", got)
		}
	})
	t.Run("a cache that the first call fills", func(t *testing.T) {
		cached := &lender{}
		got := failure(oneByOne(func() any {
			if cached.list == nil {
				cached.list = testkit.List("cpu", "1")
			}
			return cached.list.DeepCopy()
		}), cached)
		if !strings.HasPrefix(got, "calling changed the inputs") {
			t.Errorf("Contract says %q", got)
		}
	})
	t.Run("an answer out of the last result", func(t *testing.T) {
		last := new(int)
		got := failure(oneByOne(func() any {
			n := *last
			last = &n
			return &n
		}))
		if !strings.HasPrefix(got, "changing a result changed the next answer") {
			t.Errorf("Contract says %q", got)
		}
	})
	t.Run("the first calls are concurrent", func(t *testing.T) {
		var running, most atomic.Int64
		all := make(chan struct{})
		failure(func() any {
			if n := running.Add(1); n == 2 {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(10 * time.Second):
			}
			most.Store(max(most.Load(), running.Load()))
			return nil
		})
		if most.Load() < 2 {
			t.Error("the first call had ended before the next began")
		}
	})
}

func TestFingerprintSeesWhatEqualDoesNot(t *testing.T) {
	parsed, computed := resource.MustParse("1"), *resource.NewQuantity(1, resource.DecimalSI)
	if testkit.Fingerprint(parsed) == testkit.Fingerprint(computed) {
		t.Error("a cached string does not show")
	}
	decimal := *resource.NewQuantity(1, resource.DecimalSI)
	decimal.AsDec()
	if testkit.Fingerprint(decimal) == testkit.Fingerprint(computed) && !testkit.DecimalsAreCopied() {
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

// The generators draw the cases that they document.
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
		if !reached && !testing.Short() {
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
