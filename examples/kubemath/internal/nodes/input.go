package nodes

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
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

//go:embed samples/*.yaml
var samples embed.FS

var kinds = objects.Kinds{
	{"v1", "Node"}: reflect.TypeFor[corev1.Node](),
	{"v1", "Pod"}:  reflect.TypeFor[corev1.Pod](),

	{"v1", "ReplicationController"}: reflect.TypeFor[corev1.ReplicationController](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),

	{"resource.k8s.io/v1", "DeviceClass"}:      reflect.TypeFor[resourcev1.DeviceClass](),
	{"resource.k8s.io/v1beta2", "DeviceClass"}: reflect.TypeFor[resourcev1.DeviceClass](),
}

// input has the objects that were read. Of objects with the same name, the last one counts.
type input struct {
	nodes    []*corev1.Node // by name
	pods     []*corev1.Pod  // in the order of the input
	classes  []*resourcev1.DeviceClass
	others   []admit.APIObject // classes and workloads, which create pods when a node is drained
	problems []objects.Problem
	// workloads are the indices of others, by kind, namespace and name.
	workloads map[[3]string]int
	skipped   map[string]int // how many objects of other kinds
}

// readAll reads the named files and directories, or the samples if there are none.
func readAll(o *options, stdin io.Reader) input {
	c := o.Common
	c.All, c.Namespace = c.Cluster, "" // pods of all namespaces are on nodes
	r := objects.Reader{Kinds: kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}
	return inputOf(origin.Objects(r, &c, samples, "nodes", "pods", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch"))
}

func inputOf(all iter.Seq[objects.Object]) input {
	in := input{skipped: map[string]int{}, workloads: map[[3]string]int{}}
	nodes, pods := map[string]*corev1.Node{}, map[string]int{}
	for o := range all {
		if o.Unknown() {
			in.skipped[o.Kind]++
			continue
		}
		in.problems = append(in.problems, o.Problems...)
		failed := objects.Guarded(o.Place, func() {
			switch typed := o.Typed.(type) {
			case *corev1.Node:
				in.addNode(o.Place, typed, nodes)
			case *corev1.Pod:
				in.addPod(o.Place, typed, pods)
			case *resourcev1.DeviceClass:
				in.addClass(o.Place, typed)
			case admit.APIObject:
				in.addOther(o.Place, o.Kind, typed)
			}
		})
		in.problems = append(in.problems, failed...)
	}
	for _, class := range in.classes {
		in.others = append(in.others, class)
	}
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		in.nodes = append(in.nodes, nodes[name])
	}
	return in
}

func (in *input) addNode(at objects.Place, node *corev1.Node, nodes map[string]*corev1.Node) {
	// The API server defaults an unset allocatable in the same way.
	if len(node.Status.Allocatable) == 0 {
		node.Status.Allocatable = node.Status.Capacity
	}
	switch {
	case node.Name == "":
		in.fail(at, objects.Invalid, "metadata.name", "missing")
	case len(node.Status.Allocatable) == 0:
		in.fail(at, objects.Skipped, "", "its status has no allocatable resources")
	default:
		node.Status.Allocatable = withPods(node.Status.Allocatable)
		nodes[node.Name] = node
	}
}

func (in *input) addPod(at objects.Place, pod *corev1.Pod, pods map[string]int) {
	if pod.Namespace == "" {
		pod.Namespace = corev1.NamespaceDefault
	}
	// The API server sets missing requests to the limits.
	computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Gates{})
	title := titleOf(pod)
	earlier, known := pods[title]
	switch {
	case pod.Name == "" && pod.GenerateName == "":
		in.fail(at, objects.Invalid, "metadata.name", "missing")
	case len(pod.Spec.Containers) == 0:
		in.fail(at, objects.Invalid, "spec.containers", "no containers")
	case known && pod.Name != "":
		in.pods[earlier] = pod
	default:
		pods[title] = len(in.pods)
		in.pods = append(in.pods, pod)
	}
}

func (in *input) addClass(at objects.Place, class *resourcev1.DeviceClass) {
	if class.Name == "" {
		in.fail(at, objects.Invalid, "metadata.name", "missing")
		return
	}
	in.classes = slices.DeleteFunc(in.classes, func(c *resourcev1.DeviceClass) bool { return c.Name == class.Name })
	in.classes = append(in.classes, class)
}

// addOther adds a workload, which creates pods when a node is drained. Of those with the same name, the last one counts.
func (in *input) addOther(at objects.Place, kind string, object admit.APIObject) {
	if object.GetNamespace() == "" {
		object.SetNamespace(corev1.NamespaceDefault)
	}
	key := [3]string{kind, object.GetNamespace(), object.GetName()}
	i, known := in.workloads[key]
	switch {
	case object.GetName() == "":
		in.fail(at, objects.Invalid, "metadata.name", "missing")
	case known:
		in.others[i] = object
	default:
		in.workloads[key] = len(in.others)
		in.others = append(in.others, object)
	}
}

func (in *input) fail(at objects.Place, grade objects.Grade, field, text string) {
	in.problems = append(in.problems, objects.Problems(at, grade, objects.Fault{Field: field, Text: text})...)
}

// notes returns a line about the skipped objects.
func (in *input) notes() []string {
	if len(in.skipped) == 0 {
		return nil
	}
	var counts []string
	for _, kind := range slices.Sorted(maps.Keys(in.skipped)) {
		counts = append(counts, fmt.Sprintf("%d %s", in.skipped[kind], wording.Printable(kind)))
	}
	return []string{"skipped, since only Nodes, Pods, workloads and DeviceClasses are read: " + strings.Join(counts, ", ")}
}

// titleOf names a pod: "shop/web", or "shop/web-..." if the API server completes the name.
func titleOf(pod *corev1.Pod) string {
	name := pod.Name
	if name == "" {
		name = pod.GenerateName + "..."
	}
	return pod.Namespace + "/" + name
}
