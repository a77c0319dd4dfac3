package main

import (
	"fmt"
	"strings"
)

// place says where an object stands.
type place struct {
	file     string
	document int    // counts from 1; 0 for the file itself
	item     string // within a List: items[2]; otherwise empty
	object   string // kind, namespace and name, as far as known
	turn     int    // of the object among all that were read
}

func (p place) source() Source { return Source{p.file, p.document, p.item} }

// problem is a line for the user: why a file, a document or an object is not
// reported.
type problem struct {
	place
	field string
	text  string
	grade grade
}

// grade says what a problem amounts to.
type grade int

const (
	unreadable grade = iota
	invalid          // it can be read, but the API server would reject it
	skipped          // it is nothing that is to be reported, which is no error
)

// String returns the problem on one line, from the file down to the field.
func (p problem) String() string {
	parts := []string{printable(p.file)}
	if p.document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.document))
	}
	for _, part := range []string{p.item, p.object, p.field} {
		if part != "" {
			parts = append(parts, printable(part))
		}
	}
	if p.grade == skipped {
		parts = append(parts, "skipped")
	}
	return strings.Join(append(parts, printable(p.text)), ": ")
}
