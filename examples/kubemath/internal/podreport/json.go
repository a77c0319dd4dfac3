package podreport

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// writeJSON writes a report as json.MarshalIndent does, but one element of its lists after the other,
// because the JSON may be larger than everything else in memory.
func writeJSON(to io.Writer, r *report.Report) error {
	w := bufio.NewWriterSize(to, 1<<16)
	v, t, first := reflect.ValueOf(r).Elem(), reflect.TypeFor[report.Report](), true
	w.WriteString("{")
	for i := range t.NumField() {
		name, omit, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		field := v.Field(i)
		if omit == "omitempty" && field.Kind() == reflect.Slice && field.Len() == 0 {
			continue
		}
		if !first {
			w.WriteString(",")
		}
		first = false
		w.WriteString("\n  \"" + name + "\": ")
		if err := writeValue(w, field); err != nil {
			return err
		}
	}
	w.WriteString("\n}\n")
	return w.Flush()
}

// writeValue writes a field of the report.
func writeValue(w *bufio.Writer, v reflect.Value) error {
	if v.Kind() != reflect.Slice || v.Len() == 0 {
		return writeIndented(w, v.Interface(), "  ")
	}
	w.WriteString("[")
	for i := range v.Len() {
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString("\n    ")
		if err := writeIndented(w, v.Index(i).Addr().Interface(), "    "); err != nil {
			return err
		}
	}
	_, err := w.WriteString("\n  ]")
	return err
}

func writeIndented(w *bufio.Writer, value any, prefix string) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, prefix, "  "); err != nil {
		return err
	}
	_, err = w.Write(indented.Bytes())
	return err
}
