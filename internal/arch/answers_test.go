package arch_test

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// What functions return as an answer is plain data: it compares with go-cmp and Semantic.DeepEqual, and survives a
// round trip through JSON. Handles that compute are opaque, and are listed.

// handles are the exported types that compute, or that only functions of their package read, and are no answers.
var handles = map[string]bool{
	"computeresources/noderesources.Cluster": true,
	"computeresources/noderesources.Ledger":  true,
	"computeresources/noderesources.Ranking": true,
	"computeresources/noderesources.Request": true,
	"computeresources/noderesources.Scorer":  true,
	"limitrange.Policy":                      true,
	"pool/allocator.Allocator":               true,
	"pool.Record":                            true,
	"quota.Object":                           true,
	"quota/admit.Namespace":                  true,
	"quota/admit/whatif.Cluster":             true,
	"quota/quotatree.Tree":                   true,

	// Settings, which functions return for callers to change.
	"affinity/steps.Options":      true,
	"computeresources.Kubernetes": true,
}

// readByKind are fields with an object of the API, which UnmarshalJSON of the answer reads by its kind.
var readByKind = map[string]bool{"quota/admit.Decision.Object": true}

// answers returns the structs that exported functions return and that those reach, by their name below the module,
// and what is not plain data in them.
func answers(pkgs []libraryPackage) (names, problems []string) {
	seen := map[types.Type]bool{}
	for _, p := range pkgs {
		for _, f := range functionsOf(p.Package) {
			for result := range f.Signature().Results().Variables() {
				problems = append(problems, notPlain(result.Type(), seen)...)
			}
		}
	}
	for t := range seen {
		named := t.(*types.Named)
		if _, ok := named.Underlying().(*types.Struct); ok && !handles[nameOf(named)] {
			names = append(names, nameOf(named))
		}
	}
	return sorted(names), sorted(problems)
}

// nameOf returns the name of a type of ours, such as quota/admit.Decision.
func nameOf(t *types.Named) string {
	path, _ := below(t.Obj().Pkg().Path())
	return path + "." + t.Obj().Name()
}

// functionsOf returns the exported functions of a package, and the exported methods of its exported types.
func functionsOf(pkg *types.Package) (all []*types.Func) {
	for _, name := range pkg.Scope().Names() {
		if f, ok := pkg.Scope().Lookup(name).(*types.Func); ok && f.Exported() {
			all = append(all, f)
		}
	}
	for _, named := range exportedTypes(pkg) {
		for method := range named.Methods() {
			if method.Exported() {
				all = append(all, method)
			}
		}
	}
	return all
}

// notPlain returns what is not plain data in a type and the types of ours that it reaches, each once.
func notPlain(t types.Type, seen map[types.Type]bool) (found []string) {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return notPlain(t.Elem(), seen)
	case *types.Slice:
		return notPlain(t.Elem(), seen)
	case *types.Array:
		return notPlain(t.Elem(), seen)
	case *types.Map:
		return append(notPlain(t.Key(), seen), notPlain(t.Elem(), seen)...)
	case *types.Named:
		if t.Obj().Pkg() == nil || !isOurs(t.Origin()) || seen[t.Origin()] {
			return nil
		}
		seen[t.Origin()] = true
		name := nameOf(t)
		if handles[name] {
			return nil
		}
		fields, ok := t.Underlying().(*types.Struct)
		if !ok {
			return notPlain(t.Underlying(), seen)
		}
		for i := range fields.NumFields() {
			field := fields.Field(i)
			if problem := notPlainField(field, fields.Tag(i)); problem != "" && !readByKind[name+"."+field.Name()] {
				found = append(found, fmt.Sprintf("%s.%s: %s", name, field.Name(), problem))
			}
			found = append(found, notPlain(field.Type(), seen)...)
		}
	}
	return found
}

// notPlainField returns why a field of an answer is not plain data.
func notPlainField(field *types.Var, tag string) string {
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	first, _ := utf8.DecodeRuneInString(name)
	_, isInterface := field.Type().Underlying().(*types.Interface)
	_, isFunction := field.Type().Underlying().(*types.Signature)
	switch {
	case !field.Exported():
		return "it is not exported"
	case isFunction:
		return "it is a function"
	case isInterface && !field.Embedded():
		return "it is an interface"
	case field.Embedded() && name == "":
		return ""
	case strings.Contains(types.TypeString(field.Type(), nil), "math/big."), types.TypeString(field.Type(), nil) == "time.Time":
		return "it does not compare"
	case name == "-":
		return "JSON does not have it"
	case !unicode.IsLower(first):
		return "its JSON tag is not in lower camel case"
	}
	return ""
}

func TestAnswersArePlainData(t *testing.T) {
	names, problems := answers(public(t))
	report(t, problems)
	listed := map[string]bool{}
	for _, of := range answerTypes() {
		path, _ := below(of.PkgPath())
		listed[path+"."+of.Name()] = true
	}
	for _, name := range names {
		if !listed[name] {
			t.Errorf("%s is an answer, and not in answerTypes", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is in answerTypes, and no function returns it", name)
	}
}
