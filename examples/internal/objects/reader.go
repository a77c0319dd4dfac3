package objects

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	jsondecoder "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Kinds are the types of the objects to read, by apiVersion and kind.
type Kinds map[[2]string]reflect.Type

// Object is an object that was read, or what could not be read of the input, and why.
type Object struct {
	Place
	APIVersion, Kind string
	// Typed is a pointer to a value of the type of its kind, or nil if there are Problems.
	Typed    any
	Problems []Problem
}

// Unknown reports whether the object is well-formed and of none of the kinds.
func (o *Object) Unknown() bool {
	return o.Kind != "" && len(o.Problems) == 1 && o.Problems[0].Grade == Skipped
}

// reader yields the objects in files, until more is false.
type reader struct {
	kinds Kinds
	yield func(Object) bool
	done  bool // yield has returned false
	read  int  // objects so far
}

func (r *reader) emit(o Object) {
	if !r.done {
		r.done = !r.yield(o)
	}
}

func (r *reader) fail(at Place, field, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Unreadable, Fault{field, text})})
}

func (r *reader) skip(at Place, text string) {
	r.emit(Object{Place: at, Problems: Problems(at, Skipped, Fault{"", text})})
}

// addFile reads all documents of a file.
func (r *reader) addFile(f file) {
	for _, doc := range f.documents() {
		at := Place{file: doc.File, document: doc.Number}
		switch {
		case r.done:
			return
		case doc.Err != nil:
			r.fail(at, "", doc.Err.Error())
		case doc.Tree == nil: // empty
		case doc.IsOther():
			if doc.Found {
				r.skip(at, NotAnObject)
			} else {
				r.fail(at, "", NotAnObject)
			}
		default:
			r.addTree(at, doc.Tree)
		}
	}
}

func (r *reader) addTree(at Place, tree any) {
	object, ok := tree.(map[string]any)
	if !ok {
		r.fail(at, "", "not an object: want a mapping with apiVersion and kind")
		return
	}
	apiVersion, ok := object["apiVersion"].(string)
	kind, ok2 := object["kind"].(string)
	at.object = nameObject(kind, object)
	switch {
	case !ok2 || kind == "":
		r.fail(at, "kind", "missing, or not a string")
	case !ok || apiVersion == "":
		r.fail(at, "apiVersion", "missing, or not a string")
	case apiVersion == "v1" && kind == "List":
		r.addItems(at, object["items"], "", "")
	case r.known(apiVersion, strings.TrimSuffix(kind, "List")) && strings.HasSuffix(kind, "List"):
		r.addItems(at, object["items"], apiVersion, strings.TrimSuffix(kind, "List"))
	default:
		r.addObject(at, object, apiVersion, kind)
	}
}

func (r *reader) known(apiVersion, kind string) bool {
	return r.kinds[[2]string{apiVersion, kind}] != nil
}

// addItems reads the items of a list. Those of a PodList do not say that they are Pods.
func (r *reader) addItems(at Place, items any, apiVersion, kind string) {
	list, ok := items.([]any)
	if !ok && items != nil {
		r.fail(at, "items", "not a list")
		return
	}
	prefix := at.item
	if prefix != "" {
		prefix += "."
	}
	for i, item := range list {
		if r.done {
			return
		}
		at.item, at.object = fmt.Sprintf("%sitems[%d]", prefix, i), ""
		if object, ok := item.(map[string]any); ok && kind != "" && object["apiVersion"] == nil && object["kind"] == nil {
			object["apiVersion"], object["kind"] = apiVersion, kind
		}
		r.addTree(at, item)
	}
}

func (r *reader) addObject(at Place, object map[string]any, apiVersion, kind string) {
	o := Object{Place: at, APIVersion: apiVersion, Kind: kind}
	typ, known := r.kinds[[2]string{apiVersion, kind}]
	if !known {
		text := fmt.Sprintf("%s of %s is not a kind that is reported", kind, apiVersion)
		o.Problems = Problems(at, Skipped, Fault{"", text})
		r.emit(o)
		return
	}
	typed := reflect.New(typ).Interface()
	faults := CheckQuantities(object, typ)
	if len(faults) == 0 {
		if err := decodeTyped(object, typed); err != nil {
			faults = []Fault{{"", strings.TrimPrefix(err.Error(), "json: ")}}
		}
	}
	if len(faults) > 0 {
		o.Problems = Problems(at, Unreadable, faults...)
		r.emit(o)
		return
	}
	r.read++
	o.Turn, o.Typed = r.read, typed
	r.emit(o)
}

// decodeTyped goes through the text of the tree again, since field names are to be
// matched as the API server does, in their exact case.
func decodeTyped(tree map[string]any, into any) error {
	data, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	return jsondecoder.Unmarshal(data, into)
}

// nameObject returns "Deployment shop/web", or as much of it as is known.
func nameObject(kind string, object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	if name == "" {
		return kind
	}
	return strings.TrimSpace(kind + " " + wording.Qualified(namespace, name))
}
