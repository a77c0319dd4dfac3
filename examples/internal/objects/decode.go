package objects

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

const (
	notAnObject  = "not a Kubernetes object: it has neither apiVersion nor kind"
	notAList     = "not a list, but its items were read as those of a List"
	maxListDepth = 10
	maxObject    = 64 << 20 // bytes
)

// decoding makes objects of a piece of a file.
type decoding struct {
	*Reader
	found    bool     // the file was found in a directory, where files of other kinds are
	document document // zero for JSON
	repeated []Fault  // duplicate keys of it that are not reported yet
	until    int      // the line where the next object begins
	all      []Object
}

func (d *decoding) fail(at Place, grade Grade, f Fault) {
	d.all = append(d.all, Object{Place: at, Problems: Problems(at, grade, f)})
}

// head has the fields of an object of JSON that say what it is.
type head struct{ APIVersion, Kind, Metadata, Items json.RawMessage }

func (h *head) names() names { return names{textOf(h.APIVersion), textOf(h.Kind)} }

// identity returns what is text in the metadata.
func (h *head) identity() (of Identity) {
	_ = json.Unmarshal(h.Metadata, &of) // as far as possible
	return of
}

// names are the apiVersion and the kind of an object; empty if missing, or not a string.
type names struct{ apiVersion, kind string }

// textOf returns a string of JSON, or "" for another value.
func textOf(raw json.RawMessage) (text string) {
	if n := len(raw); n > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : n-1]) // without an escape
	}
	_ = json.Unmarshal(raw, &text)
	return text
}

// items reports whether an object is a list of objects that are read, and what these are if they do not say so: nothing in a List.
func (k Kinds) items(list names) (of names, isList bool) {
	if list == (names{"v1", "List"}) {
		return names{}, true
	}
	of.kind, isList = strings.CutSuffix(list.kind, "List")
	of.apiVersion = list.apiVersion
	return of, isList && k[of.key()] != nil
}

// canBeList reports whether an object may be a list, by its kind, if it is known.
func (n names) canBeList() bool { return n.kind == "" || strings.HasSuffix(n.kind, "List") }

func (n names) key() [2]string { return [2]string{n.apiVersion, n.kind} }

// add adds an object, or the items of a list, or why it is neither. The head may be nil. The other names are those of an object
// that does not say what it is, as the items of a PodList.
func (d *decoding) add(at Place, raw json.RawMessage, h *head, other names) {
	top, grade := at.Source.Item == "", Unreadable
	if top && d.found {
		grade = Skipped
	}
	if top && len(raw) == 0 { // nothing, or null
		return
	}
	if h == nil {
		h = &head{}
		_ = json.Unmarshal(raw, h) // which is JSON, but may be no object
	}
	is := h.names()
	if h.APIVersion == nil && h.Kind == nil {
		is = other
	}
	typ := d.Kinds[is.key()]
	if typ == nil {
		at.Named = nameObject(is.kind, h.identity())
	}
	refuse := func(grade Grade, f Fault) {
		d.all = append(d.all, Object{Place: at, Identity: h.identity(), Problems: Problems(at, grade, f)})
	}
	each, isList := d.Kinds.items(is)
	isList = isList || top && d.document.isPart
	var repeated []Fault // of this object, or of the list before its first item
	for !isList && len(d.repeated) > 0 && d.repeated[0].Line < d.until {
		repeated, d.repeated = append(repeated, d.repeated[0]), d.repeated[1:]
	}
	switch {
	case raw[0] != '{', h.APIVersion == nil && is == names{} && !isList:
		d.fail(at, grade, Fault{Text: notAnObject})
	case isList && !is.canBeList():
		d.fail(at, Unreadable, Fault{Text: is.kind + " is " + notAList})
	case isList && strings.Count(at.Source.Item, "items[") >= maxListDepth:
		d.fail(at, Unreadable, Fault{Text: fmt.Sprintf("lists nested more than %d deep", maxListDepth)})
	case isList:
		d.addItems(at, h, each)
	case is.kind == "": // such as Chart.yaml
		refuse(grade, Fault{Field: "kind", Text: "missing, or not a string"})
	case is.apiVersion == "":
		refuse(Unreadable, Fault{Field: "apiVersion", Text: "missing, or not a string"})
	case typ == nil && is.isUnserved():
		refuse(Unreadable, Fault{Text: fmt.Sprintf("no matches for kind %q in version %q", is.kind, is.apiVersion), Line: at.Line}) // as kubectl says
	case typ == nil:
		text := fmt.Sprintf("%s of %s is not a kind that is reported", is.kind, is.apiVersion)
		d.all = append(d.all, Object{at, is.apiVersion, is.kind, h.identity(), nil, Problems(at, Skipped, Fault{Text: text})})
		if why := is.whyItMatters(raw); d.Matters && why != "" {
			p := &d.all[len(d.all)-1].Problems[0]
			p.Text, p.Grade, p.Strict = why, Uncomputed, d.Check == Strict
		}
	default:
		d.addObject(at, is, h, reflect.New(typ).Interface().(runtime.Object), raw, repeated)
	}
}

func (d *decoding) addItems(at Place, list *head, each names) {
	var items []json.RawMessage
	if err := json.Unmarshal(list.Items, &items); err != nil && list.Items != nil {
		d.fail(at, Unreadable, Fault{Field: "items", Text: "not a list"})
	}
	first, lines, prefix := 0, []int(nil), ""
	if at.Source.Item != "" {
		prefix = at.Source.Item + "."
	} else {
		first, lines = d.document.first, append(d.document.linesOfItems(), math.MaxInt)
	}
	for i, raw := range items {
		at.Source.Item = fmt.Sprintf("%sitems[%d]", prefix, first+i)
		if len(lines) == len(items)+1 {
			at.Line, d.until = lines[i], lines[i+1]
		}
		d.add(at, raw, nil, each)
	}
}

// addObject adds an object of a known kind, with warnings.
func (d *decoding) addObject(at Place, is names, h *head, typed runtime.Object, raw json.RawMessage, warnings []Fault) {
	var faults []Fault
	panicked := command.Recovered(func() {
		var more []Fault
		more, faults = d.decode(raw, typed)
		warnings = append(warnings, more...)
	})
	if named, ok := typed.(metav1.Object); ok && panicked == nil && len(faults) == 0 {
		at.Named = nameObject(is.kind, Identity{named.GetNamespace(), named.GetName(), named.GetGenerateName(), ""})
	} else {
		at.Named = nameObject(is.kind, h.identity())
	}
	if object, ok := typed.(admit.APIObject); ok && panicked == nil && len(raw) > cmp.Or(d.MaxBytes, maxObject) {
		if err := (admit.MaxSize{Bytes: cmp.Or(d.MaxBytes, maxObject)}).Check(object); err != nil {
			faults = append(faults, Fault{Text: strings.TrimPrefix(strings.TrimPrefix(err.Error(), at.Named+": "), is.kind+": ")})
		}
	}
	for _, list := range [][]Fault{warnings, faults} {
		for i := range list {
			list[i].Line = cmp.Or(list[i].Line, at.Line)
		}
	}
	o := Object{Place: at, APIVersion: is.apiVersion, Kind: is.kind}
	switch {
	case panicked != nil:
		o.Problems = Problems(at, Failed, Fault{Text: panicked.Error(), Line: at.Line})
	case len(faults) > 0:
		o.Problems = Problems(at, Unreadable, faults...)
	case d.Check == Strict && len(warnings) > 0:
		o.Problems = Problems(at, Invalid, warnings...)
	case d.Check == Unchecked:
		o.Typed = typed
	default:
		o.Typed, o.Problems = typed, Problems(at, Warning, warnings...)
	}
	if o.Typed == nil {
		o.Identity = h.identity()
	}
	d.all = append(d.all, o)
}

// decode fills typed with an object of JSON, and returns warnings, if it is to be checked, and errors in fields.
//
// The decoder does not report where a bad quantity is, and takes forever to parse an amount such as 1e-1000000000. So
// suspicious objects are decoded without types first, and so are objects that the decoder rejects, to report why. Of their
// duplicate fields, the last one counts without a warning.
func (d *decoding) decode(raw []byte, typed runtime.Object) (warnings, faults []Fault) {
	if !quantity.Suspicious(raw) {
		if warnings, err := d.decodeTyped(raw, typed); err == nil {
			return warnings, nil
		}
	}
	var tree map[string]any
	untyped := json.NewDecoder(bytes.NewReader(raw))
	untyped.UseNumber()
	err := untyped.Decode(&tree)
	faults = faultsOf(quantity.Errors(reflect.TypeOf(typed), tree))
	if err == nil && len(faults) == 0 {
		reflect.ValueOf(typed).Elem().SetZero()
		raw, err = json.Marshal(tree)
		if err == nil {
			warnings, err = d.decodeTyped(raw, typed)
		}
	}
	if err != nil {
		faults = append(faults, typeFault(err))
	}
	return warnings, faults
}

func faultsOf(errs field.ErrorList) (faults []Fault) {
	for _, e := range errs {
		faults = append(faults, Fault{Field: e.Field, Text: e.Detail})
	}
	return faults
}

// decodeTyped decodes JSON as the API server does: names of fields have their exact case.
func (d *decoding) decodeTyped(raw []byte, typed runtime.Object) (warnings []Fault, err error) {
	_, _, err = decoders[d.Check != Unchecked].Decode(raw, nil, typed)
	if strict, isStrict := runtime.AsStrictDecodingError(err); isStrict {
		for _, err := range strict.Errors() {
			f := Fault{Text: err.Error()}
			if at, ok := err.(interface{ FieldPath() string }); ok {
				f.Field, f.Text = at.FieldPath(), "unknown field, ignored"
				if strings.HasPrefix(err.Error(), "duplicate") {
					f.Text = "duplicate field: the last one counts"
				}
			}
			warnings = append(warnings, f)
		}
		err = nil
	}
	if err == nil && d.Check != Unchecked {
		warnings = append(warnings, faultsOf(quantity.Doubts(typed))...)
	}
	return warnings, err
}

// anyKind makes the serializer ignore the stated kind, which is already known.
type anyKind struct{}

func (anyKind) Interpret([]byte) (*schema.GroupVersionKind, error) {
	return &schema.GroupVersionKind{}, nil
}

func decoder(strict bool) *serializer.Serializer {
	none := runtime.NewScheme()
	return serializer.NewSerializerWithOptions(anyKind{}, none, none, serializer.SerializerOptions{Strict: strict})
}

// decoders are those that report unknown and duplicate fields, or not.
var decoders = map[bool]*serializer.Serializer{false: decoder(false), true: decoder(true)}

var (
	// wrongType matches the decoder's error about a value whose type differs from that of its field.
	wrongType = regexp.MustCompile(`cannot unmarshal (?:number )?(\S+).* into Go (?:struct field \w*(?:\[.*\])?\.(\S+)|value) of type (\S+?)\d*$`)
	// embedded matches a type in a path whose fields are those of the value around it in JSON.
	embedded = regexp.MustCompile(`\b(?:TypeMeta|LocalObjectReference|VolumeSource|ProbeHandler|EphemeralContainerCommon)\.`)
	// fieldOfGo matches the beginning of a field that has no name in JSON.
	fieldOfGo = regexp.MustCompile(`\b[A-Z]`)

	words = map[string]string{"object": "a mapping", "array": "a list", "string": "text", "number": "a number", "bool": "true or false",
		"slice": "a list", "int": "a whole number", "uint": "a whole number", "float": "a number"}
)

// wanted returns the kind of the type that a field has, such as "string" for a RestartPolicy. The error of the decoder
// is of an internal type.
func wanted(err error) string {
	if e := reflect.Indirect(reflect.ValueOf(err)); e.Kind() == reflect.Struct {
		if field := e.FieldByName("Type"); field.IsValid() && field.CanInterface() {
			if t, ok := field.Interface().(reflect.Type); ok {
				return strings.TrimRight(t.Kind().String(), "0123456789")
			}
		}
	}
	return ""
}

// typeFault describes an error of the decoder without words of Go. The path has no indices.
func typeFault(err error) Fault {
	match := wrongType.FindStringSubmatch(err.Error())
	if match == nil {
		return Fault{Text: strings.TrimPrefix(err.Error(), "json: ")}
	}
	want := cmp.Or(words[wanted(err)], words[match[3]], "a mapping")
	path := fieldOfGo.ReplaceAllStringFunc(embedded.ReplaceAllString(match[2], ""), strings.ToLower)
	got := cmp.Or(words[match[1]], match[1])
	if isWhole := strings.Trim(got, "-0123456789") == ""; isWhole && strings.HasSuffix(want, "number") {
		return Fault{Field: path, Text: got + " is out of range"}
	}
	return Fault{Field: path, Text: "want " + want + ", not " + got}
}

// nameObject returns "Deployment shop/web", or the parts that are known.
func nameObject(kind string, of Identity) string {
	switch {
	case of.Name == "" && of.GenerateName == "":
		return kind
	case of.Name == "":
		of.Name = of.GenerateName + "..."
	}
	return strings.TrimSpace(kind + " " + wording.Qualified(of.Namespace, of.Name))
}
