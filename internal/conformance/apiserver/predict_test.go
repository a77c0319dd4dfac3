package main

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/quota/admit"
)

func limits(name string, item corev1.LimitRangeItem) *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: named(name), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
}

func hard(name, amount, used string) *corev1.ResourceQuota {
	status := corev1.ResourceQuotaStatus{Hard: list("pods", amount), Used: list("pods", used)}
	return &corev1.ResourceQuota{ObjectMeta: named(name), Spec: corev1.ResourceQuotaSpec{Hard: status.Hard}, Status: status}
}

func creating(pod *corev1.Pod) decide {
	return func(n *admit.Namespace) admit.Decision { return n.Create(pod, admit.Attributes{}) }
}

// predicted returns the predictions for a pod, and checks their number.
func predicted(t *testing.T, want int, pod *corev1.Pod, ranges []*corev1.LimitRange, quotas ...*corev1.ResourceQuota) []prediction {
	t.Helper()
	all, err := predict(ranges, quotas, creating(pod))
	if err != nil || len(all) != want {
		t.Fatalf("%d predictions: %v", len(all), err)
	}
	return all
}

func TestPredictDefaultsOfEither(t *testing.T) {
	one := limits("one", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")})
	two := limits("two", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "2"), DefaultRequest: list("cpu", "2")})
	var found []string
	for _, p := range predicted(t, 2, minimalPod(), []*corev1.LimitRange{one, two}) {
		limit := p.Stored.(podFacts).Parts["container c"].Limits["cpu"]
		found = append(found, limit.String())
	}
	if strings.Join(found, " ") != "1 2" {
		t.Errorf("the default is that of either range: %v", found)
	}
}

func TestPredictEitherRangeObjects(t *testing.T) {
	low := limits("low", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1")})
	high := limits("high", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: list("cpu", "3")})
	pod := minimalPod()
	pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "2")}
	found := map[string]int{}
	// For each of two orders of the defaults: the first LimitRange that rejects, and both of them.
	for _, p := range predicted(t, 6, pod, []*corev1.LimitRange{low, high}) {
		if p.Code != 403 || p.by != byRanges {
			t.Errorf("%+v", p)
		}
		found[p.Message]++
	}
	for _, want := range []string{
		`pods "probe" is forbidden: maximum cpu usage per Container is 1, but limit is 2`,
		`pods "probe" is forbidden: minimum cpu usage per Container is 3, but request is 2`,
	} {
		if found[want] != 3 {
			t.Errorf("%v, want %s", found, want)
		}
	}
}

// Names are those of the quotas, and the first order is that by name.
func TestPredictEitherQuotaObjects(t *testing.T) {
	all := predicted(t, 2, minimalPod(), nil, hard("a", "1", "1"), hard("b", "2", "2"))
	for i, want := range []string{
		`pods "probe" is forbidden: exceeded quota: a, requested: pods=1, used: pods=1, limited: pods=1`,
		`pods "probe" is forbidden: exceeded quota: b, requested: pods=1, used: pods=2, limited: pods=2`,
	} {
		if p := all[i]; p.by != byQuotas || p.Message != want {
			t.Errorf("%+v, want %s", p, want)
		}
	}
	for _, p := range predicted(t, 2, minimalPod(), nil, hard("a", "1", "0"), hard("b", "2", "1")) {
		if diff := usageDifference([]*corev1.ResourceQuota{hard("a", "1", "1"), hard("b", "2", "2")}, p.after); p.by != stored || diff != "" {
			t.Errorf("%s: %s", p.by, diff)
		}
	}
}

// Kubemath gets the same configuration as the server.
func TestPredictLimited(t *testing.T) {
	pod := minimalPod()
	pod.Spec.PriorityClassName = platinum
	if p := predicted(t, 1, pod, nil)[0]; p.Code != 500 || p.by != byScopes {
		t.Errorf("%+v", p)
	}
	text, err := admissionConfiguration()
	if err != nil || strings.Count(string(text), "resource:") != len(limited) || !strings.Contains(string(text), platinum) {
		t.Errorf("%v\n%s", err, text)
	}
}

// Objects are sent as text, so kubemath gets the amounts as the server reads them.
func TestWritten(t *testing.T) {
	q := resource.MustParse("1e3")
	q.Add(resource.MustParse("6"))
	if q.Format != resource.DecimalExponent {
		t.Fatalf("%v is written with %s", q, q.Format)
	}
	if got := written(q); got.Format != resource.DecimalSI || got.Cmp(q) != 0 {
		t.Errorf("got %v, %s", got, got.Format)
	}
}
