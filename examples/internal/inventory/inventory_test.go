package inventory_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func read(l *inventory.List, manifests ...string) *inventory.List {
	l.Read(objects.Reader{Kinds: inventory.Kinds}.File("a.yaml", strings.NewReader(strings.Join(manifests, "---\n"))))
	return l
}

func named(objects []admit.APIObject) (names []string) {
	for _, o := range objects {
		names = append(names, fmt.Sprintf("%T %s/%s", o, o.GetNamespace(), o.GetName()))
	}
	return names
}

func manifest(kind, metadata string) string {
	return "apiVersion: v1\nkind: " + kind + "\nmetadata: {" + metadata + "}\n"
}

func TestRead(t *testing.T) {
	l := read(&inventory.List{Home: "shop", Check: func(o admit.APIObject) (errs field.ErrorList) {
		if o.GetName() == "bad" {
			errs = append(errs, field.Required(field.NewPath("spec"), "a spec"))
		}
		return errs
	}}, manifest("Pod", "name: web, labels: {a: b}"), manifest("Node", "name: one")+"status: {capacity: {cpu: 2}}\n", manifest("Pod", "name: web, namespace: data, managedFields: [{manager: m}]"),
		manifest("Pod", "generateName: build-"), manifest("Pod", "generateName: build-"), manifest("Pod", "name: bad"), manifest("Pod", ""),
		manifest("Event", "name: e"), manifest("Pod", "name: web, labels: {a: c}, managedFields: [{manager: m}]"))
	want := []string{"*v1.Pod shop/web", "*v1.Node /one", "*v1.Pod data/web", "*v1.Pod shop/build-00004", "*v1.Pod shop/build-00005"}
	testkit.NoDiff(t, named(l.Objects), want)
	var problems []string
	for _, p := range l.Problems {
		problems = append(problems, fmt.Sprintf("%v, %d", p, p.Code()))
	}
	want = []string{"a.yaml: document 6: Pod bad: spec: Required value: a spec, 2", "a.yaml: document 7: Pod: metadata.name: missing, 2",
		"a.yaml: document 1: Pod web: skipped: replaced by the one of a.yaml, document 9, which has the same name, 0"}
	testkit.NoDiff(t, problems, want)
	pods := inventory.Of[*corev1.Pod](l)
	if len(pods) != 4 || pods[0].Labels["a"] != "c" || l.Places[0].Source.Document != 9 {
		t.Errorf("%d pods, the first %+v of %v", len(pods), pods[0].ObjectMeta, l.Places[0])
	}
	for _, p := range pods {
		if p.ManagedFields != nil {
			t.Errorf("%s has managed fields, from which nothing is computed", p.Name)
		}
	}
	if cpu := inventory.Of[*corev1.Node](l)[0].Status.Allocatable.Cpu(); cpu.Value() != 2 {
		t.Errorf("allocatable %v", cpu)
	}
	more := &inventory.List{Skipped: map[string]int{"Event of v1": 3, "Secret of v1": 1}}
	if got := inventory.Note(l, more, l); got != "skipped, because nothing is computed from them: 3 Event of v1, 1 Secret of v1" {
		t.Error(got)
	}
	testkit.Equal(t, inventory.Note(&inventory.List{Skipped: map[string]int{"A\x1b of v1": 1}}), `skipped, because nothing is computed from them: 1 A\x1b of v1`)
	if inventory.Note(&inventory.List{}) != "" || !l.Has("Node") || l.Has("Secret") {
		t.Error("wrong kinds")
	}
}

func TestWithout(t *testing.T) {
	l := read(&inventory.List{}, manifest("Pod", "name: a"), manifest("Pod", "name: b"), manifest("Service", "name: a"), manifest("Pod", "name: c"))
	got := named(l.Without(read(&inventory.List{}, manifest("Pod", "name: a")), read(&inventory.List{}, manifest("Pod", "name: c, namespace: x"))))
	testkit.NoDiff(t, got, []string{"*v1.Pod /b", "*v1.Service /a", "*v1.Pod /c"})
	// Those of the cluster have no namespace, whatever the home of a list.
	const class = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n"
	l, other := read(&inventory.List{Home: "a"}, class, manifest("Pod", "name: p")), read(&inventory.List{Home: "b"}, class, manifest("Pod", "name: p"))
	testkit.NoDiff(t, named(l.Without(other)), []string{"*v1.Pod a/p"})
}

// What cannot be read is lost only if nothing else was read.
func TestIsLost(t *testing.T) {
	pod, invalid, widget := manifest("Pod", "name: a"), manifest("Pod", "name: [a]"), "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
	for _, test := range []struct {
		documents []string
		want      bool
	}{
		{nil, false}, {[]string{pod}, false}, {[]string{widget}, false}, {[]string{invalid}, true}, {[]string{"a: ["}, true}, {[]string{invalid, widget}, true}, {[]string{invalid, pod}, false},
	} {
		testkit.Equal(t, read(&inventory.List{}, test.documents...).IsLost(), test.want, test.documents)
	}
	testkit.Equal(t, read(&inventory.List{Check: objects.RejectedName}, manifest("Pod", "name: a_b")).IsLost(), true, "rejected")
}

// Objects of a cluster have no namespace, and those without one are in that of the list.
func TestNamespaces(t *testing.T) {
	cluster := []string{
		"v1 Node", "v1 Namespace", "v1 PersistentVolume", "scheduling.k8s.io/v1 PriorityClass", "node.k8s.io/v1 RuntimeClass",
		"storage.k8s.io/v1 StorageClass", "storage.k8s.io/v1 CSINode", "storage.k8s.io/v1 CSIDriver", "resource.k8s.io/v1 DeviceClass",
	}
	spaced := []string{
		"v1 Pod", "v1 LimitRange", "v1 ResourceQuota", "v1 PersistentVolumeClaim", "apps/v1 Deployment", "batch/v1 Job",
		"policy/v1 PodDisruptionBudget", "storage.k8s.io/v1 CSIStorageCapacity", "resource.k8s.io/v1 ResourceClaim",
	}
	for i, kind := range append(cluster, spaced...) {
		version, kind, _ := strings.Cut(kind, " ")
		of := func(metadata string) string {
			return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: a" + metadata + "}\n"
		}
		l := read(&inventory.List{Home: "shop"}, of(""), of(", namespace: own"))
		want := []string{"shop", "own"}
		if i < len(cluster) {
			want = []string{"", "own"}
		}
		var got []string
		for _, o := range l.Objects {
			got = append(got, o.GetNamespace())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s\n%v", kind, diff, l.Problems)
		}
	}
}

// A generated name is as long as one of the API server: 58 letters of the prefix and five more.
func TestGeneratedNames(t *testing.T) {
	long := strings.Repeat("x", 60)
	l := read(&inventory.List{}, manifest("Pod", "generateName: "+long), manifest("Pod", "name: own, generateName: a-"))
	want := []string{"*v1.Pod /" + long[:58] + "00001", "*v1.Pod /own"}
	testkit.NoDiff(t, named(l.Objects), want)
}

// Allocatable is the capacity only if a node sets none.
func TestAllocatable(t *testing.T) {
	l := read(&inventory.List{}, manifest("Node", "name: a")+"status: {capacity: {cpu: 4}, allocatable: {cpu: 3}, nodeInfo: {kubeletVersion: v1.36.3}}\n",
		manifest("Node", "name: b")+"status: {capacity: {cpu: 4}, nodeInfo: {kubeletVersion: v1.37.2}}\n", manifest("Pod", "name: c"),
		manifest("Node", "name: d")+"status: {capacity: {cpu: 5}, allocatable: {}}\n", manifest("Node", "name: e")+"status: {capacity: {cpu: 6}, allocatable: {memory: 1Gi}}\n")
	for i, want := range []int64{3, 4, 5, 0} {
		testkit.Equal(t, inventory.Of[*corev1.Node](l)[i].Status.Allocatable.Cpu().Value(), want, "node", i)
	}
	testkit.NoDiff(t, l.Kubelets(), []string{"v1.36.3", "v1.37.2", "", ""}, "kubelets")
}

// Hooks are apart from all others, and run by weight, those of the same weight in the order of the input.
func TestHooks(t *testing.T) {
	helm := func(name, events, weight string) string {
		return manifest("Pod", "name: "+name+", annotations: {helm.sh/hook: '"+events+"', helm.sh/hook-weight: '"+weight+"'}")
	}
	l := read(&inventory.List{}, helm("late", "pre-install", "5"), helm("z", "pre-upgrade", "0"), manifest("Pod", "name: main"),
		helm("b", "pre-install", "0"), helm("first", "pre-install", "-1"), helm("after", "post-install", "0"), helm("test", "test", "0"),
		helm("crd", "crd-install", "0"), helm("a", "post-install", "-2"))
	for name, test := range map[string]struct {
		got  []admit.APIObject
		want string
	}{
		"main":   {l.Objects, "main crd"},
		"before": {l.HooksOf(hook.Before), "first b z late"},
		"after":  {l.HooksOf(hook.After), "a after"},
		"never":  {l.HooksOf(hook.Never), "test"},
		"all":    {l.Hooks, "late z b first after test a"},
	} {
		var names []string
		for _, o := range test.got {
			names = append(names, o.GetName())
		}
		testkit.Equal(t, strings.Join(names, " "), test.want, name)
	}
	if len(l.Problems) > 0 {
		t.Error(l.Problems)
	}
	selected := read(&inventory.List{Selects: func(o metav1.Object) bool { return o.GetName() == "after" }}, helm("late", "pre-install", "5"), helm("after", "post-install", "0"))
	testkit.NoDiff(t, named(selected.Hooks), []string{"*v1.Pod /after"})
	generated := "generateName: m-, annotations: {argocd.argoproj.io/hook: PreSync}"
	l = read(&inventory.List{}, manifest("Pod", generated), manifest("Pod", generated), manifest("Pod", "generateName: m-"))
	testkit.NoDiff(t, named(append(l.HooksOf(hook.Before), l.Objects...)), []string{"*v1.Pod /m-00001", "*v1.Pod /m-00002", "*v1.Pod /m-00003"})
}

// What is given three times is replaced twice, in its first place. A hook is another object, and is checked like all others.
func TestReplacedTwice(t *testing.T) {
	const hooked = "name: a, annotations: {helm.sh/hook: pre-install}"
	l := read(&inventory.List{Home: "shop", Check: objects.RejectedName}, manifest("Pod", "name: a"), manifest("Pod", "name: b"), manifest("Pod", hooked), manifest("Pod", "name: a, labels: {v: two}"),
		manifest("Service", "name: a"), manifest("Pod", "name: a, namespace: shop, labels: {v: three}"), manifest("Pod", "name: A, annotations: {helm.sh/hook: pre-install}"), manifest("Pod", hooked))
	testkit.NoDiff(t, named(l.Objects), []string{"*v1.Pod shop/a", "*v1.Pod shop/b", "*v1.Service shop/a"})
	testkit.NoDiff(t, named(l.Hooks), []string{"*v1.Pod shop/a", "*v1.Pod shop/a"})
	testkit.Equal(t, inventory.Of[*corev1.Pod](l)[0].Labels["v"], "three")
	var problems []string
	for _, p := range l.Problems {
		problems = append(problems, p.String())
	}
	testkit.NoDiff(t, problems, []string{"a.yaml: document 1: Pod a: skipped: replaced by the one of a.yaml, document 4, which has the same name",
		"a.yaml: document 4: Pod a: skipped: replaced by the one of a.yaml, document 6, which has the same name",
		`a.yaml: document 7: Pod A: metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ` +
			`(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`})
	testkit.Equal(t, l.At("Pod", "shop", "a").Source.Document, 6)
}

// What is wrong is said with its exit code, and other kinds are counted, in the list that has the most.
func TestComplain(t *testing.T) {
	good, events := read(&inventory.List{}, manifest("Pod", "name: a")), manifest("Event", "name: e")
	skipped := read(&inventory.List{}, events, events, "apiVersion: example.com/v1\nkind: Apple\nmetadata: {name: a}\n")
	bad := read(&inventory.List{}, manifest("Pod", "name: a"), manifest("Pod", "name: a"), manifest("Pod", ""), events)
	replaced := &inventory.List{}
	for _, file := range []string{"a.yaml", "b.yaml"} {
		pods := strings.NewReader(manifest("Pod", "name: a") + "---\n" + manifest("Pod", "name: b"))
		replaced.Read(objects.Reader{Kinds: inventory.Kinds}.File(file, pods))
	}
	for name, test := range map[string]struct {
		lists []*inventory.List
		want  string
		code  int
	}{
		"nothing": {nil, "", command.OK},
		"good":    {[]*inventory.List{good}, "", command.OK},
		"skipped": {[]*inventory.List{good, skipped}, "kubemath: skipped, because nothing is computed from them: 1 Apple of example.com/v1, 2 Event of v1\n", command.OK},
		"bad": {[]*inventory.List{skipped, bad}, "kubemath: a.yaml: document 1: Pod a: skipped: replaced by the one of a.yaml, document 2, which has the same name\n" +
			"kubemath: a.yaml: document 3: Pod: metadata.name: missing\n" +
			"kubemath: skipped, because nothing is computed from them: 1 Apple of example.com/v1, 2 Event of v1\n", command.Rejected},
		"replaced by another file": {[]*inventory.List{replaced}, "kubemath: a.yaml: skipped: 2 objects replaced by those of b.yaml, which have the same names\n", command.OK},
	} {
		var said bytes.Buffer
		code := command.Answering(func([]string, io.Writer, io.Writer) (none struct{}, err error) { return none, nil },
			func(_ struct{}, s *command.Session) { inventory.Complain(s, test.lists...) })(nil, strings.NewReader(""), io.Discard, &said)
		if diff := cmp.Diff(test.want, said.String()); diff != "" || code != test.code {
			t.Errorf("%s: code %d, want %d; (-want +got):\n%s", name, code, test.code, diff)
		}
	}
	testkit.NoDiff(t, bad.Graded(objects.Invalid, objects.Failed), []string{"Pod: metadata.name: missing"}, "invalid")
	if got := bad.Graded(objects.Unreadable); got != nil {
		t.Errorf("unreadable: %q", got)
	}
}

// Objects of the cluster are in no namespace.
func TestNamespacesOfLists(t *testing.T) {
	one := read(&inventory.List{Home: "shop"}, manifest("Node", "name: one"), manifest("Pod", "name: a"), manifest("Pod", "name: b, namespace: data"))
	two := read(&inventory.List{Home: "ci"}, manifest("Pod", "name: a"), manifest("Pod", "name: b, namespace: data"))
	testkit.NoDiff(t, inventory.Namespaces(one, two), []string{"ci", "data", "shop"})
	hooks := read(&inventory.List{Home: "shop"}, manifest("Secret", "name: s, namespace: before, annotations: {helm.sh/hook: pre-install}"),
		manifest("ConfigMap", "name: m, namespace: after, annotations: {helm.sh/hook: post-install}"), manifest("Pod", "name: p, namespace: tests, annotations: {helm.sh/hook: test}"))
	testkit.NoDiff(t, inventory.Namespaces(hooks), []string{"after", "before"}, "of hooks")
	for kind, want := range map[string]bool{"Secret": true, "ConfigMap": true, "Pod": false} {
		testkit.Equal(t, hooks.Has(kind), want, kind)
	}
}

// What is of no object is told with its file, but for what is left out, whose text names it.
func TestGradedWithoutAnObject(t *testing.T) {
	l := &inventory.List{}
	l.Read(slices.Values([]objects.Object{objects.Unread("a.yaml", "no such file"), objects.LeftOut("kubectl get", "you may not list nodes", false)}))
	testkit.NoDiff(t, l.Graded(objects.Unreadable, objects.Uncomputed), []string{"a.yaml: no such file", "you may not list nodes"})
	testkit.NoDiff(t, inventory.NotComputed(l, &inventory.List{}, l), []string{"you may not list nodes"}, "once")
}

// Of a cluster, objects with pods are no problem, since their pods are there as well, but other limits are.
func TestReadDump(t *testing.T) {
	l := &inventory.List{}
	text := "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n---\n" +
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: l}\n---\n" + manifest("Event", "name: e")
	l.ReadDump(objects.Reader{Kinds: inventory.Kinds, Matters: true}.File("a.yaml", strings.NewReader(text)))
	want := []string{"LocalQueue l: it limits what others may use, which is not computed"}
	if diff := cmp.Diff(want, l.Graded(objects.Uncomputed)); diff != "" || len(l.Skipped) > 0 {
		t.Errorf("skipped %v, (-want +got):\n%s", l.Skipped, diff)
	}
	l = &inventory.List{} // of manifests, the pods are not there
	l.Read(objects.Reader{Kinds: inventory.Kinds, Matters: true}.File("a.yaml", strings.NewReader(text)))
	testkit.NoDiff(t, l.Graded(objects.Uncomputed), append([]string{"Workflow w: it has pods, which are not computed"}, want...))
	testkit.NoDiff(t, l.Skipped, map[string]int{"Event of v1": 1})
}

func TestSelects(t *testing.T) {
	l := read(&inventory.List{Home: "shop", Selects: func(o metav1.Object) bool { return o.GetName() == "a" && o.GetNamespace() == "shop" }},
		manifest("Pod", "name: a"), manifest("Pod", "name: b"), manifest("Pod", "name: a, namespace: other"))
	testkit.NoDiff(t, named(l.Objects), []string{"*v1.Pod shop/a"})
}

// The objects of a type in a namespace.
func TestIn(t *testing.T) {
	l := read(&inventory.List{Home: "shop"}, manifest("Pod", "name: a"), manifest("Service", "name: s"), manifest("Pod", "name: b, namespace: data"))
	if got := inventory.In[*corev1.Pod](l, "data"); len(got) != 1 || got[0].Name != "b" {
		t.Errorf("%v", got)
	}
}

// A request of a claim that says neither how many devices nor which is for one.
func TestClaims(t *testing.T) {
	l := read(&inventory.List{Home: "shop"}, "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n")
	claims := inventory.Of[*resourcev1.ResourceClaim](l)
	if len(claims) != 1 || claims[0].Spec.Devices.Requests[0].Exactly.AllocationMode != resourcev1.DeviceAllocationModeExactCount || claims[0].Spec.Devices.Requests[0].Exactly.Count != 1 {
		t.Errorf("%+v", claims)
	}
}
