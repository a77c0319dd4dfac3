package podreport_test

import (
	"encoding"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// schema is what schema.json uses of JSON Schema.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        string             `json:"type,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	// Additional is false for structs, and the schema of values for maps.
	Additional any                `json:"additionalProperties,omitempty"`
	Defs       map[string]*schema `json:"$defs,omitempty"`
}

// The schema is written by go test -update, from the types and their comments.
func TestSchemaIsThatOfTheTypes(t *testing.T) {
	g := generator{docs: map[string]string{}, defs: map[string]*schema{}}
	for _, dir := range []string{"../../../internal/podreport/report", "../../../internal/objects", "../../../../computeresources", "../../../../limitrange", "../../../../quota", "../../../../quota/admit"} {
		g.readDocs(t, dir)
	}
	root := schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		Title:  "The output of podreport -o json",
		Ref:    g.of(reflect.TypeFor[report.Report]()).Ref,
		Defs:   g.defs,
	}
	text, err := json.MarshalIndent(root, "", "  ")
	testkit.OK(t, err)
	got := string(text) + "\n"
	if *golden.Update {
		testkit.OK(t, os.WriteFile("../../schema.json", []byte(got), 0o644))
	}
	want, err := os.ReadFile("../../schema.json")
	testkit.OK(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.json differs from the types (-want +got):\n%s", diff)
	}
}

// generator makes schemas of types.
type generator struct {
	docs map[string]string // of types and fields: "report.Report", "report.Report.Node"
	defs map[string]*schema
}

func (g *generator) of(typ reflect.Type) *schema {
	switch typ.Kind() {
	case reflect.Pointer:
		return g.of(typ.Elem())
	}
	if typ == reflect.TypeFor[resource.Quantity]() || typ.Kind() != reflect.Struct && typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return &schema{Type: "string"}
	}
	switch typ.Kind() {
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: g.of(typ.Elem())}
	case reflect.Map:
		return &schema{Type: "object", Additional: g.of(typ.Elem())}
	}
	name := nameOf(typ)
	if g.defs[name] == nil {
		s := &schema{Type: "object", Description: g.docs[typ.String()], Properties: map[string]*schema{}, Additional: false}
		g.defs[name] = s
		g.addFields(s, typ)
	}
	return &schema{Ref: "#/$defs/" + name}
}

// nameOf returns the name of a type in the schema: "Report", and "quota.Failure" of a type of the
// library.
func nameOf(typ reflect.Type) string {
	if strings.Contains(typ.PkgPath(), "/examples/") {
		return typ.Name()
	}
	return typ.String()
}

func (g *generator) addFields(s *schema, typ reflect.Type) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			g.addFields(s, f.Type)
		case f.IsExported() && name != "-":
			property := *g.of(f.Type)
			property.Description = g.docs[typ.String()+"."+f.Name]
			s.Properties[name] = &property
			if !tagged || options == "" {
				s.Required = append(s.Required, name)
			}
		}
	}
}

// readDocs reads the comments of the types in a directory.
func (g *generator) readDocs(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	testkit.OK(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		testkit.OK(t, err)
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				if typ, ok := spec.(*ast.TypeSpec); ok {
					g.readDoc(file.Name.Name+"."+typ.Name.Name, gen, typ)
				}
			}
		}
	}
}

func (g *generator) readDoc(qualified string, gen *ast.GenDecl, spec *ast.TypeSpec) {
	fields, ok := spec.Type.(*ast.StructType)
	if !ok || !spec.Name.IsExported() || g.docs[qualified] != "" {
		return
	}
	g.docs[qualified] = joined(gen.Doc)
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			g.docs[qualified+"."+name.Name] = joined(f.Doc) + joined(f.Comment)
		}
	}
}

// joined returns a comment on one line.
func joined(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
