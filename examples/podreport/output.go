package main

import (
	"encoding/json"
	"errors"

	"github.com/kubemath/kubemath/examples/podreport/internal/report"
	"github.com/kubemath/kubemath/examples/podreport/internal/table"
	"github.com/kubemath/kubemath/examples/podreport/internal/trace"
)

// format is the flag -o: how a report is written.
type format string

func (f *format) String() string { return string(*f) }

func (f *format) Set(name string) error {
	if name != "table" && name != "json" && name != "yaml" {
		return errors.New("neither table, json nor yaml")
	}
	*f = format(name)
	return nil
}

// write returns what the options ask for.
func (o *options) write(r *report.Report) (string, error) {
	switch {
	case o.explain != nil:
		return table.FormatTraces(trace.Of(r, *o.explain)), nil
	case o.format == "json":
		return formatJSON(r)
	default:
		return table.Format(r), nil
	}
}

func formatJSON(r *report.Report) (string, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return string(text) + "\n", err
}
