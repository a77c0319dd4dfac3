package objects

import (
	"cmp"
	"reflect"
	"regexp"
	"strings"
)

// fieldError is an error of the strict decoder.
type fieldError interface {
	error
	FieldPath() string
}

// strictFault describes an error of the strict decoder, and suggests the name of a similar field.
func strictFault(err error, typ reflect.Type) Fault {
	at, ok := err.(fieldError)
	if !ok {
		return Fault{Text: err.Error()}
	}
	path := at.FieldPath()
	if strings.HasPrefix(err.Error(), "duplicate") {
		return Fault{Field: path, Text: "duplicate field: the last one counts"}
	}
	steps := stepsOf(path)
	if known := closest(steps[len(steps)-1], fieldsAt(typ, steps[:len(steps)-1])); known != "" {
		return Fault{Field: path, Text: "unknown field, ignored: did you mean " + known + "?"}
	}
	return Fault{Field: path, Text: "unknown field, ignored"}
}

var step = regexp.MustCompile(`[^.\[\]]+`)

// stepsOf returns the names of fields, the indices and the keys of a path. Keys that contain a point or
// brackets are split there.
func stepsOf(path string) []string {
	steps := step.FindAllString(path, -1)
	if len(steps) == 0 {
		return []string{path}
	}
	return steps
}

// fieldsAt returns the names of the fields that a type has at a path.
func fieldsAt(typ reflect.Type, steps []string) (names []string) {
	for {
		switch typ.Kind() {
		case reflect.Pointer:
			typ = typ.Elem()
			continue
		case reflect.Struct:
			if len(steps) == 0 {
				return jsonNames(typ)
			}
			if typ = fieldOf(typ, steps[0]); typ == nil {
				return nil
			}
		case reflect.Slice, reflect.Map:
			if len(steps) == 0 {
				return nil
			}
			typ = typ.Elem()
		default:
			return nil
		}
		steps = steps[1:]
	}
}

// jsonNames returns the names of the fields of a struct, with those of embedded ones.
func jsonNames(typ reflect.Type) (names []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		switch name, _, _ := strings.Cut(f.Tag.Get("json"), ","); {
		case name != "":
			names = append(names, name)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			names = append(names, jsonNames(f.Type)...)
		}
	}
	return names
}

// fieldOf returns the type of a field, nil if there is none.
func fieldOf(typ reflect.Type, name string) reflect.Type {
	for i := range typ.NumField() {
		f := typ.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name && name != "" {
			return f.Type
		}
		if tag == "" && f.Anonymous && f.Type.Kind() == reflect.Struct {
			if found := fieldOf(f.Type, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// closest returns the name that differs by the fewest letters, or "" if all differ by more than two, or by
// half of the name.
func closest(name string, known []string) (best string) {
	if len(name) > 50 {
		return ""
	}
	least := min(3, len(name)/2+1)
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is that of Levenshtein.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// wrongType matches the decoder's error about a value whose type differs from that of its field.
var wrongType = regexp.MustCompile(`^(?:json: )?cannot unmarshal (\S+).* into Go (?:struct field [A-Za-z0-9]*\.(\S+)|value) of type (\S+)$`)

// wordsOfTypes are descriptions of Go types for users.
var wordsOfTypes = []struct{ prefix, words string }{
	{"string", "text"}, {"int", "a whole number"}, {"uint", "a whole number"}, {"float", "a number"}, {"bool", "true or false"},
	{"[]", "a list"}, {"map[", "a mapping"}, {"", "a mapping"},
}

// TypeFault describes an error of the decoder without words of Go. The path has the fields, without the
// indices in lists.
func TypeFault(err error) Fault {
	match := wrongType.FindStringSubmatch(err.Error())
	if match == nil {
		return Fault{Text: strings.TrimPrefix(err.Error(), "json: ")}
	}
	got := map[string]string{"bool": "true or false", "object": "a mapping", "array": "a list", "string": "text", "number": "a number"}[match[1]]
	for _, t := range wordsOfTypes {
		if strings.HasPrefix(match[3], t.prefix) {
			return Fault{Field: fieldName(match[2]), Text: "want " + t.words + ", not " + cmp.Or(got, match[1])}
		}
	}
	return Fault{Text: err.Error()}
}

// fieldName returns the JSON path of fields, for a path in which the decoder names embedded structs or
// Go fields.
func fieldName(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "TypeMeta."), ".")
	for i, part := range parts {
		if part != "" {
			parts[i] = strings.ToLower(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, ".")
}
