package diff

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

//go:embed samples
var samples embed.FS

// kinds are those that use quotas or nodes, or decide who may. Others change nothing that is computed.
var kinds = objects.Kinds{
	{"v1", "Namespace"}:             reflect.TypeFor[corev1.Namespace](),
	{"v1", "Node"}:                  reflect.TypeFor[corev1.Node](),
	{"v1", "LimitRange"}:            reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:         reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "Pod"}:                   reflect.TypeFor[corev1.Pod](),
	{"v1", "ReplicationController"}: reflect.TypeFor[corev1.ReplicationController](),
	{"v1", "Service"}:               reflect.TypeFor[corev1.Service](),
	{"v1", "ConfigMap"}:             reflect.TypeFor[corev1.ConfigMap](),
	{"v1", "Secret"}:                reflect.TypeFor[corev1.Secret](),
	{"v1", "PersistentVolumeClaim"}: reflect.TypeFor[corev1.PersistentVolumeClaim](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
	{"batch/v1", "CronJob"}:         reflect.TypeFor[batchv1.CronJob](),

	{"scheduling.k8s.io/v1", "PriorityClass"}:       reflect.TypeFor[schedulingv1.PriorityClass](),
	{"node.k8s.io/v1", "RuntimeClass"}:              reflect.TypeFor[nodev1.RuntimeClass](),
	{"resource.k8s.io/v1", "ResourceClaim"}:         reflect.TypeFor[resourcev1.ResourceClaim](),
	{"resource.k8s.io/v1", "ResourceClaimTemplate"}: reflect.TypeFor[resourcev1.ResourceClaimTemplate](),
	{"resource.k8s.io/v1", "DeviceClass"}:           reflect.TypeFor[resourcev1.DeviceClass](),
}

// resources are what kubectl reads. Secrets and ConfigMaps are read only if there are some to apply, because quotas know
// how many there are.
var resources = []string{"namespaces", "nodes", "limitranges", "resourcequotas", "pods", "replicationcontrollers", "services",
	"persistentvolumeclaims", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
	"priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io"}

var onDemand = map[string]string{"Secret": "secrets", "ConfigMap": "configmaps", "ResourceClaim": "resourceclaims.resource.k8s.io",
	"ResourceClaimTemplate": "resourceclaimtemplates.resource.k8s.io"}

// input has what was read. Of objects of the same kind and name, the last one counts.
type input struct {
	cluster, old, change list
	unread               bool // the cluster could not be read
}

// list is objects in the order of the input.
type list struct {
	home     string // of objects without a namespace
	objects  []admit.APIObject
	index    map[identity]int
	problems []objects.Problem
	skipped  map[string]int // how many objects of other kinds
}

type identity struct{ kind, namespace, name string }

// readAll reads the manifests, what was applied before, and the cluster: what -on names; without that, what -old leads
// to by itself; without both, that of kubectl. Without manifests, it reads the samples.
func readAll(o *options, stdin io.Reader) *input {
	r := objects.Reader{Kinds: kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}
	in := &input{}
	for _, l := range []*list{&in.cluster, &in.old, &in.change} {
		*l = list{home: cmp.Or(o.Namespace, corev1.NamespaceDefault), index: map[identity]int{}, skipped: map[string]int{}}
	}
	if len(o.Files) == 0 {
		in.cluster.read(r.FS(below("samples/cluster")))
		in.change.read(r.FS(below("samples/change")))
		return in
	}
	in.change.read(origin.Files(r, &o.Common, o.Files))
	in.old.read(origin.Files(r, &o.Common, o.old))
	switch {
	case len(o.on) > 0:
		in.cluster.read(r.Files(o.on))
	case len(o.old) == 0:
		c := command.Common{Cluster: true, All: true, Context: o.Context}
		r.Check = objects.Unchecked // it is stored already
		in.cluster.read(origin.Objects(r, &c, nil, in.change.resources()...))
	}
	in.unread = len(in.cluster.objects) == 0 && len(in.cluster.problems) > 0
	return in
}

// below returns a folder of the samples.
func below(folder string) fs.FS {
	files, _ := fs.Sub(samples, folder) // which is there
	return files
}

// resources returns what kubectl should read, so that it is known which of the objects are there.
func (l *list) resources() []string {
	all := slices.Clone(resources)
	for _, kind := range slices.Sorted(maps.Keys(onDemand)) {
		for id := range l.index {
			if id.kind == kind {
				all = append(all, onDemand[kind])
				break
			}
		}
	}
	return all
}

func (l *list) read(all iter.Seq[objects.Object]) {
	for o := range all {
		if o.Unknown() {
			l.skipped[o.Kind]++
			continue
		}
		l.problems = append(l.problems, o.Problems...)
		if object, ok := o.Typed.(admit.APIObject); ok {
			failed := objects.Guarded(o.Place, func() { l.add(o.Place, o.Kind, object) })
			l.problems = append(l.problems, failed...)
		}
	}
}

func (l *list) add(at objects.Place, kind string, object admit.APIObject) {
	if object.GetName() == "" {
		l.problems = append(l.problems, objects.Problems(at, objects.Invalid, objects.Fault{Field: "metadata.name", Text: "missing"})...)
		return
	}
	l.complete(object)
	id := identity{kind, object.GetNamespace(), object.GetName()}
	if i, known := l.index[id]; known {
		l.objects[i] = object
		return
	}
	l.index[id] = len(l.objects)
	l.objects = append(l.objects, object)
}

// complete sets the namespace of a namespaced object, and what the API server sets of a node.
func (l *list) complete(object admit.APIObject) {
	switch o := object.(type) {
	case *corev1.Node:
		if len(o.Status.Allocatable) == 0 {
			o.Status.Allocatable = o.Status.Capacity
		}
	case *corev1.Namespace, *schedulingv1.PriorityClass, *nodev1.RuntimeClass, *resourcev1.DeviceClass:
	default:
		o.SetNamespace(cmp.Or(o.GetNamespace(), l.home))
	}
}

func (l *list) has(id identity) bool {
	_, known := l.index[id]
	return known
}

// without returns the objects of which another list has none of the same kind and name, the last ones first.
func (l *list) without(other *list) (objects []admit.APIObject) {
	gone := make([]bool, len(l.objects))
	for id, i := range l.index {
		gone[i] = !other.has(id)
	}
	for i, o := range slices.Backward(l.objects) {
		if gone[i] {
			objects = append(objects, o)
		}
	}
	return objects
}

// complain writes the problems, and returns the exit code.
func (in *input) complain(stderr io.Writer) int {
	code := command.OK
	for _, l := range []*list{&in.change, &in.old, &in.cluster} {
		for _, p := range l.problems {
			fmt.Fprintf(stderr, "kubemath: %v\n", p)
			code = max(code, p.Code())
		}
	}
	if len(in.change.skipped) > 0 {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(in.change.skipped)) {
			counts = append(counts, fmt.Sprintf("%d %s", in.change.skipped[kind], wording.Printable(kind)))
		}
		fmt.Fprintf(stderr, "kubemath: not considered, because it has no requests: %s\n", strings.Join(counts, ", "))
	}
	return code
}
