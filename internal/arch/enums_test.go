package arch_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// An enumeration is an exported type of strings with constants, as corev1.PodQOSClass is, so that logs
// and JSON have words. Where an array or an order needs integers, it is read and written as text. An unset
// value is not mistaken for an answer: no constant is zero, unless the type is a field of options, where
// zero is what a default cluster does.

// ofIntegers are the enumerations of integers, each with the reason.
var ofIntegers = exceptions{
	"computeresources.Kind": "compared and looked up in loops over all containers of a pod",
	"computeresources.List": "compared and looked up in loops over all lists of a pod",
	"limitrange.Bound":      "unexported bounds have the names of exported ones",
}

// zeroAnswers are the enumerations whose zero value is a constant, although they are not a field of
// options, each with the reason.
var zeroAnswers = exceptions{
	"computeresources.ResizeState": "a pod that is not being resized has ResizeNotPending",
}

// constantsOf returns the constants of a type that its package declares.
func constantsOf(named *types.Named) (all []*types.Const) {
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), named) {
			all = append(all, c)
		}
	}
	return all
}

// isEnumeration reports whether a type is a string or integer type with constants.
func isEnumeration(named *types.Named) bool {
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsInteger|types.IsString) != 0 && len(constantsOf(named)) > 0
}

// isOfIntegers reports whether an enumeration is of integers.
func isOfIntegers(named *types.Named) bool {
	return named.Underlying().(*types.Basic).Info()&types.IsInteger != 0
}

// enumerationViolations returns the enumerations of integers, those of them without text, and those with
// a zero value that is an answer.
func enumerationViolations(pkgs []libraryPackage, indexes, answers exceptions) (found []string) {
	inOptions := fieldsOfOptions(pkgs)
	integers, zero := map[string]string{}, map[string]string{}
	for _, p := range pkgs {
		for _, named := range exportedTypes(p.Package) {
			if !isEnumeration(named) {
				continue
			}
			name := p.path + "." + named.Obj().Name()
			if isOfIntegers(named) {
				integers[name] = "is not of strings"
				if missing := missingText(named); len(missing) > 0 {
					found = append(found, name+": enumerations: has no "+strings.Join(missing, ", "))
				}
			}
			if c := zeroConstant(named); c != nil && !inOptions[named.Obj()] {
				zero[name] = fmt.Sprintf("%s is its zero value, and it is not a field of options", c.Name())
			}
		}
	}
	found = append(found, indexes.without("enumerations", integers)...)
	return sorted(append(found, answers.without("enumerations", zero)...))
}

// missingText returns which methods of internal/enum an enumeration of integers lacks, or the type
// that these need.
func missingText(named *types.Named) (missing []string) {
	if named.Underlying().(*types.Basic).Kind() != types.Uint8 {
		missing = append(missing, "uint8 below it")
	}
	values, pointers := types.NewMethodSet(named), types.NewMethodSet(types.NewPointer(named))
	for _, method := range []string{"String", "MarshalText"} {
		if values.Lookup(nil, method) == nil {
			missing = append(missing, method)
		}
	}
	if pointers.Lookup(nil, "UnmarshalText") == nil {
		missing = append(missing, "UnmarshalText")
	}
	return missing
}

func zeroConstant(named *types.Named) *types.Const {
	for _, c := range constantsOf(named) {
		if c.Val().ExactString() == "0" || c.Val().ExactString() == `""` {
			return c
		}
	}
	return nil
}

// fieldsOfOptions returns the types that fields of exported options have: of structs whose names
// end in Options.
func fieldsOfOptions(pkgs []libraryPackage) map[*types.TypeName]bool {
	found := map[*types.TypeName]bool{}
	for _, p := range pkgs {
		for _, named := range exportedTypes(p.Package) {
			options, ok := named.Underlying().(*types.Struct)
			if !ok || !strings.HasSuffix(named.Obj().Name(), "Options") {
				continue
			}
			for field := range options.Fields() {
				if of, ok := field.Type().(*types.Named); ok && field.Exported() {
					found[of.Obj()] = true
				}
			}
		}
	}
	return found
}

func TestEnumerations(t *testing.T) {
	report(t, enumerationViolations(public(t), ofIntegers, zeroAnswers))
}

func TestEnumerationViolations(t *testing.T) {
	const (
		words    = "type E string\nconst (\n\tA E = \"a\"\n\tB E = \"b\"\n)\n"
		zero     = "type E string\nconst (\n\tA E = \"\"\n\tB E = \"b\"\n)\n"
		text     = "func (E) String() string { return \"\" }\nfunc (E) MarshalText() ([]byte, error) { return nil, nil }\nfunc (*E) UnmarshalText([]byte) error { return nil }\n"
		integers = "type E uint8\nconst (\n\tA E = iota + 1\n\tB\n)\n"
		answer   = "qos.E: enumerations: A is its zero value, and it is not a field of options"
	)
	reason := exceptions{"qos.E": "for a reason"}
	for _, test := range []struct {
		name           string
		texts          []string
		indexes, zeros exceptions
		want           []string
	}{
		{"of strings", []string{"qos", words}, nil, nil, nil},
		{"zero in options", []string{"qos", zero + "type Options struct { E E }"}, nil, nil, nil},
		{"zero in options of another package", []string{"qos", zero, "quota", "import \"" + module + "/qos\"\ntype PodOptions struct { E qos.E }"}, nil, nil, nil},
		{"zero is none", []string{"qos", zero}, nil, reason, nil},
		{"zero is an answer", []string{"qos", zero}, nil, nil, []string{answer}},
		{"zero in another struct", []string{"qos", zero + "type Result struct { E E }"}, nil, nil, []string{answer}},
		{"zero in an unexported field", []string{"qos", zero + "type Options struct { e E }"}, nil, nil, []string{answer}},
		{"integers, for a reason", []string{"qos", integers + text}, reason, nil, nil},
		{"integers", []string{"qos", integers + text}, nil, nil, []string{"qos.E: enumerations: is not of strings"}},
		{"a zero that is not the first", []string{"qos", "type E uint8\nconst (\n\tB E = 1\n\tA E = 0\n)\n" + text}, reason, nil, []string{answer}},
		{"integers without text", []string{"qos", integers}, reason, nil, []string{"qos.E: enumerations: has no String, MarshalText, UnmarshalText"}},
		{"half of the text", []string{"qos", integers + "func (E) String() string { return \"\" }\nfunc (*E) MarshalText() ([]byte, error) { return nil, nil }\n"}, reason, nil,
			[]string{"qos.E: enumerations: has no MarshalText, UnmarshalText"}},
		{"larger than a byte", []string{"qos", "type E int\nconst A E = 1\n" + text}, reason, nil, []string{"qos.E: enumerations: has no uint8 below it"}},
		{"unexported", []string{"qos", "type e uint8\nconst A e = 0"}, nil, nil, nil},
		{"no constants", []string{"qos", "type E uint8\nconst n = 0"}, nil, nil, nil},
		{"constants of its own", []string{"qos", "type E string\nconst a E = \"\""}, nil, nil, nil},
		{"exceptions without need", []string{"qos", words}, reason, reason, []string{"qos.E: enumerations: needs no exception"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect(t, enumerationViolations(checkAll(t, test.texts...), test.indexes, test.zeros), test.want)
		})
	}
}
