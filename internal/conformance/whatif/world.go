package main

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// playKubelet records what happens, lets pods on nodes run and be ready, and those that are being deleted be gone.
func (w *world) playKubelet(ctx context.Context) {
	w.follow(ctx)
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
