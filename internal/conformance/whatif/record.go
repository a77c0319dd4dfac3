package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/quota/admit"
)

// happening is a change of an object, in the order of the cluster.
type happening struct {
	revision int64
	seen     time.Time
	object   admit.APIObject // as it is since then, or as it was when it was deleted
	gone     bool
}

// record has what has happened to the objects that decide about places.
type record struct {
	sync.Mutex
	all    []happening // in the order in which they were seen, which is that of the cluster within a kind
	failed error
}

// recordedKinds are the kinds whose objects decide about places.
var recordedKinds = []string{"Namespace", "Node", "Service", "ReplicationController", "ReplicaSet", "StatefulSet", "Pod", "PersistentVolume", "PersistentVolumeClaim", "StorageClass"}

// follow records what happens until ctx is done.
func (w *world) follow(ctx context.Context) {
	for _, kind := range recordedKinds {
		r := &endpoints[slices.IndexFunc(endpoints, func(r endpoint) bool { return r.kind == kind })]
		go func() {
			err := w.client.Watch(ctx, r.path("", ""), func(change string, object json.RawMessage) error {
				h, err := w.record.add(r, change, object)
				if p, is := h.object.(*corev1.Pod); is && !h.gone {
					w.pods <- p
				}
				return err
			})
			if ctx.Err() == nil {
				w.record.fail(fmt.Errorf("watching %s: %w", r.name, err))
			}
		}()
	}
}

// add adds a change.
func (r *record) add(of *endpoint, change string, object json.RawMessage) (h happening, err error) {
	objects, err := of.read(slices.Concat([]byte("["), object, []byte("]")))
	if err != nil {
		return h, err
	}
	revision, err := revisionOf(objects[0])
	if err != nil {
		return h, err
	}
	r.Lock()
	defer r.Unlock()
	h = happening{revision, time.Now(), objects[0], change == "DELETED"}
	r.all = append(r.all, h)
	return h, nil
}

func (r *record) fail(err error) {
	r.Lock()
	defer r.Unlock()
	r.failed = err
}

func revisionOf(o admit.APIObject) (int64, error) {
	return strconv.ParseInt(o.GetResourceVersion(), 10, 64)
}

// sorted returns what has happened so far.
func (r *record) sorted() ([]happening, error) {
	r.Lock()
	defer r.Unlock()
	slices.SortStableFunc(r.all, func(a, b happening) int { return cmp.Compare(a.revision, b.revision) })
	return slices.Clone(r.all), r.failed
}

// forget keeps only the last change of each object that is there.
func (r *record) forget() {
	all, _ := r.sorted()
	r.Lock()
	defer r.Unlock()
	last := map[types.UID]int{}
	for i := range all {
		last[all[i].object.GetUID()] = i
	}
	var kept []happening
	for i := range all {
		if last[all[i].object.GetUID()] == i && !all[i].gone {
			kept = append(kept, all[i])
		}
	}
	r.all = append(kept, r.all[len(all):]...)
}

// rest waits until nothing has changed for some time and all that has happened is recorded, and returns all objects. What is recorded may
// be ahead of them, if something changes after they were read.
func (r *record) rest(ctx context.Context, quiet time.Duration, dump func(context.Context) ([]admit.APIObject, error)) (objects []admit.APIObject, err error) {
	last, since := "", time.Now()
	for {
		objects, err = dump(ctx)
		if err != nil {
			return nil, err
		}
		if now := fingerprint(objects); now != last {
			last, since = now, time.Now()
		}
		if time.Since(since) >= quiet {
			all, err := r.sorted()
			if err != nil {
				return nil, err
			}
			missing := missingIn(all, objects)
			switch {
			case missing == "":
				return objects, nil
			case time.Since(since) > quiet+time.Minute:
				return nil, fmt.Errorf("no change is seen of %s", missing)
			}
		}
		if err := pause(ctx, quiet/10); err != nil {
			return nil, err
		}
	}
}

// missingIn returns an object whose last change is not recorded, or which is recorded but gone, empty if there is none.
func missingIn(all []happening, objects []admit.APIObject) string {
	last := map[types.UID]*happening{}
	for i := range all {
		last[all[i].object.GetUID()] = &all[i]
	}
	for _, o := range objects {
		if !slices.Contains(recordedKinds, kindOf(o)) {
			continue
		}
		h := last[o.GetUID()]
		if h == nil || h.object.GetResourceVersion() != o.GetResourceVersion() {
			return kindOf(o) + " " + o.GetName()
		}
		delete(last, o.GetUID())
	}
	for _, h := range last {
		if !h.gone {
			return kindOf(h.object) + " " + h.object.GetName()
		}
	}
	return ""
}
