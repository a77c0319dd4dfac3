package controllers

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A quota that somebody changes or deletes comes back, and one of another owner is let be.
func TestQuotaIsKept(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	quota := &corev1.ResourceQuota{}
	w.must(w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "capsule-pool-p"}, quota))
	quota.Spec.Hard["pods"] = resource.MustParse("100")
	w.must(w.Update(t.Context(), quota))
	w.settle()
	w.wantQuota("a", "3")

	quota.OwnerReferences, quota.ResourceVersion = nil, ""
	w.must(w.Update(t.Context(), quota))
	request := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "p"}}
	if _, err := w.quotas.Reconcile(t.Context(), request); !errors.Is(err, reconcile.TerminalError(nil)) {
		t.Errorf("%v", err)
	}
	w.wantQuota("a", "100")
	if requests := poolOf(t.Context(), quota); requests != nil {
		t.Errorf("%v", requests)
	}
}
