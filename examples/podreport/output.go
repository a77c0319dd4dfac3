package main

import (
	"encoding/json"
	"errors"

	"github.com/kubemath/kubemath/examples/podreport/internal/report"
	"github.com/kubemath/kubemath/examples/podreport/internal/table"
)

// format is the flag -o: how a report is written.
type format string

func (f *format) String() string { return string(*f) }

func (f *format) Set(name string) error {
	if name != "table" && name != "json" {
		return errors.New("neither table nor json")
	}
	*f = format(name)
	return nil
}

func (f format) write(r report.Report) (string, error) {
	if f == "json" {
		return formatJSON(r)
	}
	return table.Format(r), nil
}

func formatJSON(r report.Report) (string, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return string(text) + "\n", err
}
