package taskrun

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// place is where an object is in the input.
type place struct {
	file     string
	document int    // counts from 1; 0 for the file itself
	item     string // within a List: items[2]; otherwise empty
	object   string // kind, namespace and name, as far as known
}

// String returns the place without the object: "runs.yaml, document 2, items[0]".
func (p place) String() string {
	return strings.Join(p.parts(), ", ")
}

func (p place) parts() []string {
	parts := []string{p.file}
	if p.document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.document))
	}
	if p.item != "" {
		parts = append(parts, p.item)
	}
	return parts
}

// fault is an error in a field of an object.
type fault struct {
	path string
	text string
}

// problem is a line for the user: why something is not compared.
type problem struct {
	place
	fault
	grade grade
}

// grade is the severity of a problem.
type grade int

const (
	unreadable grade = iota
	invalid          // it can be read, but would be rejected
	skipped          // it is not a kind to compare, which is not an error
	warning          // it is read, but is probably a mistake
	failed           // the program itself failed at it
)

func (p problem) exitCode() int {
	return [...]int{unreadable: command.Unread, invalid: command.Rejected, skipped: command.OK, warning: command.OK, failed: command.Failed}[p.grade]
}

// String returns the problem on one line, from the file down to the field.
func (p problem) String() string {
	parts := p.parts()
	for _, part := range []string{p.object, p.path} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	switch p.grade {
	case skipped:
		parts = append(parts, "skipped")
	case warning:
		parts = append(parts, "warning")
	case unreadable, invalid, failed:
	}
	text := strings.Join(strings.Fields(p.text), " ") // on one line
	return printable(strings.Join(append(parts, text), ": "))
}

// printable escapes line breaks and control characters.
func printable(s string) string {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
