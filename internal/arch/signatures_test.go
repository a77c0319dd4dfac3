package arch_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// Signatures are of one form: a list of objects that is read is a []*T, and requests and limits
// are told apart by computeresources.List.

// irregularSignatures are the functions and fields that do not keep the rules, each with the
// reason.
var irregularSignatures = exceptions{}

// signatureViolations returns the exported functions that take objects by value in a slice, or as
// variadic arguments, and the functions and fields with a bool that says which list is meant.
func signatureViolations(pkgs []libraryPackage, irregular exceptions) []string {
	found := map[string]string{}
	for _, p := range pkgs {
		for _, f := range exportedFunctions(p.Package) {
			if text := parameterViolation(f.Signature()); text != "" {
				found[p.path+"."+functionName(f)] = text
			}
		}
		for _, named := range exportedTypes(p.Package) {
			fields, ok := named.Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for field := range fields.Fields() {
				if field.Exported() && isLimitsBool(field) {
					found[p.path+"."+named.Obj().Name()+"."+field.Name()] = "is a bool: use computeresources.List"
				}
			}
		}
	}
	return irregular.without("signatures", found)
}

// parameterViolation returns what is wrong with the first parameter, or result, that is wrong.
func parameterViolation(signature *types.Signature) string {
	for i := range signature.Params().Len() {
		v := signature.Params().At(i)
		list, ok := v.Type().Underlying().(*types.Slice)
		last := signature.Variadic() && i == signature.Params().Len()-1
		switch {
		case isLimitsBool(v):
			return fmt.Sprintf("takes the bool %s: use computeresources.List", v.Name())
		case ok && last && isObject(list.Elem()):
			return fmt.Sprintf("takes objects as variadic arguments: use a slice of pointers (%s)", v.Name())
		case ok && !isPointer(list.Elem()) && isObject(list.Elem()):
			return fmt.Sprintf("takes objects by value: use a slice of pointers (%s)", v.Name())
		}
	}
	for v := range signature.Results().Variables() {
		if isLimitsBool(v) {
			return fmt.Sprintf("returns the bool %s: use computeresources.List", v.Name())
		}
	}
	return ""
}

func isLimitsBool(v *types.Var) bool {
	basic, ok := v.Type().Underlying().(*types.Basic)
	name := strings.ToLower(v.Name())
	return ok && basic.Kind() == types.Bool && (name == "limit" || name == "limits")
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// isObject reports whether a type, or what it points to, is an object of an API: a struct with
// metav1.ObjectMeta embedded.
func isObject(t types.Type) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range fields.Fields() {
		if field.Embedded() && field.Name() == "ObjectMeta" {
			return true
		}
	}
	return false
}

func TestSignatures(t *testing.T) { report(t, signatureViolations(public(t), irregularSignatures)) }

func TestSignatureViolations(t *testing.T) {
	const object = "type ObjectMeta struct{}\ntype Pod struct { ObjectMeta }\ntype Meta struct { ObjectMeta ObjectMeta }\ntype list []Pod\n"
	const byValue, variadic = "qos.F: signatures: takes objects by value: use a slice of pointers (p)", "qos.F: signatures: takes objects as variadic arguments: use a slice of pointers (p)"
	for _, test := range []struct {
		name, text string
		irregular  exceptions
		want       []string
	}{
		{"a slice of pointers", "func F(p []*Pod) {}", nil, nil},
		{"one object", "func F(p Pod, q *Pod) {}", nil, nil},
		{"not an object", "func F(p []Meta, q ...string) {}", nil, nil},
		{"a result", "func F() []Pod { return nil }", nil, nil},
		{"unexported", "func f(p []Pod, limits bool) {}", nil, nil},
		{"by value", "func F(n int, p []Pod) {}", nil, []string{byValue}},
		{"by value, in a named slice", "func F(p list) {}", nil, []string{byValue}},
		{"by value, by a method", "type T int\nfunc (*T) F(p []Pod) {}", nil, []string{"qos.T" + strings.TrimPrefix(byValue, "qos")}},
		{"variadic pointers", "func F(n int, p ...*Pod) {}", nil, []string{variadic}},
		{"variadic values", "func F(p ...Pod) {}", nil, []string{variadic}},
		{"for a reason", "func F(p ...Pod) {}", exceptions{"qos.F": "for a reason"}, nil},
		{"an exception without need", "func F(p []*Pod) {}", exceptions{"qos.F": "for a reason"}, []string{"qos.F: signatures: needs no exception"}},
		{"a bool of limits", "func F(limits bool) {}", nil, []string{"qos.F: signatures: takes the bool limits: use computeresources.List"}},
		{"a bool of one limit, returned", "func F() (limit bool) { return }", nil, []string{"qos.F: signatures: returns the bool limit: use computeresources.List"}},
		{"a bool of limits in a field", "type T struct { Limit bool }", nil, []string{"qos.T.Limit: signatures: is a bool: use computeresources.List"}},
		{"other bools, and other limits", "type T struct { Limits int; limit bool }\nfunc F(limited bool, limit int64) {}", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect(t, signatureViolations(checkAll(t, "qos", object+test.text), test.irregular), test.want)
		})
	}
}
