package quantity_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

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

func TestReread(t *testing.T) {
	sum := func(a, b string) resource.Quantity {
		q := resource.MustParse(a)
		q.Add(resource.MustParse(b))
		return q
	}
	exponent := *resource.NewQuantity(1, resource.DecimalExponent)
	for _, test := range []struct {
		q      resource.Quantity
		format resource.Format
		text   string
		plus1k string // after 1000 is added
	}{
		{resource.MustParse("1Gi"), resource.BinarySI, "1Gi", "1073742824"},
		{resource.MustParse("24Ki"), resource.BinarySI, "24Ki", "25576"},
		{sum("1Ki", "24"), resource.DecimalSI, "1048", "2048"},
		{sum("1Ki", "976"), resource.DecimalSI, "2k", "3k"},
		{sum("1Ki", "1Ki"), resource.BinarySI, "2Ki", "3048"},
		{sum("1Ki", "500m"), resource.DecimalSI, "1024500m", "2024500m"},
		{sum("1Ki", "-1Ki"), resource.DecimalSI, "0", "1k"},
		{sum("512Mi", "1e9"), resource.DecimalSI, "1536870912", "1536871912"},
		{resource.MustParse("1e0"), resource.DecimalExponent, "1e0", "1001"},
		{resource.MustParse("1e3"), resource.DecimalExponent, "1e3", "2e3"},
		{exponent, resource.DecimalSI, "1", "1001"},
		{resource.MustParse("+1"), resource.DecimalSI, "+1", "1001"},
		{sum("8Ei", "8Ei"), resource.DecimalSI, "18446744073709551614", "18446744073709552614"},
	} {
		list := corev1.ResourceList{"a": test.q}
		quantity.RereadAll(list)
		got := quantity.Reread(test.q)
		text := quantity.Text(&got)
		testkit.Equal(t, list["a"].Format, test.format, text, "in a list is read in the format")
		if got.Format != test.format || text != test.text || got.Cmp(test.q) != 0 {
			t.Errorf("%s is read as %s in the format %s, want %s in %s", quantity.Text(&test.q), text, got.Format, test.text, test.format)
		}
		if got.Add(resource.MustParse("1000")); got.String() != test.plus1k {
			t.Errorf("%s and 1000 are %s, want %s", test.text, got.String(), test.plus1k)
		}
	}
}

// What is read from the text of a quantity is the quantity, and reading it again changes nothing.
func TestRereadIsReadFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "q")
		q.Add(testkit.Quantity().Draw(t, "other"))
		got := quantity.Reread(q)
		testkit.Equal(t, got.Cmp(q), 0, quantity.Text(&q), "is", quantity.Text(&got))
		text, err := q.MarshalJSON()
		testkit.OK(t, err)
		var read resource.Quantity
		if err := read.UnmarshalJSON(text); err != nil || read.Cmp(q) != 0 {
			return // beyond what can be read
		}
		if again := quantity.Reread(got); got.Format != read.Format || quantity.Text(&got) != read.String() || again.Format != got.Format {
			t.Fatalf("%s is read as %s in the format %s; got %s in %s", text, read.String(), read.Format, quantity.Text(&got), got.Format)
		}
	})
}
