package main

import (
	"fmt"
	"maps"
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
	before string   // text that is in the package, or in the file, exactly once
	after  string   // the replacement
	site   *site    // of a fault that an operator makes, which has neither text
}

// load returns the faults in all files of a folder, by file, and the tests of packages that others judge as well.
func load(dir string) ([]fault, map[string][]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, nil, err
	}
	var all []fault
	tests := map[string][]string{}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		faults, of, err := parse(string(text))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		for _, f := range faults {
			if names[f.name] {
				return nil, nil, fmt.Errorf("%s: there are two faults %q", filepath.Base(file), f.name)
			}
			names[f.name] = true
		}
		all = append(all, faults...)
		maps.Copy(tests, of)
	}
	return all, tests, nil
}

// parse returns the faults of one file, and the tests of packages that it names. An error names the line.
func parse(text string) (faults []fault, tests map[string][]string, err error) {
	tests = map[string][]string{}
	var pkg string // of the faults that name none
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
			f.tests = tests[f.pkg]
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
				return nil, nil, err
			}
			f, start = &fault{name: name, pkg: pkg}, i+1
			continue
		}
		if line == "" || line[0] == '#' {
			if err := end(); err != nil {
				return nil, nil, err
			}
			continue
		}
		if name, found := strings.CutPrefix(line, "package: "); found && f == nil {
			pkg = name
			continue
		}
		if names, found := strings.CutPrefix(line, "tests: "); found && f == nil && pkg != "" {
			tests[pkg] = strings.Fields(names)
			continue
		}
		if f == nil {
			return nil, nil, fmt.Errorf("line %d: want \"fault: \", a comment or an empty line: %q", i+1, line)
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
		default:
			return nil, nil, fmt.Errorf("line %d: want a line of an edit, \"package: \", \"file: \" or \"tests: \": %q", i+1, line)
		}
	}
	if err := end(); err != nil {
		return nil, nil, err
	}
	return faults, tests, nil
}

// String returns the fault as lists name it.
func (f *fault) String() string { return f.pkg + ": " + f.name }

// known is how files name the fault: a site by its key, as its text and its line may change.
func (f *fault) known() string {
	if f.site != nil {
		return f.pkg + ": " + f.site.key
	}
	return f.String()
}
