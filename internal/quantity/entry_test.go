package quantity_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFind(t *testing.T) {
	list := testkit.List("cpu", "0", "memory", "-1", "storage", "1E")
	for name, want := range map[corev1.ResourceName]string{"cpu": "0", "memory": "-1", "storage": "1E"} {
		if got := quantity.Find(list, name); got == nil || got.Cmp(resource.MustParse(want)) != 0 {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	testkit.NoDiff(t, quantity.Find(list, "pods"), nil, "an entry that is not there")
	testkit.NoDiff(t, quantity.Find(nil, "cpu"), nil, "an entry of nil")
	quantity.Find(list, "cpu").Set(7)
	if q := list["cpu"]; !q.IsZero() {
		t.Errorf("changing the copy of an entry changed it to %v", q.String())
	}
}

// Each quantity is held by a decimal, which a plain copy shares.
func TestCloneAndSetShareNothing(t *testing.T) {
	for _, s := range []string{"0", "1", "1n", "-1.5Gi", "10P", "1E", "123456789012345678901234.5"} {
		t.Run(s, func(t *testing.T) {
			q := resource.MustParse(s)
			q.AsDec()
			before := testkit.Fingerprint(q)
			clone, list := quantity.Clone(&q), corev1.ResourceList(nil)
			quantity.Set(&list, "cpu", q)
			quantity.Set(&list, "memory", q)
			quantity.Set(&list, "memory", q)
			if memory := list["memory"]; clone.Cmp(q) != 0 || memory.Cmp(q) != 0 || len(list) != 2 {
				t.Errorf("clone %v, list %v, want %s", clone, list, s)
			}
			clone.Add(resource.MustParse("1"))
			cpu := list["cpu"]
			cpu.Add(resource.MustParse("1"))
			testkit.Equal(t, testkit.Fingerprint(q), before, "changing a copy changed the quantity to", &q)
			if memory := list["memory"]; memory.Cmp(q) != 0 {
				t.Errorf("changing an entry changed another to %s", memory.String())
			}
		})
	}
	testkit.NoDiff(t, quantity.Clone(nil), nil, "nil has a copy")
}

func TestText(t *testing.T) {
	for _, want := range []string{"0", "100m", "-1n", "1536Mi", "10P", "1E", "20E", "1e300"} {
		q := resource.MustParse(want)
		before := testkit.Fingerprint(q)
		testkit.Equal(t, quantity.Text(&q), want)
		testkit.Equal(t, testkit.Fingerprint(q), before, "the string of", want, "is cached")
	}
	testkit.Equal(t, quantity.Text(nil), "", "of nil")
}

func TestSetReplaces(t *testing.T) {
	list := testkit.List("cpu", "1")
	same := list
	quantity.Set(&list, "cpu", resource.MustParse("2"))
	if q := same["cpu"]; len(same) != 1 || q.Value() != 2 {
		t.Errorf("%v", same)
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		name  string
		lists []corev1.ResourceList
		want  []corev1.ResourceName
	}{
		{"no lists", nil, nil},
		{"empty lists", []corev1.ResourceList{nil, {}}, nil},
		{"one list", []corev1.ResourceList{testkit.List("memory", "1", "cpu", "0", "pods", "-1")}, []corev1.ResourceName{"cpu", "memory", "pods"}},
		{"lists that share a name", []corev1.ResourceList{testkit.List("memory", "1", "cpu", "1"), nil, testkit.List("cpu", "2", "a", "1")}, []corev1.ResourceName{"a", "cpu", "memory"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := quantity.Names(test.lists...); !slices.Equal(got, test.want) || got == nil != (test.want == nil) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
