package objects

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Place says where an object stands.
type Place struct {
	file     string
	document int    // counts from 1; 0 for the file itself
	item     string // within a List: items[2]; otherwise empty
	object   string // kind, namespace and name, as far as known
	Turn     int    // of the object among all that were read
}

// Source returns the place in the input.
func (p Place) Source() Source { return Source{p.file, p.document, p.item} }

// Source is the place in the input.
type Source struct {
	File     string `json:"file"`           // as given; "-" is the standard input
	Document int    `json:"document"`       // counts from 1
	Item     string `json:"item,omitempty"` // in a List: items[2]
}

// String returns the place in words: "web.yaml, document 2, items[0]".
func (s Source) String() string {
	place := fmt.Sprintf("%s, document %d", s.File, s.Document)
	if s.Item != "" {
		place += ", " + s.Item
	}
	return place
}

// Problem is a line for the user: why a file, a document or an object is not
// reported.
type Problem struct {
	Place
	field string
	text  string
	Grade Grade
}

// Fault is something wrong with a field of an object, or with all of it if the field is empty.
type Fault struct{ Field, Text string }

// Problems returns a problem for each fault.
func Problems(at Place, grade Grade, faults ...Fault) []Problem {
	var problems []Problem
	for _, f := range faults {
		problems = append(problems, Problem{Place: at, field: f.Field, text: wording.OneLine(f.Text), Grade: grade})
	}
	return problems
}

// Grade says what a problem amounts to.
type Grade int

const (
	Unreadable Grade = iota // it could not be read
	Invalid                 // it can be read, but the API server would reject it
	Skipped                 // it is nothing that is to be reported, which is no error
)

// Code returns the exit code that a problem stands for.
func (p Problem) Code() int {
	switch p.Grade {
	case Skipped:
		return command.OK
	case Invalid:
		return command.Rejected
	case Unreadable:
	}
	return command.Unread
}

// String returns the problem on one line, from the file down to the field.
func (p Problem) String() string {
	parts := []string{wording.Printable(p.file)}
	if p.document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.document))
	}
	for _, part := range []string{p.item, p.object, p.field} {
		if part != "" {
			parts = append(parts, wording.Printable(part))
		}
	}
	if p.Grade == Skipped {
		parts = append(parts, "skipped")
	}
	return strings.Join(append(parts, wording.Printable(p.text)), ": ")
}
