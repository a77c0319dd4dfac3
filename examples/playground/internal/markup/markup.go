// Package markup writes HTML that is also well-formed XML. Package html/template would check more, but makes a program
// for WebAssembly twice as large, because the linker then keeps every exported method, and takes many times as long.
//
// What is written unescaped has the type HTML, which constants convert to by themselves and strings do not: a text of
// the input cannot become markup by mistake.
package markup

import "strings"

// HTML is markup. Only constants should be converted to it.
type HTML string

// Writer writes HTML. Its zero value is ready to use.
type Writer struct{ b strings.Builder }

// String returns what was written.
func (w *Writer) String() string { return w.b.String() }

// Raw writes markup.
func (w *Writer) Raw(h HTML) { w.b.WriteString(string(h)) }

// Text writes a text, escaped for the content of an element and for the value of an attribute in double quotes.
func (w *Writer) Text(text string) {
	_, _ = escapes.WriteString(&w.b, text) // to memory
}

// Around writes a text between markup.
func (w *Writer) Around(before HTML, text string, after HTML) {
	w.Raw(before)
	w.Text(text)
	w.Raw(after)
}

// Attribute writes a space and an attribute, if its value is not empty.
func (w *Writer) Attribute(name HTML, value string) {
	if value == "" {
		return
	}
	w.Raw(" " + name + `="`)
	w.Around("", value, `"`)
}

// If writes markup under a condition.
func (w *Writer) If(condition bool, h HTML) {
	if condition {
		w.Raw(h)
	}
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD")
