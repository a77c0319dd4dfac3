package objects

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"

	"k8s.io/apimachinery/pkg/util/yaml"
)

const (
	// maxExpanded is the maximum length that aliases add to a YAML document. The decoder limits how many values they
	// add, but not how long these are.
	maxExpanded = 32 << 20
	maxAnchors  = 1000
)

// anchor is what a name stands for: the text from the anchor up to a length, or for as long as it is open.
type anchor struct {
	column           int // of the line
	quotes, brackets int // before it
	before, length   int64
	closed           bool
	ahead            bool // the text begins on a later line, which may be indented less
}

// addedByAliases returns an upper bound of the length that aliases add to a document. It may be too large by far if texts
// of the document look like aliases. The text of an anchor ends before the first line that is not indented further,
// unless that is within brackets or quotes. An alias stands at most for the text from its anchor on.
func addedByAliases(text []byte) int64 {
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
				if a.ahead {
					a.column, a.ahead = min(a.column, column), false
					still = append(still, a)
					continue
				}
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
				if !beginsNode(line, i) {
					continue
				}
				if len(anchors) >= maxAnchors {
					return math.MaxInt64
				}
				a := &anchor{column: column, quotes: quotes, brackets: brackets, before: length, ahead: startsLater(line[i+1:])}
				anchors[name(line[i+1:])] = a
				open = append(open, a)
			case '*':
				a := anchors[name(line[i+1:])]
				if a == nil || !beginsNode(line, i) {
					continue
				}
				if a.closed {
					length += a.length
				} else {
					length += length - a.before
				}
				if length > int64(len(text))+maxExpanded {
					return length
				}
			}
		}
	}
	return length - int64(len(text))
}

// anchorName matches the name of an anchor or an alias, in the characters that the decoder allows.
var anchorName = regexp.MustCompile(`^[0-9A-Za-z_-]+`)

// name returns the name of an anchor or an alias; empty if there is none.
func name(text []byte) string { return string(anchorName.Find(text)) }

// beginsNode reports whether an anchor or an alias may begin at a position of a line: whether it has a name and is
// the first on the line, or behind an indicator or a tag. Texts and comments may have such places, too.
func beginsNode(line []byte, i int) bool {
	before := bytes.TrimRight(line[:i], " \t")
	if name(line[i+1:]) == "" {
		return false
	}
	if len(before) == 0 || bytes.IndexByte([]byte("-?:,[{"), before[len(before)-1]) >= 0 {
		return true
	}
	word := before[bytes.LastIndexAny(before, " \t,[{")+1:]
	return word[0] == '!' && len(before) < i
}

// startsLater reports whether behind the mark of an anchor, nothing but a tag or a comment is on its line.
func startsLater(rest []byte) bool {
	rest = bytes.TrimSpace(anchorName.ReplaceAll(rest, nil))
	if len(rest) > 0 && rest[0] == '!' {
		_, rest, _ = bytes.Cut(rest, []byte(" "))
		rest = bytes.TrimSpace(rest)
	}
	return len(rest) == 0 || rest[0] == '#'
}

var anchorMark = regexp.MustCompile(`&[0-9A-Za-z_-]+`)

// hasAliases reports whether a document has aliases, and not only texts that look like some: whether it is invalid
// without its anchors.
func hasAliases(text []byte) bool {
	bare := anchorMark.ReplaceAllFunc(text, func(mark []byte) []byte { return bytes.Repeat([]byte(" "), len(mark)) })
	return yaml.Unmarshal(bare, new(json.RawMessage)) != nil
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
