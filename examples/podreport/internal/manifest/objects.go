package manifest

import (
	"cmp"
	"io"
	"io/fs"
	"iter"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// Input is what was read, in the order of the files.
type Input struct {
	Home      string // of objects that state none
	Workloads []Workload
	Claims    []Object // PersistentVolumeClaims
	Services  []Object
	Ranges    []LimitRange
	Quotas    []ResourceQuota
	Node      *Node // that pods are put on, if any
	Problems  []objects.Problem
}

// orHome returns the namespace of an object that states the given one.
func (in *Input) orHome(stated string) string { return cmp.Or(stated, in.Home) }

// kinds are the objects that are reported, by apiVersion and kind.
var kinds = objects.Kinds{
	{"v1", "Pod"}:                   reflect.TypeFor[corev1.Pod](),
	{"v1", "LimitRange"}:            reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:         reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "PersistentVolumeClaim"}: reflect.TypeFor[corev1.PersistentVolumeClaim](),
	{"v1", "Node"}:                  reflect.TypeFor[corev1.Node](),
	{"v1", "Service"}:               reflect.TypeFor[corev1.Service](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
	{"batch/v1", "CronJob"}:         reflect.TypeFor[batchv1.CronJob](),
}

// Read reads what is named; see objects.Read. Home is the namespace of objects that state none.
func Read(names []string, home string, stdin io.Reader) Input {
	return inputOf(objects.Read(names, kinds, stdin), home)
}

// ReadFS reads the manifests of a file system.
func ReadFS(files fs.FS, home string) Input { return inputOf(objects.ReadFS(files, kinds), home) }

func inputOf(all iter.Seq[objects.Object], home string) Input {
	in := Input{Home: home}
	for o := range all {
		in.Problems = append(in.Problems, o.Problems...)
		if o.Typed != nil {
			in.add(o.Place, o.Kind, o.Typed)
		}
	}
	return in
}

func (in *Input) add(at objects.Place, kind string, object any) {
	switch o := object.(type) {
	case *corev1.LimitRange:
		in.addLimitRange(at, o)
	case *corev1.ResourceQuota:
		in.addQuota(at, o)
	case *corev1.PersistentVolumeClaim:
		in.addClaim(at, o)
	case *corev1.Node:
		in.addNode(at, o)
	case *corev1.Service:
		in.addService(at, o)
	case admit.APIObject:
		in.addWorkload(at, kind, o)
	}
}

func (in *Input) addWorkload(at objects.Place, kind string, object admit.APIObject) {
	w := workloadOf(object)
	w.Place, w.Kind, w.Home = at, kind, in.orHome(w.Namespace)
	w.Pod.Namespace = w.Home
	object.SetNamespace(w.Home)
	if faults := checkWorkload(&w); len(faults) > 0 {
		in.failAll(at, objects.Invalid, faults)
		return
	}
	in.Workloads = append(in.Workloads, w)
}

func (in *Input) fail(at objects.Place, field, text string) {
	in.failAll(at, objects.Unreadable, []objects.Fault{{Field: field, Text: text}})
}

func (in *Input) failAll(at objects.Place, grade objects.Grade, faults []objects.Fault) {
	in.Problems = append(in.Problems, objects.Problems(at, grade, faults...)...)
}

func (in *Input) skip(at objects.Place, text string) {
	in.failAll(at, objects.Skipped, []objects.Fault{{Text: text}})
}
