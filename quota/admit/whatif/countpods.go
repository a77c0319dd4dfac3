package whatif

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
)

// missingOf returns why a controller, or one of the ReplicaSets and Jobs that it has created, could not create the next
// object: that of the present template first.
func (d *draft) missingOf(namespace string, it *item) error {
	if object, ok := it.object.(*appsv1.Deployment); ok && it.missing == nil {
		if current := d.currentSet(namespace, it, object); current != nil && current.missing != nil {
			return current.missing
		}
	}
	missing := it.missing
	for _, k := range it.owned {
		if owned := d.itemOf(namespace, k); owned != nil {
			missing = cmp.Or(missing, owned.missing)
		}
	}
	return missing
}

// countPods completes the answer about a workload.
func (d *draft) countPods(o *Object, it *item) {
	o.Missing, o.Depends = reasonOf(it.missing), o.Depends || it.depends
	if template := templateOf(it.object); template != nil {
		more := beyond(it.injected, &template.Spec)
		for _, c := range slices.Concat(more.InitContainers, more.Containers) {
			o.Injected = append(o.Injected, c.Name)
		}
	}
	o.Wanted = int64(workload.Of(it.object).Wanted)
	owners, isPresent := []key{it.key}, func(*item, *pod) bool { return true }
	ofTemplate := func(owner *item, p *pod) bool { return !d.isOutdated(p, owner) }
	switch object := it.object.(type) {
	case *appsv1.Deployment:
		o.Missing = reasonOf(d.missingOf(o.Namespace, it))
		current := d.currentSet(o.Namespace, it, object)
		owners, isPresent = it.owned, func(owner *item, _ *pod) bool { return owner == current }
	case *batchv1.Job:
		o.Wanted = int64(controllers.JobWants(object, len(it.pods)))
	case *appsv1.StatefulSet:
		isPresent = ofTemplate
	case *appsv1.DaemonSet:
		o.Wanted, isPresent = int64(d.wantedDaemons(it, object)), ofTemplate
	case *batchv1.CronJob:
		o.Missing = reasonOf(d.missingOf(o.Namespace, it)) // also that of its Jobs
		o.Wanted = 0                                       // it creates Jobs
	}
	for _, k := range owners {
		owner := d.itemOf(o.Namespace, k)
		if owner == nil {
			continue
		}
		o.Depends = o.Depends || owner.depends
		for _, p := range d.podsOf(o.Namespace, owner.pods) {
			switch {
			case !isPresent(owner, p):
				o.Outdated++
				if controllers.Keeps(it.object, p.Object.Name) {
					o.Kept++
				}
				continue
			case p.Node != "":
				o.Placed++
			}
			o.Pods++
			o.Depends = o.Depends || p.depends
		}
	}
}
