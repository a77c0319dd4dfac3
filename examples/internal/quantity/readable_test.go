package quantity

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

func TestReadable(t *testing.T) {
	for _, test := range []struct{ exact, want string }{
		{"0", "0"},
		{"1", "1"},
		{"250m", "250m"},
		{"1050m", "1050m"},
		{"1500m", "1.5"},
		{"12345m", "12.3"},
		{"12350m", "12.4"}, // half away from zero: 1235 of four digits would be another amount
		{"-12350m", "-12.4"},
		{"-500m", "-500m"},
		{"1536Mi", "1.5Gi"},
		{"2176Mi", "2176Mi"},
		{"-2176Mi", "-2176Mi"},
		{"1280450Mi", "1.2Ti"},
		{"1048575Mi", "1Ti"}, // rounded up to the next unit
		{"999960", "1M"},
		{"999940", "999.9k"},
		{"512Ki", "512Ki"},
		{"128974848", "129M"},
		{"2000001", "2M"},
		{"20k", "20k"},
		{"3n", "3n"},
		{"1e3", "1k"},
		{"1e21", "1000E"},
		{"1e36", "1e36"},
		{"7Ei", "7Ei"},
	} {
		q := resource.MustParse(test.exact)
		if got := Readable(q); got != test.want {
			t.Errorf("Readable(%s) = %s, want %s", test.exact, got, test.want)
		}
		if q.String() != test.exact {
			t.Errorf("Readable changed %s to %s", test.exact, q.String())
		}
	}
}
