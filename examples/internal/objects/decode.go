package objects

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// object is a value of JSON, and the result of decoding it.
type object struct {
	at   Place
	raw  json.RawMessage
	yaml *yamlText // that it was made of; nil if it is JSON

	head            head
	typed           runtime.Object // nil if its kind is unknown
	unknown, faults []Fault
	err             error         // it is not JSON
	failed          []Problem     // decoding it panicked
	ready           chan struct{} // closed when it is prepared; nil if nobody waits for that
}

// Tree is an object without a type: maps, lists, strings, booleans and json.Number. The last of several equal keys counts.
type Tree struct {
	metav1.TypeMeta
	Value map[string]any
}

// UnmarshalJSON reads the tree.
func (t *Tree) UnmarshalJSON(raw []byte) (err error) {
	tree, err := decodeTree(raw)
	t.Value, _ = tree.(map[string]any) // an object: it has a kind
	return err
}

// DeepCopyObject returns t, which nobody changes while it is decoded.
func (t *Tree) DeepCopyObject() runtime.Object { return t }

// decodeTree decodes a value of JSON without a type, nil if there is none.
func decodeTree(raw []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	return tree, nil
}

// prepare finds out what an object is, and decodes it as far as possible. It may be called concurrently. The items of a
// PodList do not have the kind Pod.
func (r *reading) prepare(o *object, of *head) {
	if len(o.raw) == 0 || o.raw[0] != '{' {
		return
	}
	if start := objectStart.FindSubmatch(o.raw); start != nil && r.Kinds[[2]string{string(start[1]), string(start[2])}] != nil {
		o.head = head{apiVersion: string(start[1]), kind: string(start[2]), some: true}
	} else if o.head, o.err = headOf(o.raw); o.err != nil {
		return
	}
	if of != nil && !o.head.some {
		if apiVersion, kind, _ := of.list(r.Kinds); kind != "" {
			o.head.apiVersion, o.head.kind, o.head.some = apiVersion, kind, true
		}
	}
	typ, known := r.Kinds[[2]string{o.head.apiVersion, o.head.kind}]
	if !known {
		return
	}
	o.typed = reflect.New(typ).Interface().(runtime.Object)
	o.unknown, o.faults, o.err = r.decode(o.raw, o.typed)
	if is := o.typed.GetObjectKind().GroupVersionKind().Kind; o.head.metadata == nil && is != "" && is != o.head.kind {
		o.typed = nil // The kind is given twice, and the last one counts.
		if o.head, o.err = headOf(o.raw); o.err != nil {
			return
		}
		if typ = r.Kinds[[2]string{o.head.apiVersion, o.head.kind}]; typ == nil {
			return
		}
		o.typed = reflect.New(typ).Interface().(runtime.Object)
		o.unknown, o.faults, o.err = r.decode(o.raw, o.typed)
	}
	if tree, isTree := o.typed.(*Tree); isTree && tree.Value != nil { // what the items of a PodList do not repeat
		tree.Value["apiVersion"], tree.Value["kind"] = o.head.apiVersion, o.head.kind
	}
	if o.err == nil && len(o.faults) == 0 && r.Check != Unchecked {
		for _, d := range quantity.Doubts(o.typed) {
			o.unknown = append(o.unknown, Fault{Field: d.Path, Text: d.Text})
		}
	}
}

// emitDecoded emits an object, or why it could not be decoded.
func (r *reading) emitDecoded(d *object) {
	at, h := d.at, &d.head
	o := Object{APIVersion: h.apiVersion, Kind: h.kind}
	if named, ok := d.typed.(metav1.Object); ok && len(d.faults)+len(d.failed) == 0 {
		at.object = nameObject(h.kind, named.GetNamespace(), named.GetName(), named.GetGenerateName())
	} else {
		if h.metadata == nil { // which prepare does not always read
			*h, _ = headOf(d.raw)
		}
		at.object = nameOf(h)
	}
	switch {
	case len(d.failed) > 0:
		o.Problems = Problems(at, Failed, Fault{Text: d.failed[0].Text, Line: at.Line})
	case len(d.faults) > 0:
		o.Problems = Problems(at, Unreadable, at.begin(d.faults)...)
	default:
		r.read++
		at.Turn = r.read
		if d.typed == nil {
			o.Identity = identityOf(h)
			o.Problems = Problems(at, Skipped, Fault{Text: fmt.Sprintf("%s of %s is not a kind that is reported", h.kind, h.apiVersion)})
			break
		}
		grade := Warning
		if r.Check == Strict {
			grade = Invalid
		}
		if r.Check != Unchecked {
			o.Problems = Problems(at, grade, append(d.yaml.takeRepeated(), at.begin(d.unknown)...)...)
		}
		if o.Typed = d.typed; grade == Invalid && len(o.Problems) > 0 {
			o.Typed = nil
		}
	}
	o.Place = at
	r.emit(o)
}

// decode fills typed, and returns unknown and duplicate fields, if they are checked, and other errors in
// fields. An error means that it is not JSON.
//
// The decoder does not report where a bad quantity is, and takes forever to parse an amount such as 1e-1000000000. So
// suspicious objects are decoded without types first, and so are objects that the decoder rejects, to report why.
func (r *reading) decode(raw []byte, typed runtime.Object) (unknown, faults []Fault, err error) {
	if !suspicious(raw) {
		if unknown, err = r.decodeTyped(raw, typed); err == nil {
			return unknown, nil, nil
		}
	}
	decoded, err := decodeTree(raw)
	if err != nil {
		return nil, nil, err
	}
	tree, _ := decoded.(map[string]any) // an object: raw begins with a brace
	value := reflect.ValueOf(typed).Elem()
	if faults = CheckQuantities(tree, value.Type()); len(faults) == 0 {
		value.SetZero()
		if raw, err = json.Marshal(tree); err == nil {
			unknown, err = r.decodeTyped(raw, typed)
		}
		if err != nil {
			faults = []Fault{TypeFault(err)}
		}
	}
	return unknown, faults, nil
}

// decodeTyped decodes JSON as the API server does: names of fields have their exact case.
func (r *reading) decodeTyped(raw []byte, typed runtime.Object) (faults []Fault, err error) {
	s := serializer.NewSerializerWithOptions(anyKind{}, nil, anyKind{}, serializer.SerializerOptions{Strict: r.Check != Unchecked})
	_, _, err = s.Decode(raw, nil, typed)
	failed, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict {
		return nil, err
	}
	for _, err := range failed.Errors() {
		at, ok := err.(interface{ FieldPath() string })
		switch {
		case !ok:
			faults = append(faults, Fault{Text: err.Error()})
		case strings.HasPrefix(err.Error(), "duplicate"):
			faults = append(faults, Fault{Field: at.FieldPath(), Text: "duplicate field: the last one counts"})
		default:
			faults = append(faults, Fault{Field: at.FieldPath(), Text: "unknown field, ignored" + suggestion(reflect.TypeOf(typed), step.FindAllString(at.FieldPath(), -1))})
		}
	}
	return faults, nil
}

// anyKind makes the serializers ignore the stated kind, which is already known.
type anyKind struct{}

func (anyKind) Interpret([]byte) (*schema.GroupVersionKind, error) {
	return &schema.GroupVersionKind{}, nil
}

func (anyKind) ObjectKinds(runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return nil, false, runtime.NewNotRegisteredErrForType("none", reflect.TypeFor[anyKind]())
}

func (anyKind) Recognizes(schema.GroupVersionKind) bool { return false }

// objectStart matches the beginning of an object as kubectl and API servers write it, which says what it is.
var objectStart = regexp.MustCompile(`^\{\s*"apiVersion"\s*:\s*"([^"\\]*)"\s*,\s*"kind"\s*:\s*"([^"\\]*)"`)

// suspicious reports whether a value of JSON may be a negative amount, or one that takes long to parse.
func suspicious(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		switch raw[i] {
		case '"', ':', ',', '[', ' ':
			if c := raw[i+1]; (c <= '9' && c >= '+' || c == '\\' && raw[i] == '"') && strange(raw[i+1:]) {
				return true
			}
		}
	}
	return false
}

// strange reports whether a text begins with a negative number, or with one of many digits, with an exponent of two digits
// or more, or with an escape.
func strange(text []byte) bool {
	digits := func(i int, more string) int {
		n := i
		for n < len(text) && (text[n] >= '0' && text[n] <= '9' || strings.IndexByte(more, text[n]) >= 0) {
			n++
		}
		return n - i
	}
	begin := 0
	if text[0] == '-' || text[0] == '+' {
		begin = 1
	}
	n := digits(begin, ".")
	rest := text[begin+n:]
	switch {
	case len(rest) > 0 && rest[0] == '\\', text[0] == '-' && n > 0, n > 30:
		return true
	case n == 0 || len(rest) < 3 || rest[0] != 'e' && rest[0] != 'E':
		return false
	}
	at := begin + n + 1
	if text[at] == '-' || text[at] == '+' {
		at++
	}
	n = digits(at, "")
	return n > 1 && (at+n == len(text) || strings.IndexByte("\",}] \t\r\n", text[at+n]) >= 0)
}

var step = regexp.MustCompile(`[^.\[\]]+`)

// suggestion returns the field of a type that an unknown one probably is.
func suggestion(typ reflect.Type, steps []string) string {
	if len(steps) == 0 {
		return ""
	}
	for _, step := range steps[:len(steps)-1] {
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		switch typ.Kind() {
		case reflect.Struct:
			field, found := fieldOf(typ, func(name string) bool { return name == step })
			if !found {
				return ""
			}
			typ = field.Type
		case reflect.Slice, reflect.Map:
			typ = typ.Elem()
		default:
			return ""
		}
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	name := strings.ToLower(steps[len(steps)-1])
	field, found := fieldOf(typ, func(known string) bool { // such as Requests, request and limitss
		known = strings.ToLower(known)
		return name == known || len(name) > 2 && (strings.TrimSuffix(known, "s") == name || strings.TrimSuffix(name, "s") == known)
	})
	if !found {
		return ""
	}
	return ": did you mean " + jsonName(field) + "?"
}

// fieldOf returns the first field of a struct, or of one that is embedded, whose JSON name is wanted.
func fieldOf(typ reflect.Type, wanted func(name string) bool) (found reflect.StructField, ok bool) {
	if typ.Kind() != reflect.Struct {
		return found, false
	}
	for _, f := range reflect.VisibleFields(typ) {
		if name := jsonName(f); name != "" && wanted(name) {
			return f, true
		}
	}
	return found, false
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// wrongType matches the decoder's error about a value whose type differs from that of its field.
var wrongType = regexp.MustCompile(`^(?:json: )?cannot unmarshal (\S+).* into Go (?:struct field [A-Za-z0-9]*\.(\S+)|value) of type (\S+)$`)

// TypeFault describes an error of the decoder without words of Go. The path has the fields, without the
// indices in lists.
func TypeFault(err error) Fault {
	match := wrongType.FindStringSubmatch(err.Error())
	if match == nil {
		return Fault{Text: strings.TrimPrefix(err.Error(), "json: ")}
	}
	got := map[string]string{"bool": "true or false", "object": "a mapping", "array": "a list", "string": "text", "number": "a number"}[match[1]]
	want := "a mapping"
	for _, t := range [][2]string{{"string", "text"}, {"int", "a whole number"}, {"uint", "a whole number"}, {"float", "a number"}, {"bool", "true or false"}, {"[]", "a list"}} {
		if strings.HasPrefix(match[3], t[0]) {
			want = t[1]
			break
		}
	}
	// The decoder names embedded structs and fields of Go.
	parts := strings.Split(strings.TrimPrefix(match[2], "TypeMeta."), ".")
	for i, part := range parts {
		if part != "" {
			parts[i] = strings.ToLower(part[:1]) + part[1:]
		}
	}
	return Fault{Field: strings.Join(parts, "."), Text: "want " + want + ", not " + cmp.Or(got, match[1])}
}

// Identity has the kind and metadata of an object of an unknown kind. Values that are not text are
// omitted.
type Identity struct{ Namespace, Name, GenerateName, UID string }

func identityOf(h *head) Identity {
	var m struct{ Namespace, Name, GenerateName, UID any }
	if len(h.metadata) > 0 && json.Unmarshal(h.metadata, &m) != nil {
		return Identity{}
	}
	text := func(value any) string {
		s, _ := value.(string)
		return s
	}
	return Identity{text(m.Namespace), text(m.Name), text(m.GenerateName), text(m.UID)}
}

// nameOf returns "Deployment shop/web", or the parts that are known.
func nameOf(h *head) string {
	of := identityOf(h)
	return nameObject(h.kind, of.Namespace, of.Name, of.GenerateName)
}

func nameObject(kind, namespace, name, generate string) string {
	switch {
	case name == "" && generate == "":
		return kind
	case name == "":
		name = generate + "..."
	}
	return strings.TrimSpace(kind + " " + wording.Qualified(namespace, name))
}
