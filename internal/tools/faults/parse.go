package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// fault is an edit that makes a kernel wrong.
type fault struct {
	name   string   // its description, unique
	pkg    string   // the folder of its package, below the root of the module
	file   string   // the name of the file, if another one of the package has the same text
	tests  []string // the packages, below the root; the tests of one have to fail
	race   bool     // the tests run with the race detector
	before string   // text that is in the package, or in the file, exactly once
	after  string   // the replacement
}

// load returns the faults in all files of a folder, by file.
func load(dir string) ([]fault, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []fault
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		faults, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		for _, f := range faults {
			if names[f.name] {
				return nil, fmt.Errorf("%s: there are two faults %q", filepath.Base(file), f.name)
			}
			names[f.name] = true
		}
		all = append(all, faults...)
	}
	return all, nil
}

// parse returns the faults of one file. An error names the line.
func parse(text string) ([]fault, error) {
	var faults []fault
	var f *fault
	var start int
	end := func() error {
		switch {
		case f == nil:
			return nil
		case f.pkg == "":
			return fmt.Errorf("line %d: fault %q names no package", start, f.name)
		case f.before == f.after:
			return fmt.Errorf("line %d: fault %q changes nothing", start, f.name)
		case f.before == "":
			return fmt.Errorf("line %d: fault %q has neither context nor removed lines", start, f.name)
		}
		if f.tests == nil {
			f.tests = []string{f.pkg}
		}
		faults, f = append(faults, *f), nil
		return nil
	}
	for i, line := range strings.Split(text, "\n") {
		if name, found := strings.CutPrefix(line, "fault: "); found {
			if err := end(); err != nil {
				return nil, err
			}
			f, start = &fault{name: name}, i+1
			continue
		}
		if line == "" || line[0] == '#' {
			if err := end(); err != nil {
				return nil, err
			}
			continue
		}
		if f == nil {
			return nil, fmt.Errorf("line %d: want \"fault: \", a comment or an empty line: %q", i+1, line)
		}
		rest := line[1:] + "\n"
		switch {
		case line[0] == ' ':
			f.before, f.after = f.before+rest, f.after+rest
		case line[0] == '-':
			f.before += rest
		case line[0] == '+':
			f.after += rest
		case strings.HasPrefix(line, "file: "):
			f.pkg, f.file = path.Split(strings.TrimPrefix(line, "file: "))
			f.pkg = path.Clean(f.pkg)
		case strings.HasPrefix(line, "package: "):
			f.pkg = strings.TrimPrefix(line, "package: ")
		case strings.HasPrefix(line, "tests: "):
			f.tests = strings.Fields(strings.TrimPrefix(line, "tests: "))
		case line == "race: true":
			f.race = true
		default:
			return nil, fmt.Errorf("line %d: want a line of an edit, \"package: \", \"file: \", \"tests: \" or \"race: true\": %q", i+1, line)
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	return faults, nil
}

// String returns the fault as lists name it.
func (f *fault) String() string { return f.pkg + ": " + f.name }
