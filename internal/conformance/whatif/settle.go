package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/quota/admit"
)

// settle waits until nothing changes any more, and returns all objects. A controller whose objects are refused tries again
// later and later, even if they are admitted by now, so each of those that lacks pods is updated to make it look.
func (w *world) settle(ctx context.Context) (objects []admit.APIObject, err error) {
	for recounts := 0; ; {
		objects, err = w.record.rest(ctx, w.quiet, w.dump)
		if err != nil {
			return nil, err
		}
		if recounts < 3 && w.recount(ctx, objects) {
			recounts++
			continue
		}
		before := counted(objects)
		if !w.kick(ctx, objects) {
			return objects, nil
		}
		if err := pause(ctx, w.backoff(objects)); err != nil {
			return nil, err
		}
		objects, err = w.record.rest(ctx, w.quiet/2, w.dump)
		if err != nil || counted(objects) == before {
			return objects, err
		}
	}
}

// pause waits for some time, or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// fingerprint changes whenever an object does.
func fingerprint(objects []admit.APIObject) string {
	var b strings.Builder
	for _, o := range objects {
		fmt.Fprintln(&b, o.GetUID(), o.GetResourceVersion())
	}
	return b.String()
}

// recount updates the quotas that count another number of pods than there are, and reports whether there are any: what admission has counted
// is lost if the controller writes at the same time what it has seen before.
func (w *world) recount(ctx context.Context, objects []admit.APIObject) (recounted bool) {
	pods := map[string]int64{} // by namespace
	for _, o := range objects {
		if p, is := o.(*corev1.Pod); is && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed {
			pods[p.Namespace]++
		}
	}
	for _, o := range objects {
		q, is := o.(*corev1.ResourceQuota)
		if !is {
			continue
		}
		if used, counts := q.Status.Used[corev1.ResourcePods]; counts && used.Value() != pods[q.Namespace] {
			// Its controller looks again only if the amounts change.
			q.Spec.Hard["count/configmaps"] = *resource.NewQuantity(int64(1000+w.kicks), resource.DecimalSI)
			recounted = w.touch(ctx, q) || recounted
		}
	}
	return recounted
}

// touch updates an object, so that its controller looks again, and reports whether it is updated.
func (w *world) touch(ctx context.Context, o admit.APIObject) bool {
	w.kicks++
	if o.GetAnnotations() == nil {
		o.SetAnnotations(map[string]string{})
	}
	o.GetAnnotations()["kick"] = fmt.Sprint(w.kicks)
	// A conflict means that something has changed, so that it is looked at again anyway.
	return w.client.Update(ctx, endpointOf(o).path(o.GetNamespace(), o.GetName()), o, nil) == nil
}

// failures is how many pods of a Job had failed at a time.
type failures struct {
	count int32
	seen  time.Time
}

// backoff returns how long controllers of Jobs may still wait until they replace pods that have failed, which preempted ones do.
//
// Source: getRemainingTime of k8s.io/kubernetes/pkg/controller/job.
func (w *world) backoff(objects []admit.APIObject) (longest time.Duration) {
	for _, o := range objects {
		j, is := o.(*batchv1.Job)
		if !is || j.Status.Failed == 0 || !isShort(j) {
			continue
		}
		if w.failures[j.UID].count != j.Status.Failed {
			w.failures[j.UID] = failures{j.Status.Failed, time.Now()}
		}
		f := w.failures[j.UID]
		wait := min(10*time.Second<<min(f.count-1, 6), 10*time.Minute) + time.Second
		longest = max(longest, time.Until(f.seen.Add(wait)))
	}
	return longest
}

// isShort reports whether a Job lacks pods.
func isShort(j *batchv1.Job) bool {
	if j.Spec.Parallelism == nil || j.Spec.Suspend != nil && *j.Spec.Suspend {
		return false
	}
	hasEnded := func(c batchv1.JobCondition) bool {
		return (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue
	}
	wanted := *j.Spec.Parallelism
	if j.Spec.Completions != nil {
		wanted = min(wanted, *j.Spec.Completions-j.Status.Succeeded)
	}
	return j.Status.Active < wanted && !slices.ContainsFunc(j.Status.Conditions, hasEnded)
}

// counted changes with the number of pods.
func counted(objects []admit.APIObject) string {
	var b strings.Builder
	for _, o := range objects {
		if _, is := o.(*corev1.Pod); is {
			fmt.Fprintln(&b, o.GetUID())
		}
	}
	return b.String()
}

// kick updates the workloads that lack pods, and reports whether there are any. DaemonSets whose pods wait are updated,
// too: since 1.37, their controller does not look at them if a node changes that a pod waits for.
//
// Source: syncNodeUpdate of k8s.io/kubernetes/pkg/controller/daemon.
func (w *world) kick(ctx context.Context, objects []admit.APIObject) (kicked bool) {
	waits := map[types.UID]bool{} // whose pods do
	for _, o := range objects {
		if p, is := o.(*corev1.Pod); is && p.Spec.NodeName == "" {
			if owner := metav1.GetControllerOfNoCopy(p); owner != nil {
				waits[owner.UID] = true
			}
		}
	}
	for _, o := range objects {
		lacks := false
		switch s := o.(type) {
		case *appsv1.Deployment:
			lacks = s.Status.Replicas < *s.Spec.Replicas
		case *appsv1.ReplicaSet:
			lacks = s.Status.Replicas < *s.Spec.Replicas
		case *corev1.ReplicationController:
			lacks = s.Status.Replicas < *s.Spec.Replicas
		case *appsv1.StatefulSet:
			lacks = s.Status.Replicas < *s.Spec.Replicas
		case *appsv1.DaemonSet:
			lacks = s.Status.CurrentNumberScheduled < s.Status.DesiredNumberScheduled || waits[s.UID]
		case *batchv1.Job:
			lacks = isShort(s)
		}
		if !lacks {
			continue
		}
		kicked = w.touch(ctx, o) || kicked
	}
	return kicked
}
