package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)

// withStatus returns a quota that is in force.
func withStatus(name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard.DeepCopy(), Used: used}}
	q.Name, q.Namespace = name, "shop"
	return q
}

// podOf returns the object of a pod with some containers.
func podOf(containers ...corev1.Container) quota.Object {
	return quota.Pod(&corev1.Pod{Spec: corev1.PodSpec{Containers: containers}}, time.Time{}, quota.PodOptions{})
}

func wantList(t *testing.T, got, want corev1.ResourceList) {
	t.Helper()
	testkit.NoDiff(t, got, want)
}

func pointer[T any](v T) *T { return &v }

// add returns a list with more entries, or other ones.
func add(to corev1.ResourceList, more corev1.ResourceList) corev1.ResourceList {
	sum := to.DeepCopy()
	for name, q := range more {
		sum[name] = q
	}
	return sum
}

// A pod that has ended uses only its count.
func TestPodUsageAtTheEnd(t *testing.T) {
	deletion := metav1.NewTime(testkit.Now())
	for _, test := range []struct {
		name  string
		pod   corev1.Pod
		now   time.Duration // after the deletion
		alive bool
	}{
		{"succeeded", corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodSucceeded}}, 0, false},
		{"deleted, at the end of the grace period", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &deletion, DeletionGracePeriodSeconds: pointer(int64(30))}}, 30 * time.Second, true},
		{"deleted, after the grace period", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &deletion, DeletionGracePeriodSeconds: pointer(int64(30))}}, 30*time.Second + 1, false},
		{"deleted, without a grace period", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &deletion}}, time.Hour, true},
		{"a grace period without deletion", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionGracePeriodSeconds: pointer(int64(0))}}, time.Hour, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.pod.Spec.Containers = []corev1.Container{container("a", list("cpu", "1"), nil)}
			want := list("count/pods", "1")
			if test.alive {
				want = list("count/pods", "1", "pods", "1", "cpu", "1", "requests.cpu", "1")
			}
			wantList(t, quota.Pod(&test.pod, testkit.Now().Add(test.now), quota.PodOptions{}).Usage(), want)
		})
	}
}

// A container grows from 1 to 4 CPUs, and the node has allocated 2; the pod-level amount grows from 8 to
// 9.
func TestPodUsageOptions(t *testing.T) {
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "4"), nil)}},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "a", AllocatedResources: list("cpu", "5"), Resources: &corev1.ResourceRequirements{Requests: list("cpu", "6")},
		}}},
	}
	whole := pod.DeepCopy()
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "8")}
	whole.Status.AllocatedResources = list("cpu", "9")
	whole.Status.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "9")}
	initResize := &corev1.Pod{
		Spec: corev1.PodSpec{InitContainers: []corev1.Container{sidecar("s", list("cpu", "1"), nil)}},
		Status: corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{
			Name: "s", AllocatedResources: list("cpu", "2"), Resources: &corev1.ResourceRequirements{Requests: list("cpu", "2")},
		}}},
	}
	// One container grows while the other shrinks.
	crossed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "2"), list("cpu", "2")), container("b", list("cpu", "1"), list("cpu", "1"))}}}
	for i, cpu := range []string{"1", "2"} {
		crossed.Status.ContainerStatuses = append(crossed.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: crossed.Spec.Containers[i].Name, AllocatedResources: list("cpu", cpu), Resources: &corev1.ResourceRequirements{Requests: list("cpu", cpu), Limits: list("cpu", cpu)},
		})
	}
	maxima := computeresources.Kubernetes{Release: "1.36"}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		opts quota.PodOptions
		want string
	}{
		{"the largest sum", crossed, quota.PodOptions{}, "3"},
		{"the sum of the largest amounts", crossed, quota.PodOptions{Kubernetes: maxima}, "4"},
		{"the sum of the largest amounts, status ignored", crossed, quota.PodOptions{Kubernetes: maxima, IgnoreStatus: true}, "3"},
		{"the sum of the largest amounts, pod-level resources", whole, quota.PodOptions{Kubernetes: maxima}, "8"},
		{"the status counts", pod, quota.PodOptions{}, "6"},
		{"the status of a sidecar counts", initResize, quota.PodOptions{}, "2"},
		{"the status ignored", pod, quota.PodOptions{IgnoreStatus: true}, "4"},
		{"pod-level resources", whole, quota.PodOptions{}, "8"},
		{"the status of pod-level resources, which the quota controller does not read", whole, quota.PodOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.On()}}, "8"},
		{"the status of pod-level resources, gate off", whole, quota.PodOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}, "8"},
		{"the status of pod-level resources, status ignored", whole, quota.PodOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.On()}, IgnoreStatus: true}, "8"},
		{"pod-level resources ignored", whole, quota.PodOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, "6"},
	} {
		usage := quota.Pod(test.pod, time.Time{}, test.opts).Usage()
		if got := usage["requests.cpu"]; got.String() != test.want {
			t.Errorf("%s: %s CPUs, want %s", test.name, got.String(), test.want)
		}
		if got := usage["limits.cpu"]; test.pod == crossed && got.String() != test.want {
			t.Errorf("%s: limits of %s CPUs, want %s", test.name, got.String(), test.want)
		}
	}
}

func TestCountedUsage(t *testing.T) {
	for _, test := range []struct {
		resource schema.GroupResource
		want     corev1.ResourceList
	}{
		{schema.GroupResource{Group: "apps", Resource: "deployments"}, list("count/deployments.apps", "1")},
		{schema.GroupResource{Resource: "events"}, list("count/events", "1")},
		{schema.GroupResource{Resource: "secrets"}, list("count/secrets", "1", "secrets", "1")},
		{schema.GroupResource{Resource: "configmaps"}, list("count/configmaps", "1", "configmaps", "1")},
		{schema.GroupResource{Resource: "resourcequotas"}, list("count/resourcequotas", "1", "resourcequotas", "1")},
		{schema.GroupResource{Resource: "replicationcontrollers"}, list("count/replicationcontrollers", "1", "replicationcontrollers", "1")},
		{schema.GroupResource{Group: "example.com", Resource: "secrets"}, list("count/secrets.example.com", "1")},
		{schema.GroupResource{Group: "example.com"}, list()},
	} {
		object := quota.Counted(test.resource, nil)
		wantList(t, object.Usage(), test.want)
		for name := range test.want {
			if !mayUse(object, name) {
				t.Errorf("%v: does not match %s", test.resource, name)
			}
		}
		if mayUse(object, "pods") || mayUse(object, "count/") {
			t.Errorf("%v matches pods", test.resource)
		}
	}
}

// mayUse reports whether objects of this kind may use a resource of a quota.
func mayUse(object quota.Object, name corev1.ResourceName) bool {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{name: {}}}}
	return len(quota.Unevaluated(q, []quota.Object{object})) == 0
}

// A load balancer without allocated ports uses those that its manifest names. Numbers have no binary suffix.
func TestNodePorts(t *testing.T) {
	service := &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, AllocateLoadBalancerNodePorts: pointer(false),
		Ports: []corev1.ServicePort{{Port: 1, NodePort: 30001}, {Port: 2}, {Port: 3}}}}
	want := list("count/services", "1", "services", "1", "services.loadbalancers", "1", "services.nodeports", "1")
	wantList(t, quota.Service(service).Usage(), want)
	wantList(t, quota.Service(service).UsageInto(nil), want)
	service.Spec.AllocateLoadBalancerNodePorts = nil
	service.Spec.Ports = make([]corev1.ServicePort, 1024)
	ports := quota.Service(service).Usage()["services.nodeports"]
	testkit.Equal(t, ports.String(), "1024")
}

// Since 1.38, a pod uses nothing of limits.cpu and limits.memory if one of its containers has no limit.
func TestLimitsByRelease(t *testing.T) {
	stored := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("app", nil, list("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi")), testkit.Container("proxy", nil, list("memory", "1Gi")),
	}}}
	all := list("count/pods", "1", "pods", "1", "limits.cpu", "1", "limits.memory", "2Gi", "limits.ephemeral-storage", "1Gi")
	now := list("count/pods", "1", "pods", "1", "limits.memory", "2Gi", "limits.ephemeral-storage", "1Gi")
	for release, want := range map[string]corev1.ResourceList{"1.36": all, "": all, "1.38": now} {
		opts := quota.PodOptions{Kubernetes: computeresources.Kubernetes{Release: release}}
		wantList(t, quota.Pod(stored, time.Time{}, opts).Usage(), want)
	}
}
