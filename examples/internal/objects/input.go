package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

const (
	maxDocument = 512 << 20 // bytes
	maxPart     = 256 << 10 // of a list of YAML that is decoded in parts
	maxTries    = 100       // to read something

	space     = " \t\r\n"
	separator = space + ":," // of values of JSON
)

var (
	errTooLarge = fmt.Errorf("a document of more than %d MiB", maxDocument>>20)
	errUTF16    = errors.New("is written in UTF-16: save it as UTF-8")
	errEmpty    = errors.New("cannot read: empty input")
	newline     = []byte("\n")
)

// input is a file. A document ends before a line that begins with --- or ..., or with the file.
type input struct {
	from   io.Reader
	buffer []byte
	text   []byte // of buffer: what was read and is not used yet
	line   int    // where text begins, from 1
	err    error  // why there is no more; io.EOF at the end
	had    int    // what a decoder of JSON has had of text
	base   int64  // the offset of text for the decoder
}

// fill reads more text, and reports whether there is any.
func (in *input) fill() bool {
	for tries := 0; in.err == nil; tries++ {
		if cap(in.text)-len(in.text) < 1<<12 {
			in.buffer = slices.Grow(append(in.buffer[:0], in.text...), 1<<16)
			in.text = in.buffer
		}
		n, err := in.from.Read(in.text[len(in.text):cap(in.text)])
		in.text, in.err = in.text[:len(in.text)+n], err
		if len(in.text) > maxDocument {
			in.err = errTooLarge
		} else if n > 0 {
			return true
		} else if tries == maxTries && err == nil {
			in.err = io.ErrNoProgress
		}
	}
	return false
}

func (in *input) failed() bool { return in.err != nil && !errors.Is(in.err, io.EOF) }

// Read gives text to a decoder of JSON, and keeps it.
func (in *input) Read(to []byte) (int, error) {
	if in.had >= len(in.text) && !in.fill() {
		return 0, in.err
	}
	n := copy(to, in.text[in.had:])
	in.had += n
	return n, nil
}

func (in *input) drop(n int) {
	in.line += bytes.Count(in.text[:n], newline)
	in.text, in.had, in.base = in.text[n:], max(in.had-n, 0), in.base+int64(n)
}

// next returns the first byte from a position on that is none of some, and its position; 0 at the end.
func (in *input) next(from int, none string) (byte, int) {
	for ; from < len(in.text) || in.fill(); from++ {
		if c := in.text[from]; strings.IndexByte(none, c) < 0 {
			return c, from
		}
	}
	return 0, from
}

func (in *input) endOfLine(begin int) int {
	for {
		if i := bytes.IndexByte(in.text[begin:], '\n'); i >= 0 {
			return begin + i + 1
		}
		begin = len(in.text)
		if !in.fill() {
			return begin
		}
	}
}

// ends reports whether the document ends at a position where a line begins.
func (in *input) ends(at int) bool {
	for len(in.text) < at+4 && in.fill() {
	}
	begin := in.text[at:min(at+4, len(in.text))]
	isMarker := bytes.HasPrefix(begin, []byte("---")) || bytes.HasPrefix(begin, []byte("..."))
	return len(begin) == 0 || isMarker && (len(begin) == 3 || strings.IndexByte(" \t\r\n", begin[3]) >= 0)
}

// addDocuments reads the documents. Each "---" begins one, even if it is empty. The text before the first counts, unless
// it has only comments. Each JSON object is a document, even if several follow one another.
func (r *reading) addDocuments(in *input, at Place) error {
	in.ends(0)
	switch {
	case bytes.HasPrefix(in.text, []byte("\uFEFF")):
		in.text = in.text[len("\uFEFF"):]
	case bytes.HasPrefix(in.text, []byte("\xff\xfe")), bytes.HasPrefix(in.text, []byte("\xfe\xff")), len(in.text) > 1 && (in.text[0] == 0) != (in.text[1] == 0):
		return errUTF16
	}
	first, begin := in.next(0, space)
	if begin == len(in.text) && !in.failed() && ofShell(at.Source.File) {
		return errEmpty // the command that should have written it has failed
	}
	for marked := false; !r.done; {
		var err error
		for first == '{' && err == nil && !r.done {
			in.drop(begin)
			at.Source.Document, at.Source.Item, at.Line, marked = at.Source.Document+1, "", in.line, false
			err = jsonError(r.addJSON(in, &at))
			first, begin = in.next(0, space)
		}
		switch {
		case err != nil && in.failed():
			return in.err
		case err == nil || in.base == 0:
			r.addYAML(in, &at, marked, err)
		default: // items of it have been read
			r.fail(at, Unreadable, err.Error())
			for in.drop(in.endOfLine(0)); !in.ends(0); {
				in.drop(in.endOfLine(0))
			}
		}
		if len(in.text) == 0 {
			break
		}
		marked = in.text[0] == '-'
		in.drop(len("---"))
		first, begin = in.next(0, space)
	}
	if in.failed() {
		return in.err
	}
	return nil
}

// addJSON reads an object of JSON. The items of a list are read one by one, if it is known in time that it is one. An error
// means that it is not JSON.
func (r *reading) addJSON(in *input, at *Place) error {
	in.had, in.base = 0, 0
	d := json.NewDecoder(in)
	of, listed := names{}, false
	_, err := d.Token() // a brace
	for err == nil && d.More() && !r.done {
		var key json.Token
		key, err = d.Token()
		if err != nil {
			break
		}
		if first, _ := in.next(in.offset(d), separator); key == "items" && first == '[' {
			more, failed := r.addItems(in, d, of, at)
			listed, err = listed || more, failed // of items given twice, those of a list are read both times
			continue
		}
		var value json.RawMessage
		switch err = d.Decode(&value); key {
		case "apiVersion":
			of.apiVersion = textOf(value)
		case "kind":
			of.kind = textOf(value)
		}
	}
	if err == nil && !r.done {
		_, err = d.Token() // the brace that ends it
	}
	if err == nil && listed && !of.canBeList() {
		r.fail(*at, Unreadable, of.kind+" is "+notAList)
	} else if err == nil && !listed {
		raw, at := bytes.Clone(in.text[:in.offset(d)]), *at
		r.add(at, len(raw), func(d *decoding) { d.add(at, raw, nil, names{}) })
	}
	if err == nil {
		in.drop(in.offset(d))
	}
	return err
}

// offset returns the position in text of what a decoder reads next.
func (in *input) offset(d *json.Decoder) int { return int(d.InputOffset() - in.base) }

// addItems reads the items of an object, and reports whether it is a list, as far as its names are known, and as the first
// item tells.
func (r *reading) addItems(in *input, d *json.Decoder, of names, at *Place) (isList bool, err error) {
	each, isList := r.Kinds.items(of)
	_, err = d.Token() // a bracket
	for n := 0; err == nil && d.More() && !r.done; n++ {
		_, begin := in.next(in.offset(d), separator)
		item := *at
		item.Source.Item, item.Line = fmt.Sprintf("items[%d]", n), in.line+bytes.Count(in.text[:begin], newline)
		var h head
		err = d.Decode(&h)
		if errors.As(err, new(*json.UnmarshalTypeError)) {
			err = nil // it is no object
		} else if err != nil {
			*at = item
			break
		}
		isList = isList || n == 0 && of.kind == "" && h.Kind != nil
		if end := in.offset(d); isList {
			raw := bytes.Clone(in.text[begin:end])
			r.add(item, len(raw), func(d *decoding) { d.add(item, raw, &h, each) })
			in.drop(end)
		}
	}
	if err == nil && !r.done {
		_, err = d.Token() // the bracket that ends them
	}
	return isList, err
}

func jsonError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = errors.New("it ends inside an object or a list")
	}
	if err != nil {
		err = fmt.Errorf("invalid JSON: %w", err)
	}
	return err
}

// itemsKey matches the beginning of the items of a list of YAML: their indent, and a name of the first.
var itemsKey = regexp.MustCompile(`(?m)^items:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*?( *)-\s+((?:apiVersion|kind):)?`)

// kindKey matches the kind of an object of YAML that may not be a list.
var kindKey = regexp.MustCompile(`(?m)^kind:[ \t]*(\S*)`)

// itemsIn returns where the first item of a list of YAML begins, what begins each, and whether they can be read without the
// rest: the text says before it that it is a list, or the first says what it is.
func itemsIn(text []byte) (first int, mark []byte, divisible bool) {
	found := itemsKey.FindSubmatchIndex(text)
	if found == nil {
		return 0, nil, false
	}
	divisible = found[4] >= 0
	if kind := kindKey.FindSubmatch(text[:found[2]]); kind != nil {
		divisible = bytes.HasSuffix(kind[1], []byte("List"))
	}
	return found[2], append(text[found[2]:found[3]:found[3]], '-'), divisible
}

// addYAML reads a document of YAML, unless it is blank and has no marker. A large list, as kubectl writes it, is decoded in
// parts: each is the text before the items, and some of these. An alias of an anchor in another part is an error. An error of
// JSON is of a document that begins as JSON.
func (r *reading) addYAML(in *input, at *Place, marked bool, jsonErr error) {
	at.Source.Item = ""
	if jsonErr == nil {
		at.Source.Document++
	}
	y, head, mark := document{jsonErr: jsonErr}, []byte(nil), []byte(nil)
	add := func(n int) {
		at, y := *at, y
		y.text, y.line, y.begin = slices.Concat(head, in.text[:n]), in.line-bytes.Count(head, newline), in.line
		r.add(at, len(y.text), func(d *decoding) { d.addYAML(at, y) })
	}
	end, limit := 0, maxPart
	for !in.ends(end) && !r.done {
		end = in.endOfLine(end)
		if end < limit {
			continue
		}
		if !y.isPart {
			var first int
			first, mark, y.isPart = itemsIn(in.text[:end])
			if y.isPart {
				head, mark = bytes.Clone(in.text[:first]), slices.Concat(newline, mark)
				in.drop(first)
				end -= first
			}
		}
		limit *= 2
		if cut := bytes.LastIndex(in.text[:end], mark) + 1; y.isPart && cut > 0 {
			add(cut)
			y.first += 1 + bytes.Count(in.text[:cut], mark)
			in.drop(cut)
			end, limit = end-cut, maxPart
		}
	}
	switch {
	case end == len(in.text) && in.failed(): // there is more of it
	case y.isPart || linesBefore(in.text[:end]) >= 0:
		add(end)
	case !marked:
		at.Source.Document--
	}
	in.drop(end)
}

// linesBefore returns how many lines come before the first that is more than a comment or a directive; -1 if there is none.
func linesBefore(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return n
		}
		n++
	}
	return -1
}
