package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// FuzzCreate checks a pod of one container against one bound and one quota, with any notation of
// the amounts. An admitted pod is within both, and the stored pod is admitted again unchanged.
func FuzzCreate(f *testing.F) {
	f.Add("100m", "200m", "1", "2", "500m", "cpu")
	f.Add("1.5Gi", "", "2Gi", "4Gi", "1Gi", "memory")
	f.Add("", "1e3", "1E", "1", "0", "ephemeral-storage")
	f.Add("-1", "1n", "", "100n", "1", "example.com/gpu")
	f.Fuzz(func(t *testing.T, request, limit, maximum, hard, used, name string) {
		if len(request)+len(limit)+len(maximum)+len(hard)+len(used) > 60 {
			t.Skip("digits take their time")
		}
		amounts := func(name, text string) corev1.ResourceList {
			q, err := resource.ParseQuantity(text)
			if err != nil || q.AsApproximateFloat64() > 1e18 || q.AsApproximateFloat64() < -1e18 {
				return nil
			}
			return corev1.ResourceList{corev1.ResourceName(name): q}
		}
		item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: amounts(name, maximum)}
		q := resourceQuota("q", amounts("requests."+name, hard), amounts("requests."+name, used))
		namespace, err := admit.Compile([]*corev1.LimitRange{limitRange("lr", item)}, []*corev1.ResourceQuota{q}, admit.Options{})
		if err != nil {
			t.Skip("not stored")
		}
		d := namespace.Create(pod(testkit.Container("app", amounts(name, request), amounts(name, limit))), admit.Attributes{})
		if d.Admitted() != (d.Err() == nil) {
			t.Fatalf("admitted: %v, but %v", d.Admitted(), d.Err())
		}
		if !d.Admitted() {
			return
		}
		stored := d.Object.(*corev1.Pod)
		requests := stored.Spec.Containers[0].Resources.Requests
		if bound, set := maximumOf(item, name); set {
			if got, ok := requests[corev1.ResourceName(name)]; ok && roundedUp(got).Cmp(*roundedUp(bound)) > 0 {
				t.Fatalf("request %s above the maximum %s", got.String(), bound.String())
			}
		}
		if fit := namespace.Replicas([]admit.APIObject{stored}, admit.Attributes{}); fit.Replicas < 1 {
			t.Fatalf("admitted, but %d replicas are: %v", fit.Replicas, fit.Err())
		}
		again := namespace.Create(stored, admit.Attributes{})
		if !again.Admitted() || len(again.Changes) > 0 {
			t.Fatalf("what is stored is created again: %v, %v", again.Err(), again.Changes)
		}
	})
}

func maximumOf(item corev1.LimitRangeItem, name string) (resource.Quantity, bool) {
	bound, set := item.Max[corev1.ResourceName(name)]
	return bound, set
}

// roundedUp returns what the server stores, in whole units where it does not count in milli-units.
func roundedUp(q resource.Quantity) *resource.Quantity {
	own := q.DeepCopy()
	own.RoundUp(resource.Milli)
	return &own
}
