package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// document is a document of YAML, or a part of a list.
type document struct {
	text    []byte
	line    int   // where text begins; in a part, as if its items followed the head
	isPart  bool  // text has the head of the list, and some of its items
	first   int   // the index of the first of these
	begin   int   // the line of that
	jsonErr error // why it is not JSON, although it begins with a brace
}

var (
	errTemplate = errors.New("looks like a Helm template: render it first, with helm template")
	errAliases  = errors.New("invalid YAML: its aliases expand to too much text")

	keyOfJSON   = regexp.MustCompile(`^\{\s*"`)
	templateTag = []byte("{{")
)

func (d *decoding) addYAML(at Place, y document) {
	isJSON := y.jsonErr != nil && keyOfJSON.Match(y.text)
	raw, repeated, err := json.RawMessage(nil), []Fault(nil), y.jsonErr
	if !isJSON || len(y.text) < maxPart {
		raw, repeated, err = d.decodeYAML(y.text, y.line)
	}
	for y.first > 0 && len(repeated) > 0 && repeated[0].Line < y.begin {
		repeated = repeated[1:] // of the head, which was in the first part, too
	}
	template := bytes.Index(y.text, templateTag)
	switch {
	case err == nil:
		at.Line, d.document, d.repeated, d.until = y.line+linesBefore(y.text), y, repeated, math.MaxInt
		d.add(at, raw, nil, names{})
		return
	case template >= 0:
		at.Line, err = y.line+bytes.Count(y.text[:template], newline), errTemplate
	case isJSON:
		err = y.jsonErr
	default:
		at.Line = lineIn(err.Error())
	}
	d.fail(at, Unreadable, Fault{Text: err.Error()})
}

// linesOfItems returns the lines where the items of a list begin, if all begin in the same column.
func (y *document) linesOfItems() (lines []int) {
	first, mark, _ := itemsIn(y.text)
	n := y.line + bytes.Count(y.text[:first], newline)
	for line := range bytes.Lines(y.text[first:]) {
		if mark != nil && bytes.HasPrefix(line, mark) {
			lines = append(lines, n)
		}
		n++
	}
	return lines
}

var repeatedKey = regexp.MustCompile(`line \d+: key (.+) already set in map`)

// mergeKey is the key whose value is merged into a mapping. For the strict decoder, what the mapping overrides is a duplicate.
var mergeKey, otherKey = []byte("<<"), []byte("__")

// decodeYAML returns the JSON for a YAML document, as kubectl decodes it, and the duplicate keys, of which the last one
// counts. The text begins on a line.
func (d *decoding) decodeYAML(text []byte, line int) (raw json.RawMessage, repeated []Fault, err error) {
	if d.Cache != nil {
		if raw, found := d.Cache.Load(string(text)); found {
			return raw, nil, nil
		}
	}
	if added(text) > maxAdded && hasAliases(text) {
		return nil, nil, errAliases
	}
	strictErr := yaml.UnmarshalStrict(text, &raw)
	if strictErr == nil {
		if d.Cache != nil {
			d.Cache.Store(string(text), raw)
		}
		return raw, nil, nil
	}
	err = yaml.Unmarshal(text, &raw)
	if err != nil {
		message := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "error converting YAML to JSON: "), "yaml: ")
		return nil, nil, fmt.Errorf("invalid YAML: %s", lineNumber.ReplaceAllStringFunc(message, func(found string) string {
			return fmt.Sprintf("line %d:", line-1+lineIn(found))
		}))
	}
	if bytes.Contains(text, mergeKey) {
		strictErr = yaml.UnmarshalStrict(bytes.ReplaceAll(text, mergeKey, otherKey), new(json.RawMessage))
	}
	for _, match := range repeatedKey.FindAllStringSubmatch(fmt.Sprint(strictErr), -1) {
		if match[1] != strconv.Quote(string(otherKey)) {
			repeated = append(repeated, Fault{Text: "duplicate field " + match[1] + ": the last one counts", Line: line - 1 + lineIn(match[0])})
		}
	}
	return raw, repeated, nil
}

var lineNumber = regexp.MustCompile(`\bline (\d+):`)

// lineIn returns the first line that a message of the decoder names, or 0.
func lineIn(message string) (line int) {
	if match := lineNumber.FindStringSubmatch(message); match != nil {
		line, _ = strconv.Atoi(match[1]) // digits
	}
	return line
}

// maxAdded is the most text that aliases may add to a document. The decoder limits how many values they add, but not how
// long these are.
const maxAdded = 32 << 20

const ofNames = "-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// added returns a bound of how much text the aliases of a document add. In the order in which anchored values end, each
// alias of one adds at most all the text so far. Texts that look like anchors and aliases count, too.
func added(text []byte) float64 {
	begin := float64(len(text))
	length := begin
	aliases := map[string]float64{} // of the last anchor of a name, and one
	for i := bytes.IndexAny(text, "&*"); i >= 0 && length-begin <= maxAdded; i = bytes.IndexAny(text, "&*") {
		mark, rest := text[i], bytes.TrimLeft(text[i+1:], ofNames)
		name := string(text[i+1 : len(text)-len(rest)])
		if n := aliases[name]; mark == '&' {
			aliases[name] = 1
		} else if n > 0 {
			length, aliases[name] = length/n*(n+1), n+1
		}
		text = rest
	}
	return length - begin
}

var anchorMark = regexp.MustCompile(`&[0-9A-Za-z_-]+`)

// hasAliases reports whether a document has aliases, and not only texts that look like some: whether it is invalid
// without its anchors.
func hasAliases(text []byte) bool {
	bare := anchorMark.ReplaceAllFunc(text, func(mark []byte) []byte { return bytes.Repeat([]byte(" "), len(mark)) })
	return yaml.Unmarshal(bare, new(json.RawMessage)) != nil
}
