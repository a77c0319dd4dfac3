package controllers

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/pool"
)

// A quota that is changed or deleted is restored, and a quota of another owner is left alone.
func TestQuotaIsKept(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	quota := func() *corev1.ResourceQuota {
		quota := &corev1.ResourceQuota{}
		w.must(w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "capsule-pool-p"}, quota))
		return quota
	}
	q := quota()
	q.Spec.Hard["pods"] = resource.MustParse("100")
	w.must(w.Update(t.Context(), q))
	w.settle()
	w.wantQuota("a", "3")

	q = quota()
	q.Labels = map[string]string{"kept": "yes", pool.PoolLabel: "other"}
	w.must(w.Update(t.Context(), q))
	w.settle()
	q = quota()
	if q.Labels["kept"] != "yes" || q.Labels["projectcapsule.dev/pool"] != "p" || q.Labels["projectcapsule.dev/managed-by"] != "controller" {
		t.Errorf("labels %v", q.Labels)
	}
	if owner := metav1.GetControllerOf(q); owner == nil || owner.UID != "uid of p" {
		t.Errorf("owner %v", owner)
	}

	q.OwnerReferences, q.Spec.Hard["pods"] = nil, resource.MustParse("100")
	w.must(w.Update(t.Context(), q))
	recorder := events.NewFakeRecorder(1)
	w.quotas.Recorder = recorder
	request := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "p"}}
	if _, err := w.quotas.Reconcile(t.Context(), request); !errors.Is(err, reconcile.TerminalError(nil)) {
		t.Errorf("%v", err)
	}
	if event := <-recorder.Events; event != "Warning QuotaNotOwned ResourceQuota a/capsule-pool-p is not that of this pool" {
		t.Error(event)
	}
	w.wantQuota("a", "100")
	if requests := poolOf(t.Context(), q); requests != nil {
		t.Errorf("%v", requests)
	}
}
