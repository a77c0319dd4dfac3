package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// firstFile lists, beside the faults, the test that noticed a fault which no test notices with few objects, with which
// another test does not end, or which takes long to notice. That test runs first the next time, before all others with
// few and with the usual number. A line that is out of date costs time and changes no outcome.
const firstFile = "first.tsv"

// readFirst returns the test that runs first, by fault.
func readFirst(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, firstFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	first := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, test, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !found {
			return nil, fmt.Errorf("%s: want a fault, a tab and a test: %q", firstFile, line)
		}
		first[name] = test
	}
	return first, nil
}

// writeFirst writes the tests that noticed faults which take long, and those of other faults.
func (p *planter) writeFirst(dir string, faults []fault, others map[string]string) error {
	first := map[string]string{}
	maps.Copy(first, others)
	for i := range faults {
		if p.by[i] != "" {
			first[faults[i].known()] = p.by[i]
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(first)) {
		fmt.Fprintf(&b, "%s\t%s\n", name, first[name])
	}
	return os.WriteFile(filepath.Join(dir, firstFile), []byte(b.String()), 0o644)
}
