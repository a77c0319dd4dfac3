package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

var (
	errTemplate = errors.New("looks like a Helm template: render it first, with helm template")
	errAliases  = errors.New("invalid YAML: its aliases expand to too much text")
)

// yamlText is the text that an object was made of.
type yamlText struct {
	text []byte
	line int    // where it begins, from 1
	item string // what of the list the text is; empty for a document
	// repeated are the duplicate keys, until they are reported with the first object.
	repeated []Fault
}

// takeRepeated returns the duplicate keys of the text that is being read, once.
func (r *reading) takeRepeated() (repeated []Fault) {
	if r.yaml != nil {
		repeated, r.yaml.repeated = r.yaml.repeated, nil
	}
	return repeated
}

// addYAML reads a YAML document that begins in the given line. The items of a list are decoded one by
// one, if the text can be split between them.
func (r *reading) addYAML(text []byte, line int, at Place) {
	defer func() { r.yaml, r.itemsRead = nil, 0 }()
	switch {
	case blank(text):
		r.addOther(at, nil)
		return
	case len(text) > 1<<16 && bytes.IndexByte(text, ':') < 0: // for which the decoder needs long
		r.addOther(at, string(text))
		return
	}
	if r.untyped == nil {
		if cut, isCut := cutList(text); isCut && r.addCut(&cut, line, at) || r.done {
			return
		}
	}
	raw, repeated, err := r.Cache.decodeYAML(text, line)
	if err != nil {
		at.Line = lineOf(err)
		if i := bytes.Index(text, templateMark); i >= 0 {
			at.Line, err = line+bytes.Count(text[:i], newline), errTemplate
		}
		r.fail(at, "", err.Error())
		return
	}
	r.yaml = &yamlText{text: text, line: line, repeated: repeated}
	at.Line = r.beginning(at, 0)
	if len(raw) > 0 && raw[0] == '{' {
		err = r.addStream(newStream(bytes.NewReader(raw)), at, nil)
	} else {
		var tree any
		if tree, err = decodeTree(raw); err == nil {
			r.addOther(at, tree)
		}
	}
	if err != nil {
		r.fail(at, "", err.Error()) // too deep: YAML may be deeper than JSON
	}
}

// addOther reads a document that is not a mapping: it is empty, a list or text.
func (r *reading) addOther(at Place, tree any) {
	switch {
	case r.untyped != nil:
		r.untyped(at, tree)
	case tree == nil:
	case r.found:
		r.skip(at, NotAnObject)
	default:
		r.fail(at, "", "not an object: want a mapping with apiVersion and kind")
	}
}

// templateMark is in every Helm template.
var templateMark = []byte("{{")

func isTemplate(text []byte) bool { return bytes.Contains(text, templateMark) }

// blank reports whether there are only comments and directives.
func blank(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}

// decodeYAML returns the JSON for a YAML document, as kubectl decodes it, and the duplicate keys. The last one of
// them counts.
func decodeYAML(text []byte, line int) (raw json.RawMessage, repeated []Fault, err error) {
	if addedByAliases(text) > maxExpanded && hasAliases(text) {
		return nil, nil, errAliases
	}
	strictErr := yaml.UnmarshalStrict(text, &raw)
	if strictErr == nil {
		return raw, nil, nil
	}
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, nil, fmt.Errorf("invalid YAML: %s", locate(err.Error(), line))
	}
	if bytes.Contains(text, mergeKey) { // for the strict decoder, what a mapping overrides is a duplicate
		strictErr = yaml.UnmarshalStrict(bytes.ReplaceAll(text, mergeKey, []byte("__")), new(json.RawMessage))
	}
	return raw, repeatedIn(strictErr, line), nil
}

// mergeKey is the key whose value is merged into a mapping.
var mergeKey = []byte("<<")

var repeatedKey = regexp.MustCompile(`line (\d+): key (.+) already set in map`)

// repeatedIn returns the duplicate keys that the strict decoder names, with their lines.
func repeatedIn(err error, line int) (repeated []Fault) {
	if err == nil {
		return nil
	}
	for _, match := range repeatedKey.FindAllStringSubmatch(err.Error(), -1) {
		n, _ := strconv.Atoi(match[1]) // digits
		if match[2] != `"__"` {
			repeated = append(repeated, Fault{Text: "duplicate field " + match[2] + ": the last one counts", Line: n + line - 1})
		}
	}
	return repeated
}

var lineNumber = regexp.MustCompile(`(?m)^\s*line (\d+):`)

// locate removes the names of packages from a message, and counts its lines from the
// beginning of the file.
func locate(message string, line int) string {
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "unmarshal errors:\n"} {
		message = strings.TrimPrefix(message, prefix)
	}
	if first, more, cut := strings.Cut(message, "\n"); cut && len(more) > maxMessage {
		message = first + "\n..."
	}
	message = lineNumber.ReplaceAllStringFunc(message, func(match string) string {
		n, _ := strconv.Atoi(lineNumber.FindStringSubmatch(match)[1]) // digits
		return fmt.Sprintf("line %d:", n+line-1)
	})
	return wording.OneLine(message)
}

const maxMessage = 2000

// lineOf returns the line that a message of decodeYAML names, or 0.
func lineOf(err error) int {
	match := namedLine.FindStringSubmatch(err.Error())
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(match[1]) // digits
	return n
}

var namedLine = regexp.MustCompile(`\bline (\d+):`)

// list is a document of YAML, cut between the items of a list.
type list struct {
	rest  []byte // all but the items
	items [][]byte
	lines []int // where they begin, from 0
}

var itemsLine = regexp.MustCompile(`^items:[ \t]*(#.*)?\r?\n?$`)

// cutList splits a document with a field "items:", as kubectl writes it: all items begin with "- " in
// the same column, and all other lines are indented further. A text within quotes or brackets could look
// like that, too; then the pieces do not parse.
func cutList(text []byte) (cut list, ok bool) {
	const outside = -1
	indent, inside, number, begin := outside, false, 0, 0
	end := func(at int) {
		if n := len(cut.lines); n > len(cut.items) {
			cut.items = append(cut.items, text[begin:at])
		}
	}
	at := 0
	for line := range bytes.Lines(text) {
		column := len(line) - len(bytes.TrimLeft(line, " "))
		content := bytes.TrimSpace(line)
		isItem := bytes.HasPrefix(content, []byte("- ")) || string(content) == "-"
		empty := len(content) == 0 || content[0] == '#'
		switch {
		case !inside && itemsLine.Match(line):
			if ok {
				return list{}, false // given twice
			}
			ok, inside, indent = true, true, outside
		case !inside:
			cut.rest = append(cut.rest, line...)
		case empty:
		case isItem && (indent == outside || column == indent):
			end(at)
			indent, begin = column, at
			cut.lines = append(cut.lines, number)
		case column <= indent || indent == outside:
			end(at)
			inside = false
			cut.rest = append(cut.rest, line...)
		}
		at += len(line)
		number++
	}
	if inside {
		end(at)
	}
	return cut, ok && len(cut.items) > 0
}

// addCut reads the items of a list until one does not parse, and reports whether all parse.
func (r *reading) addCut(cut *list, line int, at Place) bool {
	raw, _, err := decodeYAML(cut.rest, line)
	if err != nil || len(raw) == 0 || raw[0] != '{' {
		return false
	}
	_, of, err := (&scanner{stream: newStream(bytes.NewReader(raw))}).object(0)
	if _, _, isList := of.list(r.Kinds); err != nil || !isList {
		return false
	}
	for n, text := range cut.items {
		at.item = fmt.Sprintf("items[%d]", n)
		raw, repeated, err := decodeYAML(text, line+cut.lines[n])
		if err != nil || len(raw) < 2 || raw[0] != '[' {
			return false
		}
		c := scanner{stream: newStream(bytes.NewReader(raw))}
		r.yaml = &yamlText{text, line + cut.lines[n], at.item, repeated}
		end, err := r.addItem(&c, 1, &of, at)
		if err != nil || end != len(raw)-1 {
			return false
		}
		if r.itemsRead++; r.done {
			break
		}
	}
	return true
}
