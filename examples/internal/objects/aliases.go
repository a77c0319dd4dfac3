package objects

import (
	"bytes"
	"math"
)

const (
	// maxExpanded is the maximum length of a YAML document after its aliases are expanded.
	maxExpanded = 32 << 20
	maxAnchors  = 1000
)

// anchor is what a name stands for: the text from the anchor up to a length, or for as long as it is open.
type anchor struct {
	column           int // of the line
	quotes, brackets int // before it
	before, length   int64
	closed           bool
}

// expandedLength returns an upper bound of the length of a document after its aliases are expanded, and 0
// for one without aliases. The text of an anchor ends before the first line that is not indented further,
// unless that is within brackets or quotes. An alias stands at most for the text from its anchor on.
func expandedLength(text []byte) int64 {
	if bytes.IndexByte(text, '*') < 0 || bytes.IndexByte(text, '&') < 0 {
		return 0
	}
	anchors, open := map[string]*anchor{}, []*anchor(nil)
	length, quotes, brackets := int64(0), 0, 0
	for line := range bytes.Lines(text) {
		column := len(line) - len(bytes.TrimLeft(line, " "))
		if content := bytes.TrimSpace(line); len(content) > 0 && content[0] != '#' {
			still := open[:0]
			for _, a := range open {
				ended := column < a.column || column == a.column && content[0] != '-'
				if ended && a.brackets == brackets && (quotes-a.quotes)%2 == 0 {
					a.length, a.closed = length-a.before, true
				} else {
					still = append(still, a)
				}
			}
			open = still
		}
		for i, c := range line {
			length++
			switch c {
			case '[', '{':
				brackets++
			case ']', '}':
				brackets--
			case '"':
				quotes++
			case '\'':
				if i == 0 || i+1 == len(line) || !letter(line[i-1]) || !letter(line[i+1]) {
					quotes++
				}
			case '&':
				if len(anchors) >= maxAnchors {
					return math.MaxInt64
				}
				a := &anchor{column: column, quotes: quotes, brackets: brackets, before: length}
				anchors[name(line[i+1:])] = a
				open = append(open, a)
			case '*':
				a := anchors[name(line[i+1:])]
				if a == nil {
					continue
				}
				if a.closed {
					length += a.length
				} else {
					length += length - a.before
				}
				if length > maxExpanded {
					return length
				}
			}
		}
	}
	return length
}

// name returns the name of an anchor or an alias.
func name(text []byte) string {
	end := bytes.IndexAny(text, " \t\r\n,[]{}")
	if end < 0 {
		end = len(text)
	}
	return string(text[:end])
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
