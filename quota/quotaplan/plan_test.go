package quotaplan_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

var (
	list      = testkit.List
	container = testkit.Container
)

func wantList(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// inForce returns a quota with a status.
func inForce(name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop"}, Spec: corev1.ResourceQuotaSpec{Hard: hard},
		Status: corev1.ResourceQuotaStatus{Hard: hard.DeepCopy(), Used: used},
	}
}

func podOf(requests, limits corev1.ResourceList) quota.Object {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", requests, limits)}}}
	return quota.Pod(pod, time.Time{}, quota.PodOptions{})
}

func messages(failures quota.Failures) (m []string) {
	for _, f := range failures {
		m = append(m, f.Error())
	}
	return m
}

func TestRemaining(t *testing.T) {
	q := inForce("q", list("cpu", "10", "memory", "2Gi", "pods", "1", "services", "5", "storage", "0"), list("cpu", "2500m", "memory", "0.5Gi", "pods", "3", "other", "1", "storage", "0"))
	wantList(t, "some", quotaplan.Remaining(q), list("cpu", "7500m", "memory", "1536Mi", "pods", "-2", "storage", "0"))
	wantList(t, "nil", quotaplan.Remaining(nil), list())
	wantList(t, "without a status", quotaplan.Remaining(&corev1.ResourceQuota{Spec: q.Spec}), list())
}

// Only limits in the status of a quota count, and only if the status says how much of them is used.
func TestReplicasWithoutStatus(t *testing.T) {
	hard := list("pods", "5", "requests.cpu", "2")
	object := podOf(list("cpu", "500m"), nil)
	unused, err := quota.CalculateUsage(nil, inForce("q", hard, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		status   corev1.ResourceQuotaStatus
		replicas int64
		causes   []quota.FailureCause
		text     string
	}{
		{"no status", corev1.ResourceQuotaStatus{}, math.MaxInt64, nil, ""},
		{"no usage", corev1.ResourceQuotaStatus{Hard: hard}, 0, []quota.FailureCause{quota.StatusUnknown}, "status unknown for quota: q, resources: pods,requests.cpu"},
		{"usage without limits", corev1.ResourceQuotaStatus{Used: list("pods", "0", "requests.cpu", "0")}, math.MaxInt64, nil, ""},
		{"one limit", corev1.ResourceQuotaStatus{Hard: list("pods", "5"), Used: list("pods", "2")}, 3, []quota.FailureCause{quota.ExceededQuota}, "exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5"},
		{"usage of one resource", corev1.ResourceQuotaStatus{Hard: hard, Used: list("pods", "0")}, 0, []quota.FailureCause{quota.StatusUnknown}, "status unknown for quota: q, resources: pods,requests.cpu"},
		{"usage of nothing", unused, 4, []quota.FailureCause{quota.ExceededQuota}, "exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=2, limited: requests.cpu=2"},
	} {
		q := inForce("q", hard, nil)
		q.Status = test.status
		fit := quotaplan.Replicas(object, []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
		var causes []quota.FailureCause
		for _, f := range fit.Next {
			causes = append(causes, f.Cause)
		}
		text := strings.Join(messages(fit.Next), "; ")
		if fit.Replicas != test.replicas || fit.Unbounded != (test.causes == nil) || !slices.Equal(causes, test.causes) || text != test.text {
			t.Errorf("%s: %d replicas, %v %s, want %d, %v %s", test.name, fit.Replicas, causes, text, test.replicas, test.causes, test.text)
		}
		if enforced := len(q.Status.Hard) == len(hard); enforced != (len(fit.Unenforced) == 0) {
			t.Errorf("%s: unenforced %v", test.name, fit.Unenforced)
		}
		outcomes, _, err := quotaplan.FirstFit([]quotaplan.Workload{{Object: object, Replicas: 1}}, []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
		if err != nil || outcomes[0].Admitted != (test.replicas > 0) {
			t.Errorf("%s: FirstFit %+v, %v", test.name, outcomes, err)
		}
	}
}

func TestReplicas(t *testing.T) {
	type quotas = []*corev1.ResourceQuota
	for _, test := range []struct {
		name      string
		quotas    quotas
		object    quota.Object
		opts      quota.AdmitOptions
		replicas  int64
		unbounded bool
		next      []string
	}{
		{"no quotas", nil, podOf(nil, nil), quota.AdmitOptions{}, math.MaxInt64, true, nil},
		{"no object", quotas{inForce("q", list("pods", "0"), list("pods", "0"))}, quota.Object{}, quota.AdmitOptions{}, math.MaxInt64, true, nil},
		{"a subresource", quotas{inForce("q", list("pods", "0"), list("pods", "0"))}, podOf(nil, nil), quota.AdmitOptions{Subresource: "eviction"}, math.MaxInt64, true, nil},
		{"a pod without a resource that the quota limits", quotas{inForce("q", list("services", "1"), nil)}, podOf(nil, nil), quota.AdmitOptions{}, math.MaxInt64, true, nil},
		{"a request of zero for a resource that the quota limits", quotas{inForce("q", list("cpu", "1"), list("cpu", "5"))}, podOf(list("cpu", "0"), nil), quota.AdmitOptions{}, math.MaxInt64, true, nil},
		{
			"the least of several", quotas{
				inForce("a", list("pods", "10", "requests.memory", "4Gi"), list("pods", "7", "requests.memory", "1Gi")),
				inForce("b", list("limits.cpu", "2"), list("limits.cpu", "250m")),
			}, podOf(list("memory", "1.5Gi"), list("cpu", "500m")), quota.AdmitOptions{}, 2, false, []string{
				"exceeded quota: a, requested: requests.memory=1536Mi, used: requests.memory=4Gi, limited: requests.memory=4Gi",
			},
		},
		{
			"two stop the next", quotas{inForce("a", list("pods", "3", "limits.cpu", "3"), list("pods", "0", "limits.cpu", "0")), inForce("b", list("count/pods", "9"), list("count/pods", "6"))},
			podOf(nil, list("cpu", "1")), quota.AdmitOptions{}, 3, false, []string{
				"exceeded quota: a, requested: limits.cpu=1,pods=1, used: limits.cpu=3,pods=3, limited: limits.cpu=3,pods=3",
				"exceeded quota: b, requested: count/pods=1, used: count/pods=9, limited: count/pods=9",
			},
		},
		{"a part of one does not count", quotas{inForce("q", list("cpu", "1"), list("cpu", "0"))}, podOf(list("cpu", "334m"), nil), quota.AdmitOptions{}, 2, false, []string{
			"exceeded quota: q, requested: cpu=334m, used: cpu=668m, limited: cpu=1",
		}},
		{
			"usage that is written without a suffix", quotas{inForce("a", list("requests.memory", "4Gi"), list("requests.memory", "0"))},
			quota.Pod(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
				testkit.Container("a", list("memory", "512Mi"), nil), testkit.Container("b", list("memory", "1e9"), nil),
			}}}, time.Time{}, quota.PodOptions{}), quota.AdmitOptions{}, 2, false, []string{
				"exceeded quota: a, requested: requests.memory=1536870912, used: requests.memory=3073741824, limited: requests.memory=4Gi",
			},
		},
		{"no room", quotas{inForce("q", list("pods", "1"), list("pods", "1"))}, podOf(nil, nil), quota.AdmitOptions{}, 0, false, []string{
			"exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
		}},
		{"usage above the limit", quotas{inForce("q", list("pods", "1"), list("pods", "5"))}, podOf(nil, nil), quota.AdmitOptions{}, 0, false, []string{
			"exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=1",
		}},
		{"no room for a pod without a cpu request", quotas{inForce("q", list("pods", "1", "cpu", "1"), list("cpu", "1"))}, podOf(nil, nil), quota.AdmitOptions{}, 0, false, []string{
			"failed quota: q: must specify cpu for: app", "status unknown for quota: q, resources: cpu,pods",
		}},
		{"no cover", nil, podOf(nil, nil), quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"pods"}}}}, 0, false, []string{
			"insufficient quota to consume: count/pods,pods",
		}},
		{"very many", quotas{inForce("q", list("limits.memory", "9223372036854775807"), list("limits.memory", "7"))}, podOf(nil, list("memory", "1")), quota.AdmitOptions{}, math.MaxInt64 - 7, false, []string{
			"exceeded quota: q, requested: limits.memory=1, used: limits.memory=9223372036854775807, limited: limits.memory=9223372036854775807",
		}},
		{"beyond int64", quotas{inForce("q", list("limits.memory", "1e30"), list("limits.memory", "7"))}, podOf(nil, list("memory", "1")), quota.AdmitOptions{}, math.MaxInt64, false, nil},
		{"room after a negative remaining amount", quotas{inForce("q", list("pods", "1"), list("pods", "-2"))}, podOf(nil, nil), quota.AdmitOptions{}, 3, false, []string{
			"exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
		}},
		{"other quotas do not matter", quotas{
			inForce("q", list("pods", "4"), list("pods", "2")),
			{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: corev1.ResourceQuotaSpec{Scopes: []corev1.ResourceQuotaScope{"Terminating"}}, Status: corev1.ResourceQuotaStatus{Hard: list("pods", "1"), Used: list("pods", "0")}},
		}, podOf(nil, nil), quota.AdmitOptions{}, 2, false, []string{"exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := quotaplan.Replicas(test.object, test.quotas, test.opts)
			if got.Replicas != test.replicas || got.Unbounded != test.unbounded {
				t.Errorf("%d replicas, unbounded %v", got.Replicas, got.Unbounded)
			}
			if diff := cmp.Diff(test.next, messages(got.Next)); diff != "" {
				t.Errorf("next (-want +got):\n%s", diff)
			}
		})
	}
}

// The usage of a quota may be unknown for names that it limits, if claims for devices do not use them.
func TestReplicasOfUnknownUsage(t *testing.T) {
	q := inForce("q", list("count/resourceclaims.resource.k8s.io", "9", "requests.deviceclass.resource.kubernetes.io/gold", "2"), list("count/resourceclaims.resource.k8s.io", "0"))
	got := quotaplan.Replicas(quota.ResourceClaim(goldClaim(), quota.ResourceClaimOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	if got.Replicas != 2 || len(got.Next) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestFirstFit(t *testing.T) {
	q := inForce("q", list("limits.cpu", "10", "pods", "100"), list("limits.cpu", "1", "pods", "0"))
	workloads := []quotaplan.Workload{
		{Object: podOf(nil, list("cpu", "2")), Replicas: 3},                                  // 7
		{Object: podOf(nil, list("cpu", "1")), Replicas: 4},                                  // 11: does not fit
		{Object: podOf(nil, list("cpu", "1")), Replicas: 3},                                  // 10
		{Object: podOf(nil, list("cpu", "1")), Replicas: 0},                                  // nothing
		{Object: podOf(nil, nil), Replicas: 1},                                               // sets nothing
		{Object: quota.Counted(schema.GroupResource{Resource: "secrets"}, nil), Replicas: 7}, // not limited
	}
	outcomes, after, err := quotaplan.FirstFit(workloads, []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Admitted bool
		Fit      int64
		Next     []string
	}
	var got []row
	for _, p := range outcomes {
		got = append(got, row{p.Admitted, p.Fit.Replicas, messages(p.Fit.Next)})
	}
	full := []string{"exceeded quota: q, requested: limits.cpu=1, used: limits.cpu=10, limited: limits.cpu=10"}
	want := []row{
		{true, 4, []string{"exceeded quota: q, requested: limits.cpu=2, used: limits.cpu=9, limited: limits.cpu=10"}},
		{false, 3, full},
		{true, 3, full},
		{true, 0, full},
		{false, 0, []string{"failed quota: q: must specify limits.cpu for: app"}},
		{true, math.MaxInt64, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantList(t, "used", after[0].Status.Used, list("limits.cpu", "10", "pods", "6"))

	// A quota that does not concern the workloads does not count them.
	ending, secrets := inForce("ending", list("pods", "1"), list("pods", "0")), inForce("secrets", list("secrets", "3"), list("secrets", "0"))
	ending.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	outcomes, after, err = quotaplan.FirstFit(workloads[:3], []*corev1.ResourceQuota{ending, secrets}, quota.AdmitOptions{})
	if err != nil || !outcomes[0].Admitted || !outcomes[0].Fit.Unbounded {
		t.Errorf("beside quotas that do not matter: %+v, %v", outcomes, err)
	}
	wantList(t, "used by pods that do not end", after[0].Status.Used, list("pods", "0"))
	wantList(t, "used by pods", after[1].Status.Used, list("secrets", "0"))

	if outcomes, after, err := quotaplan.FirstFit(nil, nil, quota.AdmitOptions{}); outcomes == nil || after == nil || err != nil {
		t.Errorf("of nothing: %v, %v, %v", outcomes, after, err)
	}
	workloads[2].Replicas = -1
	workloads[2].Object = quota.Counted(schema.GroupResource{Resource: "secrets"}, &metav1.ObjectMeta{Namespace: "shop", Name: "key"})
	if outcomes, after, err := quotaplan.FirstFit(workloads, []*corev1.ResourceQuota{q}, quota.AdmitOptions{}); err == nil || err.Error() != "quotaplan: workload 2 (secrets shop/key): -1 replicas" || outcomes != nil || after != nil {
		t.Errorf("below zero: %v", err)
	}
}

// Nil quotas are ignored, and stay nil in their places.
func TestNilQuotas(t *testing.T) {
	q := inForce("q", list("pods", "3"), list("pods", "1"))
	quotas := []*corev1.ResourceQuota{nil, q, nil}
	object := quota.Pod(&corev1.Pod{}, time.Time{}, quota.PodOptions{})
	if got := quotaplan.Replicas(object, quotas, quota.AdmitOptions{}); got.Replicas != 2 || len(got.Next) != 1 {
		t.Errorf("replicas %+v", got)
	}
	_, after, err := quotaplan.FirstFit([]quotaplan.Workload{{Object: object, Replicas: 2}}, quotas, quota.AdmitOptions{})
	want := []*corev1.ResourceQuota{nil, inForce("q", list("pods", "3"), list("pods", "3")), nil}
	if diff := cmp.Diff(want, after); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// The case of Tekton's "Compute Resources": a quota of 10 CPUs, and a pod of 20 steps that
// are limited to 1 each, which is refused although it never uses more than one at a time.
func TestSequentialSteps(t *testing.T) {
	pod := stepsOf(20, list("cpu", "100m"), list("cpu", "1"))
	pod.Spec.Containers = append(pod.Spec.Containers, container("sidecar-log", list("cpu", "50m"), list("cpu", "500m")))
	pod.Spec.InitContainers = []corev1.Container{testkit.Sidecar("proxy", list("cpu", "50m"), list("cpu", "250m")), container("prepare", nil, list("cpu", "1200m"))}
	q := inForce("q", list("limits.cpu", "10"), list("limits.cpu", "0"))
	failures := quota.Admit(quota.Object{}, quota.Pod(pod, time.Time{}, quota.PodOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
	want := []string{"exceeded quota: q, requested: limits.cpu=20750m, used: limits.cpu=0, limited: limits.cpu=10"}
	if diff := cmp.Diff(want, messages(failures)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got := quotaplan.Sequential(pod, steps.TektonStep, quota.PodOptions{})
	wantList(t, "counted", got.Counted, list("count/pods", "1", "pods", "1", "cpu", "2100m", "requests.cpu", "2100m", "limits.cpu", "20750m"))
	wantList(t, "peak", got.Peak, list("count/pods", "1", "pods", "1", "cpu", "200m", "requests.cpu", "200m", "limits.cpu", "1750m"))
	if !quota.Fits(got.Peak, q.Status.Used, q.Status.Hard) {
		t.Error("the peak does not fit")
	}
}

// named finds containers by their names.
func named(names ...string) steps.Predicate {
	return func(_ computeresources.Ref, c *corev1.Container) bool { return slices.Contains(names, c.Name) }
}

func stepsOf(n int, requests, limits corev1.ResourceList) *corev1.Pod {
	pod := &corev1.Pod{}
	for i := range n {
		name := "step-" + string(rune('a'+i))
		pod.Spec.Containers = append(pod.Spec.Containers, container(name, requests.DeepCopy(), limits.DeepCopy()))
	}
	return pod
}

// Only app containers can be steps, and the predicate is called once for each, with its Ref.
func TestSequentialAsksAboutAppContainers(t *testing.T) {
	pod := stepsOf(2, list("cpu", "1"), nil)
	pod.Spec.Containers[1].Name = ""
	pod.Spec.InitContainers = []corev1.Container{testkit.Sidecar("proxy", list("cpu", "1"), nil), container("prepare", list("cpu", "1"), nil)}
	var asked []computeresources.Ref
	got := quotaplan.Sequential(pod, func(ref computeresources.Ref, c *corev1.Container) bool {
		if c.Name != ref.Name {
			t.Errorf("%v is asked about with container %q", ref, c.Name)
		}
		asked = append(asked, ref)
		return true
	}, quota.PodOptions{})
	want := []computeresources.Ref{{Kind: computeresources.App, Name: "step-a"}, {Kind: computeresources.App, Index: 1}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantList(t, "peak", got.Peak, list("count/pods", "1", "pods", "1", "cpu", "2", "requests.cpu", "2"))
	none := quotaplan.Sequential(pod, nil, quota.PodOptions{})
	wantList(t, "peak without a predicate", none.Peak, none.Counted)
}

func TestSequential(t *testing.T) {
	alive := func(more ...string) corev1.ResourceList {
		return list(append([]string{"count/pods", "1", "pods", "1"}, more...)...)
	}
	uneven := corev1.PodSpec{Containers: []corev1.Container{
		container("one", list("cpu", "1", "memory", "1.5Gi"), nil), container("two", list("cpu", "2", "memory", "1Gi"), list("memory", "2Gi")), container("other", list("cpu", "500m"), nil),
	}}
	whole := *uneven.DeepCopy()
	whole.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "7")}
	running := corev1.PodStatus{Phase: corev1.PodSucceeded, ContainerStatuses: []corev1.ContainerStatus{{Name: "one", Resources: &corev1.ResourceRequirements{Requests: list("cpu", "9")}}}}
	for _, test := range []struct {
		name          string
		pod           *corev1.Pod
		steps         []string
		opts          quota.PodOptions
		counted, peak corev1.ResourceList
	}{
		{"nil", nil, []string{"one"}, quota.PodOptions{}, list(), list()},
		{"nothing", &corev1.Pod{}, nil, quota.PodOptions{}, alive(), alive()},
		{
			"the greatest of each", &corev1.Pod{Spec: uneven, Status: running}, []string{"two", "one", "none"}, quota.PodOptions{},
			alive("cpu", "3500m", "requests.cpu", "3500m", "memory", "2560Mi", "requests.memory", "2560Mi", "limits.memory", "2Gi"),
			alive("cpu", "2500m", "requests.cpu", "2500m", "memory", "1536Mi", "requests.memory", "1536Mi", "limits.memory", "2Gi"),
		},
		{
			"no steps", &corev1.Pod{Spec: uneven}, nil, quota.PodOptions{},
			alive("cpu", "3500m", "requests.cpu", "3500m", "memory", "2560Mi", "requests.memory", "2560Mi", "limits.memory", "2Gi"),
			alive("cpu", "3500m", "requests.cpu", "3500m", "memory", "2560Mi", "requests.memory", "2560Mi", "limits.memory", "2Gi"),
		},
		{
			"pod-level resources", &corev1.Pod{Spec: whole}, []string{"one", "two", "other"}, quota.PodOptions{},
			alive("cpu", "7", "requests.cpu", "7", "memory", "2560Mi", "requests.memory", "2560Mi", "limits.memory", "2Gi"),
			alive("cpu", "7", "requests.cpu", "7", "memory", "1536Mi", "requests.memory", "1536Mi", "limits.memory", "2Gi"),
		},
		{
			"pod-level resources ignored", &corev1.Pod{Spec: whole}, []string{"one", "two", "other"}, quota.PodOptions{IgnorePodLevel: true},
			alive("cpu", "3500m", "requests.cpu", "3500m", "memory", "2560Mi", "requests.memory", "2560Mi", "limits.memory", "2Gi"),
			alive("cpu", "2", "requests.cpu", "2", "memory", "1536Mi", "requests.memory", "1536Mi", "limits.memory", "2Gi"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := quotaplan.Sequential(test.pod, named(test.steps...), test.opts)
			wantList(t, "counted", got.Counted, test.counted)
			wantList(t, "peak", got.Peak, test.peak)
		})
	}
}
