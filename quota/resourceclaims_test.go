package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func exactly(class string, mode resourcev1.DeviceAllocationMode, count int64) resourcev1.DeviceRequest {
	return resourcev1.DeviceRequest{Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: class, AllocationMode: mode, Count: count}}
}

func firstOf(alternatives ...resourcev1.DeviceSubRequest) resourcev1.DeviceRequest {
	return resourcev1.DeviceRequest{FirstAvailable: alternatives}
}

func alternative(class string, mode resourcev1.DeviceAllocationMode, count int64) resourcev1.DeviceSubRequest {
	return resourcev1.DeviceSubRequest{DeviceClassName: class, AllocationMode: mode, Count: count}
}

const (
	exact = resourcev1.DeviceAllocationModeExactCount
	all   = resourcev1.DeviceAllocationModeAll
)

func TestResourceClaimUsage(t *testing.T) {
	one := list("count/resourceclaims.resource.k8s.io", "1")
	for _, test := range []struct {
		name     string
		requests []resourcev1.DeviceRequest
		opts     quota.ResourceClaimOptions
		want     corev1.ResourceList
	}{
		{"nothing", nil, quota.ResourceClaimOptions{}, one},
		{"a request of a form to come", []resourcev1.DeviceRequest{{Name: "new"}}, quota.ResourceClaimOptions{}, one},
		{
			"by class", []resourcev1.DeviceRequest{exactly("gold", exact, 2), exactly("silver", exact, 3), exactly("gold", exact, 5)}, quota.ResourceClaimOptions{},
			add(one, list(
				"gold.deviceclass.resource.k8s.io/devices", "7", "silver.deviceclass.resource.k8s.io/devices", "3",
				"requests.deviceclass.resource.kubernetes.io/gold", "7", "requests.deviceclass.resource.kubernetes.io/silver", "3",
			)),
		},
		{
			"all are 32 at most, other modes nothing", []resourcev1.DeviceRequest{exactly("gold", all, 2), exactly("silver", "other", 3)},
			quota.ResourceClaimOptions{IgnoreExtendedResources: true},
			add(one, list("gold.deviceclass.resource.k8s.io/devices", "32", "silver.deviceclass.resource.k8s.io/devices", "0")),
		},
		{
			"the most of the alternatives, by class", []resourcev1.DeviceRequest{
				firstOf(alternative("gold", exact, 2), alternative("silver", all, 0), alternative("gold", exact, 4), alternative("gold", exact, 3), alternative("bronze", exact, 0), alternative("tin", "other", 9)),
				firstOf(alternative("gold", exact, 1)),
			},
			quota.ResourceClaimOptions{IgnoreExtendedResources: true},
			add(one, list("gold.deviceclass.resource.k8s.io/devices", "5", "silver.deviceclass.resource.k8s.io/devices", "32")),
		},
		{
			"extended resources", []resourcev1.DeviceRequest{exactly("gold", exact, 2), exactly("silver", exact, 3), exactly("", exact, 1)},
			quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": ""}},
			add(one, list(
				"gold.deviceclass.resource.k8s.io/devices", "2", "silver.deviceclass.resource.k8s.io/devices", "3", ".deviceclass.resource.k8s.io/devices", "1",
				"requests.deviceclass.resource.kubernetes.io/gold", "2", "requests.deviceclass.resource.kubernetes.io/silver", "3",
				"requests.example.com/gpu", "2",
			)),
		},
		{
			"zero and below are no extended resources", []resourcev1.DeviceRequest{exactly("gold", exact, 0), exactly("silver", exact, -1)}, quota.ResourceClaimOptions{},
			add(one, list("gold.deviceclass.resource.k8s.io/devices", "0", "silver.deviceclass.resource.k8s.io/devices", "-1")),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: test.requests}}}
			wantList(t, quota.ResourceClaim(claim, test.opts).Usage(), test.want)
		})
	}
}

// As long as the status of the pod names no claim, the oldest that refers to the pod is its claim.
func TestOldestResourceClaimOfPod(t *testing.T) {
	claimOf := func(name string, age time.Duration) *resourcev1.ResourceClaim {
		return &resourcev1.ResourceClaim{
			ObjectMeta: metav1.ObjectMeta{
				Name: name, Namespace: "shop", CreationTimestamp: metav1.NewTime(testkit.Now().Add(-age)),
				Annotations:     map[string]string{"resource.kubernetes.io/extended-resource-claim": "true"},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "1", Controller: pointer(true)}},
			},
			Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{exactly("gold", exact, 3)}}},
		}
	}
	another := func(change func(*resourcev1.ResourceClaim)) *resourcev1.ResourceClaim {
		claim := claimOf("a", 2*time.Hour)
		change(claim)
		return claim
	}
	claim := claimOf("c", time.Hour)
	for _, test := range []struct {
		name   string
		status string // the claim that the status of the pod names
		claims []*resourcev1.ResourceClaim
		want   string // of requests.example.com/gpu
	}{
		{"no claims", "", nil, "1"},
		{"the claim itself", "", []*resourcev1.ResourceClaim{nil, claim}, "1"},
		{"a younger claim", "", []*resourcev1.ResourceClaim{claimOf("a", 0), claim}, "1"},
		{"an older claim", "", []*resourcev1.ResourceClaim{claim, claimOf("d", 2*time.Hour)}, "3"},
		{"one of the same age, first by name", "", []*resourcev1.ResourceClaim{claimOf("b", time.Hour), claim}, "3"},
		{"one of the same age, later by name", "", []*resourcev1.ResourceClaim{claimOf("d", time.Hour), claim}, "1"},
		{"an older claim, but the status names this one", "c", []*resourcev1.ResourceClaim{claim, claimOf("a", 2*time.Hour)}, "1"},
		{"the oldest, but the status names another", "d", []*resourcev1.ResourceClaim{claim}, "3"},
		{"an older claim without the annotation", "", []*resourcev1.ResourceClaim{another(func(c *resourcev1.ResourceClaim) { c.Annotations = nil })}, "1"},
		{"an older claim of another pod", "", []*resourcev1.ResourceClaim{another(func(c *resourcev1.ResourceClaim) { c.OwnerReferences[0].UID = "2" })}, "1"},
		{"an older claim of another namespace", "", []*resourcev1.ResourceClaim{another(func(c *resourcev1.ResourceClaim) { c.Namespace = "other" })}, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", UID: "1"},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container("a", list("example.com/gpu", "2"), nil)}},
			}
			if test.status != "" {
				pod.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{ResourceClaimName: test.status}
			}
			opts := quota.ResourceClaimOptions{
				ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"},
				Pod:               quota.Pod(pod, time.Time{}, quota.PodOptions{}), Claims: test.claims,
			}
			if got := quota.ResourceClaim(claim, opts).Usage()["requests.example.com/gpu"]; got.String() != test.want {
				t.Errorf("requests.example.com/gpu: %s, want %s", got.String(), test.want)
			}
		})
	}
}

// A claim of another pod counts whole.
func TestResourceClaimOfAnotherPod(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("example.com/gpu", "2"), nil)}}}
	claim := &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{exactly("gold", exact, 3)}}}}
	got := quota.ResourceClaim(claim, quota.ResourceClaimOptions{
		ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}, Pod: quota.Pod(pod, time.Time{}, quota.PodOptions{}),
	}).Usage()
	wantList(t, got, list(
		"count/resourceclaims.resource.k8s.io", "1", "gold.deviceclass.resource.k8s.io/devices", "3",
		"requests.deviceclass.resource.kubernetes.io/gold", "3", "requests.example.com/gpu", "3",
	))
}

func TestExtendedResources(t *testing.T) {
	class := func(name string, extended *string) *resourcev1.DeviceClass {
		return &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: extended}}
	}
	got := quota.ExtendedResources([]*resourcev1.DeviceClass{
		nil, class("gold", pointer("example.com/gpu")), class("silver", nil), class("tin", pointer("")), class("bronze", pointer("example.com/gpu")),
	})
	want := map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": "", "tin": "", "bronze": "example.com/gpu"}
	testkit.NoDiff(t, got, want)
	if got := quota.ExtendedResources([]*resourcev1.DeviceClass{nil}); got != nil {
		t.Errorf("no classes: %v", got)
	}
}

// A quota counts claims by the names of classes, by the implicit names of classes that have an extended resource, and by
// the names of these, and otherwise only what a claim uses.
func TestQuotasOfDevices(t *testing.T) {
	claim := &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{exactly("tin", exact, 2)}}}}
	byClass := list("count/resourceclaims.resource.k8s.io", "1", "gold.deviceclass.resource.k8s.io/devices", "0")
	hard := add(byClass, list("requests.deviceclass.resource.kubernetes.io/gold", "9", "requests.deviceclass.resource.kubernetes.io/silver", "9",
		"requests.deviceclass.resource.kubernetes.io/tin", "9", "requests.example.com/gpu", "9", "requests.example.com/fpga", "9", "pods", "9"))
	names := map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": ""}
	for _, test := range []struct {
		name string
		opts quota.ResourceClaimOptions
		hard corev1.ResourceList
		want corev1.ResourceList
	}{
		{"all names", quota.ResourceClaimOptions{ExtendedResources: names}, hard,
			add(byClass, list("requests.deviceclass.resource.kubernetes.io/gold", "0", "requests.example.com/gpu", "0", "requests.deviceclass.resource.kubernetes.io/tin", "2"))},
		{"the name of a resource alone", quota.ResourceClaimOptions{ExtendedResources: names}, list("requests.example.com/gpu", "9"), list("requests.example.com/gpu", "0")},
		{"classes without one", quota.ResourceClaimOptions{ExtendedResources: names}, list("requests.deviceclass.resource.kubernetes.io/tin", "9", "requests.deviceclass.resource.kubernetes.io/silver", "9"), nil},
		{"a resource of no class", quota.ResourceClaimOptions{ExtendedResources: names}, list("requests.example.com/fpga", "9", "requests.cpu", "9", "pods", "9", "example.com/gpu", "9"), nil},
		{"none are known", quota.ResourceClaimOptions{}, hard, add(byClass, list("requests.deviceclass.resource.kubernetes.io/tin", "2"))},
		{"they are ignored", quota.ResourceClaimOptions{ExtendedResources: names, IgnoreExtendedResources: true}, hard, byClass},
		{"they are ignored, without a class", quota.ResourceClaimOptions{ExtendedResources: names, IgnoreExtendedResources: true}, list("requests.example.com/gpu", "9"), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := quota.ResourceClaim(claim, test.opts).UsageIn(withStatus("q", test.hard, list()))
			testkit.OK(t, err)
			wantList(t, got, test.want)
		})
	}
}

// The devices of two classes with one extended resource add up, and count by their classes alone where
// extended resources are ignored.
func TestClassesOfOneExtendedResource(t *testing.T) {
	claim := &resourcev1.ResourceClaim{}
	for _, class := range []string{"gold", "silver"} {
		claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, resourcev1.DeviceRequest{Name: class, Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: class, AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2}})
	}
	names := map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": "example.com/gpu"}
	usage := quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: names}).Usage()
	if q := usage["requests.example.com/gpu"]; q.String() != "4" {
		t.Errorf("%v", usage)
	}
	usage = quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: names, IgnoreExtendedResources: true}).Usage()
	if _, counted := usage["requests.example.com/gpu"]; counted || len(usage) != 3 {
		t.Errorf("ignored: %v", usage)
	}
}
