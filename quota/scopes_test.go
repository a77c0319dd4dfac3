package quota_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

type scope = corev1.ScopedResourceSelectorRequirement

func TestScopes(t *testing.T) {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{
		Scopes: []corev1.ResourceQuotaScope{"Terminating", "BestEffort"},
		ScopeSelector: &corev1.ScopeSelector{MatchExpressions: []scope{
			{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}, {ScopeName: "Terminating", Operator: "Exists"},
		}},
	}}
	got := quota.Scopes(q)
	want := []scope{
		{ScopeName: "Terminating", Operator: "Exists"}, {ScopeName: "BestEffort", Operator: "Exists"},
		{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}, {ScopeName: "Terminating", Operator: "Exists"},
	}
	testkit.NoDiff(t, got, want)
	if got := quota.Scopes(nil); got != nil {
		t.Errorf("scopes of nil: %v", got)
	}
	if got := quota.Scopes(&corev1.ResourceQuota{}); got != nil {
		t.Errorf("scopes of an empty quota: %v", got)
	}
}

// inScope reports whether an object is within a scope.
func inScope(object quota.Object, scope corev1.ScopedResourceSelectorRequirement) (bool, error) {
	within, err := object.MatchingScopes([]corev1.ScopedResourceSelectorRequirement{scope})
	return len(within) == 1, err
}

func TestPodInScope(t *testing.T) {
	pod := func(change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{}
		change(p)
		return p
	}
	deadline := func(seconds int64) *corev1.Pod {
		return pod(func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = &seconds })
	}
	class := func(name string) *corev1.Pod { return pod(func(p *corev1.Pod) { p.Spec.PriorityClassName = name }) }
	none := pod(func(*corev1.Pod) {})
	term := func(namespaces []string, selector *metav1.LabelSelector) corev1.PodAffinityTerm {
		return corev1.PodAffinityTerm{Namespaces: namespaces, NamespaceSelector: selector}
	}
	near, far := term([]string{}, nil), term([]string{"other"}, nil)
	affinity := func(a corev1.Affinity) *corev1.Pod { return pod(func(p *corev1.Pod) { p.Spec.Affinity = &a }) }
	type terms = []corev1.PodAffinityTerm
	weighted := func(terms ...corev1.PodAffinityTerm) (w []corev1.WeightedPodAffinityTerm) {
		for _, t := range terms {
			w = append(w, corev1.WeightedPodAffinityTerm{PodAffinityTerm: t})
		}
		return w
	}
	for _, test := range []struct {
		name  string
		scope scope
		pod   *corev1.Pod
		want  bool
	}{
		{"deadline of zero", scope{ScopeName: "Terminating"}, deadline(0), true},
		{"deadline below zero", scope{ScopeName: "Terminating"}, deadline(-1), false},
		{"being deleted is not Terminating", scope{ScopeName: "Terminating"}, pod(func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }), false},
		{"the operator does not matter", scope{ScopeName: "Terminating", Operator: "DoesNotExist"}, deadline(1), true},
		{"NotBestEffort by the class in the status", scope{ScopeName: "NotBestEffort"}, pod(func(p *corev1.Pod) { p.Status.QOSClass = corev1.PodQOSGuaranteed }), true},
		{"Exists ignores the values", scope{ScopeName: "PriorityClass", Operator: "Exists", Values: []string{"low"}}, class("high"), true},
		{"not of a class", scope{ScopeName: "PriorityClass", Operator: "NotIn", Values: []string{"low"}}, class("high"), true},
		{"of a class that it is not to be of", scope{ScopeName: "PriorityClass", Operator: "NotIn", Values: []string{"low"}}, class("low"), false},
		{"no affinity", scope{ScopeName: "CrossNamespacePodAffinity"}, none, false},
		{"empty affinity", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAffinity: &corev1.PodAffinity{}, PodAntiAffinity: &corev1.PodAntiAffinity{}}), false},
		{"affinity within the namespace", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms{near}}}), false},
		{"required affinity across namespaces", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms{near, far}}}), true},
		{"preferred affinity across namespaces", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted(near, far)}}), true},
		{"required anti-affinity across namespaces", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms{far}}}), true},
		{"preferred anti-affinity across namespaces", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: weighted(far)}}), true},
		{"Exists matches a pod without a class", scope{ScopeName: "CrossNamespacePodAffinity"}, affinity(corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms{term(nil, &metav1.LabelSelector{})}}}), true},
		{"scope of claims", scope{ScopeName: "VolumeAttributesClass", Operator: "DoesNotExist"}, none, false},
		{"unknown", scope{ScopeName: "Other", Operator: "DoesNotExist"}, none, false},
		{"unknown, with an invalid operator", scope{ScopeName: "Other", Operator: "Near"}, none, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := inScope(quota.Pod(test.pod, time.Time{}, quota.PodOptions{}), test.scope)
			if got != test.want || err != nil {
				t.Errorf("in scope: %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

// A claim is of the class that it requests, of the one that it has, and of the one that it gets.
func TestClaimInScope(t *testing.T) {
	none := func(*corev1.PersistentVolumeClaim) {}
	requested := func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = pointer("gold") }
	current := func(c *corev1.PersistentVolumeClaim) { c.Status.CurrentVolumeAttributesClassName = pointer("gold") }
	target := func(c *corev1.PersistentVolumeClaim) {
		c.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{TargetVolumeAttributesClassName: "gold"}
	}
	emptied := func(c *corev1.PersistentVolumeClaim) {
		c.Spec.VolumeAttributesClassName, c.Status.CurrentVolumeAttributesClassName = pointer(""), pointer("")
		c.Status.ModifyVolumeStatus = &corev1.ModifyVolumeStatus{}
	}
	changing := func(c *corev1.PersistentVolumeClaim) {
		current(c)
		c.Spec.VolumeAttributesClassName = pointer("silver")
	}
	of := func(operator corev1.ScopeSelectorOperator, values ...string) scope {
		return scope{ScopeName: "VolumeAttributesClass", Operator: operator, Values: values}
	}
	scopes := []scope{of("In", "gold"), of("NotIn", "gold"), of("Exists"), of("DoesNotExist")}
	for _, test := range []struct {
		name string
		set  func(*corev1.PersistentVolumeClaim)
		want []scope
	}{
		{"no class", none, []scope{scopes[1], scopes[3]}},
		{"empty names", emptied, []scope{scopes[1], scopes[3]}},
		{"requested", requested, []scope{scopes[0], scopes[2]}},
		{"current", current, []scope{scopes[0], scopes[2]}},
		{"to come", target, []scope{scopes[0], scopes[2]}},
		{"another is requested", changing, []scope{scopes[0], scopes[1], scopes[2]}},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := &corev1.PersistentVolumeClaim{}
			test.set(claim)
			got, err := quota.PersistentVolumeClaim(claim).MatchingScopes(scopes)
			testkit.OK(t, err)
			testkit.NoDiff(t, got, test.want)
		})
	}
}

func TestInvalidScope(t *testing.T) {
	pod, claim := podOf(), quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	for _, test := range []struct {
		object quota.Object
		scope  scope
		want   string
	}{
		{pod, scope{ScopeName: "PriorityClass", Operator: "Near"}, `failed to parse and convert selector: "Near" is not a valid scope selector operator`},
		{pod, scope{ScopeName: "PriorityClass"}, `failed to parse and convert selector: "" is not a valid scope selector operator`},
		{pod, scope{ScopeName: "PriorityClass", Operator: "In"}, `failed to parse and convert selector: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`},
		{claim, scope{ScopeName: "VolumeAttributesClass", Operator: "DoesNotExist", Values: []string{"a"}}, `failed to parse and convert selector: values: Invalid value: ["a"]: values set must be empty for exists and does not exist`},
	} {
		in, err := inScope(test.object, test.scope)
		if want := fmt.Sprintf("error on matching scope %v: %s", test.scope, test.want); in || err == nil || err.Error() != want {
			t.Errorf("%v: %v, %v, want %s", test.scope, in, err, want)
		}
	}
	ofClass := quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{VolumeAttributesClassName: pointer("fast")}})
	if in, err := inScope(ofClass, scope{ScopeName: "PriorityClass", Operator: "Exists"}); in || err != nil {
		t.Errorf("claim: %v, %v", in, err)
	}
	if in, err := inScope(quota.Service(&corev1.Service{}), scope{ScopeName: "PriorityClass", Operator: "Near"}); in || err != nil {
		t.Errorf("service: %v, %v", in, err)
	}
}

func TestMatches(t *testing.T) {
	long := quota.Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}, Spec: corev1.PodSpec{ActiveDeadlineSeconds: pointer(int64(1))}}, time.Time{}, quota.PodOptions{})
	base := func(change func(*corev1.ResourceQuota)) *corev1.ResourceQuota {
		q := withStatus("q", list("pods", "1"), list("pods", "0"))
		change(q)
		return q
	}
	for _, test := range []struct {
		name  string
		quota *corev1.ResourceQuota
		want  bool
	}{
		{"nil", nil, false},
		{"no limits", base(func(q *corev1.ResourceQuota) { q.Spec.Hard, q.Status.Hard = nil, nil }), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := long.Matches(test.quota); got != test.want || err != nil {
				t.Errorf("Matches = %v, %v, want %v", got, err, test.want)
			}
		})
	}
	invalid := func(q *corev1.ResourceQuota) {
		q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []scope{{ScopeName: "PriorityClass", Operator: "Near"}}}
	}
	want := `error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`
	if got, err := long.Matches(base(invalid)); got || err == nil || err.Error() != want {
		t.Errorf("Matches = %v, %v", got, err)
	}
	if got, err := long.Matches(base(func(q *corev1.ResourceQuota) { invalid(q); q.Status.Hard = list("services", "1") })); got || err != nil {
		t.Errorf("of a quota without limits on pods: %v, %v", got, err)
	}
	anywhere := podOf()
	if got, _ := anywhere.Matches(base(func(q *corev1.ResourceQuota) { q.Namespace = "other" })); !got {
		t.Error("a template without a namespace is in any")
	}
}

// Anti-affinity across namespaces counts beside affinity within one.
func TestAntiAffinityBesideAffinity(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Spec.Affinity = &corev1.Affinity{
		PodAffinity:     &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone"}}},
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone", Namespaces: []string{"other"}}}},
	}
	in, err := inScope(quota.Pod(pod, time.Time{}, quota.PodOptions{}), corev1.ScopedResourceSelectorRequirement{ScopeName: corev1.ResourceQuotaScopeCrossNamespacePodAffinity, Operator: corev1.ScopeSelectorOpExists})
	if !in || err != nil {
		t.Errorf("%v, %v", in, err)
	}
}
