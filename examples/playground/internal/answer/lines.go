package answer

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// block is a document of YAML, and the line where it begins, from 1.
type block struct {
	line int
	text []byte
}

// fieldLine returns the line of a field of an object of YAML, or of the innermost field around it that the object has,
// or the line where the object begins, which is given, 0 if it is unknown. Lines are counted in the file, from 1.
func fieldLine(file string, begins int, field string) int {
	return linesOf(file).fieldLine(begins, field)
}

// lines is a file, and where its lines begin.
type lines struct {
	text   []byte
	begins []int
}

func linesOf(file string) *lines {
	l := &lines{text: []byte(file), begins: []int{0}}
	for i, c := range l.text {
		if c == '\n' {
			l.begins = append(l.begins, i+1)
		}
	}
	return l
}

func (l *lines) fieldLine(begins int, field string) int {
	text := []byte(nil)
	if begins > 0 && begins <= len(l.begins) {
		text = l.text[l.begins[begins-1]:]
	}
	if end := nextDocument.FindIndex(text); end != nil {
		text = text[:end[0]]
	}
	y := block{begins, text}
	for steps := stepsOf(field); begins > 0 && len(steps) > 0; steps = steps[:len(steps)-1] {
		if line := y.find(steps); line > 0 {
			return line
		}
	}
	return begins
}

var (
	nextDocument = regexp.MustCompile(`\n(?:---|\.\.\.)(?:\s|$)`)
	step         = regexp.MustCompile(`[^.\[\]]+`)
)

// stepsOf returns the names of fields, the indices and the keys of a path. Keys that contain a point or
// brackets are split there.
func stepsOf(path string) []string { return step.FindAllString(path, -1) }

// find returns the line of a field in the file, or 0 if it is unknown. Fields within brackets have the
// line where the brackets begin, if the name of the field is there.
func (y *block) find(steps []string) int {
	tokens := tokensOf(y.text)
	parent, next := token{column: -1}, 0
	for _, step := range steps {
		i := childAt(tokens[next:], parent, step)
		if i < 0 {
			if last := steps[len(steps)-1]; next > 0 && bytes.Contains(parent.text, []byte(last+":")) {
				return y.line + parent.line
			}
			return 0
		}
		next += i + 1
		parent = tokens[next-1]
	}
	return y.line + parent.line
}

// token is a key or a dash of a block of YAML.
type token struct {
	column, line int
	key          string // empty for a dash
	text         []byte // the text after it on the line
	at           int    // where that begins in the block
}

func tokensOf(text []byte) (tokens []token) {
	number, end := -1, 0
	for line := range bytes.Lines(text) {
		number++
		end += len(line)
		rest := bytes.TrimLeft(line, " ")
		for bytes.HasPrefix(rest, []byte("- ")) || string(bytes.TrimSpace(rest)) == "-" {
			tokens = append(tokens, token{column: len(line) - len(rest), line: number, text: rest[1:], at: end - len(rest) + 1})
			rest = bytes.TrimLeft(rest[1:], " ")
		}
		if key, value, found := bytes.Cut(rest, []byte(":")); found && len(key) > 0 && key[0] != '#' && (len(value) == 0 || bytes.IndexByte([]byte(" \t\r\n"), value[0]) >= 0) {
			tokens = append(tokens, token{len(line) - len(rest), number, strings.Trim(string(key), `"' `), value, end - len(value)})
		}
	}
	return tokens
}

// childAt returns the index of a child of the token that is before tokens, or -1.
func childAt(tokens []token, parent token, step string) int {
	if len(tokens) == 0 {
		return -1
	}
	column, dashes := tokens[0].column, 0
	if column < parent.column || column == parent.column && (parent.key == "" || tokens[0].key != "") {
		return -1
	}
	for i, t := range tokens {
		switch {
		case t.column < column || t.column == column && t.key != "" && tokens[0].key == "":
			return -1
		case t.column > column, t.key == "" && tokens[0].key != "": // a list may begin where its key does
		case t.key == "":
			if strconv.Itoa(dashes) == step {
				return i
			}
			dashes++
		case t.key == step:
			return i
		}
	}
	return -1
}
