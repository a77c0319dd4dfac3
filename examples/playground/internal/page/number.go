package page

import (
	"fmt"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// at is a JSON pointer into the report.
type at string

// to returns the pointer to a value below: by names of fields, resources, and indexes.
func (p at) to(below ...any) at {
	for _, part := range below {
		text, isText := part.(string)
		if !isText {
			text = fmt.Sprint(part)
		}
		p += at("/" + encoded(pointerEscapes.Replace(text)))
	}
	return p
}

// encoded returns a text with its percent signs and unprintable characters encoded as in the fragment
// of a URI.
func encoded(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == '%' }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) && r != '%' {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// number is a number of the report. The zero value is a missing one.
type number struct {
	Text    string // for people, possibly rounded
	Value   string // exactly, as in the report
	Path    at
	Rounded bool
}

// countOf returns a number without a unit.
func countOf[T int | int64](n T, path at) number {
	text := fmt.Sprint(n)
	return number{Text: text, Value: text, Path: path}
}

func quantityOf(q resource.Quantity, path at) number {
	n := number{Text: resourcelist.Short(q), Value: quantity.Canonical(q), Path: path}
	if n.Text != n.Value {
		shown, err := resource.ParseQuantity(n.Text)
		n.Rounded = err != nil || shown.Cmp(q) != 0
	}
	return n
}

// amounts is a list of the report, with its path.
type amounts struct {
	list report.Amounts
	at   at
}

func (a amounts) of(name corev1.ResourceName) number {
	q, has := a.list[name]
	if !has {
		return number{}
	}
	return quantityOf(q, a.at.to(name))
}

func (w *writer) number(n *number) {
	if n.Path == "" {
		w.Raw(`<span class="none">–</span>`)
		return
	}
	w.Around(`<data value="`, n.Value, `"`)
	w.Attribute("data-path", string(n.Path))
	if n.Rounded {
		w.Attribute("title", n.Value)
	}
	w.Around(">", n.Text, "</data>")
}
