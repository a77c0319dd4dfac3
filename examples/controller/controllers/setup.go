// Package controllers keeps ResourcePools: three reconcilers around one book.
//
//   - ResourcePoolClaimReconciler: one claim at a time is assigned to a pool and taken into the
//     book, and learns from its status what the book says
//   - ResourcePoolReconciler: a pool is opened in the book, changed or closed, and its status records
//     what the book has granted
//   - ResourceQuotaReconciler: one ResourceQuota at a time is made what the book says its namespace
//     has, and its usage says which claims are in use
//
// A change to one claim may change what others are granted. The book returns the affected objects,
// and notices deliver them to their reconcilers. So the cost of an event depends on what it
// changes, not on how many claims wait. Only the cost of a pool's status grows with the number of
// holding claims, and it is written once for many changes that arrive together.
//
// The order of writes makes it safe to be killed at any time: a claim's status first names its pool,
// then the pool's status records what the claim has, and only then the claim and the quota of its
// namespace are told. No quota rises before others of its pool have fallen, and their namespaces use less
// (quotaorder.go). What a claim gives up goes the same way back: its status first.
package controllers

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/kubemath/kubemath/examples/controller/book"
)

// component is the reporting component of events.
const component = "kubemath-controller"

// Setup adds the reconcilers and their metrics to a manager. All of them run on the leader only.
func Setup(mgr manager.Manager) error {
	if err := index(mgr); err != nil {
		return err
	}
	c, kept, inboxes, messages := mgr.GetClient(), book.New(), &notices{}, &Messages{}
	recorder := mgr.GetEventRecorder(component)

	claims := &ResourcePoolClaimReconciler{Client: c, Book: kept, Notify: inboxes.send, Recorder: recorder, Now: now, Messages: messages}
	if err := claims.SetupWithManager(mgr, &inboxes.claims); err != nil {
		return err
	}
	pools := &ResourcePoolReconciler{Client: c, Reader: mgr.GetAPIReader(), Book: kept, Notify: inboxes.send, Now: now, Messages: messages}
	if err := pools.SetupWithManager(mgr, &inboxes.pools); err != nil {
		return err
	}
	quotas := &ResourceQuotaReconciler{Client: c, Reader: mgr.GetAPIReader(), Book: kept, Notify: inboxes.send, Recorder: recorder}
	if err := quotas.SetupWithManager(mgr, &inboxes.quotas); err != nil {
		return err
	}
	exporter := &Exporter{Client: c, Book: kept}
	if err := metrics.Registry.Register(exporter); err != nil {
		return err
	}
	return mgr.Add(exporter)
}

// now is the time in full seconds, as conditions store it.
func now() time.Time { return time.Now().Truncate(time.Second) }
