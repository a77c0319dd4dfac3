package tree

import (
	"embed"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

//go:embed samples/document.yaml
var samples embed.FS

var kinds = objects.Kinds{
	{"v1", "Pod"}:                   reflect.TypeFor[corev1.Pod](),
	{"v1", "ReplicationController"}: reflect.TypeFor[corev1.ReplicationController](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
}

// input has the objects that were read. Of objects with the same name, the last one counts.
type input struct {
	found    []object       // in the order of the input
	byName   map[string]int // in found
	pods     []*corev1.Pod
	problems []objects.Problem
	repeated int            // how many objects were replaced by later ones
	skipped  map[string]int // how many objects of other kinds
}

// object is an object with its place in the input.
type object struct {
	objects.Place
	kind string
	metav1.Object
	typed any
}

// readAll reads the named files and directories, or the samples if there are none. The samples get no
// defaults.
func readAll(o *options, stdin io.Reader) *input {
	c := o.Common
	c.All, c.Namespace = c.Cluster, ""
	r := objects.Reader{Kinds: kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}
	return inputOf(origin.Objects(r, &c, samples, "pods"), o.asWritten || len(c.Files) == 0 && !c.Cluster)
}

func inputOf(all iter.Seq[objects.Object], asWritten bool) *input {
	in := &input{byName: map[string]int{}, skipped: map[string]int{}}
	for o := range all {
		if o.Unknown() {
			in.skipped[o.Kind]++
			continue
		}
		in.problems = append(in.problems, o.Problems...)
		if o.Typed != nil {
			failed := objects.Guarded(o.Place, func() { in.add(&o) })
			in.problems = append(in.problems, failed...)
		}
	}
	in.makePods()
	if !asWritten {
		for _, pod := range in.pods {
			computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Gates{})
		}
	}
	return in
}

func (in *input) add(read *objects.Object) {
	o := object{read.Place, read.Kind, read.Typed.(metav1.Object), read.Typed}
	if o.GetName() == "" && (o.kind != "Pod" || o.GetGenerateName() == "") {
		in.fail(o.Place, objects.Invalid, "metadata.name", "missing")
		return
	}
	earlier, known := in.byName[o.key()]
	if known && o.GetName() != "" {
		in.found[earlier] = o
		in.repeated++
		return
	}
	in.byName[o.key()] = len(in.found)
	in.found = append(in.found, o)
}

// key identifies an object of the input.
func (o *object) key() string { return nameKey(o.kind, o.GetNamespace(), o.GetName()) }

func nameKey(kind, namespace, name string) string { return kind + "/" + namespace + "/" + name }

func (in *input) fail(at objects.Place, grade objects.Grade, field, text string) {
	in.problems = append(in.problems, objects.Problems(at, grade, objects.Fault{Field: field, Text: text})...)
}

// notes returns a line for each reason why objects do not count.
func (in *input) notes() (notes []string) {
	if in.repeated > 0 {
		notes = append(notes, wording.Count(int64(in.repeated), "object")+" replaced by later ones of the same kind and name")
	}
	if len(in.skipped) > 0 {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(in.skipped)) {
			counts = append(counts, fmt.Sprintf("%d %s", in.skipped[kind], wording.Printable(kind)))
		}
		notes = append(notes, "skipped, since they have no pods: "+strings.Join(counts, ", "))
	}
	return notes
}
