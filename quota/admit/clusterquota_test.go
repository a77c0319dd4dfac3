package admit_test

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// inShop returns a quota over several namespaces, in the namespace shop.
func inShop(kind quota.ClusterQuotaKind, name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &quota.ClusterQuota{Kind: kind, Name: name, Spec: corev1.ResourceQuotaSpec{Hard: hard},
		Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}
	return q.In("shop")
}

// Capsule's webhook answers before the plugin ResourceQuota, and OpenShift's plugin after it, each in its own words.
func TestAnswersOfClusterQuotas(t *testing.T) {
	const message = `admission webhook "calculation.global-resource-quotas.validating.projectcapsule.dev" denied the request: ` +
		`resource exceeds GlobalResourceQuota "a": pods (requested=1, current=1, projected=2, hard=1, exceededBy=1)`
	hard, used := list("pods", "1"), list("pods", "1")
	capsule, own := inShop(quota.GlobalResourceQuota, "a", hard, used), resourceQuota("m", hard, used)
	openShift := inShop(quota.ClusterResourceQuota, "b", hard, used)
	unset := inShop(quota.ClusterResourceQuota, "c", list("limits.cpu", "1"), list("limits.cpu", "0"))
	max := limitRange("bounds", corev1.LimitRangeItem{Type: "Container", Max: list("cpu", "1")})
	large := testkit.Container("app", list("cpu", "2"), list("cpu", "2"))
	for _, test := range []struct {
		name   string
		ranges []*corev1.LimitRange
		quotas []*corev1.ResourceQuota
		pod    *corev1.Pod
		want   string
	}{
		{"all", nil, []*corev1.ResourceQuota{openShift, own, capsule}, pod(), message},
		{"those of the namespace and of OpenShift", nil, []*corev1.ResourceQuota{openShift, own, unset}, pod(corev1.Container{Name: "app"}),
			`pods "web" is forbidden: exceeded quota: m, requested: pods=1, used: pods=1, limited: pods=1`},
		{"those of OpenShift", nil, []*corev1.ResourceQuota{openShift, unset}, pod(corev1.Container{Name: "app"}),
			`pods "web" is forbidden: failed quota: c: must specify limits.cpu for: app`},
		{"one of OpenShift", nil, []*corev1.ResourceQuota{openShift}, pod(),
			`pods "web" is forbidden: exceeded quota: b, requested: pods=1, used: pods=1, limited: pods=1`},
		{"a LimitRange", []*corev1.LimitRange{max}, []*corev1.ResourceQuota{capsule}, pod(large),
			`pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := compile(t, test.ranges, test.quotas, admit.Options{}).Create(test.pod, admit.Attributes{}).Err()
			if err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	var status *apierrors.StatusError
	err := compile(t, nil, []*corev1.ResourceQuota{capsule}, admit.Options{}).Create(pod(), admit.Attributes{}).Err()
	if !errors.As(err, &status) || status.ErrStatus.Code != 403 || status.ErrStatus.Reason != metav1.StatusReasonForbidden ||
		status.ErrStatus.Status != metav1.StatusFailure || status.ErrStatus.Details != nil {
		t.Errorf("status of the webhook: %+v", status)
	}
}

// Each of several quotas of one plugin may be the first, and those of another one never are.
func TestPossibleAnswersOfClusterQuotas(t *testing.T) {
	hard, used := list("pods", "1"), list("pods", "1")
	quotas := []*corev1.ResourceQuota{inShop(quota.ClusterResourceQuota, "z", hard, used), resourceQuota("m", hard, used),
		inShop(quota.GlobalResourceQuota, "a", hard, used), inShop(quota.GlobalResourceQuota, "b", hard, used)}
	outcomes := compile(t, nil, quotas, admit.Options{}).Possible(nil, pod(), admit.Attributes{})
	testkit.Equal(t, len(outcomes.Decisions), 2)
	for _, d := range outcomes.Decisions {
		if !strings.Contains(d.Err().Error(), "resource exceeds GlobalResourceQuota") {
			t.Error(d.Err())
		}
	}
	testkit.Equal(t, outcomes.Never, true)
}

// The words of a refusal name the quota with its kind and without a namespace, and so does the error of Compile.
func TestWordsOfClusterQuotas(t *testing.T) {
	q := inShop(quota.ClusterResourceQuota, "team", list("requests.cpu", "2"), list("requests.cpu", "1500m"))
	n := compile(t, nil, []*corev1.ResourceQuota{q}, admit.Options{})
	d := n.Create(pod(testkit.Container("app", list("cpu", "1"), nil)), admit.Attributes{})
	testkit.Equal(t, d.Refusals[0].What, "ClusterResourceQuota team lacks requests.cpu=500m")
	_, err := admit.Compile(nil, []*corev1.ResourceQuota{inShop(quota.GlobalResourceQuota, "team", list("pods", "-1"), nil)}, admit.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "[GlobalResourceQuota team: ") {
		t.Errorf("%v", err)
	}
	_, err = admit.Compile(nil, []*corev1.ResourceQuota{q, {ObjectMeta: metav1.ObjectMeta{Namespace: "data", Name: "q"}}}, admit.Options{})
	if err == nil || !strings.Contains(err.Error(), "other objects are of namespace") {
		t.Errorf("%v", err)
	}
}

// An invalid scope is an internal error of the plugins, and a refusal of Capsule's webhook.
func TestInvalidScopesOfClusterQuotas(t *testing.T) {
	for kind, want := range map[quota.ClusterQuotaKind]struct {
		code   int32
		prefix string
	}{
		quota.ClusterResourceQuota: {500, "error matching scopes of quota team, err: "},
		quota.GlobalResourceQuota: {403, `admission webhook "calculation.global-resource-quotas.validating.projectcapsule.dev" ` +
			`denied the request: resource cannot be evaluated against GlobalResourceQuota "team": `},
	} {
		failure := &quota.Failure{Cause: quota.InvalidScope, Detail: "no such scope",
			Source: computeresources.Source{Kind: string(kind), Name: "team", Field: "spec.quota.scopeSelector"}}
		var status *apierrors.StatusError
		err := admit.Decision{Refusals: computeresources.Problems[*admit.Refusal]{{Failure: failure}}}.Err()
		if !errors.As(err, &status) || status.ErrStatus.Code != want.code || status.ErrStatus.Message != want.prefix+"no such scope" {
			t.Errorf("%s: %+v", kind, err)
		}
	}
}

// A quota of several namespaces and one of the namespace may have the same name: each counts for itself.
func TestQuotasOfOneName(t *testing.T) {
	quotas := []*corev1.ResourceQuota{inShop(quota.ClusterResourceQuota, "q", list("pods", "5"), list("pods", "3")),
		resourceQuota("q", list("pods", "9"), list("pods", "0"))}
	n := compile(t, nil, quotas, admit.Options{})
	after := n.After(n.Create(pod(), admit.Attributes{})).Quotas()
	testkit.Equal(t, after[0].Kind, "")
	for i, want := range []int64{1, 4} {
		if pods := after[i].Status.Used["pods"]; pods.Value() != want {
			t.Errorf("%s: %v pods, want %d", after[i].Kind, pods.Value(), want)
		}
	}
	count := n.Replicas([]admit.APIObject{pod()}, admit.Attributes{})
	testkit.Equal(t, count.Replicas, 2)
	testkit.Equal(t, count.Err().Error(), `pods "web" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5`)
}

// OpenShift's plugin ignores a resize, and Capsule's webhook does not.
func TestResizeAtClusterQuotas(t *testing.T) {
	old := pod(testkit.Container("app", list("cpu", "1"), nil))
	old.ResourceVersion, old.UID = "1", "1"
	resized := old.DeepCopy()
	resized.Spec.Containers[0].Resources.Requests = list("cpu", "2")
	for kind, want := range map[quota.ClusterQuotaKind]bool{quota.ClusterResourceQuota: true, quota.GlobalResourceQuota: false} {
		q := inShop(kind, "team", list("requests.cpu", "1"), list("requests.cpu", "1"))
		d := compile(t, nil, []*corev1.ResourceQuota{q}, admit.Options{}).Update(old, resized, admit.Attributes{Subresource: "resize"})
		if d.Admitted() != want {
			t.Errorf("%s: %v", kind, d.Err())
		}
	}
}

// What the solver writes is admitted by quotas of several namespaces. It writes no request if another resource of a
// GlobalResourceQuota is exceeded.
func TestSolutionsFitClusterQuotas(t *testing.T) {
	cpu, pods := list("requests.cpu", "2", "services", "1"), list("requests.cpu", "1500m", "services", "2")
	for _, test := range []struct {
		name, floor string
		q           *corev1.ResourceQuota
		admitted    bool
	}{
		{"OpenShift", "500m", inShop(quota.ClusterResourceQuota, "team", cpu, pods), true},
		{"OpenShift, beyond", "501m", inShop(quota.ClusterResourceQuota, "team", cpu, pods), false},
		{"Capsule", "500m", inShop(quota.GlobalResourceQuota, "team", list("requests.cpu", "2"), list("requests.cpu", "1500m")), true},
		{"Capsule, beyond", "501m", inShop(quota.GlobalResourceQuota, "team", list("requests.cpu", "2"), list("requests.cpu", "1500m")), false},
		{"Capsule, with too many services", "1m", inShop(quota.GlobalResourceQuota, "team", cpu, pods), false},
		{"Capsule, nothing with too many services", "0", inShop(quota.GlobalResourceQuota, "team", cpu, pods), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := pod(testkit.Container("app", nil, nil))
			n := compile(t, nil, []*corev1.ResourceQuota{test.q}, admit.Options{})
			changes, err := solver.Apply(&p.Spec, solver.Input{Quotas: n.Quotas(),
				Floors: []solver.Floor{{Ref: computeresources.Ref{Name: "app"}, Requests: list("cpu", test.floor)}}})
			if (err == nil) != test.admitted {
				t.Fatalf("%v, %v", changes, err)
			}
			if err == nil {
				err = n.Create(p, admit.Attributes{}).Err()
			} else if !strings.Contains(err.Error(), string(test.q.Kind)+" team") {
				t.Error(err)
			}
			if test.admitted && err != nil {
				t.Error(err)
			}
		})
	}
}
