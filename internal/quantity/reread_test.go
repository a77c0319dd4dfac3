package quantity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
		if err != nil {
			t.Fatal(err)
		}
		var read resource.Quantity
		if err := read.UnmarshalJSON(text); err != nil || read.Cmp(q) != 0 {
			return // beyond what can be read
		}
		if again := quantity.Reread(got); got.Format != read.Format || quantity.Text(&got) != read.String() || again.Format != got.Format {
			t.Fatalf("%s is read as %s in the format %s; got %s in %s", text, read.String(), read.Format, quantity.Text(&got), got.Format)
		}
	})
}
