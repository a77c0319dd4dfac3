package answer

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// documents reads a text again and again while somebody writes it: what has not changed is not decoded again, and its
// objects are the same. They must not be modified.
type documents struct {
	read map[string][]objects.Object // by text
	all  []document
}

// document is a part of the text between two lines that separate documents.
type document struct {
	text    string
	line    int // where it begins, from 1
	objects []objects.Object
}

// set reads a text.
func (d *documents) set(text string) {
	before := d.read
	d.read, d.all = map[string][]objects.Object{}, nil
	for line := 1; text != ""; {
		part := document{text: text[:documentEnd(text)], line: line}
		text = text[len(part.text):]
		line += strings.Count(part.text, "\n")
		list, known := before[part.text]
		if _, twice := d.read[part.text]; twice || !known { // another document of the same text is another object
			list = decoded(part.text)
		}
		part.objects = list
		if !slices.ContainsFunc(list, isUnnamed) {
			d.read[part.text] = list
		}
		if !part.hasObjects() { // errors name lines of the whole text
			part.objects = decoded(strings.Repeat("\n", part.line-1) + part.text)
		}
		d.all = append(d.all, part)
	}
}

// isUnnamed reports whether the name of an object is yet to be generated: it depends on the objects before.
func isUnnamed(o objects.Object) bool {
	named, is := o.Typed.(metav1.Object)
	return is && named.GetName() == ""
}

func decoded(text string) (list []objects.Object) {
	for o := range (objects.Reader{Kinds: inventory.Kinds, Check: objects.Warn, Matters: true}).File(File, strings.NewReader(text)) {
		list = append(list, o)
	}
	return list
}

// documentEnd returns where the first document of a text ends: before a line that begins another one.
func documentEnd(text string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], "\n---")
		if i < 0 {
			return len(text)
		}
		at += i + 1
		if rest := text[at+3:]; rest == "" || strings.ContainsRune(" \t\r\n", rune(rest[0])) {
			return at
		}
	}
}

// list returns the objects as those of a comparison, and what is wrong with the text, errors first.
func (d *documents) list() (l inventory.List, problems []Problem) {
	l = inventory.List{Home: "default"}
	var warnings []Problem
	for i := range d.all {
		part := &d.all[i]
		n := len(l.Problems)
		l.Read(slices.Values(part.objects))
		for _, p := range l.Problems[n:] {
			line := p.Begins()
			if part.hasObjects() {
				line = fieldLine(part.text, line, p.Field)
				if line > 0 {
					line += part.line - 1
				}
			}
			switch found := problem(Error, line, p.Named, p.Field, p.Text); p.Grade {
			case objects.Skipped:
			case objects.Warning, objects.Uncomputed:
				found.Level = Warning
				warnings = append(warnings, found)
			case objects.Invalid, objects.Unreadable, objects.Failed:
				problems = append(problems, found)
			}
		}
	}
	return l, append(problems, warnings...)
}

// of returns the document of an object, nil if there is none.
func (d *documents) of(object any) *document {
	for i := range d.all {
		if slices.ContainsFunc(d.all[i].objects, func(o objects.Object) bool { return o.Typed == object }) {
			return &d.all[i]
		}
	}
	return nil
}

func (d *document) hasObjects() bool {
	return slices.ContainsFunc(d.objects, func(o objects.Object) bool { return o.Typed != nil })
}
