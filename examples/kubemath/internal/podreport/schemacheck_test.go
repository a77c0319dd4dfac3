package podreport_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// check returns where a tree of JSON is not as the schema says. It notes the properties that
// it has seen: "Report.node".
func (s *schema) check(tree any, root *schema, path string, seen map[string]bool) []string {
	name, isRef := strings.CutPrefix(s.Ref, "#/$defs/")
	if isRef {
		s = root.Defs[name]
	}
	if !s.fits(tree) {
		article := "a "
		if strings.ContainsAny(s.Type[:1], "aio") {
			article = "an "
		}
		return []string{path + ": not " + article + s.Type}
	}
	var faults []string
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			faults = append(faults, s.Items.check(tree[i], root, fmt.Sprintf("%s[%d]", path, i), seen)...)
		}
	case map[string]any:
		for _, required := range s.Required {
			if _, has := tree[required]; !has {
				faults = append(faults, path+": "+required+" is missing")
			}
		}
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			at := path + "." + key
			if property := s.Properties[key]; property != nil {
				seen[name+"."+key] = true
				faults = append(faults, property.check(tree[key], root, at, seen)...)
			} else if values, _ := s.Additional.(map[string]any); values != nil {
				value := schema{Type: values["type"].(string)}
				faults = append(faults, value.check(tree[key], root, at, seen)...)
			} else {
				faults = append(faults, at+": not in the schema")
			}
		}
	}
	return faults
}

// fits reports whether the tree is of the type.
func (s *schema) fits(tree any) bool {
	switch tree := tree.(type) {
	case map[string]any:
		return s.Type == "object"
	case []any:
		return s.Type == "array"
	case string:
		return s.Type == "string"
	case bool:
		return s.Type == "boolean"
	case float64:
		return s.Type == "number" || s.Type == "integer" && tree == math.Trunc(tree)
	default:
		return false
	}
}
