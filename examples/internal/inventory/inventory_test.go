package inventory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
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
	}}, manifest("Pod", "name: web, labels: {a: b}"), manifest("Node", "name: one")+"status: {capacity: {cpu: 2}}\n", manifest("Pod", "name: web, namespace: data"),
		manifest("Pod", "generateName: build-"), manifest("Pod", "generateName: build-"), manifest("Pod", "name: bad"), manifest("Pod", ""),
		manifest("Event", "name: e"), manifest("Pod", "name: web, labels: {a: c}"))
	want := []string{"*v1.Pod shop/web", "*v1.Node /one", "*v1.Pod data/web", "*v1.Pod shop/build-00004", "*v1.Pod shop/build-00005"}
	if diff := cmp.Diff(want, named(l.Objects)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var problems []string
	for _, p := range l.Problems {
		problems = append(problems, fmt.Sprintf("%v, %d", p, p.Code()))
	}
	want = []string{"a.yaml: document 6: Pod bad: spec: Required value: a spec, 2", "a.yaml: document 7: Pod: metadata.name: missing, 2",
		"a.yaml: document 1: Pod web: skipped: replaced by the one of a.yaml, document 9, which has the same name, 0"}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	pods := inventory.Of[*corev1.Pod](l)
	if len(pods) != 4 || pods[0].Labels["a"] != "c" || l.Places[0].Source.Document != 9 {
		t.Errorf("%d pods, the first %+v of %v", len(pods), pods[0].ObjectMeta, l.Places[0])
	}
	if cpu := inventory.Of[*corev1.Node](l)[0].Status.Allocatable.Cpu(); cpu.Value() != 2 {
		t.Errorf("allocatable %v", cpu)
	}
	if got := inventory.Note(l, l); got != "skipped, because nothing is computed from them: 2 Event of v1" {
		t.Error(got)
	}
	if inventory.Note(&inventory.List{}) != "" || !l.Has("Node") || l.Has("Secret") {
		t.Error("wrong kinds")
	}
}

func TestWithout(t *testing.T) {
	l := read(&inventory.List{}, manifest("Pod", "name: a"), manifest("Pod", "name: b"), manifest("Service", "name: a"), manifest("Pod", "name: c"))
	got := named(l.Without(read(&inventory.List{}, manifest("Pod", "name: a")), read(&inventory.List{}, manifest("Pod", "name: c, namespace: x"))))
	if diff := cmp.Diff([]string{"*v1.Pod /b", "*v1.Service /a", "*v1.Pod /c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
