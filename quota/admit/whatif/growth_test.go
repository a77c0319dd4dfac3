package whatif_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// asked is an object that counts how often it is asked for its owners.
type asked struct {
	metav1.PartialObjectMetadata
	times *int
}

func (a *asked) GetOwnerReferences() []metav1.OwnerReference {
	*a.times++
	return a.OwnerReferences
}

func (a *asked) DeepCopyObject() runtime.Object {
	return &asked{*a.PartialObjectMetadata.DeepCopy(), a.times}
}

// Each object is asked for its owners a few times, however many are deleted.
func TestDeletionLooksAtEachObjectOnce(t *testing.T) {
	owner := &corev1.ConfigMap{ObjectMeta: meta("owner")}
	for name, all := range map[string]func(objects []admit.APIObject) []admit.APIObject{
		"all":        func(objects []admit.APIObject) []admit.APIObject { return objects },
		"the owner":  func([]admit.APIObject) []admit.APIObject { return []admit.APIObject{owner} },
		"all, twice": func(objects []admit.APIObject) []admit.APIObject { return append(objects, objects...) },
	} {
		times, objects := 0, []admit.APIObject{owner}
		for i := range 500 {
			o := &asked{times: &times}
			o.ObjectMeta, o.Kind, o.APIVersion = meta(fmt.Sprint(i)), "Widget", "example.com/v1"
			o.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner"}}
			objects = append(objects, o)
		}
		c := read(t, whatif.Options{}, objects...)
		times = 0
		_, after := c.Delete(all(objects)...)
		if times > 5*len(objects) {
			t.Errorf("%s: %d objects were asked %d times", name, len(objects), times)
		}
		if r, _ := after.Delete(objects[7]); r.Objects[0].Action != whatif.NotFound {
			t.Errorf("%s: %v of an object that is gone", name, r.Objects[0].Action)
		}
	}
}

// The pods of all nodes, asked for node by node or one by one, are linear in the nodes.
func TestPodsOfEachNode(t *testing.T) {
	testkit.GrowsLinearly(t, 200, func(n int) func() {
		var objects []admit.APIObject
		for i := range n {
			name := fmt.Sprint(i)
			objects = append(objects, node(name, "1"), on(name, podOf(name, "1")))
		}
		c := read(t, whatif.Options{}, objects...)
		return func() {
			for _, name := range c.Nodes() {
				if pods := c.Pods(name); len(pods) != 1 || pods[0].Object.Name != name || pods[0].Node != name || pods[0].Before != name {
					t.Fatalf("%s has %v", name, pods)
				}
				if p, err := c.Pod(types.NamespacedName{Namespace: "shop", Name: name}); err != nil || p.Node != name || p.Before != name {
					t.Fatalf("%s is %v, %v", name, p, err)
				}
			}
		}
	})
}

// LimitRanges and quotas that are applied together are compiled together.
func TestManyPoliciesInANamespace(t *testing.T) {
	testkit.GrowsLinearly(t, 100, func(n int) func() {
		var ranges []admit.APIObject
		for i := range n {
			ranges = append(ranges, &corev1.LimitRange{ObjectMeta: meta(fmt.Sprint(i)), Spec: corev1.LimitRangeSpec{
				Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "1")}}}})
		}
		return func() { read(t, whatif.Options{}).Apply(ranges...) }
	})
	var quotas []admit.APIObject
	for i := range 400 {
		quotas = append(quotas, resourceQuota(fmt.Sprint(i), "cpu", "1"))
	}
	if bytes := testkit.Allocated(func() { read(t, whatif.Options{}).Apply(quotas...) }); bytes > 100<<20 {
		t.Errorf("400 quotas allocate %d bytes", bytes)
	}
}

// A quota of quotas counts each of those that follow it in the same list.
func TestQuotaOfQuotas(t *testing.T) {
	r := did(read(t, whatif.Options{}).Apply(resourceQuota("a", "resourcequotas", "2"), resourceQuota("b", "cpu", "1"),
		resourceQuota("c", "cpu", "1"), resourceQuota("d", "cpu", "1")))
	var got []whatif.Action
	for _, o := range r.Objects {
		got = append(got, o.Action)
	}
	testkit.NoDiff(t, got, []whatif.Action{whatif.Created, whatif.Created, whatif.Refused, whatif.Refused})
	ranges := []admit.APIObject{resourceQuota("a", "count/limitranges", "1")}
	for _, name := range []string{"b", "c"} {
		ranges = append(ranges, &corev1.LimitRange{ObjectMeta: meta(name)})
	}
	r = did(read(t, whatif.Options{}).Apply(ranges...))
	testkit.NoDiff(t, []whatif.Action{r.Objects[1].Action, r.Objects[2].Action}, []whatif.Action{whatif.Created, whatif.Refused})
}

// What comes after the first deletion of a list goes with its owner, too: here with the ReplicaSet of a former revision.
func TestDependentThatComesLater(t *testing.T) {
	without := func(name, cpu string) *appsv1.Deployment {
		return with(deployment(name, 1, cpu), func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = pointer[int32](0) })
	}
	r, c := read(t, whatif.Options{}).Apply(without("a", "1"), without("b", "1"))
	former := r.Pods[1].Object.OwnerReferences[0]
	late := &corev1.ConfigMap{ObjectMeta: meta("late")}
	late.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: former.Name}}
	for _, test := range []struct {
		objects []admit.APIObject
		want    whatif.Action
	}{
		{[]admit.APIObject{without("a", "2"), late}, whatif.Deleted},
		{[]admit.APIObject{without("a", "2"), late, without("b", "2")}, whatif.NotFound},
	} {
		_, after := c.Apply(test.objects...)
		r, _ := after.Delete(late)
		testkit.Equal(t, r.Objects[0].Action, test.want, len(test.objects))
	}
}

// A namespace is forgotten with its last object, and kept for a pod, a LimitRange or another object.
func TestForgetsNamespaces(t *testing.T) {
	meta := func(namespace string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: namespace, Name: "x"} }
	pod := &corev1.Pod{ObjectMeta: meta("pod"), Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", nil, nil)}}}
	objects := []admit.APIObject{pod, &corev1.LimitRange{ObjectMeta: meta("range")}, &corev1.ResourceQuota{ObjectMeta: meta("quota")},
		&corev1.ConfigMap{ObjectMeta: meta("other")}}
	_, all := read(t, whatif.Options{}).Apply(objects...)
	testkit.NoDiff(t, whatif.NamespacesOf(all), []string{"other", "pod", "quota", "range"})
	_, some := all.Delete(objects[1:]...)
	testkit.NoDiff(t, whatif.NamespacesOf(some), []string{"pod"})
	_, none := some.Delete(pod)
	testkit.NoDiff(t, whatif.NamespacesOf(none), nil)
	testkit.NoDiff(t, whatif.NamespacesOf(all), []string{"other", "pod", "quota", "range"})
}

// Options that no namespace may have are an error, and there is no cluster.
func TestReadInvalidOptions(t *testing.T) {
	if c, err := whatif.Read(nil, whatif.Options{Admission: admit.Options{Incomplete: []string{"Pod"}}}); err == nil || c != nil {
		t.Errorf("%v, %v", c, err)
	}
}
