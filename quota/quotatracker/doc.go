// Package quotatracker keeps the usage of quotas while objects come and go, without ever
// calculating it from all of them.
//
//	tracker, err := quotatracker.New(quotas)
//	err = tracker.Add(quota.Pod(pod, now, quota.PodOptions{}))
//	status, ok := tracker.Status("shop", "compute")
//
// A [Tracker] is for a controller that sees every object pass by anyway. Whatever the order
// of events, its answers are those of quota.CalculateUsage over the objects that it holds:
// amounts are exact, so that what is taken out is what was put in.
//
// Objects are told apart by quota.Key: resource, namespace and name. One that is deleted
// and created anew under its name, which an informer may report as one update, is an
// update. What the Tracker did not expect, such as the second addition of an object, or the
// removal of an unknown one, is an error and changes nothing, so that the caller can decide
// whether it matters.
//
// Time does not pass inside a Tracker: a pod whose grace period for deletion is over
// keeps its usage until it is updated, at a later time.
package quotatracker
