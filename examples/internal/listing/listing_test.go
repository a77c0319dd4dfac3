package listing_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/internal/testkit"
)

func aList() *listing.List {
	l := &listing.List{Columns: []string{"NAME", "PODS", "CPU", "CPU%", "AGE"}}
	l.Add("node/a", "a", 2, resource.MustParse("1500m"), listing.Percent(9), "2")
	l.Add("node/b", "b", int64(10), nil, nil, nil)
	l.Add("node/c", "c, \x1b[31m", 3, resource.MustParse("2"), listing.Percent(100), "old")
	l.Add("node/d", "d", 3, resource.MustParse("1280450Mi"), listing.Percent(-20), "1")
	return l
}

func TestTexts(t *testing.T) {
	want := [][]string{
		{"NAME", "PODS", "CPU", "CPU%", "AGE"},
		{"a", "2", "1500m", "9%", "2"},
		{"b", "10", "-", "-", "-"},
		{`c, \x1b[31m`, "3", "2", "100%", "old"},
		{"d", "3", "1.2Ti", "-20%", "1"},
	}
	testkit.NoDiff(t, aList().Texts(true), want)
	testkit.NoDiff(t, aList().Texts(false), want[1:], "without headings")
}

// Amounts are exact, and what has a comma is quoted.
func TestCSV(t *testing.T) {
	want := "NAME,PODS,CPU,CPU%,AGE\na,2,1500m,9,2\nb,10,,,\n\"c, \x1b[31m\",3,2,100,old\nd,3,1280450Mi,-20,1\n"
	testkit.Equal(t, aList().CSV(true), want)
	testkit.Equal(t, (&listing.List{Columns: []string{"NAME", "PODS"}}).CSV(true), "NAME,PODS\n", "without rows")
	if got := aList().CSV(false); got != strings.TrimPrefix(want, "NAME,PODS,CPU,CPU%,AGE\n") {
		t.Errorf("without headings: %q", got)
	}
}

func TestNames(t *testing.T) {
	testkit.Equal(t, aList().Names(), "node/a\nnode/b\nnode/c\nnode/d\n")
	if got := listing.NameOf("StatefulSet", "db"); got != "statefulset/db" {
		t.Error(got)
	}
}

// The largest numbers are first, texts by their letters, and nothing last; equal rows keep their order.
func TestSortBy(t *testing.T) {
	for column, want := range map[string]string{"NAME": "abcd", "pods": "bcda", "CPU": "dcab", "cpu%": "cadb", "AGE": "adcb"} {
		l, got := aList(), ""
		if err := l.SortBy(column); err != nil {
			t.Error(err)
		}
		for _, row := range l.Rows {
			got += strings.TrimPrefix(row.Name, "node/")
		}
		testkit.Equal(t, got, want, column)
	}
	for column, want := range map[string]string{
		"CPUS": "CPUS: no such column: did you mean CPU?: want one of NAME, PODS, CPU, CPU%, AGE",
		"x\n":  `x\n: no such column: want one of NAME, PODS, CPU, CPU%, AGE`,
	} {
		if err := aList().SortBy(column); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Integers are compared as numbers: as texts, 9 would be after 10.
func TestSortByIntegers(t *testing.T) {
	l := &listing.List{Columns: []string{"PODS"}}
	l.Add("node/a", int64(9))
	l.Add("node/b", int64(10))
	l.Add("node/c", int64(100))
	if err := l.SortBy("PODS"); err != nil || l.Names() != "node/c\nnode/b\nnode/a\n" {
		t.Errorf("%v, %q", err, l.Names())
	}
}

// Numbers come before texts, also those that names and amounts are, and nothing last.
func TestSortByMixed(t *testing.T) {
	l := &listing.List{Columns: []string{"A"}}
	for i, cell := range []any{nil, "1a", "1", "b", "20", "", resource.MustParse("1500m"), "B", listing.Percent(3), "1k", nil, resource.MustParse("-1"), "0"} {
		l.Add(fmt.Sprint(i, " ", cell), cell)
	}
	testkit.OK(t, l.SortBy("a"))
	var got []string
	for _, row := range l.Rows {
		number, _, _ := strings.Cut(row.Name, " ")
		got = append(got, number)
	}
	// 1k, 20, 3, 1500m, 1, 0, -1; "", 1a, B, b; nothing
	testkit.NoDiff(t, got, []string{"9", "4", "8", "6", "2", "12", "11", "5", "1", "7", "3", "0", "10"})
}

// Rows with the same cell keep their order, however many there are.
func TestSortByIsStable(t *testing.T) {
	l, few, many := &listing.List{Columns: []string{"PODS"}}, "", ""
	for i := range 40 {
		name := fmt.Sprint("node/", i)
		l.Add(name, int64(i%2))
		if i%2 == 0 {
			few += name + "\n"
		} else {
			many += name + "\n"
		}
	}
	testkit.OK(t, l.SortBy("PODS"))
	testkit.Equal(t, l.Names(), many+few)
}

func TestCells(t *testing.T) {
	list := corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Gi")}
	whole := corev1.ResourceList{"cpu": resource.MustParse("3"), "memory": {}}
	for _, test := range []struct{ got, want any }{
		{listing.Amount(list, "cpu"), list["cpu"]},
		{listing.Amount(list, "pods"), nil},
		{listing.Share(list, whole, "cpu"), listing.Percent(33)},
		{listing.Share(list, whole, "memory"), nil},
		{listing.Share(corev1.ResourceList{"cpu": {}}, whole, "cpu"), listing.Percent(0)},
		{listing.Share(list, whole, "pods"), nil},
		{listing.Share(corev1.ResourceList{}, whole, "cpu"), nil},
		{listing.Share(corev1.ResourceList{"cpu": resource.MustParse("7")}, whole, "cpu"), listing.Percent(233)},
		{listing.Amount(corev1.ResourceList{"cpu": {}}, "cpu"), resource.Quantity{}},
		{listing.Text(corev1.PodQOSClass("a")), "a"},
		{listing.Text("a"), "a"},
		{listing.Text(""), nil},
	} {
		testkit.NoDiff(t, test.got, test.want)
	}
}
