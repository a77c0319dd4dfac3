// Package listing has rows under headings, as kubectl get prints them, and writes them as text, as CSV or as names.
package listing

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// List is rows under headings.
type List struct {
	Columns []string
	Rows    []Row
}

// Row is what is listed about an object, with a cell for each column: a text, an integer, a Percent, a resource.Quantity,
// or nil if there is nothing to say.
type Row struct {
	Name  string // as -o name writes it: see NameOf
	Cells []any
}

// Percent is a percentage.
type Percent int64

// Add adds a row.
func (l *List) Add(name string, cells ...any) { l.Rows = append(l.Rows, Row{name, cells}) }

// NameOf returns the name of an object as kubectl takes it: deployment/web.
func NameOf(kind, name string) string { return strings.ToLower(kind) + "/" + name }

// Text returns the cell of a text, nil if it is empty.
func Text[S ~string](text S) any {
	if text == "" {
		return nil
	}
	return string(text)
}

// Amount returns the cell of a resource of a list, nil if it is not set.
func Amount[L ~map[corev1.ResourceName]resource.Quantity](list L, name corev1.ResourceName) any {
	if q, isSet := list[name]; isSet {
		return q
	}
	return nil
}

// Share returns the cell of what percentage a part is of a whole, nil without one of them.
func Share[L ~map[corev1.ResourceName]resource.Quantity](part, whole L, name corev1.ResourceName) any {
	amount, isSet := part[name]
	if percent, isPart := resourcelist.Percent(amount, whole[name]); isSet && isPart {
		return Percent(percent)
	}
	return nil
}

// SortBy sorts the rows by a column, whose case does not matter: the largest numbers first, then texts by their letters, and
// nothing at all last.
func (l *List) SortBy(column string) error {
	i := slices.IndexFunc(l.Columns, func(name string) bool { return strings.EqualFold(name, column) })
	if i < 0 {
		return fmt.Errorf("%s: no such column%s: want one of %s", wording.Printable(column), wording.DidYouMean(column, l.Columns),
			strings.Join(l.Columns, ", "))
	}
	slices.SortStableFunc(l.Rows, func(a, b Row) int { return compare(a.Cells[i], b.Cells[i]) })
	return nil
}

func compare(a, b any) int {
	x, isNumber := number(a)
	y, isOther := number(b)
	switch {
	case isNumber && isOther:
		return y.Cmp(x)
	case a == nil && b == nil:
		return 0
	case a == nil, isOther:
		return 1
	case b == nil, isNumber:
		return -1
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func number(cell any) (q resource.Quantity, isNumber bool) {
	if q, is := cell.(resource.Quantity); is {
		return q, true
	}
	q, err := quantity.Parse(fmt.Sprint(cell)) // also of a text
	return q, err == nil
}

// Texts returns the rows for people, below the headings unless there are to be none.
func (l *List) Texts(headings bool) [][]string {
	return l.texts(headings, func(cell any) string {
		text := fmt.Sprint(cell)
		switch v := cell.(type) {
		case nil:
			text = "-"
		case resource.Quantity:
			text = resourcelist.Short(v)
		case Percent:
			text += "%"
		}
		return wording.Printable(text)
	})
}

// CSV returns the rows for programs: exact amounts, percentages without a sign, and empty cells for nothing.
func (l *List) CSV(headings bool) string {
	var b strings.Builder
	csv.NewWriter(&b).WriteAll(l.texts(headings, func(cell any) string { // into memory
		switch v := cell.(type) {
		case nil:
			return ""
		case resource.Quantity:
			return quantity.Canonical(v)
		}
		return fmt.Sprint(cell)
	}))
	return b.String()
}

func (l *List) texts(headings bool, text func(cell any) string) (rows [][]string) {
	if headings {
		rows = append(rows, l.Columns)
	}
	for _, row := range l.Rows {
		var texts []string
		for _, cell := range row.Cells {
			texts = append(texts, text(cell))
		}
		rows = append(rows, texts)
	}
	return rows
}

// Names returns the names of the rows, a line each.
func (l *List) Names() string {
	var b strings.Builder
	for _, row := range l.Rows {
		b.WriteString(row.Name + "\n")
	}
	return b.String()
}
