package answer

import (
	"strconv"
	"strings"
)

// setAmount sets a field of a document of YAML or JSON, whose names, indices and keys are given, or removes it if the
// value is empty. It changes as little of the text as possible, so that comments stay. The caller has to decode
// the result to find out whether it succeeded: a text that is unusual may end up as another document.
func setAmount(document string, path []string, value string) string {
	if start := len(document) - len(strings.TrimLeft(document, " \t\r\n")); strings.HasPrefix(document[start:], "{") {
		return setInFlow(document, start, path, value, true)
	}
	tokens := tokensOf([]byte(document))
	parent, next, depth := token{column: -1}, 0, 0
	for depth < len(path) {
		i := childAt(tokens[next:], parent, path[depth])
		if i < 0 {
			break
		}
		next += i + 1
		parent = tokens[next-1]
		depth++
	}
	rest, at := path[depth:], parent.at
	text := strings.TrimLeft(document[at:endOfLine(document, at)], " ")
	switch {
	case depth == 0:
		return document
	case len(rest) == 0 && value == "":
		begin := strings.LastIndexByte(document[:at], '\n') + 1
		return document[:begin] + document[min(endOfLine(document, at)+1, len(document)):]
	case len(rest) == 0:
		end := at + scalarEnd(document[at:endOfLine(document, at)])
		return document[:at] + " " + likeQuoted(strings.TrimSpace(document[at:end]), value) + document[end:]
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		start := at + strings.IndexAny(document[at:], "{[")
		return setInFlow(document, start, rest, value, false)
	case value == "":
		return document
	case parent.key == "" && text != "": // an item: the field comes before all others
		start := at + len(document[at:endOfLine(document, at)]) - len(text)
		return document[:start] + nested(rest, value, false) + "\n" + strings.Repeat(" ", parent.column+start-at+1) + document[start:]
	default:
		column := parent.column + 2
		if next < len(tokens) && tokens[next].column > parent.column {
			column = tokens[next].column
		}
		end := endOfLine(document, at)
		return document[:end] + "\n" + strings.Repeat(" ", column) + nested(rest, value, false) + document[end:]
	}
}

func endOfLine(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

// scalarEnd returns where a scalar at the beginning of the rest of a line ends: before a comment.
func scalarEnd(line string) int {
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	return len(strings.TrimRight(line, " \r"))
}

// likeQuoted returns a value in quotes if the former one has them.
func likeQuoted(former, value string) string {
	if strings.HasPrefix(former, `"`) || strings.HasPrefix(former, "'") {
		return strconv.Quote(value)
	}
	return value
}

// nested returns a field with its value, in braces below the first name.
func nested(path []string, value string, json bool) string {
	name := path[0]
	if json {
		name = strconv.Quote(name)
	}
	if len(path) > 1 {
		return name + ": {" + nested(path[1:], value, json) + "}"
	}
	if json {
		value = strconv.Quote(value)
	}
	return name + ": " + value
}

// setInFlow sets a field of a mapping or a list in braces or brackets, which begins at an offset.
func setInFlow(text string, start int, path []string, value string, json bool) string {
	isList := text[start] == '['
	at, n, last := start+1, 0, start
	for at < len(text) {
		at = skipBlank(text, at)
		if at >= len(text) || text[at] == '}' || text[at] == ']' {
			break
		}
		if text[at] == ',' {
			at++
			continue
		}
		key, begin := strconv.Itoa(n), at
		if !isList {
			end := flowEnd(text, at)
			key = strings.Trim(text[at:end], `"' `)
			at = skipBlank(text, end)
			if at < len(text) && text[at] == ':' {
				at = skipBlank(text, at+1)
			}
		}
		end := flowEnd(text, at)
		if key == path[0] {
			switch {
			case len(path) > 1 && at < len(text) && (text[at] == '{' || text[at] == '['):
				return setInFlow(text, at, path[1:], value, json)
			case len(path) > 1 || isList:
				return text
			case value != "":
				value = likeQuoted(text[at:end], value)
				if json {
					value = strconv.Quote(strings.Trim(value, `"`))
				}
				return text[:at] + value + text[end:]
			case last > start: // with the comma before
				return text[:last] + text[end:]
			default:
				return text[:begin] + strings.TrimLeft(strings.TrimPrefix(text[skipBlank(text, end):], ","), " ")
			}
		}
		at, n, last = end, n+1, end
	}
	if isList || value == "" || at >= len(text) {
		return text
	}
	if n > 0 {
		return text[:last] + ", " + nested(path, value, json) + text[last:]
	}
	return text[:start+1] + nested(path, value, json) + text[at:]
}

// skipBlank skips blanks, line breaks and comments.
func skipBlank(text string, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '#':
			at = endOfLine(text, at)
		default:
			return at
		}
	}
	return at
}

// flowEnd returns the end of a value within braces or brackets.
func flowEnd(text string, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' && c == '"' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i - trailing(text[at:i])
			}
			depth--
			if depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i - trailing(text[at:i])
			}
		case ':':
			if depth == 0 && (i+1 == len(text) || strings.ContainsRune(" \t\r\n{[\"'", rune(text[i+1]))) {
				return i
			}
		}
	}
	return len(text)
}

func trailing(text string) int { return len(text) - len(strings.TrimRight(text, " \t\r\n")) }
