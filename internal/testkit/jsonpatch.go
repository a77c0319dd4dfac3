package testkit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Patched returns what a JSON patch (RFC 6902) of the operations add, replace and remove makes of an object, as
// it is read again. It fails if the patch does not apply, which includes an object that has no such part.
func Patched[T any](t TB, object *T, patch []byte) *T {
	t.Helper()
	text, err := json.Marshal(object)
	OK(t, err)
	var document any
	OK(t, json.Unmarshal(text, &document))
	var operations []struct {
		Op, Path string
		Value    any
	}
	OK(t, json.Unmarshal(patch, &operations))
	for _, o := range operations {
		tokens := strings.Split(o.Path, "/")
		if tokens[0] != "" || len(tokens) < 2 {
			t.Fatalf("%q is not a path of a member", o.Path)
		}
		parent := document
		for _, token := range tokens[1 : len(tokens)-1] {
			parent = member(t, parent, unescaped(token), o.Path)
		}
		entries, ok := parent.(map[string]any)
		name := unescaped(tokens[len(tokens)-1])
		_, exists := entries[name]
		switch {
		case !ok:
			t.Fatalf("%s %s: the parent is %v", o.Op, o.Path, parent)
		case slices.Contains([]string{"add", "replace"}, o.Op) && (o.Op == "add" || exists):
			entries[name] = o.Value
		case o.Op == "remove" && exists:
			delete(entries, name)
		default:
			t.Fatalf("%s %s does not apply to %v", o.Op, o.Path, entries)
		}
	}
	text, err = json.Marshal(document)
	OK(t, err)
	patched := new(T)
	OK(t, json.Unmarshal(text, patched))
	return patched
}

// member returns a member of an object, or an element of an array.
func member(t TB, parent any, token, path string) any {
	t.Helper()
	switch parent := parent.(type) {
	case map[string]any:
		if child, exists := parent[token]; exists {
			return child
		}
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(parent) {
			return parent[i]
		}
	}
	t.Fatalf("%s: there is no %q in %v", path, token, parent)
	return nil
}

func unescaped(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
