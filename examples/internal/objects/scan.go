package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Objects of JSON are cut out of a stream before they are decoded. The decoder validates them:
// here, only brackets and quotes count.

var (
	errCutOff  = errors.New("invalid JSON: it ends inside an object or a list")
	errNotJSON = errors.New("invalid JSON")
)

// scanner scans values.
type scanner struct {
	*stream
	suspect bool // a value may be negative, or an amount that the decoder needs very long for
}

// head has the apiVersion and kind of an object.
type head struct {
	apiVersion, kind string // empty if missing, or not a string
	some             bool   // one of them is there
	metadata         []byte // in the text of the stream: valid until it changes
}

// object returns the end of the object at a position, and its head.
func (c *scanner) object(i int) (end int, h head, err error) {
	from, to := 0, 0
	end, err = c.fields(i, func(key string, at int) (int, error) {
		end, err := c.skip(at)
		if err == nil && key == "metadata" {
			from, to = at, end
		} else if err == nil {
			h.note(key, c.text()[at:end])
		}
		return end, err
	})
	h.metadata = c.text()[from:to]
	return end, h, err
}

func (h *head) note(key string, value []byte) {
	switch key {
	case "apiVersion":
		h.apiVersion = unquoted(value)
	case "kind":
		h.kind = unquoted(value)
	default:
		return
	}
	h.some = h.some || string(value) != "null"
}

// list returns the apiVersion and kind that the items of a list do not repeat, which are empty for a
// List, and whether the head is that of a list.
func (h *head) list(kinds Kinds) (apiVersion, kind string, isList bool) {
	if h.apiVersion == "v1" && h.kind == "List" {
		return "", "", true
	}
	kind, isList = strings.CutSuffix(h.kind, "List")
	return h.apiVersion, kind, isList && kinds[[2]string{h.apiVersion, kind}] != nil
}

// fields calls visit for each field of the object at a position, with the position of its value. Visit
// returns the end of the value. It returns the end of the object.
func (c *scanner) fields(i int, visit func(key string, at int) (int, error)) (int, error) {
	for i++; ; {
		i = c.skipSpace(i)
		switch b, ok := c.at(i); {
		case !ok:
			return i, errCutOff
		case b == '}':
			return i + 1, nil
		case b == ',':
			i++
		case b == '"':
			end, err := c.quoted(i)
			if err != nil {
				return i, err
			}
			key := unquoted(c.text()[i:end])
			i = c.skipSpace(end)
			if colon, ok := c.at(i); ok && colon != ':' {
				return i, errNotJSON
			}
			i = c.skipSpace(i + 1)
			if i, err = visit(key, i); err != nil {
				return i, err
			}
		default:
			return i, errNotJSON
		}
	}
}

// skip returns the end of the value at a position.
func (c *scanner) skip(i int) (int, error) {
	depth := 0
	for {
		b, ok := c.at(i)
		if !ok {
			return i, errCutOff
		}
		switch b {
		case '"':
			end, err := c.quoted(i)
			if err != nil {
				return i, err
			}
			i = end
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth--; depth < 0 {
				return i, errNotJSON // where there should be a value
			}
			i++
		case '\n':
			if i++; c.marks(i) != "" {
				return i, errCutOff
			}
		case ' ', '\t', '\r', ':', ',':
			i++
		default:
			end := c.word(i)
			c.suspect = c.suspect || suspicious(c.text()[i:end])
			i = end
		}
		// Between values, there is only space, a colon, or a comma.
		if depth == 0 && b != '\n' && b != ' ' && b != '\t' && b != '\r' {
			return i, nil
		}
	}
}

// quoted returns the end of the string at a position.
func (c *scanner) quoted(i int) (int, error) {
	for from := i + 1; ; {
		text := c.text()
		n := bytes.IndexByte(text[from:], '"')
		if n < 0 {
			searched := len(text)
			if bytes.IndexByte(text[from:], '\n') >= 0 {
				return i, errNotJSON
			}
			if !c.fill() {
				return i, errCutOff
			}
			from = searched
			continue
		}
		from += n + 1
		if text[from-2] == '\\' && !closes(text[i+1:from-1]) {
			continue
		}
		content := text[i+1 : from-1]
		if bytes.IndexByte(content, '\n') >= 0 {
			return i, errNotJSON
		}
		c.suspect = c.suspect || suspicious(content)
		return from, nil
	}
}

// closes reports whether a quote after the content of a string ends it: whether the backslashes
// before it are even.
func closes(content []byte) bool {
	n := len(content)
	for n > 0 && content[n-1] == '\\' {
		n--
	}
	return (len(content)-n)%2 == 0
}

// word returns the end of a number, true, false, null, or any other word.
func (c *scanner) word(i int) int {
	for i++; ; i++ {
		b, ok := c.at(i)
		if !ok || bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), b) >= 0 {
			return i
		}
	}
}

// suspicious reports whether a text may be a negative amount, or one that takes long to parse. It may
// report true for other texts, too.
func suspicious(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 || text[0] > '9' && text[0] != '\\' || text[0] < '+' {
		return false
	}
	if text[0] == '\\' || text[0] == '-' && len(text) > 1 && (text[1] >= '0' && text[1] <= '9' || text[1] == '.' || text[1] == '\\') {
		return true
	}
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.' || text[n] == '+') {
		n++
	}
	switch rest := text[n:]; {
	case n > 30 || bytes.IndexByte(rest, '\\') >= 0:
		return true
	case len(rest) > 2 && (rest[0] == 'e' || rest[0] == 'E'):
		return len(bytes.Trim(rest[1:], "+-0123456789 ")) == 0
	default:
		return false
	}
}

// unquoted returns the value of a JSON string, and "" for any other text.
func unquoted(quoted []byte) string {
	if n := len(quoted); n >= 2 && quoted[0] == '"' && bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : n-1])
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return ""
	}
	return text
}
