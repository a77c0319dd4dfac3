// Package manifest has the objects of manifests that a report is about, in the order of the input, and
// the problems of those that could not be read. Package objects reads them. This file has the kinds that are read.
package manifest

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// Input has the objects that were read, in the order of the files. Of objects with the same kind and
// name, the last one counts.
type Input struct {
	Options
	Workloads []*Workload
	Objects   []*Object
	Ranges    []*corev1.LimitRange
	Quotas    []*corev1.ResourceQuota
	Shared    []Shared // by kind and name
	Nodes     []*corev1.Node
	Kubelets  []string // their versions
	Devices   []*resourcev1.DeviceClass
	Classes   []admit.APIObject // PriorityClasses, RuntimeClasses and StorageClasses
	Problems  []objects.Problem

	pods      []*ownedPod // with a controller
	spaces    map[string]*corev1.Namespace
	populated map[string]bool                              // namespaces with pods of a cluster
	distinct  map[content]*corev1.Pod                      // of the pods with an owner
	templates map[string]*resourcev1.ResourceClaimTemplate // by namespace and name
	byName    map[identity]*Object                         // the last of each
	workloads map[identity]*Workload
	byUID     map[types.UID]*Workload
	lists     Lists
}

// orHome returns the namespace of an object, or the default one if it has none.
func (in *Input) orHome(stated string) string { return cmp.Or(stated, in.Home) }

// Kinds are the kinds that are read, by apiVersion and kind. Quotas may count objects of all others.
var Kinds = func() objects.Kinds {
	kinds := maps.Clone(inventory.Kinds)
	for kind := range inventory.Kinds {
		switch kind[1] {
		case "ConfigMap", "Secret", "PodDisruptionBudget",
			"PersistentVolume", "CSINode", "CSIDriver", "CSIStorageCapacity":
			delete(kinds, kind)
		case "ResourceClaim", "ResourceClaimTemplate", "DeviceClass":
			kinds[[2]string{"resource.k8s.io/v1beta2", kind[1]}] = kinds[kind] // the same fields
		}
	}
	return kinds
}()

// Options are the options of Of.
type Options struct {
	Home   string // the namespace of objects without one
	Strict bool   // warnings are errors
	Asked  bool   // kubectl was asked for all classes
	Before func() // called before each object; may be nil
	// Selects reports whether an object is to be shown; nil for all.
	Selects func(metav1.Object) bool
}

// Of returns the input that has the given objects, which are of Kinds.
func Of(all iter.Seq[objects.Object], opts Options) *Input {
	in := &Input{
		Options: opts, distinct: map[content]*corev1.Pod{},
		templates: map[string]*resourcev1.ResourceClaimTemplate{}, byName: map[identity]*Object{},
		workloads: map[identity]*Workload{}, byUID: map[types.UID]*Workload{},
		populated: map[string]bool{}, spaces: map[string]*corev1.Namespace{},
	}
	for o := range all {
		if opts.Before != nil {
			opts.Before()
		}
		if o.Unknown() {
			in.addUnknown(&o)
			if o.Matters() {
				in.Problems = append(in.Problems, o.Problems...)
			}
			continue
		}
		in.Problems = append(in.Problems, o.Problems...)
		if o.Typed != nil {
			failed := objects.Guarded(o.Place, func() { in.add(o.Place, &o) })
			in.Problems = append(in.Problems, failed...)
		}
	}
	in.dropProjected()
	in.join()
	return in
}

func (in *Input) add(at objects.Place, read *objects.Object) {
	if object, is := read.Typed.(admit.APIObject); is && object.GetUID() == "" { // it is not stored yet
		if errs := objects.RejectedName(object); len(errs) > 0 {
			for _, err := range errs {
				in.fail(at, objects.Invalid, objects.Fault{Field: err.Field, Text: err.ErrorBody()})
			}
			return
		}
	}
	podless := &Object{Place: at, Kind: read.Kind}
	podless.Typed, _ = read.Typed.(admit.APIObject) // as all are
	switch o := read.Typed.(type) {
	case *corev1.LimitRange:
		in.addLimitRange(at, o)
	case *corev1.ResourceQuota:
		in.addQuota(at, o)
	case *corev1.Namespace:
		in.spaces[o.Name] = o
		in.addPodless(podless)
	case *inventory.SharedQuota[inventory.OpenShiftUsage], *inventory.SharedQuota[string]:
		in.addShared(at, read.Kind, podless.Typed)
	case *corev1.Node:
		in.addNode(at, o)
	case *corev1.PersistentVolumeClaim:
		podless.Exists = o.Status.Phase != ""
		in.addNamed(podless)
	case *corev1.Service:
		in.addNamed(podless)
	case *resourcev1.ResourceClaim:
		o.Spec = inventory.StoredClaim(o.Spec)
		in.addNamed(podless)
	case *resourcev1.ResourceClaimTemplate:
		o.Spec.Spec = inventory.StoredClaim(o.Spec.Spec)
		in.templates[in.orHome(o.Namespace)+"/"+o.Name] = o
	case *resourcev1.DeviceClass:
		in.Devices = append(in.Devices, o)
	case *schedulingv1.PriorityClass, *nodev1.RuntimeClass, *storagev1.StorageClass:
		class := podless.Typed
		podless.Name = class.GetName()
		if in.earlier(podless) != nil {
			in.Classes = slices.DeleteFunc(in.Classes, func(before admit.APIObject) bool {
				return reflect.TypeOf(before) == reflect.TypeOf(class) && before.GetName() == class.GetName()
			})
		}
		in.Classes = append(in.Classes, class)
	case admit.APIObject:
		in.addWorkload(at, read.Kind, o)
	}
}

func (in *Input) addWorkload(at objects.Place, kind string, object admit.APIObject) {
	phase := hook.PhaseOf(object)
	if phase == hook.Never {
		in.fail(at, objects.Skipped, objects.Fault{Text: "a hook for tests, a deletion or a rollback, which is not installed"})
		return
	}
	w := workloadOf(object)
	w.Place, w.Kind, w.Home = at, kind, in.orHome(w.Namespace)
	w.Hook, w.Leaves = phase, !hook.IsDeleted(object)
	w.Pod.Namespace = w.Home
	object.SetNamespace(w.Home)
	w.Hidden = in.hides(object)
	if faults := w.check(); len(faults) > 0 {
		in.fail(at, objects.Invalid, faults...)
		return
	}
	w.reduce()
	in.lists.Pod(&w.Pod.Spec)                                      // whose containers are those of the template
	if kind == "Pod" && w.owner != nil && w.owner.Kind != "Node" { // that of static pods
		in.addOwned(w)
		return
	}
	before := in.earlier(&w.Object)
	if old := in.workloads[w.identity()]; old != nil && before == &old.Object { // and no pod with a controller
		w.update(old)
	}
	in.Workloads, in.workloads[w.identity()] = append(in.Workloads, w), w
}

func (in *Input) hides(o metav1.Object) bool { return in.Selects != nil && !in.Selects(o) }

func (in *Input) fail(at objects.Place, grade objects.Grade, faults ...objects.Fault) {
	in.Problems = append(in.Problems, objects.Problems(at, grade, faults...)...)
}
