package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
)

// head has the fields of an object that say what it is.
type head struct {
	apiVersion, kind string // empty if missing, or not a string
	some             bool   // one of them is there
	metadata, items  json.RawMessage
}

// headOf returns the head of a JSON object.
func headOf(raw []byte) (h head, err error) {
	var fields struct {
		APIVersion, Kind json.RawMessage
		Metadata, Items  json.RawMessage
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return h, fmt.Errorf("invalid JSON: %w", err)
	}
	text := func(raw json.RawMessage) (text string) {
		h.some = h.some || raw != nil && string(raw) != "null"
		_ = json.Unmarshal(raw, &text) // otherwise it is empty
		return text
	}
	h.apiVersion, h.kind, h.metadata, h.items = text(fields.APIVersion), text(fields.Kind), fields.Metadata, fields.Items
	return h, nil
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

// recorder keeps what a decoder has read of a document: all of it until it is known to be JSON, and then what is needed
// to count lines.
type recorder struct {
	from io.Reader
	text []byte
	base int64 // the offset of text
	line int   // of its beginning
}

func (r *recorder) Read(to []byte) (int, error) {
	n, err := r.from.Read(to)
	r.text = append(r.text, to[:n]...)
	return n, err
}

// lineAt returns the line of the value that follows an offset.
func (r *recorder) lineAt(offset int64) int {
	text := r.text[offset-r.base:]
	value := len(text) - len(bytes.TrimLeft(text, " \t\r\n,:"))
	return r.line + bytes.Count(r.text[:offset-r.base+int64(value)], newline)
}

// drop forgets the text before an offset.
func (r *recorder) drop(offset int64) {
	r.line += bytes.Count(r.text[:offset-r.base], newline)
	r.text, r.base = r.text[offset-r.base:], offset
}

// listStart matches the beginning of a list, as kubectl and API servers write it. Others are read whole.
var listStart = regexp.MustCompile(`^\s*\{\s*(?:"apiVersion"\s*:\s*"([^"]*)"\s*,\s*|"kind"\s*:\s*"([^"]*)"\s*,\s*|"metadata"\s*:\s*\{[^{}]*\}\s*,\s*)*"items"\s*:\s*\[(?:\s*\{\s*"(apiVersion|kind)"\s*:)?`)

// addJSON reads the objects of a document, and counts them in at. If it is not JSON but YAML, which may have braces, too,
// it returns its text.
func (r *reading) addJSON(s *source, at *Place) (text []byte, isJSON bool) {
	in := &recorder{from: s, line: s.line}
	d := json.NewDecoder(in)
	defer func() { s.line = in.line + bytes.Count(in.text, newline) }()
	for first := true; d.More() && !r.done; first = false {
		at.document++
		at.Line = in.lineAt(d.InputOffset())
		start := listStart.FindSubmatch(in.text[d.InputOffset()-in.base:])
		if start != nil && len(start[2])+len(start[3]) == 0 {
			start = nil // it may be a PodList, whose items do not say what they are
		}
		before, err := r.emitted, error(nil)
		r.guard(*at, func() {
			if start != nil {
				err = r.addStream(d, in, &head{apiVersion: string(start[1]), kind: string(start[2])}, *at)
			} else {
				err = r.addNext(d, in, nil, *at)
			}
		})
		if err == nil {
			continue
		}
		if first && r.emitted == before && s.err == nil {
			at.document--
			rest, _ := io.ReadAll(in.from) // of a document, whose size is limited
			text, in.text = append(in.text, rest...), nil
			if syntax := new(json.SyntaxError); !looksLikeJSON.Match(text) || !errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return text, false
			}
			if raw, _, yamlErr := decodeYAML(text, 1); yamlErr == nil && raw != nil {
				return text, false
			}
			at.document++
		}
		if s.err == nil {
			r.fail(*at, "", jsonError(err))
		}
		break
	}
	return nil, true
}

// looksLikeJSON matches what begins with a key of JSON, so that an error of the JSON decoder tells more.
var looksLikeJSON = regexp.MustCompile(`^\s*\{\s*(?:"|$|[^{"\s])`)

func jsonError(err error) string {
	if within := (itemError{}); errors.As(err, &within) {
		return within.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "invalid JSON: it ends inside an object or a list"
	}
	if strings.HasPrefix(err.Error(), "invalid JSON: ") {
		return err.Error()
	}
	return "invalid JSON: " + err.Error()
}

// addNext reads the next value of a decoder whole. An error means that it is not JSON.
func (r *reading) addNext(d *json.Decoder, in *recorder, of *head, at Place) error {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	in.drop(d.InputOffset())
	return r.addRaw(at, raw, of, nil)
}

// How many items of a list are read ahead of those that are emitted.
const (
	mostAhead  = 64
	bytesAhead = 4 << 20
)

// ahead prepares the items of a list while others are read, because decoding takes most of the time, and emits them in their
// order.
type ahead struct {
	*reading
	work  chan *object
	items []*object // that are not emitted yet
	bytes int       // of these
}

func (r *reading) ahead(of *head) *ahead {
	a := &ahead{reading: r, work: make(chan *object, mostAhead+1)}
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for o := range a.work {
				o.failed = Guarded(o.at, func() { r.prepare(o, of) })
				close(o.ready)
			}
		}()
	}
	return a
}

func (a *ahead) take(at Place, raw json.RawMessage) {
	o := &object{at: at, raw: raw, ready: make(chan struct{})}
	a.work <- o
	a.items, a.bytes = append(a.items, o), a.bytes+len(raw)
	for len(a.items) > mostAhead || a.bytes > bytesAhead {
		a.emitFirst()
	}
}

func (a *ahead) emitFirst() {
	o := a.items[0]
	a.items, a.bytes = a.items[1:], a.bytes-len(o.raw)
	if <-o.ready; !a.done {
		a.guard(o.at, func() { a.add(o) })
	}
}

func (a *ahead) emitAll() {
	for len(a.items) > 0 {
		a.emitFirst()
	}
}

// addStream reads the items of a list, one after the other.
func (r *reading) addStream(d *json.Decoder, in *recorder, of *head, at Place) error {
	for token := json.Token(nil); token != json.Delim('['); {
		var err error
		if token, err = d.Token(); err != nil {
			return err
		}
	}
	items := r.ahead(of)
	defer close(items.work)
	for n := 0; d.More() && !r.done; n++ {
		at.item, at.Line = fmt.Sprintf("items[%d]", n), in.lineAt(d.InputOffset())
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			items.emitAll()
			return itemError{at.item, err}
		}
		in.drop(d.InputOffset())
		items.take(at, raw)
	}
	items.emitAll()
	if r.done {
		return nil
	}
	end := of
	for depth := 1; depth > 0; { // up to the end of the object, which may have its kind last
		token, err := d.Token()
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
			if token == json.Delim(']') && depth == 0 {
				depth++ // that of the items
			}
		case "kind":
			if depth == 1 && d.More() {
				token, err = d.Token()
				end.kind, _ = token.(string)
			}
		}
		if err != nil {
			return err
		}
	}
	at.item = ""
	if _, _, isList := end.list(r.Kinds); !isList && !strings.HasSuffix(end.kind, "List") {
		r.fail(at, "kind", fmt.Sprintf("%q has items, which were read as those of a List", end.kind))
	}
	return nil
}

// itemError names the item of a list that is not JSON.
type itemError struct {
	item string
	err  error
}

func (e itemError) Error() string { return e.item + ": " + jsonError(e.err) }
func (e itemError) Unwrap() error { return e.err }

// addRaw reads a complete value of JSON. An error means that it is not JSON.
func (r *reading) addRaw(at Place, raw json.RawMessage, of *head, y *yamlText) error {
	o := &object{at: at, raw: raw, yaml: y}
	o.failed = Guarded(at, func() { r.prepare(o, of) })
	r.add(o)
	return nil
}

// maxListDepth is how deep lists may be nested.
const maxListDepth = 10

// add emits an object, or the items of a list, or says why it is neither.
func (r *reading) add(o *object) {
	at, h := o.at, &o.head
	_, _, isList := h.list(r.Kinds)
	switch {
	case o.err != nil:
		r.fail(at, "", o.err.Error())
	case at.item == "" && (len(o.raw) == 0 || string(o.raw) == "null"):
	case o.raw[0] != '{':
		r.notObject(at, wantObject)
	case len(o.failed) > 0:
		r.emitDecoded(o)
	case !h.some:
		r.notObject(at, NotAnObject)
	case h.kind == "" && at.item == "" && r.found: // such as Chart.yaml
		r.skip(at, "not a Kubernetes object: it has no kind")
	case h.kind == "":
		at.object = nameOf(h)
		r.fail(at, "kind", "missing, or not a string")
	case h.apiVersion == "":
		at.object = nameOf(h)
		r.fail(at, "apiVersion", "missing, or not a string")
	case !isList:
		r.emitDecoded(o)
	case strings.Count(at.item, "items[") >= maxListDepth:
		r.fail(at, "", fmt.Sprintf("lists nested more than %d deep", maxListDepth))
	default:
		r.addItems(o)
	}
}

// addItems reads the items of a list that was read whole.
func (r *reading) addItems(o *object) {
	var items []json.RawMessage
	at := o.at
	if err := json.Unmarshal(o.head.items, &items); err != nil && o.head.items != nil {
		at.object = nameOf(&o.head)
		r.fail(at, "items", "not a list")
	}
	prefix := at.item
	if prefix != "" {
		prefix += "."
	}
	for i, raw := range items {
		if o.yaml != nil && i < o.yaml.itemsRead && prefix == "" {
			continue
		}
		at.item, at.object = fmt.Sprintf("%sitems[%d]", prefix, i), ""
		_ = r.addRaw(at, raw, &o.head, o.yaml) // it is JSON
	}
}
