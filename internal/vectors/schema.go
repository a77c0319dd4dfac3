package vectors

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SchemaOf returns the JSON schema of a file. An object of Kubernetes is any object there.
func SchemaOf[In, Out any](title string) ([]byte, error) {
	schema := schemaOf(reflect.TypeFor[File[In, Out]]())
	schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", title
	return encode(schema, "  ")
}

func schemaOf(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), strings.HasPrefix(t.PkgPath(), "k8s.io/") && t.Kind() == reflect.Struct:
		return map[string]any{"type": "object"}
	case t == reflect.TypeFor[Amounts]():
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string", "pattern": `^-?[0-9]+(\.[0-9]+)?$`}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || name == "" {
				continue // its own fields follow
			}
			properties[name] = schemaOf(f.Type)
			if !strings.Contains(options, "omitempty") {
				required = append(required, name)
			}
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	default:
		return map[string]any{"type": "string"}
	}
}
