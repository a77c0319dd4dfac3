package taskrun

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// node is a value of a manifest, with its path. Reading it as a wrong type records a fault, and returns
// the zero value. A missing value, or null, can be read as any type, and is the zero value.
type node struct {
	tree   any
	path   *field.Path
	faults *[]fault
}

func (n node) fault(format string, args ...any) {
	f := fault{text: fmt.Sprintf(format, args...)}
	if n.path != nil {
		f.path = n.path.String()
	}
	if !slices.Contains(*n.faults, f) {
		*n.faults = append(*n.faults, f)
	}
}

func (n node) missing() bool { return n.tree == nil }

// child returns a field of a mapping.
func (n node) child(name string) node {
	return node{n.mapping()[name], n.path.Child(name), n.faults}
}

func (n node) mapping() map[string]any {
	fields, ok := n.tree.(map[string]any)
	if !ok && !n.missing() {
		n.fault("want a mapping, not %s", describe(n.tree))
	}
	return fields
}

// items returns the items of a list.
func (n node) items() []node {
	list, ok := n.tree.([]any)
	if !ok && !n.missing() {
		n.fault("want a list, not %s", describe(n.tree))
	}
	var items []node
	for i, tree := range list {
		items = append(items, node{tree, n.path.Index(i), n.faults})
	}
	return items
}

// text returns a string, which is empty if it is missing.
func (n node) text() string {
	s, ok := n.tree.(string)
	if !ok && !n.missing() {
		n.fault("want a string, not %s", describe(n.tree))
	}
	return s
}

// requirements reads the requests and limits of a container.
func (n node) requirements() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: n.child("requests").amounts(),
		Limits:   n.child("limits").amounts(),
	}
}

// amounts reads a mapping of quantities, which is nil if it is missing.
func (n node) amounts() corev1.ResourceList {
	if n.missing() {
		return nil
	}
	list := corev1.ResourceList{}
	fields := n.mapping()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := node{fields[name], n.path.Key(name), n.faults}
		list[corev1.ResourceName(name)] = at.quantity()
	}
	return list
}

// quantityForm matches a quantity with up to two digits in its exponent. Adding or printing larger
// exponents takes too long, and so do very long numbers.
var quantityForm = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2}|[numkMGTPE]|[KMGTPE]i)?$`)

const maxQuantityText = 60

// quantity reads a quantity. Null is zero, as for the API server.
func (n node) quantity() resource.Quantity {
	var text string
	switch value := n.tree.(type) {
	case nil:
		return resource.Quantity{}
	case string:
		text = value
	case json.Number:
		text = value.String()
	default:
		n.fault("want a quantity such as 500m or 2Gi, not %s", describe(n.tree))
		return resource.Quantity{}
	}
	if len(text) > maxQuantityText {
		n.fault("%q... is longer than any quantity", text[:20])
		return resource.Quantity{}
	}
	q, err := resource.Quantity{}, error(nil)
	if !quantityForm.MatchString(text) {
		err = resource.ErrFormatWrong
	} else {
		q, err = resource.ParseQuantity(text)
	}
	if err != nil {
		n.fault("%q is not a quantity such as 500m or 2Gi", text)
	}
	return q
}

// describe names a value of a wrong type.
func describe(tree any) string {
	switch value := tree.(type) {
	case nil:
		return "null"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	case string:
		if len(value) > mostShown {
			return fmt.Sprintf("%q...", strings.ToValidUTF8(value[:mostShown], ""))
		}
		return fmt.Sprintf("%q", value)
	default:
		return fmt.Sprint(value)
	}
}

// mostShown is how many bytes of a misplaced text are shown.
const mostShown = 100
