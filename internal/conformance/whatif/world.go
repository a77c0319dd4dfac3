package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
	"github.com/kubemath/kubemath/quota/admit"
)

// world is a running control plane.
type world struct {
	server *controlplane.Server
	client *controlplane.Client
	quiet  time.Duration
	kicks  int
	record record
	pods   chan *corev1.Pod // that have changed
	log    schedulerLog

	allScores bool                   // the scheduler scores by all plugins
	failures  map[types.UID]failures // of Jobs
}

func newWorld(server *controlplane.Server, quiet time.Duration) *world {
	w := &world{server: server, client: server.Client, quiet: quiet, pods: make(chan *corev1.Pod, 10_000), failures: map[types.UID]failures{}}
	w.log.path = server.Log(controlplane.Scheduler)
	return w
}

// endpoint is where objects of a type are.
type endpoint struct {
	kind, group, name string // group is the path of the API
	namespaced        bool
	read              func(items json.RawMessage) ([]admit.APIObject, error)
}

// read decodes the items of a list.
func read[T any, P interface {
	*T
	admit.APIObject
}](items json.RawMessage) (objects []admit.APIObject, err error) {
	var list []T
	err = json.Unmarshal(items, &list)
	for i := range list {
		objects = append(objects, P(&list[i]))
	}
	return objects, err
}

var endpoints = []endpoint{
	{"Namespace", "/api/v1", "namespaces", false, read[corev1.Namespace]},
	{"Node", "/api/v1", "nodes", false, read[corev1.Node]},
	{"PriorityClass", "/apis/scheduling.k8s.io/v1", "priorityclasses", false, read[schedulingv1.PriorityClass]},
	{"StorageClass", "/apis/storage.k8s.io/v1", "storageclasses", false, read[storagev1.StorageClass]},
	{"PersistentVolume", "/api/v1", "persistentvolumes", false, read[corev1.PersistentVolume]},
	{"Service", "/api/v1", "services", true, read[corev1.Service]},
	{"PersistentVolumeClaim", "/api/v1", "persistentvolumeclaims", true, read[corev1.PersistentVolumeClaim]},
	{"LimitRange", "/api/v1", "limitranges", true, read[corev1.LimitRange]},
	{"ResourceQuota", "/api/v1", "resourcequotas", true, read[corev1.ResourceQuota]},
	{"ConfigMap", "/api/v1", "configmaps", true, read[corev1.ConfigMap]},
	{"Deployment", "/apis/apps/v1", "deployments", true, read[appsv1.Deployment]},
	{"ReplicaSet", "/apis/apps/v1", "replicasets", true, read[appsv1.ReplicaSet]},
	{"StatefulSet", "/apis/apps/v1", "statefulsets", true, read[appsv1.StatefulSet]},
	{"ControllerRevision", "/apis/apps/v1", "controllerrevisions", true, read[appsv1.ControllerRevision]},
	{"DaemonSet", "/apis/apps/v1", "daemonsets", true, read[appsv1.DaemonSet]},
	{"ReplicationController", "/api/v1", "replicationcontrollers", true, read[corev1.ReplicationController]},
	{"Job", "/apis/batch/v1", "jobs", true, read[batchv1.Job]},
	{"Pod", "/api/v1", "pods", true, read[corev1.Pod]},
}

func kindOf(object admit.APIObject) string { return reflect.TypeOf(object).Elem().Name() }

func endpointOf(object admit.APIObject) *endpoint {
	return &endpoints[slices.IndexFunc(endpoints, func(r endpoint) bool { return r.kind == kindOf(object) })]
}

// path returns where an object is, or with an empty name, where objects like it are.
func (r *endpoint) path(namespace, name string) string {
	path := r.group
	if r.namespaced && namespace != "" {
		path += "/namespaces/" + namespace
	}
	path += "/" + r.name
	if name != "" {
		path += "/" + name
	}
	return path
}

// dump reads all objects.
func (w *world) dump(ctx context.Context) (objects []admit.APIObject, err error) {
	for i := range endpoints {
		var list struct{ Items json.RawMessage }
		if err := w.client.Get(ctx, endpoints[i].path("", ""), &list); err != nil {
			return nil, err
		}
		some, err := endpoints[i].read(list.Items)
		if err != nil {
			return nil, err
		}
		objects = append(objects, some...)
	}
	return objects, w.server.Failure()
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

// playKubelet lets pods on nodes run and be ready, and those that are being deleted be gone.
func (w *world) playKubelet(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-w.pods:
			w.play(ctx, p)
		}
	}
}

// play does what the kubelet does for a pod that has changed. What fails is done again, or the pod has changed once more.
func (w *world) play(ctx context.Context, changed *corev1.Pod) {
	p := changed.DeepCopy()
	path := endpointOf(p).path(p.Namespace, p.Name)
	switch {
	case p.DeletionTimestamp != nil:
		if err := w.client.Delete(ctx, path); err != nil && !apierrors.IsNotFound(err) && ctx.Err() == nil {
			w.pods <- changed
		}
	case p.Spec.NodeName != "" && p.Status.Phase != corev1.PodRunning:
		now := metav1.Now()
		p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &now
		for _, condition := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: condition, Status: corev1.ConditionTrue, LastTransitionTime: now})
		}
		err := w.client.Update(ctx, path+"/status", p, nil)
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && ctx.Err() == nil {
			w.pods <- changed
		}
	}
}

// apply creates an object, or replaces what it sets, and notes it as kubectl apply does.
func (w *world) apply(ctx context.Context, object admit.APIObject) error {
	note, err := json.Marshal(object)
	if err != nil {
		return err
	}
	r := endpointOf(object)
	path := r.path(object.GetNamespace(), object.GetName())
	for {
		stored := reflect.New(reflect.TypeOf(object).Elem()).Interface().(admit.APIObject)
		err := w.client.Get(ctx, path, stored)
		if apierrors.IsNotFound(err) {
			return w.create(ctx, noted(object.DeepCopyObject().(admit.APIObject), note))
		} else if err != nil {
			return err
		}
		spec := reflect.ValueOf(object).Elem().FieldByName("Spec")
		reflect.ValueOf(stored).Elem().FieldByName("Spec").Set(spec)
		if err := w.client.Update(ctx, path, noted(stored, note), nil); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// noted returns an object with the annotation by which kubectl apply notes what was applied.
func noted(object admit.APIObject, note []byte) admit.APIObject {
	annotations := map[string]string{corev1.LastAppliedConfigAnnotation: string(note)}
	for key, value := range object.GetAnnotations() {
		if key != corev1.LastAppliedConfigAnnotation {
			annotations[key] = value
		}
	}
	object.SetAnnotations(annotations)
	return object
}

// create creates an object, with the status of a node.
func (w *world) create(ctx context.Context, object admit.APIObject) error {
	r := endpointOf(object)
	stored := reflect.New(reflect.TypeOf(object).Elem()).Interface().(admit.APIObject)
	if err := w.client.Create(ctx, r.path(object.GetNamespace(), ""), object, stored); err != nil {
		return err
	}
	if n, is := object.(*corev1.Node); is {
		node := stored.(*corev1.Node)
		node.Status = n.Status
		return w.client.Update(ctx, r.path("", n.Name)+"/status", node, nil)
	}
	return nil
}

// remove deletes an object, and in the background what it owns.
func (w *world) remove(ctx context.Context, object admit.APIObject) error {
	r := endpointOf(object)
	err := w.client.Delete(ctx, r.path(object.GetNamespace(), object.GetName()))
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// clear deletes a namespace, all nodes and volumes, and waits until they are gone.
func (w *world) clear(ctx context.Context, namespace *corev1.Namespace) error {
	if err := w.remove(ctx, namespace); err != nil {
		return err
	}
	for {
		objects, err := w.dump(ctx)
		if err != nil {
			return err
		}
		left := 0
		for _, o := range objects {
			switch o.(type) {
			case *corev1.Node, *corev1.PersistentVolume:
				left++
				if err := w.remove(ctx, o); err != nil {
					return err
				}
			case *corev1.Namespace:
				if o.GetName() == namespace.Name {
					left++
				}
			}
		}
		if left == 0 {
			return nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}
