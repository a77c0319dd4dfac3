package objects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// object is a JSON object that is not a list, and the result of decoding it.
type object struct {
	at      Place
	raw     []byte
	head    head
	line    int // where it begins in the text
	suspect bool

	typed           runtime.Object // nil if its kind is unknown
	unknown, faults []Fault
	err             error     // it is not JSON
	failed          []Problem // decoding it panicked
}

// addObject reads a JSON object that is not a list. An error means that it is not JSON.
func (r *reading) addObject(o *object) error {
	if r.batch != nil {
		return r.addToBatch(o)
	}
	r.decodeObject(o)
	return r.addDecoded(o)
}

// decodeObject decodes an object as far as possible. It may be called concurrently.
func (r *reading) decodeObject(o *object) {
	o.failed = Guarded(o.at, func() { r.decodeUnguarded(o) })
}

func (r *reading) decodeUnguarded(o *object) {
	typ, known := r.Kinds[[2]string{o.head.apiVersion, o.head.kind}]
	if !known {
		o.err = syntax(o.raw)
		return
	}
	o.typed = reflect.New(typ).Interface().(runtime.Object)
	o.unknown, o.faults, o.err = r.decode(o.raw, o.typed, o.suspect)
	if o.err == nil && len(o.faults) == 0 {
		o.unknown = append(o.unknown, r.unlikely(o.typed)...)
	}
}

// addDecoded emits the result of decoding an object.
func (r *reading) addDecoded(d *object) error {
	if d.err != nil {
		return d.err
	}
	at, h := d.at, &d.head
	at.Line = r.beginning(at, d.line)
	o := Object{APIVersion: h.apiVersion, Kind: h.kind}
	if len(d.failed) > 0 {
		at.object = nameOf(h)
		o.Place, o.Problems = at, Problems(at, Failed, Fault{Text: d.failed[0].Text, Line: at.Line})
		r.emit(o)
		return nil
	}
	if d.typed == nil {
		at.object = nameOf(h)
		r.read++
		at.Turn = r.read
		text := fmt.Sprintf("%s of %s is not a kind that is reported", h.kind, h.apiVersion)
		o.Place, o.Identity, o.Problems = at, identityOf(h), Problems(at, Skipped, Fault{Text: text})
		r.emit(o)
		return nil
	}
	if named, ok := d.typed.(metav1.Object); ok && len(d.faults) == 0 {
		at.object = nameObject(h.kind, named.GetNamespace(), named.GetName())
	} else {
		at.object = nameOf(h)
	}
	lines := lineFinder{d.raw, d.line, r.yaml, at.item, r.Check == Unchecked}
	if len(d.faults) == 0 {
		r.read++
		at.Turn = r.read
		o.Typed = d.typed
		if r.Check != Unchecked {
			d.unknown = append(r.takeRepeated(), d.unknown...)
		}
		if r.Check == Strict && len(d.unknown) > 0 {
			o.Typed = nil
		}
		o.Problems = Problems(at, r.grade(), lines.of(d.unknown)...)
	} else {
		o.Problems = Problems(at, Unreadable, lines.of(d.faults)...)
	}
	o.Place = at
	r.emit(o)
	return nil
}

// grade is the grade of problems that Check finds.
func (r *reading) grade() Grade {
	if r.Check == Strict {
		return Invalid
	}
	return Warning
}

// decode fills typed, and returns unknown and duplicate fields, if they are checked, and other errors in
// fields. An error means that it is not JSON.
//
// The decoder does not report where in a manifest a bad quantity is, and takes forever to parse an
// amount such as 1e-1000000000. So suspicious objects are decoded without types first, and so are
// objects that the decoder rejects, to report why.
func (r *reading) decode(raw []byte, typed runtime.Object, suspect bool) (unknown, faults []Fault, err error) {
	if !suspect {
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
	faults = CheckQuantities(tree, value.Type())
	if len(faults) == 0 {
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
func (r *reading) decodeTyped(raw []byte, typed runtime.Object) ([]Fault, error) {
	decoder := lenient
	if r.Check != Unchecked {
		decoder = strict
	}
	_, _, err := decoder.Decode(raw, nil, typed)
	failed, isStrict := runtime.AsStrictDecodingError(err)
	if !isStrict {
		return nil, err
	}
	var faults []Fault
	for _, err := range failed.Errors() {
		faults = append(faults, strictFault(err, reflect.TypeOf(typed)))
	}
	return faults, nil
}

var (
	lenient = serializer.NewSerializerWithOptions(anyKind{}, nil, anyKind{}, serializer.SerializerOptions{})
	strict  = serializer.NewSerializerWithOptions(anyKind{}, nil, anyKind{}, serializer.SerializerOptions{Strict: true})
)

// anyKind makes the serializers ignore the stated kind, which is already known.
type anyKind struct{}

func (anyKind) Interpret([]byte) (*schema.GroupVersionKind, error) {
	return &schema.GroupVersionKind{}, nil
}

func (anyKind) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return nil, false, notRegistered
}

func (anyKind) Recognizes(schema.GroupVersionKind) bool { return false }

var notRegistered = runtime.NewNotRegisteredErrForType("none", reflect.TypeFor[anyKind]())

// syntax returns an error about invalid JSON.
func syntax(raw []byte) error {
	var any json.RawMessage
	if err := json.Unmarshal(raw, &any); err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	return nil
}

// beginning returns the line in which an object begins, or 0 if it is unknown.
func (r *reading) beginning(at Place, line int) int {
	switch {
	case r.yaml == nil:
		return line
	case at.item != r.yaml.item:
		return 0
	}
	n := r.yaml.line
	for text := range bytes.Lines(r.yaml.text) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			return n
		}
		n++
	}
	return 0
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
	return nameObject(h.kind, of.Namespace, of.Name)
}

func nameObject(kind, namespace, name string) string {
	if name == "" {
		return kind
	}
	return strings.TrimSpace(kind + " " + wording.Qualified(namespace, name))
}
