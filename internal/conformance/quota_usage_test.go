package conformance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	testclock "k8s.io/utils/clock/testing"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// counterpart is one object, as ours and as theirs.
type counterpart struct {
	ours      quota.Object
	object    runtime.Object // a copy, for upstream
	evaluator upstream.Evaluator
	resource  schema.GroupVersionResource
}

// deployment represents the objects that are only counted.
var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

func podCounterpart(pod *corev1.Pod) counterpart {
	return counterpart{
		quota.Pod(pod, testkit.Now(), quota.PodOptions{Kubernetes: kubernetes}), pod.DeepCopy(),
		core.NewPodEvaluator(nil, testclock.NewFakeClock(testkit.Now())), corev1.SchemeGroupVersion.WithResource("pods"),
	}
}

func volumeClaimCounterpart(claim *corev1.PersistentVolumeClaim) counterpart {
	return counterpart{quota.PersistentVolumeClaim(claim), claim.DeepCopy(), core.NewPersistentVolumeClaimEvaluator(nil), corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")}
}

func serviceCounterpart(service *corev1.Service) counterpart {
	return counterpart{quota.Service(service), service.DeepCopy(), core.NewServiceEvaluator(nil), corev1.SchemeGroupVersion.WithResource("services")}
}

// classes are the device classes that have the name of an extended resource.
var classes = map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": "example.com/other"}

func resourceClaimCounterpart(claim *resourcev1.ResourceClaim, pod *corev1.Pod) counterpart {
	mapping := extendedresourcecache.NewExtendedResourceCache(klog.Background())
	for class, name := range classes {
		text := string(name)
		mapping.OnAdd(&resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &text}}, true)
	}
	pods := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	opts := quota.ResourceClaimOptions{ExtendedResources: classes}
	if pod != nil {
		opts.Pod = quota.Pod(pod, testkit.Now(), quota.PodOptions{Kubernetes: kubernetes})
		if err := pods.Add(pod.DeepCopy()); err != nil {
			panic(err)
		}
	}
	owned := func(string, types.UID) ([]*resourcev1.ResourceClaim, error) {
		return []*resourcev1.ResourceClaim{claim}, nil
	}
	return counterpart{
		quota.ResourceClaim(claim, opts), claim.DeepCopy(),
		core.NewResourceClaimEvaluator(nil, mapping, corelisters.NewPodLister(pods), owned), resourcev1.SchemeGroupVersion.WithResource("resourceclaims"),
	}
}

func deploymentCounterpart() counterpart {
	object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	return counterpart{quota.Counted(deployments.GroupResource(), object), object.DeepCopy(), generic.NewObjectCountEvaluator(deployments.GroupResource(), nil, ""), deployments}
}

// anyCounterpart draws objects of all kinds.
func anyCounterpart(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[counterpart] {
	return rapid.Custom(func(t *rapid.T) counterpart {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			return volumeClaimCounterpart(testkit.VolumeClaim(quantities).Draw(t, "claim"))
		case 1:
			return serviceCounterpart(testkit.Service().Draw(t, "service"))
		case 2:
			claim := testkit.ResourceClaim().Draw(t, "claim")
			claim.Namespace = "shop"
			return resourceClaimCounterpart(claim, owner(quantities).Draw(t, "owner"))
		case 3:
			return deploymentCounterpart()
		default:
			return podCounterpart(testkit.QuotaPod(quantities).Draw(t, "pod"))
		}
	})
}

// owner draws the pod that claims of testkit were made for, or none. The pod has not terminated,
// because upstream reads the wall clock, and requests no negative amounts, because upstream
// subtracts them (see TestDivergenceSubtractLeast).
func owner(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[*corev1.Pod] {
	quantities = quantities.Filter(func(q resource.Quantity) bool { return q.Sign() >= 0 })
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		if rapid.IntRange(0, 3).Draw(t, "none") == 0 {
			return nil
		}
		pod := testkit.QuotaPod(quantities).Draw(t, "pod")
		pod.DeletionTimestamp = nil
		pod.Namespace, pod.UID = "shop", "1"
		if rapid.Bool().Draw(t, "says so") {
			pod.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{
				ResourceClaimName: rapid.SampledFrom([]string{"devices", "devices", "others"}).Draw(t, "claim"),
			}
		}
		return pod
	})
}

// Usage, the names that match, scopes, and what has to be set: all of what upstream's
// evaluators answer.
func TestQuotaEvaluators(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := anyCounterpart(quantities).Draw(t, "object")
				want, err := c.evaluator.Usage(c.object.DeepCopyObject())
				testkit.OK(t, err)
				testkit.NoDiff(t, c.ours.Usage(), want, "usage")
				names := testkit.QuotaNames()
				all := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{}}}
				for _, name := range names {
					all.Spec.Hard[name] = resource.Quantity{}
				}
				unevaluated := quota.Unevaluated(all, []quota.Object{c.ours})
				var ours []corev1.ResourceName
				for _, name := range names {
					if !slices.Contains(unevaluated, name) {
						ours = append(ours, name)
					}
				}
				theirs := c.evaluator.MatchingResources(names)
				slices.Sort(ours)
				slices.Sort(theirs)
				testkit.NoDiff(t, ours, slices.Compact(theirs), cmpopts.EquateEmpty(), "matching resources")
				sameConstraints(t, c, ours)
				sameScopes(t, c)
				q := testkit.ResourceQuota("q", testkit.QuotaNames(), quantities).Draw(t, "quota")
				theirMatch, theirErr := c.evaluator.Matches(q.DeepCopy(), c.object.DeepCopyObject())
				match, err := c.ours.Matches(q)
				// Upstream looks at the scopes even of a quota that concerns no object of
				// the kind.
				if match != theirMatch || err != nil && theirErr == nil {
					t.Fatalf("matches: %v, %v; upstream: %v, %v", match, err, theirMatch, theirErr)
				}
			})
		})
	}
}

func sameConstraints(t *rapid.T, c counterpart, names []corev1.ResourceName) {
	theirs := c.evaluator.Constraints(names, c.object.DeepCopyObject())
	missing := c.ours.MissingRequired(names)
	switch {
	case theirs == nil && len(missing) > 0 || theirs != nil && len(missing) == 0:
		t.Fatalf("missing: %v, upstream: %v", missing, theirs)
	case theirs != nil:
		f := quota.Failure{Cause: quota.MustSpecify, Source: computeresources.Source{Kind: "ResourceQuota", Name: "q"}, MissingRequired: missing}
		testkit.Equal(t, f.Error(), "failed quota: q: "+theirs.Error())
	}
}

func sameScopes(t *rapid.T, c counterpart) {
	scope := testkit.Scope().Draw(t, "scope")
	theirs, theirErr := c.evaluator.MatchingScopes(c.object.DeepCopyObject(), []corev1.ScopedResourceSelectorRequirement{scope})
	ours, err := c.ours.MatchingScopes([]corev1.ScopedResourceSelectorRequirement{scope})
	if len(ours) != len(theirs) || (err == nil) != (theirErr == nil) {
		t.Fatalf("%v: %v, %v; upstream: %v, %v", scope, ours, err, theirs, theirErr)
	}
}

// Until 1.36, the requests of a pod during a resize are the sum of the maxima of its containers, and so is
// its usage, although no view of the pod adds up to it (k8s 140046): one container grows by what another
// gives up. From 1.37 on, it is the maximum of the sums.
func TestUsageOfResize(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("a", testkit.List("cpu", "1"), nil), testkit.Container("b", testkit.List("cpu", "3"), nil),
	}}}
	for name, cpu := range map[string]string{"a": "3", "b": "1"} {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: name, AllocatedResources: testkit.List("cpu", cpu), Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", cpu)},
		})
	}
	want := map[bool]string{true: "6", false: "4"}[oracle.Release == "1.36"]
	c := podCounterpart(pod)
	if got := c.ours.Usage()[corev1.ResourceRequestsCPU]; got.String() != want {
		t.Errorf("requests.cpu is %s, want %s", got.String(), want)
	}
	theirs, err := c.evaluator.Usage(c.object)
	testkit.OK(t, err)
	if got := theirs[corev1.ResourceRequestsCPU]; got.String() != want {
		t.Errorf("upstream counts %s, want %s", got.String(), want)
	}
}

// If two device classes share the name of an extended resource, upstream counts the devices of only
// one of them, the last in the order of a map. Ours counts the devices of both.
// See docs/decisions/quota.md#device-classes-that-share-a-name.
func TestDivergenceClassesOfOneExtendedResource(t *testing.T) {
	claim := &resourcev1.ResourceClaim{}
	for _, class := range []string{"gold", "silver"} {
		claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, resourcev1.DeviceRequest{
			Name: class, Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: class, AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: int64(len(class))},
		})
	}
	both := map[string]corev1.ResourceName{"gold": "example.com/gpu", "silver": "example.com/gpu"}
	usage := quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: both}).Usage()
	if got := usage["requests.example.com/gpu"]; got.String() != "10" {
		t.Errorf("requests.example.com/gpu is %s, want 10", got.String())
	}
}
