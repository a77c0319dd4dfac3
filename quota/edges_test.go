package quota_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// A quota whose status is not known yet covers what its spec limits: its own failure is enough.
func TestAQuotaOfUnknownStatusCovers(t *testing.T) {
	unknown := withStatus("q", list("requests.cpu", "10"), nil)
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"requests.cpu"}}}}
	failures := quota.Admit(quota.Object{}, podOf(container("app", list("cpu", "1"), nil)), []*corev1.ResourceQuota{unknown}, opts).Failures
	if len(failures) != 1 || failures[0].Cause != quota.StatusUnknown {
		t.Errorf("failures %v, want the unknown status alone", failures)
	}
}

// What a pod used under a name is not deducted from what a claim is to use under it.
func TestAnUpdateOfAnotherKindDeductsNothing(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", ResourceVersion: "7"}}
	pod.Spec.Containers = []corev1.Container{container("app", list("example.com/gpu", "3"), nil)}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "shop"}}
	claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{exactly("gold", exact, 3)}
	after, failures := admit(
		quota.Pod(pod, time.Time{}, quota.PodOptions{}),
		quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}}),
		[]*corev1.ResourceQuota{withStatus("q", list("requests.example.com/gpu", "9"), list("requests.example.com/gpu", "0"))},
		quota.AdmitOptions{},
	)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	wantList(t, after[0].Status.Used, list("requests.example.com/gpu", "3"))
}

// The usage may be as large as an int64, where an int64 sum would wrap around.
func TestNothingFitsBesideTheLargestUsage(t *testing.T) {
	for _, used := range []string{"9223372036854775807", "9223372036854775808", "1e30"} {
		if quota.WithinHard(list("pods", "1"), list("pods", used), list("pods", "10")) {
			t.Errorf("1 fits beside %s into 10", used)
		}
	}
}

// An invalid scope of the configuration does not hide one that is not covered.
func TestUncoveredScopeBesideAnInvalidOne(t *testing.T) {
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{
		{Resource: "pods", MatchScopes: []scope{{ScopeName: "PriorityClass", Operator: "Near"}}},
		{Resource: "pods", MatchScopes: []scope{{ScopeName: "NotTerminating", Operator: "Exists"}}},
	}}
	failures := quota.Admit(quota.Object{}, podOf(container("app", list("cpu", "1"), nil)), nil, opts).Failures
	var causes []quota.FailureCause
	for _, f := range failures {
		causes = append(causes, f.Cause)
	}
	if want := []quota.FailureCause{quota.InvalidScope, quota.UncoveredScopes}; !slices.Equal(causes, want) {
		t.Errorf("causes %v, want %v", causes, want)
	}
}

// A pod that sets an amount at pod level has nothing else to set, and is admitted.
func TestPodLevelSparesContainers(t *testing.T) {
	spec := corev1.PodSpec{
		Containers: []corev1.Container{container("app", nil, nil)},
		Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1")},
	}
	compute := []*corev1.ResourceQuota{withStatus("q", list("requests.cpu", "2"), list("requests.cpu", "0"))}
	pod := &corev1.Pod{Spec: spec}
	if failures := quota.Admit(quota.Object{}, quota.Pod(pod, time.Time{}, quota.PodOptions{}), compute, quota.AdmitOptions{}).Failures; len(failures) > 0 {
		t.Errorf("with pod-level amounts: %v", failures)
	}
	failures := quota.Admit(quota.Object{}, quota.Pod(pod, time.Time{}, quota.PodOptions{Gates: computeresources.Gates{IgnorePodLevel: true}}), compute, quota.AdmitOptions{}).Failures
	if len(failures) != 1 || failures[0].Cause != quota.MustSpecify || len(failures[0].Resources) != 1 {
		t.Errorf("without them: %v, want that the container must specify requests.cpu", failures)
	}
}

// The given names keep their order.
func TestMissingRequiredLeavesItsNames(t *testing.T) {
	names := []corev1.ResourceName{"requests.memory", "limits.cpu", "cpu"}
	podOf(container("app", nil, nil)).MissingRequired(names)
	if want := []corev1.ResourceName{"requests.memory", "limits.cpu", "cpu"}; !slices.Equal(names, want) {
		t.Errorf("names are %v afterwards, want %v", names, want)
	}
}

// Limits that are in effect count unless statuses are ignored.
func TestLimitsOfAStatus(t *testing.T) {
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "2"))}},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "a", AllocatedResources: list("cpu", "1"), Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "3")},
		}}},
	}
	for ignored, want := range map[bool]string{false: "3", true: "2"} {
		usage := quota.Pod(pod, time.Time{}, quota.PodOptions{IgnoreStatus: ignored}).Usage()
		if got := usage["limits.cpu"]; got.String() != want {
			t.Errorf("with the status ignored: %t: limits.cpu %s, want %s", ignored, got.String(), want)
		}
	}
}
