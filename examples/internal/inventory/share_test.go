package inventory_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// owned is a pod of a controller with two containers, of which the second has the given fields.
func owned(name, uid, second string) string {
	return manifest("Pod", fmt.Sprintf("name: %s, labels: {a: b}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: %s, controller: true}]", name, uid)) +
		"spec:\n  tolerations: [{operator: Exists}]\n  initContainers: [{name: init, image: nginx, resources: {limits: {cpu: 1}}}]\n" +
		"  containers:\n  - {name: app, image: nginx, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}\n  - {name: log, image: nginx, " + second + "}\n"
}

func sharesText(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

// A pod shares with the one before it of its controller what is equal, whatever lies between them.
func TestSharedMemory(t *testing.T) {
	ofController := manifest("ConfigMap", "name: m, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]")
	pods := inventory.Of[*corev1.Pod](read(&inventory.List{},
		owned("a", "u", "resources: {limits: {memory: 1Gi}}"), ofController, owned("other", "v", "resources: {limits: {memory: 1Gi}}"), manifest("Pod", "name: bare"),
		owned("b", "u", "resources: {limits: {memory: 1Gi}}"), owned("c", "u", "resources: {limits: {memory: 2Gi}}"),
		owned("none", "''", ""), owned("none-2", "''", "")))
	a, other, b, c := &pods[0].Spec, &pods[1].Spec, &pods[3].Spec, &pods[4].Spec
	if &a.Containers[0] != &b.Containers[0] || &a.Tolerations[0] != &b.Tolerations[0] || &a.InitContainers[0] != &b.InitContainers[0] {
		t.Error("equal pods of a controller do not share their fields")
	}
	if reflect.ValueOf(pods[0].Labels).UnsafePointer() != reflect.ValueOf(pods[3].Labels).UnsafePointer() {
		t.Error("equal labels of a controller are not shared")
	}
	if &b.Containers[0] == &c.Containers[0] || &b.Tolerations[0] != &c.Tolerations[0] || !sharesText(b.Containers[1].Image, c.Containers[1].Image) {
		t.Error("pods with another container do not share the other fields alone")
	}
	if sharesText(a.Containers[0].Image, other.Containers[0].Image) || sharesText(pods[5].Spec.Containers[0].Image, pods[6].Spec.Containers[0].Image) {
		t.Error("pods of several controllers, or of unknown ones, share their fields")
	}
	if pods[3].Name != "b" || pods[4].Name != "c" || pods[2].Name != "bare" || pods[2].Spec.Containers != nil || pods[4].Labels["a"] != "b" {
		t.Errorf("%v", pods)
	}
}

// Defaults that are set for a pod are those of the pods that share them, and of no others.
func TestDefaultsOfSharedMemory(t *testing.T) {
	pods := inventory.Of[*corev1.Pod](read(&inventory.List{}, owned("a", "u", "resources: {limits: {memory: 1Gi}}"), owned("b", "u", "resources: {limits: {memory: 1Gi}}"),
		owned("c", "u", "resources: {requests: {cpu: 1}, limits: {memory: 2Gi}}"), owned("d", "u", "resources: {requests: {cpu: 1}, limits: {memory: 3Gi}}")))
	for _, p := range pods {
		(&inventory.Defaults{}).Apply(p)
	}
	for i, want := range []string{"1Gi", "1Gi", "2Gi", "3Gi"} {
		testkit.Equal(t, pods[i].Spec.Containers[1].Resources.Requests.Memory().String(), want, pods[i].Name, "requests")
	}
}

// The template of a workload shares with its pods, those of its ReplicaSets included, whichever comes first.
func TestSharedTemplates(t *testing.T) {
	const spec = "spec:\n  tolerations: [{operator: Exists}]\n  containers: [{name: app, image: nginx}]\n"
	workload := func(kind, uid, owner string) string {
		return strings.Replace(manifest(kind, "name: "+strings.ToLower(kind)+uid+", uid: "+uid+owner), "v1", "apps/v1", 1) + "spec: {template: {spec: {tolerations: [{operator: Exists}], containers: [{name: app, image: nginx}]}}}\n"
	}
	owned := func(uid string) string {
		return ", ownerReferences: [{apiVersion: v, kind: k, name: o, uid: " + uid + ", controller: true}]"
	}
	pod := manifest("Pod", "name: p"+owned("set")) + spec
	for _, order := range [][]string{
		{workload("Deployment", "top", ""), workload("ReplicaSet", "set", owned("top")), pod},
		{pod, workload("ReplicaSet", "set", owned("top")), workload("Deployment", "top", "")},
		{workload("ReplicaSet", "old", owned("top")), workload("ReplicaSet", "set", owned("top")), pod},
	} {
		l := read(&inventory.List{}, append(order, workload("ReplicaSet", "other", owned("others")), workload("ReplicaSet", "''", ""))...)
		if len(l.Objects) != 5 {
			t.Fatal(l.Problems, l.Skipped)
		}
		for i, o := range l.Objects {
			first, own := inventory.PodSpec(l.Objects[0]), inventory.PodSpec(o)
			if shares := &own.Tolerations[0] == &first.Tolerations[0]; shares != (i < 3) {
				t.Errorf("object %d shares its template with the first one: %t", i, shares)
			}
		}
	}
}

// A node shares with the one before it what is equal.
func TestSharedNodes(t *testing.T) {
	node := func(name, memory string) string {
		return manifest("Node", "name: "+name) + "status: {capacity: {cpu: 8, memory: 33Gi}, allocatable: {cpu: 8, memory: " + memory + "}}\n"
	}
	nodes := inventory.Of[*corev1.Node](read(&inventory.List{}, node("a", "32Gi"), node("b", "32Gi"), node("c", "30Gi")))
	same := func(a, b corev1.ResourceList) bool {
		return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
	}
	a, b, c := nodes[0].Status, nodes[1].Status, nodes[2].Status
	if !same(a.Capacity, b.Capacity) || !same(b.Capacity, c.Capacity) || !same(a.Allocatable, b.Allocatable) || same(b.Allocatable, c.Allocatable) {
		t.Error("nodes do not share equal amounts, or share others")
	}
	testkit.Equal(t, c.Allocatable.Memory().String()+" "+b.Allocatable.Memory().String(), "30Gi 32Gi", "allocatable")
}

// Equal init containers share memory, even if other containers of their pods differ.
func TestSharedInitContainers(t *testing.T) {
	pod := func(name, second string) string {
		return manifest("Pod", "name: "+name+", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]") +
			"spec:\n  initContainers: [{name: a, image: busybox}, {name: b, image: " + second + "}]\n  containers: [{name: app, image: nginx}]\n"
	}
	pods := inventory.Of[*corev1.Pod](read(&inventory.List{}, pod("a", "one"), pod("b", "two")))
	a, b := pods[0].Spec.InitContainers, pods[1].Spec.InitContainers
	if !sharesText(a[0].Image, b[0].Image) || !sharesText(a[1].Name, b[1].Name) || a[1].Image != "one" || b[1].Image != "two" {
		t.Errorf("%v\n%v", a, b)
	}
}

// What a status says of images, mounts and addresses is not kept, nor the conditions that all pods have; how far a container is, and
// since when a pod is ready, decide which pods are deleted first.
func TestForgottenStatuses(t *testing.T) {
	const status = "[{name: app, image: i, imageID: i@sha256, containerID: 'c://1', restartCount: 3, ready: true, volumeMounts: [{name: v, mountPath: /v}]}]"
	text := owned("a", "u", "") + "status: {containerStatuses: " + status + ", initContainerStatuses: " + status + ", hostIP: 1.1.1.1, hostIPs: [{ip: 1.1.1.1}]" +
		", podIP: 1.1.1.2, podIPs: [{ip: 1.1.1.2}], conditions: [{type: PodReadyToStartContainers}, {type: Initialized}, {type: Ready, status: 'True'}" +
		", {type: ContainersReady}, {type: PodScheduled}, {type: DisruptionTarget}, {type: PodResizePending, reason: Deferred}]}\n"
	pods := inventory.Of[*corev1.Pod](read(&inventory.List{}, text, manifest("Pod", "name: idle")+"status: {conditions: [{type: PodScheduled}]}\n"))
	want := []corev1.ContainerStatus{{Name: "app", RestartCount: 3, Ready: true}}
	testkit.NoDiff(t, pods[0].Status, corev1.PodStatus{ContainerStatuses: want, InitContainerStatuses: want, PodIP: "1.1.1.2",
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}, {Type: corev1.DisruptionTarget}, {Type: corev1.PodResizePending, Reason: "Deferred"}}})
	testkit.NoDiff(t, pods[1].Status, corev1.PodStatus{})
}

// Pods that are packed are those that were read, in their order, and others stay what they are.
func TestPacked(t *testing.T) {
	var all []objects.Object
	for i := range 100 {
		all = append(all, objects.Object{Typed: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}}}, objects.Object{Kind: "Node"})
	}
	want := slices.Clone(all)
	testkit.NoDiff(t, slices.Collect(inventory.Packed(slices.Values(all))), want)
	for o := range inventory.Packed(slices.Values(all)) {
		testkit.NoDiff(t, o, want[0])
		break
	}
}

// The place of an object is that in its file, also of a hook, which is not among the objects.
func TestAt(t *testing.T) {
	l := read(&inventory.List{}, manifest("ConfigMap", "name: first"), manifest("ConfigMap", "name: c, namespace: shop"),
		manifest("Pod", "name: h, annotations: {helm.sh/hook: pre-install}"))
	for _, test := range []struct {
		kind, namespace, name string
		document              int
	}{{"ConfigMap", "", "first", 1}, {"ConfigMap", "shop", "c", 2}, {"Pod", "", "h", 3}, {"ConfigMap", "", "c", 0}, {"Secret", "shop", "c", 0}} {
		if got := l.At(test.kind, test.namespace, test.name).Source.Document; got != test.document {
			t.Errorf("%s %s/%s is in document %d, want %d", test.kind, test.namespace, test.name, got, test.document)
		}
	}
}
