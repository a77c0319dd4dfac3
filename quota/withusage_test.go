package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// A pod that runs a virtual machine is charged by the machine, as application-aware-quota of KubeVirt does.
func TestWithUsageOfAVirtualMachine(t *testing.T) {
	launcher := podOf(container("compute", nil, nil)).WithUsage(list("cpu/vmi", "4"))
	quotas := func(used corev1.ResourceList) []*corev1.ResourceQuota {
		return []*corev1.ResourceQuota{withStatus("q", list("cpu/vmi", "3", "requests.cpu", "1"), used)}
	}
	refused := quota.Admit(quota.Object{}, launcher, quotas(list("cpu/vmi", "0", "requests.cpu", "0")), quota.AdmitOptions{})
	testkit.NoDiff(t, messages(refused.Failures), []string{"exceeded quota: q, requested: cpu/vmi=4, used: cpu/vmi=0, limited: cpu/vmi=3"})
	small := launcher.WithUsage(list("cpu/vmi", "1"))
	fit := quota.Replicas(small, quotas(list("cpu/vmi", "1", "requests.cpu", "0")), quota.AdmitOptions{})
	testkit.Equal(t, fit.Replicas, 2)
	testkit.NoDiff(t, messages(fit.Next), []string{"exceeded quota: q, requested: cpu/vmi=1, used: cpu/vmi=3, limited: cpu/vmi=3"})

	machines := []quota.Object{small, small, launcher, podOf(container("other", list("cpu", "100m"), nil))}
	status, err := quota.CalculateUsage(machines, quotas(nil)[0])
	testkit.OK(t, err)
	testkit.NoDiff(t, status.Used, list("cpu/vmi", "6", "requests.cpu", "100m"))
	status, err = quota.CalculateUsage([]quota.Object{launcher.WithUsage(list("cpu/vmi", "0"))}, quotas(nil)[0])
	testkit.OK(t, err)
	testkit.NoDiff(t, status.Used, list("cpu/vmi", "0", "requests.cpu", "0"), "a name without usage")
	status, err = quota.CalculateUsage([]quota.Object{launcher}, withStatus("q", list("cpu/vmi", "5", "gpu/vmi", "5"), nil))
	testkit.OK(t, err)
	testkit.NoDiff(t, status.Used, list("cpu/vmi", "4"), "a name that no object has")
	testkit.NoDiff(t, quota.Unevaluated(quotas(nil)[0], machines[:3]), []corev1.ResourceName{"requests.cpu"})
	usage, err := launcher.UsageIn(quotas(nil)[0])
	testkit.OK(t, err)
	testkit.NoDiff(t, usage, list("cpu/vmi", "4"))
}

// Only the usage changes: the scopes, the namespace and the name are those of the object.
func TestWithUsageKeepsTheObject(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop"}, Spec: corev1.PodSpec{PriorityClassName: "high"}}
	of := quota.Pod(pod, time.Time{}, quota.PodOptions{}).WithUsage(list("x", "1"))
	testkit.Equal(t, of.Key(), quota.Key{Resource: schema.GroupResource{Resource: "pods"}, Namespace: "shop", Name: "p"})
	for _, test := range []struct {
		name   string
		object quota.Object
		quota  *corev1.ResourceQuota
		want   bool
	}{
		{"within the scope", of, selecting(withStatus("q", list("x", "1"), nil), scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}), true},
		{"outside the scope", of, selecting(withStatus("q", list("x", "1"), nil), scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"low"}}), false},
		{"a name of the kind", of, withStatus("q", list("pods", "1"), nil), false},
		{"of no kind", quota.Object{}.WithUsage(list("x", "0")), withStatus("q", list("x", "1"), nil), true},
		{"of no kind within a scope", quota.Object{}.WithUsage(list("x", "1")), selecting(withStatus("q", list("x", "1"), nil), scope{ScopeName: "Terminating", Operator: "Exists"}), false},
		{"nothing", of.WithUsage(nil), withStatus("q", list("x", "1", "pods", "1"), nil), false},
	} {
		got, err := test.object.Matches(test.quota)
		testkit.OK(t, err)
		testkit.Equal(t, got, test.want, test.name)
	}
	unscoped := selecting(withStatus("q", list("x", "1", "y", "1"), nil), scope{ScopeName: "Terminating", Operator: "Exists"})
	testkit.NoDiff(t, quota.Unevaluated(unscoped, []quota.Object{of}), []corev1.ResourceName{"y"})
	testkit.NoDiff(t, quota.Unevaluated(unscoped, []quota.Object{quota.Object{}.WithUsage(list("x", "1"))}), []corev1.ResourceName{"x", "y"})
	if missing := of.WithUsage(list("cpu", "1")).MissingRequired([]corev1.ResourceName{"cpu"}); missing != nil {
		t.Errorf("missing: %v", missing)
	}
}

// An update of any kind is charged for its increase. An object without metadata is stored, or the caller would not
// know it.
func TestWithUsageOfUpdates(t *testing.T) {
	stored := func(version string) quota.Object {
		return quota.Counted(schema.GroupResource{Group: "x", Resource: "workloads"}, &metav1.ObjectMeta{ResourceVersion: version})
	}
	quotas := []*corev1.ResourceQuota{withStatus("q", list("x", "9"), list("x", "5"))}
	for _, test := range []struct {
		name string
		old  quota.Object
		want string
	}{
		{"stored", stored("7"), "8"},
		{"never stored", stored(""), ""},
		{"another kind", quota.Object{}, ""},
	} {
		old, updated := test.old.WithUsage(list("x", "2")), stored("7").WithUsage(list("x", "5"))
		a := quota.Admit(old, updated, quotas, quota.AdmitOptions{})
		testkit.Equal(t, a.Applies, true, test.name)
		got := ""
		if after := a.After(quotas, 1); after != nil {
			q := after[0].Status.Used["x"]
			got = q.String()
		}
		testkit.Equal(t, got, test.want, test.name)
	}
	amounts := quota.Object{}.WithUsage
	after := quota.Admit(amounts(list("x", "2")), amounts(list("x", "5")), quotas, quota.AdmitOptions{}).After(quotas, 1)
	testkit.NoDiff(t, after[0].Status.Used, list("x", "8"), "without metadata")
}

// What resources are called makes no difference, nor of which kind the object is: the answer is that of FailuresOf.
func TestWithUsageHasAnyNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usage := testkit.ResourceList(testkit.Positive()).Draw(t, "usage")
		hard := testkit.ResourceList(testkit.Positive()).Draw(t, "hard")
		used := corev1.ResourceList{}
		for name := range hard {
			used[name] = testkit.Positive().Draw(t, "used")
		}
		object := objects(testkit.Positive()).Draw(t, "object")
		testkit.Contract(t, func() any { return object.object.WithUsage(usage).Usage() }, object.of, usage)
		want := quota.FailuresOf(usage, used, hard, "q")
		for _, prefix := range []corev1.ResourceName{"", "example.com/x/"} {
			q := withStatus("q", renamed(hard, prefix), renamed(used, prefix))
			of := object.object.WithUsage(renamed(usage, prefix))
			testkit.NoDiff(t, of.Usage(), renamed(usage, prefix))
			got := quota.Admit(quota.Object{}, of, []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
			if len(got) != len(want) {
				t.Fatalf("%v, want %v", got, want)
			}
			for i := range want {
				testkit.Equal(t, got[i].Cause, quota.ExceededQuota)
				testkit.NoDiff(t, got[i].Requested, renamed(want[i].Requested, prefix))
			}
		}
	})
}

func renamed(list corev1.ResourceList, prefix corev1.ResourceName) corev1.ResourceList {
	other := corev1.ResourceList{}
	for name, q := range list {
		other[prefix+name] = q
	}
	return other
}

// The scopes are those that the object is within, unless one is an error.
func TestMatchingScopes(t *testing.T) {
	pod := quota.Pod(&corev1.Pod{Spec: corev1.PodSpec{PriorityClassName: "high"}}, time.Time{}, quota.PodOptions{})
	high := scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}
	low := scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"low"}}
	running := scope{ScopeName: "NotTerminating", Operator: "Exists"}
	got, err := pod.MatchingScopes([]scope{high, low, running})
	testkit.OK(t, err)
	testkit.NoDiff(t, got, []scope{high, running})
	testkit.Contract(t, func() any { got, err := pod.MatchingScopes([]scope{high, running}); return []any{got, err} }, high, running)

	got, err = pod.MatchingScopes([]scope{high, {ScopeName: "PriorityClass", Operator: "Near"}})
	const want = `error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`
	if got != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}

// Nil is the spec, as for all problems.
func TestFieldOfNil(t *testing.T) {
	failures := quota.FailuresOf(list("cpu", "2"), nil, list("cpu", "1"), "q")
	const want = "spec: Forbidden: exceeded quota: q, requested: cpu=2, used: , limited: cpu=1"
	testkit.Equal(t, failures.ErrorList(nil).ToAggregate().Error(), want)
	testkit.Equal(t, failures[0].Field(nil).Field, "spec")
}
