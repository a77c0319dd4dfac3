package page

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// table is a table with a heading for each row and each column.
type table struct {
	Caption string
	Class   string
	Corner  words   // the heading above those of the rows
	Groups  []group // headings above those of columns, if any
	Columns []words
	Rows    []row
}

// group is a heading of several columns. It may have no title.
type group struct {
	Title words
	Span  int
}

type row struct {
	Swatch string // its color in other places, if any
	Label  words
	Link   string // the target of its heading, if any
	Class  string
	Cells  []cell
}

// cell has a number, or words, or none of them. It may have a bar.
type cell struct {
	Number number
	Words  words
	Mark   *mark
	Bar    []segment
	Class  string
}

// columns returns headings.
func columns(titles ...string) (list []words) {
	for _, t := range titles {
		list = append(list, words{say(t)})
	}
	return list
}

// cellsOf returns cells with numbers only.
func cellsOf(numbers ...number) (cells []cell) {
	for _, n := range numbers {
		cells = append(cells, cell{Number: n})
	}
	return cells
}

// segment is a part of a bar.
type segment struct {
	Class string
	Width string // in percent
	Title string
}

// share returns a segment for a part of a total. If the total is zero, it has no width. A part that
// exceeds the total is drawn as the total.
func share(class string, part, whole resource.Quantity) segment {
	fraction, _ := resourcelist.Fraction(part, whole)
	return segment{Class: class, Width: fmt.Sprintf("%.2f", 100*min(max(fraction, 0), 1))}
}

// most returns the largest amounts of lists.
func most(lists ...corev1.ResourceList) corev1.ResourceList {
	greatest := corev1.ResourceList{}
	for _, list := range lists {
		greatest = resourcelist.MaxInto(greatest, greatest, list)
	}
	return greatest
}
