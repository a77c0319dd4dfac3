package manifest

import (
	"fmt"
	"strings"

	"github.com/kubemath/kubemath/examples/podreport/internal/wording"
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
	Grade grade
}

// Grade says what a problem amounts to.
type grade int

const (
	unreadable grade = iota
	Invalid          // it can be read, but the API server would reject it
	Skipped          // it is nothing that is to be reported, which is no error
)

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
