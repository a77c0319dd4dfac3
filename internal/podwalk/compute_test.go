package podwalk_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

var computeNames = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}

// The enumerations. The tests of the architecture compare each list with the constants of its type.
var (
	allKinds  = []podwalk.Kind{podwalk.App, podwalk.Init, podwalk.Sidecar}
	bothLists = []podwalk.List{podwalk.Requests, podwalk.Limits}
)

// The pods that properties draw have containers of each kind, with each list.
func TestDrawsReachEveryKind(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		cs := podwalk.Of(specs().Draw(t, "spec"))
		for i := range cs.Len() {
			kind, c := cs.At(i)
			for _, list := range bothLists {
				if len(list.Of(&c.Resources)) > 0 {
					reached = append(reached, fmt.Sprint("kind ", kind, " list ", list))
				}
			}
		}
		return reached
	}, slices.Concat(testkit.Each("kind 1 list ", bothLists), testkit.Each("kind 2 list ", bothLists), testkit.Each("kind 3 list ", bothLists))...)
}

// sumOf is the slow twin of the fast paths: Sum over Exact, amount by amount.
func sumOf(spec *corev1.PodSpec, list podwalk.List, name corev1.ResourceName, missing corev1.ResourceList) podwalk.Exact {
	var sum podwalk.Sum[podwalk.Exact]
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(cs.AppsFirst(i))
		amount := podwalk.ExactIn(list.Of(&c.Resources), name)
		if !amount.Set {
			amount = podwalk.ExactIn(missing, name)
		}
		sum.Add(kind, amount)
	}
	return sum.Total()
}

// isComplete is the slow twin of Complete.
func isComplete(spec *corev1.PodSpec, list podwalk.List, name corev1.ResourceName) bool {
	complete := true
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		q := list.Of(&c.Resources)[name]
		complete = complete && q.Sign() > 0
	}
	return complete
}

// specs draws pod specs, most of them such as the fast paths take.
func specs() *rapid.Generator[*corev1.PodSpec] {
	ordinary := testkit.SpecWith(rapid.Custom(func(t *rapid.T) resource.Quantity {
		return resource.MustParse(rapid.SampledFrom([]string{"100m", "1", "2", "128Mi", "1.5Gi", "1e3", "0"}).Draw(t, "amount"))
	}))
	return rapid.OneOf(ordinary, ordinary, testkit.Spec())
}

func read(spec *corev1.PodSpec, list podwalk.List) (c podwalk.Compute, formats podwalk.Formats, exact bool) {
	exact = c.Read(spec, list, &formats)
	return c, formats, exact
}

func totals(c *podwalk.Compute) (amounts [podwalk.ComputeResources]int64) {
	for i := range c.Resources {
		amounts[i] = c.Resources[i].Total()
	}
	return amounts
}

func TestComputeEqualsSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		list := rapid.SampledFrom(bothLists).Draw(t, "list")
		before := testkit.Fingerprint(spec)
		c, formats, exact := read(spec, list)
		testkit.Equal(t, testkit.Fingerprint(spec), before, "the spec has changed")
		if !exact {
			return
		}
		dst := corev1.ResourceList{}
		uniform := formats.Set(dst, totals(&c))
		if !uniform && len(dst) > 0 {
			t.Fatalf("Set leaves %v", dst)
		}
		for i, name := range computeNames {
			want := sumOf(spec, list, name, nil)
			testkit.Equal(t, c.Resources[i].Total(), quantity.Integer(want.Amount, quantity.ScaleOf(name)), name)
			testkit.Equal(t, c.Complete(i), isComplete(spec, list, name), name, "complete")
			wanted, got := want.Quantity(), dst[name]
			if _, set := dst[name]; uniform && c.IsAll() && (set != want.Set || got.Cmp(wanted) != 0 || set && got.Format != wanted.Format) {
				t.Fatalf("%s: Set has %v %s, want %v %s", name, got.String(), got.Format, wanted.String(), wanted.Format)
			}
		}
		testkit.Equal(t, c.IsAll(), isAll(spec, list), "IsAll")
	})
}

// isAll is the slow twin of IsAll.
func isAll(spec *corev1.PodSpec, list podwalk.List) bool {
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		for name, q := range list.Of(&c.Resources) {
			switch name {
			case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
				if q.IsZero() {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// Amounts of one resource in two formats are computed by Sum, for any resource.
func TestSetLeavesMixedFormats(t *testing.T) {
	for _, name := range computeNames {
		spec := &corev1.PodSpec{Containers: []corev1.Container{
			{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{name: *resource.NewQuantity(1, resource.BinarySI)}}},
			{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{name: *resource.NewQuantity(1, resource.DecimalSI)}}},
		}}
		dst := corev1.ResourceList{}
		c, formats, _ := read(spec, podwalk.Requests)
		if formats.Set(dst, totals(&c)) || len(dst) > 0 {
			t.Errorf("%s: %v", name, dst)
		}
	}
}

func TestBothEqualsItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := specs().Draw(t, "spec")
		spec.Resources = nil
		rules := rapid.SampledFrom(classes).Draw(t, "rules")
		var both podwalk.Both
		requests, _, exact := read(spec, podwalk.Requests)
		limits, _, alsoExact := read(spec, podwalk.Limits)
		if got := both.Read(spec, rules); got != (exact && alsoExact) {
			t.Fatalf("Both reads %v, Compute %v and %v", got, exact, alsoExact)
		} else if !got {
			return
		}
		testkit.NoDiff(t, []podwalk.Compute{both.Requests, both.Limits}, []podwalk.Compute{requests, limits}, cmp.AllowUnexported(podwalk.Compute{}, podwalk.Resource{}, podwalk.Units{}))
		testkit.Equal(t, both.Class, podwalk.Class(spec, rules), "class")
	})
}

// Both resources decide about the class.
func TestClassOfBoth(t *testing.T) {
	for _, test := range []struct {
		cpu, memory string // the requests
		want        corev1.PodQOSClass
	}{
		{"1", "1Gi", corev1.PodQOSGuaranteed},
		{"500m", "1Gi", corev1.PodQOSBurstable},
		{"1", "1Mi", corev1.PodQOSBurstable},
		{"500m", "1Mi", corev1.PodQOSBurstable},
	} {
		var both podwalk.Both
		requests, limits := testkit.List("cpu", test.cpu, "memory", test.memory), testkit.List("cpu", "1", "memory", "1Gi")
		both.Read(&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", requests, limits)}}, release.Rules{})
		testkit.Equal(t, both.Class, test.want, test)
	}
}

// manyContainers returns a pod with more containers than integers can be added up for
// without overflow, each of which requests the largest amount that counts as small.
func manyContainers() *corev1.PodSpec {
	spec := &corev1.PodSpec{}
	for i := range quantity.MaxSmallSum + 1 {
		spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprint(i), testkit.List("memory", fmt.Sprint(int64(quantity.MaxSmall))), nil))
	}
	return spec
}

func TestManyContainers(t *testing.T) {
	spec := manyContainers()
	var added podwalk.Compute
	var b podwalk.Both
	for i := range spec.Containers {
		var formats podwalk.Formats
		if most := i < quantity.MaxSmallSum; added.Add(podwalk.App, spec.Containers[i].Resources.Requests, &formats) != most {
			t.Fatalf("container %d is added: %v", i, !most)
		}
	}
	if b.Read(spec, release.Rules{}) {
		t.Error("integers are added up beyond what cannot overflow")
	}
	want := resource.NewQuantity(quantity.MaxSmall, resource.DecimalSI)
	want.Mul(quantity.MaxSmallSum + 1)
	total := sumOf(spec, podwalk.Requests, "memory", nil).Quantity()
	if total.Cmp(*want) != 0 {
		t.Errorf("%v, want %v", total.String(), want.String())
	}
}

func TestFastPathsDoNotAllocate(t *testing.T) {
	spec := &testkit.StandardPod(false).Spec
	dst := corev1.ResourceList{}
	for name, f := range map[string]func(){
		"Compute": func() { c, formats, _ := read(spec, podwalk.Limits); formats.Set(dst, totals(&c)) },
		"Both":    func() { var b podwalk.Both; b.Read(spec, release.Rules{}) },
		"Class":   func() { podwalk.Class(spec, release.Rules{}) },
		"Sum":     func() { sumOf(spec, podwalk.Requests, "memory", nil) },
	} {
		if got := testing.AllocsPerRun(100, f); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

// The class compares the sums of all containers, whenever they run: an init container that requests
// less than its limit makes a pod Burstable, although the pod as one requests its limit.
func TestBothCountsInitContainers(t *testing.T) {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Container("init", testkit.List("cpu", "1", "memory", "1"), testkit.List("cpu", "2", "memory", "2"))},
		Containers:     []corev1.Container{testkit.Container("app", testkit.List("cpu", "2", "memory", "2"), testkit.List("cpu", "2", "memory", "2"))},
	}
	var both podwalk.Both
	if !both.Read(spec, release.Rules{}) || both.Class != corev1.PodQOSBurstable || podwalk.Class(spec, release.Rules{}) != corev1.PodQOSBurstable {
		t.Errorf("%v, and %v by all amounts", both.Class, podwalk.Class(spec, release.Rules{}))
	}
}

// The largest amounts of some lists count like those of one list that has them all.
func TestAddMax(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var maxima, merged podwalk.Compute
		var formats podwalk.Formats
		small := testkit.ResourceList(testkit.Ordinary())
		wantRead, gotRead := true, true
		for _, kind := range rapid.SliceOfN(rapid.SampledFrom(allKinds), 0, 4).Draw(t, "kinds") {
			lists := rapid.SliceOfN(small, 1, 3).Draw(t, "lists")
			most := corev1.ResourceList{}
			for _, list := range lists {
				for name, q := range list {
					if had, ok := most[name]; !ok || q.Cmp(had) > 0 {
						most[name] = q
					}
				}
			}
			gotRead = gotRead && maxima.AddMax(kind, lists, &formats)
			wantRead = wantRead && merged.Add(kind, most, nil)
		}
		if gotRead && !wantRead {
			t.Fatal("reads lists whose maxima are not exact")
		}
		if !gotRead {
			return
		}
		for i, name := range computeNames {
			got, want := maxima.Resources[i].Total(), merged.Resources[i].Total()
			if got != want || maxima.Complete(i) != merged.Complete(i) {
				t.Fatalf("%s: %d, want %d", name, got, want)
			}
		}
		if maxima.IsAll() && !merged.IsAll() {
			t.Fatal("overlooks a resource")
		}
	})
}
