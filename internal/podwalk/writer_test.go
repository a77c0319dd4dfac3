package podwalk_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

// written is a pod whose containers share one list, which its pod-level resources have, too.
func written() *corev1.PodSpec {
	list := testkit.List("cpu", "1", "memory", "1.5Gi")
	return &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Sidecar("sidecar", list, nil)},
		Containers:     []corev1.Container{testkit.Container("a", list, list), testkit.Container("b", list, list)},
		Resources:      &corev1.ResourceRequirements{Requests: list, Claims: []corev1.ResourceClaim{{Name: "gpu"}}},
		Overhead:       testkit.List("cpu", "1"),
	}
}

func TestWriterWritesOneList(t *testing.T) {
	list, two := testkit.List("cpu", "1", "memory", "1.5Gi"), resource.MustParse("2")
	changed := testkit.List("cpu", "2", "memory", "1.5Gi")
	type lists struct{ Requests, Limits corev1.ResourceList }
	for _, test := range []struct {
		name  string
		write func(w *podwalk.Writer)
		want  []lists // of the sidecar, of a, of b, and of the pod
	}{
		{"a request", func(w *podwalk.Writer) { w.Set(1, podwalk.Requests, "cpu", two) }, []lists{{list, nil}, {changed, list}, {list, list}, {list, nil}}},
		{"a limit", func(w *podwalk.Writer) { w.Set(2, podwalk.Limits, "cpu", two) }, []lists{{list, nil}, {list, list}, {list, changed}, {list, nil}}},
		{"a list that was not set", func(w *podwalk.Writer) { w.Set(0, podwalk.Limits, "cpu", two) }, []lists{{list, testkit.List("cpu", "2")}, {list, list}, {list, list}, {list, nil}}},
		{"of the pod", func(w *podwalk.Writer) { w.Set(3, podwalk.Requests, "cpu", two) }, []lists{{list, nil}, {list, list}, {list, list}, {changed, nil}}},
		{"removed", func(w *podwalk.Writer) { w.Delete(1, podwalk.Limits, "memory") }, []lists{{list, nil}, {list, testkit.List("cpu", "1")}, {list, list}, {list, nil}}},
		{"both lists, twice", func(w *podwalk.Writer) {
			w.Set(1, podwalk.Requests, "cpu", resource.MustParse("3"))
			w.Set(1, podwalk.Limits, "cpu", two)
			w.Delete(1, podwalk.Requests, "memory")
			w.Set(1, podwalk.Requests, "cpu", two)
		}, []lists{{list, nil}, {testkit.List("cpu", "2"), changed}, {list, list}, {list, nil}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			template := written()
			spec := *template
			w := podwalk.Writer{Spec: &spec}
			test.write(&w)
			var got []lists
			cs := podwalk.Of(&spec)
			for i := range cs.Len() {
				_, c := cs.At(i)
				got = append(got, lists{c.Resources.Requests, c.Resources.Limits})
			}
			got = append(got, lists{spec.Resources.Requests, spec.Resources.Limits})
			testkit.NoDiff(t, got, test.want)
			testkit.NoDiff(t, spec.Resources.Claims, template.Resources.Claims, "claims")
			testkit.NoDiff(t, template, written(), "the template")
		})
	}
}

func TestWriterSetsPodLevel(t *testing.T) {
	spec := &corev1.PodSpec{}
	w := podwalk.Writer{Spec: spec}
	w.Delete(0, podwalk.Requests, "cpu")
	testkit.NoDiff(t, spec.Resources, nil, "nothing removed")
	w.Set(0, podwalk.Limits, "cpu", resource.MustParse("2"))
	testkit.NoDiff(t, spec.Resources, &corev1.ResourceRequirements{Limits: testkit.List("cpu", "2")})
}

// An amount that shares its decimal with the one that is set becomes a copy.
func TestWriterCopiesAmounts(t *testing.T) {
	spec, amount := written(), resource.MustParse("1.5Gi")
	spec.Containers[0].Resources.Requests["memory"] = amount
	w := podwalk.Writer{Spec: spec}
	w.Set(1, podwalk.Requests, "memory", amount)
	amount.Add(amount)
	if got := spec.Containers[0].Resources.Requests.Memory(); got.String() != "1536Mi" {
		t.Errorf("%v, want 1536Mi", got)
	}
}

func TestWriterCopiesOnlyWhatChanges(t *testing.T) {
	spec, same := written(), *resource.NewQuantity(1, resource.DecimalSI)
	list := spec.Containers[0].Resources.Requests
	list["cpu"], list["memory"] = same, same // rounding a decimal allocates
	if allocs := testing.AllocsPerRun(100, func() {
		w := podwalk.Writer{Spec: spec}
		w.Set(1, podwalk.Requests, "cpu", same)
		w.Delete(1, podwalk.Limits, "example.com/gpu")
		w.RoundUp()
	}); allocs > 0 {
		t.Errorf("%v allocations for no change", allocs)
	}

	inits, resources := &spec.InitContainers[0], spec.Resources
	w := podwalk.Writer{Spec: spec}
	w.Set(1, podwalk.Requests, "cpu", resource.MustParse("2"))
	if inits != &spec.InitContainers[0] || resources != spec.Resources {
		t.Error("copied init containers or pod-level resources, which do not change")
	}
	app := &spec.Containers[0]
	w.Set(2, podwalk.Requests, "cpu", resource.MustParse("2"))
	if app != &spec.Containers[0] {
		t.Error("copied the containers a second time")
	}
}

func TestWriterRoundsUp(t *testing.T) {
	fine := testkit.List("cpu", "1500u", "memory", "1")
	template := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", fine, nil)}, Overhead: fine, Resources: &corev1.ResourceRequirements{Limits: fine}}
	spec := *template
	w := podwalk.Writer{Spec: &spec}
	w.RoundUp()
	rounded := testkit.List("cpu", "2m", "memory", "1")
	for name, got := range map[string]corev1.ResourceList{"container": spec.Containers[0].Resources.Requests, "overhead": spec.Overhead, "pod": spec.Resources.Limits} {
		testkit.NoDiff(t, got, rounded, name)
	}
	testkit.NoDiff(t, fine, testkit.List("cpu", "1500u", "memory", "1"), "the list of the template")
}
