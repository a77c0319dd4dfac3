// Package quotatracker keeps what all objects use of quotas, in any number of namespaces, while objects
// come and go, without adding up all of them again.
//
//	tracker, err := quotatracker.New(quotas)
//	err = tracker.Add(quota.Pod(pod, now, quota.PodOptions{}))
//	status, ok := tracker.Status("shop", "compute")
//
// A [Tracker] is for controllers that see every object anyway, through an informer. In any order of
// events, its answers are those of [quota.CalculateUsage] over the objects that it holds. Amounts are
// exact, so removing an object subtracts what adding it added.
//
// Objects are identified by a [quota.Key]: resource, namespace and name. An object that is deleted
// and created again under its name, which an informer may report as one update, is an update. An
// unexpected event, such as adding an object twice or removing an unknown one, returns an error and
// changes nothing; the caller decides whether it matters.
//
// A Tracker has no clock: a pod whose deletion grace period expires keeps its usage until it is
// updated with a later time.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. A method that changes a Tracker must not run
// at the same time as any other method.
package quotatracker
