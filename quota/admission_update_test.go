package quota_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestAdmitUpdate(t *testing.T) {
	versioned := metav1.ObjectMeta{ResourceVersion: "1"}
	pod := func(meta metav1.ObjectMeta, cpu string, deadline *int64) quota.Object {
		p := &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", cpu), nil)}, ActiveDeadlineSeconds: deadline}}
		return quota.Pod(p, time.Time{}, quota.PodOptions{})
	}
	claim := func(meta metav1.ObjectMeta, storage string, class *string) quota.Object {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: meta}
		c.Spec.Resources.Requests, c.Spec.VolumeAttributesClassName = list("storage", storage), class
		return quota.PersistentVolumeClaim(c)
	}
	service := func(meta metav1.ObjectMeta, kind corev1.ServiceType) quota.Object {
		return quota.Service(&corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Type: kind}})
	}
	devices := func(count int64) quota.Object {
		c := &resourcev1.ResourceClaim{ObjectMeta: versioned}
		c.Spec.Devices.Requests = []resourcev1.DeviceRequest{exactly("gold", exact, count)}
		return quota.ResourceClaim(c, quota.ResourceClaimOptions{})
	}
	ofGold := scope{ScopeName: "VolumeAttributesClass", Operator: "In", Values: []string{"gold"}}
	one := pointer(int64(1))
	for _, test := range []struct {
		name        string
		quota       *corev1.ResourceQuota
		old, object quota.Object
		opts        quota.AdmitOptions
		used        corev1.ResourceList
		want        []string
	}{
		{"a resize: the increase", withStatus("q", list("cpu", "4", "pods", "1"), list("cpu", "3", "pods", "1")), pod(versioned, "1", nil), pod(versioned, "2", nil), quota.AdmitOptions{Subresource: "resize"}, list("cpu", "4", "pods", "1"), nil},
		{
			"a resize that does not fit", withStatus("q", list("cpu", "4"), list("cpu", "3")), pod(versioned, "1", nil), pod(versioned, "2001m", nil), quota.AdmitOptions{Subresource: "resize"}, nil,
			[]string{"exceeded quota: q, requested: cpu=1001m, used: cpu=3, limited: cpu=4"},
		},
		{"a decrease returns no usage", withStatus("q", list("cpu", "1"), list("cpu", "3")), pod(versioned, "3", nil), pod(versioned, "2", nil), quota.AdmitOptions{Subresource: "resize"}, list("cpu", "3"), nil},
		{
			"a resize of a pod that was never stored", withStatus("q", list("cpu", "4"), list("cpu", "3")), pod(metav1.ObjectMeta{}, "1", nil), pod(versioned, "2", nil), quota.AdmitOptions{Subresource: "resize"}, nil,
			[]string{"exceeded quota: q, requested: cpu=2, used: cpu=3, limited: cpu=4"},
		},
		{
			"a resize of what was no pod", withStatus("q", list("cpu", "4"), list("cpu", "3")), service(versioned, ""), pod(versioned, "2", nil), quota.AdmitOptions{Subresource: "resize"}, nil,
			[]string{"exceeded quota: q, requested: cpu=2, used: cpu=3, limited: cpu=4"},
		},
		{
			"a resize must specify", withStatus("q", list("limits.cpu", "4"), list("limits.cpu", "3")), pod(versioned, "1", nil), pod(versioned, "1", nil), quota.AdmitOptions{Subresource: "resize"}, nil,
			[]string{"failed quota: q: must specify limits.cpu for: a"},
		},
		{"an update of a pod", withStatus("q", list("cpu", "4"), list("cpu", "3")), pod(versioned, "1", nil), pod(versioned, "9", nil), quota.AdmitOptions{}, list("cpu", "3"), nil},
		{
			"no old object: a creation, of which everything counts", withStatus("q", list("cpu", "4"), list("cpu", "3")), quota.Object{}, pod(versioned, "2", nil), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: cpu=2, used: cpu=3, limited: cpu=4"},
		},
		{"a creation that fits", withStatus("q", list("cpu", "4"), list("cpu", "3")), quota.Object{}, pod(versioned, "1", nil), quota.AdmitOptions{}, list("cpu", "4"), nil},
		{"an update of an object that was not a pod", withStatus("q", list("cpu", "4"), list("cpu", "3")), service(versioned, ""), pod(versioned, "9", nil), quota.AdmitOptions{}, list("cpu", "3"), nil},
		{"an update of the status of a pod", withStatus("q", list("cpu", "4"), list("cpu", "3")), pod(versioned, "1", nil), pod(versioned, "9", one), quota.AdmitOptions{Subresource: "status"}, list("cpu", "3"), nil},
		{
			"a pod that becomes Terminating, in a quota of all", withStatus("q", list("cpu", "4"), list("cpu", "3")), pod(versioned, "1", nil), pod(versioned, "3", one), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: cpu=2, used: cpu=3, limited: cpu=4"},
		},
		{
			"in a quota of Terminating pods", selecting(withStatus("q", list("cpu", "4"), list("cpu", "3")), scope{ScopeName: "Terminating", Operator: "Exists"}), pod(versioned, "1", nil), pod(versioned, "1", one), quota.AdmitOptions{},
			list("cpu", "4"), nil,
		},
		{"in one of others", selecting(withStatus("q", list("cpu", "4"), list("cpu", "3")), scope{ScopeName: "NotTerminating", Operator: "Exists"}), pod(versioned, "1", nil), pod(versioned, "2", one), quota.AdmitOptions{}, list("cpu", "3"), nil},
		{
			"a pod that ceases to be Terminating", selecting(withStatus("q", list("cpu", "4"), list("cpu", "4")), scope{ScopeName: "NotTerminating", Operator: "Exists"}), pod(versioned, "1", one), pod(versioned, "1", nil), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: cpu=1, used: cpu=4, limited: cpu=4"},
		},

		{"a claim that grows", withStatus("q", list("requests.storage", "3Gi", "persistentvolumeclaims", "1"), list("requests.storage", "1Gi", "persistentvolumeclaims", "1")), claim(versioned, "1Gi", nil), claim(versioned, "3Gi", nil), quota.AdmitOptions{}, list("requests.storage", "3Gi", "persistentvolumeclaims", "1"), nil},
		{
			"too much", withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "1.5Gi")), claim(versioned, "1Gi", nil), claim(versioned, "3Gi", nil), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=1536Mi, limited: requests.storage=3Gi"},
		},
		{
			"less than nothing", withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "1")), claim(versioned, "1", nil), claim(versioned, "-1", nil), quota.AdmitOptions{}, nil,
			[]string{"quota usage is negative for resource(s): requests.storage"},
		},
		{"the status of a claim is counted, and not refused", withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "2Gi")), claim(versioned, "1Gi", nil), claim(versioned, "3Gi", nil), quota.AdmitOptions{Subresource: "status"}, list("requests.storage", "4Gi"), nil},
		{"other subresources of a claim are not counted", withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "2Gi")), claim(versioned, "1Gi", nil), claim(versioned, "3Gi", nil), quota.AdmitOptions{Subresource: "other"}, list("requests.storage", "2Gi"), nil},
		{"a claim that comes into a scope", selecting(withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "1Gi")), ofGold), claim(versioned, "1Gi", nil), claim(versioned, "2Gi", pointer("gold")), quota.AdmitOptions{}, list("requests.storage", "3Gi"), nil},
		{"a claim that was in the scope", selecting(withStatus("q", list("requests.storage", "3Gi"), list("requests.storage", "1Gi")), ofGold), claim(versioned, "1Gi", pointer("gold")), claim(versioned, "2Gi", pointer("gold")), quota.AdmitOptions{}, list("requests.storage", "2Gi"), nil},

		{
			"a service of another type", withStatus("q", list("services", "1", "services.loadbalancers", "1"), list("services", "1", "services.loadbalancers", "1")), service(versioned, ""), service(versioned, corev1.ServiceTypeLoadBalancer), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=1, limited: services.loadbalancers=1"},
		},
		{"a service as before", withStatus("q", list("services", "0"), list("services", "1")), service(versioned, ""), service(versioned, ""), quota.AdmitOptions{}, list("services", "1"), nil},
		{"the status of a service", withStatus("q", list("services.loadbalancers", "0"), list("services.loadbalancers", "0")), service(versioned, ""), service(versioned, corev1.ServiceTypeLoadBalancer), quota.AdmitOptions{Subresource: "status"}, list("services.loadbalancers", "0"), nil},
		{
			"more devices", withStatus("q", list("gold.deviceclass.resource.k8s.io/devices", "3"), list("gold.deviceclass.resource.k8s.io/devices", "2")), devices(1), devices(3), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: gold.deviceclass.resource.k8s.io/devices=2, used: gold.deviceclass.resource.k8s.io/devices=2, limited: gold.deviceclass.resource.k8s.io/devices=3"},
		},
		{"the status of a claim for devices", withStatus("q", list("gold.deviceclass.resource.k8s.io/devices", "3"), list("gold.deviceclass.resource.k8s.io/devices", "2")), devices(1), devices(3), quota.AdmitOptions{Subresource: "status"}, list("gold.deviceclass.resource.k8s.io/devices", "2"), nil},
		{"an update of a counted object uses no more", withStatus("q", list("count/secrets", "0"), list("count/secrets", "5")), quota.Counted(schema.GroupResource{Resource: "secrets"}, nil), quota.Counted(schema.GroupResource{Resource: "secrets"}, nil), quota.AdmitOptions{}, list("count/secrets", "5"), nil},

		{
			"no cover for an increase, without a quota for it", withStatus("q", list("pods", "1"), list("pods", "0")), claim(versioned, "1Gi", nil), claim(versioned, "2Gi", nil),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "persistentvolumeclaims", MatchContains: []string{"requests.storage"}}}}, nil, []string{"insufficient quota to consume: requests.storage"},
		},
		{
			"no cover needed without an increase", withStatus("q", list("pods", "1"), list("pods", "0")), claim(versioned, "2Gi", nil), claim(versioned, "2Gi", nil),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "persistentvolumeclaims", MatchContains: []string{"requests.storage"}}}}, list("pods", "0"), nil,
		},
		{
			"no cover needed without an increase, in a quota", withStatus("q", list("persistentvolumeclaims", "1"), list("persistentvolumeclaims", "1")), claim(versioned, "2Gi", nil), claim(versioned, "2Gi", nil),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "persistentvolumeclaims", MatchContains: []string{"requests.storage"}}}}, list("persistentvolumeclaims", "1"), nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			after, failures := admit(test.old, test.object, []*corev1.ResourceQuota{test.quota}, test.opts)
			if diff := cmp.Diff(test.want, messages(failures)); diff != "" {
				t.Fatalf("failures (-want +got):\n%s", diff)
			}
			if test.want == nil {
				wantList(t, after[0].Status.Used, test.used)
			} else if after != nil {
				t.Errorf("quotas after a refusal: %v", after)
			}
		})
	}
}

// Limited resources need a quota if the usage of any grows: here, of one that the pod enters, beside one that it is in.
func TestCoverOfAnyIncrease(t *testing.T) {
	pod := func(deadline *int64) quota.Object {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1"}, Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), nil)}, ActiveDeadlineSeconds: deadline}}
		return quota.Pod(p, time.Time{}, quota.PodOptions{})
	}
	entered := selecting(withStatus("a", list("pods", "4"), list("pods", "0")), scope{ScopeName: "Terminating", Operator: "Exists"})
	always := withStatus("b", list("pods", "4"), list("pods", "1"))
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"requests.cpu"}}}}
	for _, quotas := range [][]*corev1.ResourceQuota{{entered, always}, {always, entered}} {
		_, failures := admit(pod(nil), pod(pointer(int64(1))), quotas, opts)
		testkit.NoDiff(t, messages(failures), []string{"insufficient quota to consume: requests.cpu"})
	}
	_, failures := admit(pod(pointer(int64(1))), pod(nil), []*corev1.ResourceQuota{entered, always}, opts)
	testkit.NoDiff(t, messages(failures), nil, "a pod that leaves")
}
