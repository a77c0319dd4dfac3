package objects

import (
	"bytes"
	"strconv"
	"strings"
)

// lineFinder finds the lines of the fields of an object.
type lineFinder struct {
	raw  []byte // the object as JSON
	line int    // where that begins in the file
	yaml *yamlText
	item string // within a list
	none bool   // lines are not wanted
}

// of returns faults with their lines, if they are known.
func (l lineFinder) of(faults []Fault) []Fault {
	if l.none || len(faults) > maxLines { // each needs a search
		return faults
	}
	for i, f := range faults {
		if f.Field == "" {
			continue
		}
		steps := stepsOf(f.Field)
		if l.yaml == nil {
			faults[i].Line = l.ofJSON(steps)
			continue
		}
		if l.yaml.item != "" {
			steps = append([]string{"0"}, steps...)
		}
		if within := strings.TrimPrefix(l.item, l.yaml.item); within != "" {
			steps = append(stepsOf(within), steps...)
		}
		faults[i].Line = l.yaml.find(steps)
	}
	return faults
}

const maxLines = 100

// ofJSON returns the line of a field of the object as JSON, or 0.
func (l lineFinder) ofJSON(steps []string) int {
	c := scanner{stream: newStream(bytes.NewReader(l.raw))}
	at := 0
	for _, step := range steps {
		found := -1
		var err error
		if first, _ := c.at(at); first == '[' {
			found, err = c.element(at, step)
		} else if first == '{' {
			_, err = c.fields(at, func(key string, i int) (int, error) {
				if key == step {
					found = i
				}
				return c.skip(i)
			})
		}
		if err != nil || found < 0 {
			return 0
		}
		at = found
	}
	return l.line + bytes.Count(c.text()[:at], newline)
}

// element returns the position of an element of the list at a position, or -1.
func (c *scanner) element(i int, index string) (int, error) {
	n, err := strconv.Atoi(index)
	if err != nil {
		return -1, err
	}
	for i++; ; {
		i = c.skipSpace(i)
		switch b, ok := c.at(i); {
		case !ok || b == ']':
			return -1, nil
		case b == ',':
			i++
			continue
		case n == 0:
			return i, nil
		}
		n--
		if i, err = c.skip(i); err != nil {
			return -1, err
		}
	}
}

// find returns the line of a field in the file, or 0 if it is unknown. Fields within brackets have the
// line where the brackets begin, if the name of the field is there.
func (y *yamlText) find(steps []string) int {
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

// FieldLine returns the line of a field of an object of YAML, or of the innermost field around it that the object has,
// or the line where the object begins, which is given, 0 if it is unknown. Lines are counted in the file, from 1.
func FieldLine(file string, begins int, field string) int {
	if begins == 0 {
		return 0
	}
	text := []byte(file)
	for range begins - 1 {
		_, text, _ = bytes.Cut(text, newline)
	}
	s := newStream(bytes.NewReader(text))
	end := s.marker(false)
	y := yamlText{line: begins, text: s.text()[:end]}
	for steps := stepsOf(field); len(steps) > 0; steps = steps[:len(steps)-1] {
		if line := y.find(steps); line > 0 {
			return line
		}
	}
	return begins
}

// token is a key or a dash of a block of YAML.
type token struct {
	column, line int
	key          string // empty for a dash
	text         []byte // the text after it on the line
}

func tokensOf(text []byte) (tokens []token) {
	number := -1
	for line := range bytes.Lines(text) {
		number++
		rest := bytes.TrimLeft(line, " ")
		for bytes.HasPrefix(rest, []byte("- ")) || string(bytes.TrimSpace(rest)) == "-" {
			tokens = append(tokens, token{column: len(line) - len(rest), line: number, text: rest[1:]})
			rest = bytes.TrimLeft(rest[1:], " ")
		}
		if key, value, found := bytes.Cut(rest, []byte(":")); found && len(key) > 0 && key[0] != '#' && (len(value) == 0 || bytes.IndexByte([]byte(" \t\r\n"), value[0]) >= 0) {
			tokens = append(tokens, token{len(line) - len(rest), number, strings.Trim(string(key), `"' `), value})
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
		case t.column < column || t.column == column && (t.key == "") != (tokens[0].key == ""):
			return -1
		case t.column > column:
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
