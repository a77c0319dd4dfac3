package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/kubemath/internal/explain"
	"github.com/kubemath/kubemath/examples/kubemath/internal/nodes"
	"github.com/kubemath/kubemath/examples/kubemath/internal/quotause"
	"github.com/kubemath/kubemath/examples/kubemath/internal/resize"
	"github.com/kubemath/kubemath/examples/kubemath/internal/tree"
)

var lowerCamelCase = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// A document has keys of one kind: each field of what -o json writes has a key in lower camel case.
func TestKeysAreInLowerCamelCase(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			check(of.Elem())
			return
		}
		if of.Kind() != reflect.Struct || seen[of] || !strings.HasPrefix(of.PkgPath(), "github.com/kubemath/") {
			return
		}
		seen[of] = true
		for _, field := range reflect.VisibleFields(of) {
			key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Anonymous || !field.IsExported() || key == "-" {
				continue
			}
			if !lowerCamelCase.MatchString(key) {
				t.Errorf("%v.%s has the key %q", of, field.Name, key)
			}
			check(field.Type)
		}
	}
	check(reflect.TypeFor[report.Report]())
	check(reflect.TypeFor[comparison.Report]())
	check(reflect.TypeFor[nodes.Report]())
	check(reflect.TypeFor[tree.Report]())
	check(reflect.TypeFor[quotause.Report]())
	check(reflect.TypeFor[explain.Report]())
	check(reflect.TypeFor[resize.Report]())
	if len(seen) < 30 {
		t.Errorf("%d types", len(seen))
	}
}
