package main

import (
	"encoding/json"
	"errors"
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

func (f format) write(r Report) (string, error) {
	if f == "json" {
		return formatJSON(r)
	}
	return formatTable(r), nil
}

func formatJSON(r Report) (string, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	return string(text) + "\n", err
}
