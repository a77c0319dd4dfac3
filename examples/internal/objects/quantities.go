package objects

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// CheckQuantities returns the errors in the quantities of a tree that will be decoded into the given
// type. It writes valid quantities in canonical form, so that the decoder accepts them. The JSON name of
// a field without a tag is its Go name in lower camel case.
func CheckQuantities(tree map[string]any, typ reflect.Type) []Fault {
	var c checker
	c.walk(nil, typ, tree)
	return c.faults
}

type checker struct {
	faults []Fault
	signed bool // amounts may be negative
}

var (
	quantityType = reflect.TypeFor[resource.Quantity]()

	// Negative amounts are allowed in these fields: the API server rejects them in containers and in the
	// limits of quotas, and allows them in LimitRanges.
	signedTypes = []reflect.Type{
		reflect.TypeFor[corev1.ResourceRequirements](), reflect.TypeFor[corev1.LimitRangeItem](),
		reflect.TypeFor[corev1.ResourceQuotaSpec](), reflect.TypeFor[corev1.ResourceQuotaStatus](),
	}
)

// walk returns the replacement of tree. A tree whose shape does not match its type is left to the
// decoder, which rejects it.
func (c *checker) walk(path *field.Path, typ reflect.Type, tree any) any {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ == quantityType {
		return c.quantity(path, tree)
	}
	switch tree := tree.(type) {
	case map[string]any:
		switch typ.Kind() {
		case reflect.Struct:
			outside := c.signed
			c.signed = outside || slices.Contains(signedTypes, typ)
			c.walkFields(path, typ, tree)
			c.signed = outside
		case reflect.Map:
			for _, key := range slices.Sorted(maps.Keys(tree)) {
				tree[key] = c.walk(path.Key(key), typ.Elem(), tree[key])
			}
		}
	case []any:
		if typ.Kind() == reflect.Slice {
			for i := range tree {
				tree[i] = c.walk(path.Index(i), typ.Elem(), tree[i])
			}
		}
	}
	return tree
}

func (c *checker) walkFields(path *field.Path, typ reflect.Type, tree map[string]any) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			c.walk(path, f.Type, tree)
			continue
		}
		if name == "" {
			name = strings.ToLower(f.Name[:1]) + f.Name[1:]
		}
		if value, found := tree[name]; found {
			tree[name] = c.walk(path.Child(name), f.Type, value)
		}
	}
}

func (c *checker) quantity(path *field.Path, tree any) any {
	var text string
	switch value := tree.(type) {
	case nil:
		return nil // decoded as zero
	case string:
		text = value
	case json.Number:
		text = value.String()
	default:
		c.fault(path, fmt.Sprintf("want a quantity such as 500m or 2Gi, not %s", describe(tree)))
		return tree
	}
	q, err := quantity.Parse(text)
	if err == nil && q.Sign() < 0 && !c.signed {
		err = fmt.Errorf("%s is negative", text)
	}
	if err != nil {
		c.fault(path, err.Error())
		return tree
	}
	return quantity.Canonical(q)
}

func (c *checker) fault(path *field.Path, text string) {
	c.faults = append(c.faults, Fault{Field: path.String(), Text: text})
}

// describe names a value that is neither a string nor a number.
func describe(tree any) string {
	switch tree := tree.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	default:
		return fmt.Sprint(tree)
	}
}
