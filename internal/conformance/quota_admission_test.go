package conformance

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	resourcequotaapi "k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// request is the creation or update of an object, for ours and for upstream.
type request struct {
	object, old counterpart // old is empty for the creation of object
	options     quota.AdmitOptions
}

// limitedResources draws the configuration of the plugin, mostly none.
func limitedResources() *rapid.Generator[[]quota.LimitedResource] {
	one := rapid.Custom(func(t *rapid.T) quota.LimitedResource {
		limited := quota.LimitedResource{
			Resource:      rapid.SampledFrom([]string{"pods", "pods", "persistentvolumeclaims", "services", "deployments"}).Draw(t, "resource"),
			MatchContains: rapid.SliceOfN(rapid.SampledFrom([]string{"cpu", "requests.", "gold", "count/", "memory"}), 0, 2).Draw(t, "contains"),
		}
		if limited.Resource == "deployments" {
			limited.APIGroup = "apps"
		}
		for range rapid.IntRange(0, 2).Draw(t, "scopes") {
			limited.MatchScopes = append(limited.MatchScopes, validScope().Draw(t, "scope"))
		}
		return limited
	})
	return rapid.OneOf(rapid.Just[[]quota.LimitedResource](nil), rapid.SliceOfN(one, 0, 2))
}

// validScope draws scopes that are valid for every object: see TestDivergenceInvalidLimitedScope.
func validScope() *rapid.Generator[corev1.ScopedResourceSelectorRequirement] {
	return testkit.Scope().Filter(func(scope corev1.ScopedResourceSelectorRequirement) bool {
		pod := quota.Pod(&corev1.Pod{}, testkit.Now(), quota.PodOptions{Kubernetes: kubernetes})
		claim := quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
		scopes := []corev1.ScopedResourceSelectorRequirement{scope}
		_, podErr := pod.MatchingScopes(scopes)
		_, claimErr := claim.MatchingScopes(scopes)
		return podErr == nil && claimErr == nil
	})
}

// requests draws creations and updates: of the same kind, stored or not.
func requests(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[request] {
	return rapid.Custom(func(t *rapid.T) request {
		r := request{object: anyCounterpart(quantities).Draw(t, "object")}
		r.options.Limited = limitedResources().Draw(t, "limited")
		if rapid.Bool().Draw(t, "create") {
			return r
		}
		r.options.Subresource = rapid.SampledFrom([]string{"", "", "", "resize", "status", "other"}).Draw(t, "subresource")
		version := rapid.SampledFrom([]string{"1", "1", ""}).Draw(t, "version")
		switch r.object.object.(type) {
		case *corev1.Pod:
			old := testkit.QuotaPod(quantities).Draw(t, "old")
			old.ResourceVersion = version
			r.old = podCounterpart(old)
		case *corev1.PersistentVolumeClaim:
			old := testkit.VolumeClaim(quantities).Draw(t, "old")
			old.ResourceVersion = version
			r.old = volumeClaimCounterpart(old)
		case *corev1.Service:
			old := testkit.Service().Draw(t, "old")
			old.ResourceVersion = version
			r.old = serviceCounterpart(old)
		case *metav1.PartialObjectMetadata:
			r.old = deploymentCounterpart()
		default:
			old := testkit.ResourceClaim().Draw(t, "old")
			old.ResourceVersion = version
			// Upstream uses one pod for both.
			r.object = resourceClaimCounterpart(testkit.ResourceClaim().Draw(t, "new"), nil)
			r.old = resourceClaimCounterpart(old, nil)
		}
		return r
	})
}

// namesFor returns all names, and repeatedly those that the object uses, so that these are drawn more
// often.
func namesFor(c counterpart) []corev1.ResourceName {
	names := testkit.QuotaNames()
	for len(names) < 4*len(testkit.QuotaNames()) {
		names = append(names, resourcelist.ResourceNames(c.ours.Usage())...)
	}
	return names
}

func (r request) ours(quotas []*corev1.ResourceQuota) ([]*corev1.ResourceQuota, computeresources.Problems[*quota.Failure]) {
	assessment := quota.Admit(r.old.ours, r.object.ours, quotas, r.options)
	return assessment.After(quotas, 1), assessment.Failures
}

func (r request) theirs(quotas []*corev1.ResourceQuota) ([]corev1.ResourceQuota, error) {
	var copies []corev1.ResourceQuota
	for _, q := range quotas {
		copies = append(copies, *q.DeepCopy())
	}
	operation, old := admission.Create, runtime.Object(nil)
	if r.old.object != nil {
		operation, old = admission.Update, r.old.object.DeepCopyObject()
	}
	attributes := admission.NewAttributesRecord(r.object.object.DeepCopyObject(), old, schema.GroupVersionKind{}, "shop", "x", r.object.resource, r.options.Subresource, operation, nil, false, nil)
	var limited []resourcequotaapi.LimitedResource
	for _, l := range r.options.Limited {
		limited = append(limited, resourcequotaapi.LimitedResource{APIGroup: l.APIGroup, Resource: l.Resource, MatchContains: l.MatchContains, MatchScopes: l.MatchScopes})
	}
	return resourcequota.CheckRequest(copies, attributes, r.object.evaluator, limited)
}

// The same requests pass, with the same usage afterwards; where upstream objects, its one
// message is among ours.
func TestQuotaAdmission(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			outcomes := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				r := requests(quantities).Draw(t, "request")
				if r.old.object != nil && holdsLeast(r.old.ours.Usage()) {
					return // see TestDivergenceSubtractLeast
				}
				if !usageIsStable(t, r.object) || r.old.object != nil && !usageIsStable(t, r.old) {
					return // see TestDivergenceUsageOfOverhead
				}
				var quotas []*corev1.ResourceQuota
				for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4, rapid.ID).Draw(t, "names") {
					q := testkit.ResourceQuota(name, namesFor(r.object), quantities).Draw(t, "quota")
					if rapid.IntRange(0, 3).Draw(t, "new limits") == 0 {
						q.Spec.Hard = q.Status.Hard.DeepCopy()
						for _, name := range resourcelist.ResourceNames(q.Status.Hard) {
							if rapid.Bool().Draw(t, "not in the status") {
								delete(q.Status.Hard, name)
							}
						}
					}
					quotas = append(quotas, q)
				}
				after, failures := r.ours(quotas)
				theirAfter, theirErr := r.theirs(quotas)
				if theirErr == nil {
					outcomes["admitted"]++
					if len(failures) > 0 {
						t.Fatalf("failures %v, upstream admits", failures)
					}
					if len(after) != len(theirAfter) {
						t.Fatalf("%d quotas after, upstream %d", len(after), len(theirAfter))
					}
					for i := range after {
						if !upstream.Equals(after[i].Status.Used, theirAfter[i].Status.Used) {
							t.Fatalf("%s: used %v, upstream %v", after[i].Name, after[i].Status.Used, theirAfter[i].Status.Used)
						}
						if !upstream.Equals(after[i].Status.Used, quotas[i].Status.Used) {
							outcomes["counted"]++
						}
					}
					return
				}
				_, want, forbidden := strings.Cut(theirErr.Error(), " is forbidden: ")
				if !forbidden {
					want = theirErr.Error()
				}
				var messages []string
				for _, f := range failures {
					messages = append(messages, f.Error())
				}
				i := slices.Index(messages, want)
				if i < 0 {
					t.Fatalf("upstream: %q\nours: %q", want, messages)
				}
				outcomes[string(failures[i].Cause)]++
			})
			t.Logf("outcomes: %v", outcomes)
			for _, outcome := range []string{"admitted", "counted", string(quota.ExceededQuota), string(quota.MustSpecify)} {
				if outcomes[outcome] == 0 {
					t.Errorf("never drawn: %s", outcome)
				}
			}
		})
	}
}

// If the configuration has an invalid scope selector, upstream logs the error and admits
// everything. Ours returns an error with the reason.
// See docs/decisions/quota.md#invalid-limited-scope.
func TestDivergenceInvalidLimitedScope(t *testing.T) {
	q := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: testkit.List("pods", "0"), Used: testkit.List("pods", "0")}}
	r := request{object: podCounterpart(&corev1.Pod{})}
	r.options.Limited = []quota.LimitedResource{{Resource: "pods", MatchScopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: "Near"}}}}
	_, failures := r.ours([]*corev1.ResourceQuota{q})
	if len(failures) != 2 || failures[0].Cause != quota.InvalidScope || failures[1].Cause != quota.ExceededQuota {
		t.Errorf("failures %v", failures)
	}
	if _, err := r.theirs([]*corev1.ResourceQuota{q}); err != nil {
		t.Errorf("upstream objects: %v: it no longer differs", err)
	}
}

// usageIsStable reports whether upstream finds the same usage a second time.
func usageIsStable(t *rapid.T, c counterpart) bool {
	object := c.object.DeepCopyObject()
	first, err := c.evaluator.Usage(object)
	first = first.DeepCopy()
	second, again := c.evaluator.Usage(object)
	if err != nil || again != nil {
		t.Fatal(err, again)
	}
	return upstream.Equals(first, second)
}

// Up to 1.37, upstream adds the overhead into the amounts of the pod itself if they are held as decimals, such
// as 1.5Gi, and computes the usage more than once for each request (k8s 141241): the usage of the
// pod grows with each computation.
// See docs/decisions/computeresources.md#results-own-their-memory.
func TestDivergenceUsageOfOverhead(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Resources: &corev1.ResourceRequirements{Requests: testkit.List("memory", "1.5Gi")},
		Overhead:  testkit.List("memory", "1Gi"),
	}}
	q := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: testkit.List("memory", "1Gi"), Used: testkit.List("memory", "0")}}
	q.Name = "q"
	r := request{object: podCounterpart(pod)}
	r.options.Limited = []quota.LimitedResource{{Resource: "pods"}} // for which it is computed once more
	_, failures := r.ours([]*corev1.ResourceQuota{q})
	if len(failures) != 1 || failures[0].Error() != "exceeded quota: q, requested: memory=2560Mi, used: memory=0, limited: memory=1Gi" {
		t.Errorf("failures %v", failures)
	}
	_, err := r.theirs([]*corev1.ResourceQuota{q})
	if differs := oracle.Release < "1.38"; err == nil || strings.Contains(err.Error(), "memory=2560Mi,") == differs {
		t.Errorf("upstream of %s: %v", oracle.Release, err)
	}
}
