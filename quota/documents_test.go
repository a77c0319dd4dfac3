package quota_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// fresh returns a quota that counts nothing yet.
func fresh(t *testing.T, q *corev1.ResourceQuota) *corev1.ResourceQuota {
	t.Helper()
	status, err := quota.CalculateUsage(nil, q)
	testkit.OK(t, err)
	q.Status = status
	return q
}

// The quotas of Capsule's "Resource Pools", as the API server enforces them.
func TestCapsuleDocument(t *testing.T) {
	of := func(name string, hard corev1.ResourceList, scopes ...scope) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}}
		q.Name = name
		if len(scopes) > 0 {
			q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: scopes}
		}
		return fresh(t, q)
	}
	pod := func(class string, requests, limits corev1.ResourceList) quota.Object {
		p := &corev1.Pod{Spec: corev1.PodSpec{PriorityClassName: class, Containers: []corev1.Container{container("app", requests, limits)}}}
		return quota.Pod(p, time.Time{}, quota.PodOptions{})
	}
	claim := func(class, storage string) quota.Object {
		c := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", storage)}}}
		if class != "" {
			c.Spec.VolumeAttributesClassName = &class
		}
		return quota.PersistentVolumeClaim(c)
	}
	example := of("example", list("limits.cpu", "2", "limits.memory", "2Gi", "requests.cpu", "2", "requests.memory", "2Gi", "requests.storage", "5Gi"))
	blocked := of("capsule-pool-example", list("requests.storage", "0Gi"))
	zeros := of("capsule-pool-example", list("count/persistentvolumeclaims", "3", "requests.cpu", "0", "requests.memory", "0", "requests.storage", "0", "limits.cpu", "0", "limits.memory", "0"))
	bestEffort := of("best-effort-pool", list("cpu", "1000", "memory", "200Gi", "pods", "10"), scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"best-effort"}})
	gold := of("gold-storage", list("requests.storage", "10Gi", "persistentvolumeclaims", "10"), scope{ScopeName: "VolumeAttributesClass", Operator: "In", Values: []string{"gold"}})
	compute := of("capsule-migration-0", list("requests.cpu", "1500m", "requests.memory", "1536Mi", "limits.cpu", "1500m", "limits.memory", "1536Mi"))
	compute.Status.Used = list("requests.cpu", "375m", "requests.memory", "384Mi", "limits.cpu", "375m", "limits.memory", "384Mi")
	pods := of("capsule-migration-1", list("pods", "3"))
	pods.Status.Used = list("pods", "3")
	rest := list("cpu", "1125m", "memory", "1152Mi")
	for _, test := range []struct {
		name   string
		quota  *corev1.ResourceQuota
		object quota.Object
		want   []string
	}{
		{"all of the pool", example, pod("", list("cpu", "2", "memory", "2Gi"), list("cpu", "2", "memory", "2Gi")), nil},
		{"all storage of the pool", example, claim("", "5Gi"), nil},
		{"more", example, claim("", "6Gi"), []string{"exceeded quota: example, requested: requests.storage=6Gi, used: requests.storage=0, limited: requests.storage=5Gi"}},
		{"storage blocked by default", blocked, claim("", "1"), []string{"exceeded quota: capsule-pool-example, requested: requests.storage=1, used: requests.storage=0, limited: requests.storage=0"}},
		{"other storage is not blocked", blocked, pod("", nil, nil), nil},
		{"zeros", zeros, pod("", list("cpu", "1", "memory", "1"), list("cpu", "1", "memory", "0")), []string{
			"exceeded quota: capsule-pool-example, requested: limits.cpu=1,requests.cpu=1,requests.memory=1, used: limits.cpu=0,requests.cpu=0,requests.memory=0, limited: limits.cpu=0,requests.cpu=0,requests.memory=0",
		}},
		{"a pod of the priority class", bestEffort, pod("best-effort", list("cpu", "1000", "memory", "200Gi"), nil), nil},
		{"a larger pod of the priority class", bestEffort, pod("best-effort", list("cpu", "1001", "memory", "200Gi"), nil), []string{"exceeded quota: best-effort-pool, requested: cpu=1001, used: cpu=0, limited: cpu=1k"}},
		{"a pod of another priority class", bestEffort, pod("other", list("cpu", "1001"), nil), nil},
		{"a claim of class gold", gold, claim("gold", "11Gi"), []string{"exceeded quota: gold-storage, requested: requests.storage=11Gi, used: requests.storage=0, limited: requests.storage=10Gi"}},
		{"a claim of another class than gold", gold, claim("silver", "11Gi"), nil},
		{"remaining amount", compute, pod("", rest, rest), nil},
		{"a byte more", compute, pod("", rest, list("cpu", "1125m", "memory", "1207959553")), []string{
			"exceeded quota: capsule-migration-0, requested: limits.memory=1207959553, used: limits.memory=384Mi, limited: limits.memory=1536Mi",
		}},
		{"a fourth pod", pods, pod("", nil, nil), []string{"exceeded quota: capsule-migration-1, requested: pods=1, used: pods=3, limited: pods=3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			failures := quota.Admit(quota.Object{}, test.object, []*corev1.ResourceQuota{test.quota}, quota.AdmitOptions{}).Failures
			testkit.NoDiff(t, messages(failures), test.want)
		})
	}
}

// The first table of Tekton's "Compute Resources": a quota counts 6 CPUs of requests, and 5 of limits,
// the sum of the two limited app containers. And its last case: 20 steps with a limit of one CPU each,
// and a quota of 10.
func TestTektonDocument(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{container("init-1", list("cpu", "1"), list("cpu", "2")), container("init-2", list("cpu", "2"), list("cpu", "3"))},
		Containers: []corev1.Container{
			container("app-1", list("cpu", "1"), list("cpu", "2")), container("app-2", list("cpu", "2"), list("cpu", "3")), container("sidecar", list("cpu", "3"), nil),
		},
	}}
	object := quota.Pod(pod, time.Time{}, quota.PodOptions{})
	wantList(t, object.Usage(), list("count/pods", "1", "pods", "1", "cpu", "6", "requests.cpu", "6", "limits.cpu", "5"))
	q := withStatus("ci", list("limits.cpu", "10"), list("limits.cpu", "0"))
	failures := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
	testkit.NoDiff(t, messages(failures), []string{"failed quota: ci: must specify limits.cpu for: sidecar"})

	var steps []corev1.Container
	for i := range 20 {
		steps = append(steps, container(fmt.Sprint("step-", i), nil, list("cpu", "1")))
	}
	failures = quota.Admit(quota.Object{}, podOf(steps...), []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
	testkit.NoDiff(t, messages(failures), []string{"exceeded quota: ci, requested: limits.cpu=20, used: limits.cpu=0, limited: limits.cpu=10"})
	after, failures := admit(quota.Object{}, podOf(steps[:10]...), []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	wantList(t, after[0].Status.Used, list("limits.cpu", "10"))
}
