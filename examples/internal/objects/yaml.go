package objects

import (
	"bytes"
	"cmp"
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
	line int // where it begins, from 1
	// itemsRead are the items of the list that have been read already.
	itemsRead int
	// repeated are the duplicate keys, until they are reported with the first object.
	repeated []Fault
}

// takeRepeated returns the duplicate keys of the text, once.
func (y *yamlText) takeRepeated() (repeated []Fault) {
	if y != nil {
		repeated, y.repeated = y.repeated, nil
	}
	return repeated
}

// begins returns the line of the first that is neither empty nor a comment.
func (y *yamlText) begins() int {
	n := y.line
	for text := range bytes.Lines(y.text) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			return n
		}
		n++
	}
	return 0
}

// maxKept is how much of the text of a list is kept, to decode it whole if it cannot be split between its items.
const maxKept = 8 << 20

var itemsLine = regexp.MustCompile(`^items:[ \t]*(#.*)?\r?\n?$`)

// document is a document of YAML that is being read. The items of a list are decoded one by one, if the text can be split
// between them: all items begin with "- " in the same column, and all other lines are indented further, as kubectl
// writes them. A text within quotes or brackets could look like that, too; then the pieces do not parse.
type document struct {
	*reading
	at    Place
	line  int
	whole []byte // nil if it is too long, and items have been read
	rest  []byte // all but the items
	item  []byte
	begin int  // the line of item
	count int  // of items that were read
	split bool // so far, the items could be read one by one
}

// addYAML reads the document that comes next.
func (r *reading) addYAML(s *source, at Place) {
	d := document{reading: r, at: at, line: s.line, split: true}
	inside, indent := false, -1
	for line := s.line; ; line = s.line {
		text := s.take()
		if text == nil {
			break
		}
		if d.whole != nil || d.count == 0 {
			d.whole = append(d.whole, text...)
		}
		content := bytes.TrimSpace(text)
		column := len(text) - len(bytes.TrimLeft(text, " "))
		isItem := bytes.HasPrefix(content, []byte("- ")) || string(content) == "-"
		switch {
		case !d.split:
		case !inside && itemsLine.Match(text):
			d.split, inside = indent < 0, true // otherwise it is given twice
		case !inside:
			d.rest = append(d.rest, text...)
		case isItem && (indent < 0 || column == indent):
			d.endItem()
			d.item, d.begin, indent = append([]byte(nil), text...), line, column
		case column <= indent && len(content) > 0 && content[0] != '#' || indent < 0 && len(content) > 0:
			d.endItem()
			inside = false
			d.rest = append(d.rest, text...)
		case len(d.item) > 0:
			d.item = append(d.item, text...)
		}
		if r.done {
			return
		}
	}
	if s.err == nil {
		d.end(indent >= 0)
	}
}

// endItem reads an item. If it does not parse, or is not one of a list, the document is decoded whole, if it is not too
// long.
func (d *document) endItem() {
	if len(d.item) == 0 || !d.split {
		return
	}
	at := d.at
	at.item = fmt.Sprintf("items[%d]", d.count)
	y := &yamlText{text: d.item, line: d.begin}
	raw, repeated, err := decodeYAML(d.item, d.begin)
	var items []json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &items)
	}
	var of head
	if err == nil && len(items) == 1 {
		of, err = d.listHead(items[0])
	}
	if err != nil || len(items) != 1 {
		if d.split = d.whole == nil; d.split {
			d.fail(at, "", cmp.Or(err, errors.New(wantObject)).Error())
			d.count++
		}
		return
	}
	y.repeated, at.Line = repeated, y.begins()
	_ = d.addRaw(at, items[0], &of, y) // it is JSON
	if d.count++; len(d.whole) > maxKept {
		d.whole = nil
	}
	d.item = nil
}

// listHead returns the head of the list, as far as it comes before the items, and an error if it is not known to be one.
func (d *document) listHead(first json.RawMessage) (of head, err error) {
	raw, _, err := decodeYAML(d.rest, d.line)
	if err == nil && raw != nil && raw[0] == '{' {
		of, err = headOf(raw)
	}
	if _, _, isList := of.list(d.Kinds); err != nil || isList {
		return of, err
	}
	item, err := headOf(first)
	if of.kind != "" || item.kind == "" || item.apiVersion == "" {
		return of, errors.New("not a list")
	}
	return of, err
}

// end reads what is not an item: the document, or the end of a list.
func (d *document) end(hasItems bool) {
	d.endItem()
	if hasItems && d.split && d.count > 0 {
		raw, _, err := decodeYAML(d.rest, d.line)
		of := head{}
		if err == nil && raw != nil {
			of, err = headOf(raw)
		}
		if err != nil {
			d.fail(d.at, "", err.Error())
		} else if !strings.HasSuffix(of.kind, "List") {
			d.fail(d.at, "kind", fmt.Sprintf("%q has items, which were read as those of a List", of.kind))
		}
		return
	}
	text, at := d.whole, d.at
	switch {
	case blank(text):
		return
	case len(text) > 1<<16 && bytes.IndexByte(text, ':') < 0: // for which the decoder needs long
		d.notObject(at, wantObject)
		return
	}
	y := &yamlText{text: text, line: d.line, itemsRead: d.count}
	raw, repeated, err := d.Cache.decodeYAML(text, d.line)
	if err != nil {
		at.Line = namedLineOf(err)
		if i := bytes.Index(text, templateMark); i >= 0 {
			at.Line, err = d.line+bytes.Count(text[:i], newline), errTemplate
		}
		d.fail(at, "", err.Error())
		return
	}
	y.repeated, at.Line = repeated, y.begins()
	d.guard(at, func() { _ = d.addRaw(at, raw, nil, y) })
}

// templateMark is in every Helm template.
var templateMark = []byte("{{")

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

// namedLineOf returns the line that a message of decodeYAML names, or 0.
func namedLineOf(err error) int {
	match := namedLine.FindStringSubmatch(err.Error())
	if match == nil {
		return 0
	}
	n, _ := strconv.Atoi(match[1]) // digits
	return n
}

var namedLine = regexp.MustCompile(`\bline (\d+):`)
