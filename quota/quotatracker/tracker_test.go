package quotatracker_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotatracker"
)

var list = testkit.List

func newQuota(namespace, name string, hard corev1.ResourceList, scopes ...corev1.ResourceQuotaScope) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ResourceQuotaSpec{Hard: hard, Scopes: scopes}}
}

func newPod(namespace, name, cpu string) quota.Object {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list("cpu", cpu), nil)}}}
	return quota.Pod(pod, time.Time{}, quota.PodOptions{})
}

// Nil quotas are ignored.
func TestNilQuotas(t *testing.T) {
	tracker := newTracker(t, nil, newQuota("shop", "a", list("pods", "1")), nil, newQuota("shop", "b", list("pods", "2")))
	if err := tracker.Add(newPod("shop", "web", "1")); err != nil {
		t.Fatal(err)
	}
	want := list("pods", "1")
	for i, name := range []string{"a", "b"} {
		status, ok := tracker.Status("shop", name)
		if diff := cmp.Diff(want, status.Used); diff != "" || !ok {
			t.Errorf("%s: %v, -want +got:\n%s", name, ok, diff)
		}
		if got := tracker.Quotas(); len(got) != 2 || got[i].Name != name || !cmp.Equal(got[i].Status, status) {
			t.Errorf("quotas %v", got)
		}
	}
}

func newTracker(t *testing.T, quotas ...*corev1.ResourceQuota) *quotatracker.Tracker {
	t.Helper()
	tracker, err := quotatracker.New(quotas)
	if err != nil {
		t.Fatal(err)
	}
	return tracker
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantList(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The usage has the format of its first amount.
func TestUsageKeepsItsFormat(t *testing.T) {
	tracker := newTracker(t)
	for i, memory := range []string{"1Gi", "1.5Gi", "1k"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: memory}, Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list("memory", memory), nil)}}}
		must(t, tracker.Add(quota.Pod(pod, time.Time{}, quota.PodOptions{})))
		sum := tracker.Usage("shop")["memory"]
		if got, want := sum.String(), []string{"1Gi", "2560Mi", "2684355560"}[i]; got != want {
			t.Errorf("after %s: %s, want %s", memory, got, want)
		}
	}
}

// The previous status of a quota does not count.
func TestStatusOfBefore(t *testing.T) {
	q := newQuota("shop", "q", list("pods", "1"))
	q.Status = corev1.ResourceQuotaStatus{Hard: list("services", "7"), Used: list("services", "7", "pods", "7")}
	tracker := newTracker(t, q)
	must(t, tracker.Add(newPod("shop", "p", "1")))
	got, _ := tracker.Status("shop", "q")
	if diff := cmp.Diff(corev1.ResourceQuotaStatus{Hard: list("pods", "1"), Used: list("pods", "1")}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestErrorsChangeNothing(t *testing.T) {
	near := newQuota("near", "q", list("pods", "1"))
	near.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: "Near"}}}
	tracker := newTracker(t, newQuota("shop", "q", list("pods", "1", "cpu", "1")), near)
	must(t, tracker.Add(newPod("shop", "a", "1")))
	must(t, tracker.Add(quota.Service(&corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "near", Name: "a"}})))
	nearPod := func() quota.Object { return newPod("near", "a", "1") }
	cause := `error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`
	for _, test := range []struct {
		name string
		call func() error
		want string
	}{
		{"a duplicate", func() error { return tracker.Add(newPod("shop", "a", "5")) }, "quotatracker: pods shop/a: already tracked"},
		{"an unknown update", func() error { return tracker.Update(newPod("shop", "b", "5")) }, "quotatracker: pods shop/b: not tracked"},
		{"update of an object in another namespace", func() error { return tracker.Update(newPod("other", "a", "5")) }, "quotatracker: pods other/a: not tracked"},
		{"update of another resource", func() error {
			return tracker.Update(quota.Counted(schema.GroupResource{Resource: "secrets"}, &metav1.ObjectMeta{Namespace: "shop", Name: "a"}))
		}, "quotatracker: secrets shop/a: not tracked"},
		{"an unknown removal", func() error { return tracker.Remove(newPod("shop", "b", "5").Key()) }, "quotatracker: pods shop/b: not tracked"},
		{"no name", func() error { return tracker.Add(newPod("shop", "", "5")) }, "quotatracker: pods shop/: object without a name"},
		{"no object", func() error { return tracker.Add(quota.Object{}) }, "quotatracker:  /: object without a name"},
		{"no selector", func() error { return tracker.Add(nearPod()) }, "quotatracker: pods near/a: quota near/q: " + cause},
		{"no selector, of any namespace", func() error { return tracker.Add(newPod("", "a", "1")) }, "quotatracker: pods /a: quota near/q: " + cause},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.call()
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
			status, _ := tracker.Status("shop", "q")
			wantList(t, "used", status.Used, list("pods", "1", "cpu", "1"))
			wantList(t, "usage", tracker.Usage("shop"), list("count/pods", "1", "pods", "1", "cpu", "1", "requests.cpu", "1"))
			if tracker.Has(nearPod().Key()) || !tracker.Has(newPod("shop", "a", "0").Key()) {
				t.Error("other objects are tracked")
			}
		})
	}
	if tracker, err := quotatracker.New([]*corev1.ResourceQuota{newQuota("shop", "q", nil), newQuota("other", "q", nil), newQuota("shop", "q", nil)}); tracker != nil || err.Error() != "quotatracker: quota shop/q: already tracked" {
		t.Errorf("two quotas of one name: %v", err)
	}
}

// An update that fails leaves the object as it was.
func TestFailedUpdate(t *testing.T) {
	q := newQuota("shop", "q", list("pods", "1", "persistentvolumeclaims", "1"))
	q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopeVolumeAttributesClass, Operator: "Near"}}}
	tracker := newTracker(t, q)
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "a"}
	asClaims := schema.GroupResource{Resource: "persistentvolumeclaims"}
	must(t, tracker.Add(quota.Counted(asClaims, &meta)))
	if err := tracker.Update(quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{ObjectMeta: meta})); err == nil {
		t.Error("no error")
	}
	wantList(t, "usage", tracker.Usage("shop"), list("count/persistentvolumeclaims", "1"))
}

// The Tracker keeps no reference to its arguments, and its results share no memory with it.
func TestTrackerOwnsItsMemory(t *testing.T) {
	quotas := []*corev1.ResourceQuota{newQuota("shop", "q", list("cpu", "1.5", "memory", "1.5Gi"))}
	tracker := newTracker(t, quotas...)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list("cpu", "1.5", "memory", "1.5Ki", "example.com/x", "100n"), nil)}}}
	before := testkit.Fingerprint([]any{quotas, pod})
	must(t, tracker.Add(quota.Pod(pod, time.Time{}, quota.PodOptions{})))
	key := quota.Pod(pod, time.Time{}, quota.PodOptions{}).Key()
	must(t, tracker.Update(quota.Pod(pod, time.Time{}, quota.PodOptions{})))
	if testkit.Fingerprint([]any{quotas, pod}) != before {
		t.Error("the inputs have changed")
	}
	answers := func() any {
		status, ok := tracker.Status("shop", "q")
		return []any{status, ok, tracker.Quotas(), tracker.Usage("shop"), tracker.Has(key)}
	}
	testkit.Contract(t, answers, tracker)
	testkit.Contract(t, func() any {
		own, err := quotatracker.New(quotas)
		if err != nil {
			return err
		}
		object := quota.Pod(pod, time.Time{}, quota.PodOptions{})
		errs := []error{own.Remove(key), own.Add(object), own.Update(object), own.Add(object)}
		status, _ := own.Status("shop", "q")
		return []any{errs, status, own.Quotas(), own.Usage("shop"), own.Remove(key), own.Usage("shop")}
	}, quotas, pod)
	testkit.Scramble(pod)
	testkit.Scramble(quotas)
	status, _ := tracker.Status("shop", "q")
	wantList(t, "used", status.Used, list("cpu", "1.5", "memory", "1.5Ki"))
	must(t, tracker.Remove(key))
	wantList(t, "usage", tracker.Usage("shop"), list())
}
