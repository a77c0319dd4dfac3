package quota_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// A nil object uses nothing, no quota concerns it, and every quota admits it.
func TestNoObject(t *testing.T) {
	quotas := []*corev1.ResourceQuota{withStatus("q", list("pods", "0", "services", "0", "persistentvolumeclaims", "0", "count/resourceclaims.resource.k8s.io", "0"), nil)}
	for name, object := range map[string]quota.Object{
		"zero":           {},
		"pod":            quota.Pod(nil, time.Time{}, quota.PodOptions{}),
		"claim":          quota.PersistentVolumeClaim(nil),
		"service":        quota.Service(nil),
		"resource claim": quota.ResourceClaim(nil, quota.ResourceClaimOptions{}),
		"counted":        quota.Counted(schema.GroupResource{}, &metav1.ObjectMeta{Name: "x"}),
	} {
		t.Run(name, func(t *testing.T) {
			wantList(t, object.Usage(), list())
			wantList(t, object.UsageInto(list("cpu", "1")), list())
			if matched, err := object.Matches(quotas[0]); matched || err != nil {
				t.Errorf("Matches = %v, %v", matched, err)
			}
			if in, err := inScope(object, corev1.ScopedResourceSelectorRequirement{ScopeName: corev1.ResourceQuotaScopeNotTerminating}); in || err != nil {
				t.Errorf("in scope: %v, %v", in, err)
			}
			if got := object.MissingRequired([]corev1.ResourceName{"cpu"}); got != nil {
				t.Errorf("Unspecified = %v", got)
			}
			after, failures := admit(quota.Object{}, object, quotas, quota.AdmitOptions{})
			if diff := cmp.Diff(quotas, after); diff != "" || failures != nil {
				t.Errorf("Admit: %v\n%s", failures, diff)
			}
			after, failures = admit(podOf(), object, quotas, quota.AdmitOptions{})
			if diff := cmp.Diff(quotas, after); diff != "" || failures != nil {
				t.Errorf("Admit an update: %v\n%s", failures, diff)
			}
		})
	}
}

// A nil pointer to an object is no metadata.
func TestCountedNilPointer(t *testing.T) {
	jobs := schema.GroupResource{Group: "batch", Resource: "jobs"}
	o := quota.Counted(jobs, (*corev1.Pod)(nil))
	testkit.Equal(t, o.Key(), quota.Key{Resource: jobs})
	testkit.NoDiff(t, o.Usage(), testkit.List("count/jobs.batch", "1"))
}
