package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
)

// outcome is the results of the tests of a package, including subtests.
type outcome struct {
	passed, skipped, failed map[string]bool
	printed                 map[string][]string // by test
	broken                  string              // why the package could not be tested to its end
}

// count returns how many tests have passed, without those that only run subtests.
func (o outcome) count() int {
	parents := map[string]bool{}
	for _, tests := range []map[string]bool{o.passed, o.skipped, o.failed} {
		for test := range tests {
			if i := strings.LastIndexByte(test, '/'); i >= 0 {
				parents[test[:i]] = true
			}
		}
	}
	n := 0
	for test := range o.passed {
		if !parents[test] {
			n++
		}
	}
	return n
}

// leaves returns the failed tests without those that failed because of a subtest, sorted.
func (o outcome) leaves() []string {
	var names []string
	for name := range o.failed {
		below := false
		for other := range o.failed {
			below = below || strings.HasPrefix(other, name+"/")
		}
		if !below {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// failedWithin reports whether a test has failed, or a test that it is part of, which may have ended
// before it ran.
func (o outcome) failedWithin(test string) bool {
	for test != "" {
		if o.failed[test] {
			return true
		}
		i := strings.LastIndexByte(test, '/')
		test = test[:max(0, i)]
	}
	return false
}

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// outcomes reads the output of go test -json.
func outcomes(in io.Reader) (map[string]*outcome, error) {
	all := map[string]*outcome{}
	var building []string // the output of the compiler
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return all, nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("go test -json: %w: %s", err, line)
		}
		if e.Action == "build-output" {
			building = append(building, e.Output)
		}
		if e.Package == "" {
			continue
		}
		o := all[e.Package]
		if o == nil {
			o = &outcome{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]string{}, ""}
			all[e.Package] = o
		}
		switch e.Action {
		case "output":
			o.printed[e.Test] = append(o.printed[e.Test], e.Output)
		case "pass":
			if e.Test != "" {
				o.passed[e.Test] = true
			}
		case "skip":
			if e.Test != "" {
				o.skipped[e.Test] = true
			}
		case "fail":
			if e.Test != "" {
				o.failed[e.Test] = true
			} else if len(o.failed) == 0 {
				o.broken = strings.Join(append(building, o.printed[""]...), "")
			}
		}
	}
}

// test runs the tests of packages that match a pattern, or all without one, and returns their outcomes,
// by package.
func (b *built) test(packages []string, pattern string, calls string) (map[string]*outcome, error) {
	args := []string{"test", "-mod=mod", "-vet=off", "-count=1", "-timeout=30m", "-json"}
	if !b.asTheyAre {
		args = append(args, "-trimpath")
	}
	if pattern != "" {
		args = append(args, "-run", pattern)
	}
	command := exec.Command("go", append(args, packages...)...)
	command.Dir = b.dir
	command.Env = append(os.Environ(), beside.Directory+"="+calls)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	all, err := outcomes(out)
	// The command fails if a test fails; only its output matters.
	failed := command.Wait()
	if err != nil {
		return nil, err
	}
	for _, pkg := range packages {
		if all[pkg] == nil {
			return nil, fmt.Errorf("%s was not tested: %v\n%s", pkg, failed, stderr.String())
		}
	}
	return all, nil
}

// settle runs failed tests once more, one at a time, because some depend on the speed of the
// machine. Those that pass then count as passed, and are returned. Known failures are not run
// again.
func (b *built) settle(pkg string, o *outcome, calls string) (flaky []string, err error) {
	for more := true; more; {
		more = false
		for _, test := range o.leaves() {
			if b.isKnown(pkg, test) {
				continue
			}
			failed, err := b.again(pkg, test, calls)
			if err != nil {
				return nil, err
			}
			if !failed {
				flaky = append(flaky, test)
				delete(o.failed, test)
				o.passed[test] = true
				more = true // the test that it is part of may have failed only because of it
			}
		}
	}
	return flaky, nil
}

// isKnown reports whether the failure of a test is explained.
func (b *built) isKnown(pkg, test string) bool {
	return slices.ContainsFunc(b.known, func(f failure) bool { return f.pkg == pkg && f.test == test })
}

// again runs a single test once more, and reports whether it fails again.
func (b *built) again(pkg, test, calls string) (bool, error) {
	all, err := b.test([]string{pkg}, pattern(test), calls)
	if err != nil {
		return false, err
	}
	return !all[pkg].passed[test], nil
}

// pattern selects one test, which may be a subtest.
func pattern(test string) string {
	var parts []string
	for part := range strings.SplitSeq(test, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}

// readCalls reads the records of the adapters.
func readCalls(dir string) (counts, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := counts{}
	for _, entry := range entries {
		content, err := os.ReadFile(dir + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(content) {
			var call beside.Call
			if err := json.Unmarshal(line, &call); err != nil {
				return nil, fmt.Errorf("%s: %w", entry.Name(), err)
			}
			all.add(call)
		}
	}
	return all, nil
}

// counts are the calls of the adapters, by function.
type counts map[string]*tally

type tally struct {
	agreed, forwarded int
	differed, written []beside.Call
}

func (c counts) add(call beside.Call) {
	t := c[call.Function]
	if t == nil {
		t = &tally{}
		c[call.Function] = t
	}
	switch call.Outcome {
	case beside.Agreed:
		t.agreed++
	case beside.Forwarded:
		t.forwarded++
	case beside.Differed:
		t.differed = append(t.differed, call)
	case beside.Written:
		t.written = append(t.written, call)
	}
}

func (c counts) functions() []string { return slices.Sorted(maps.Keys(c)) }

// merge adds the calls of others.
func (c counts) merge(others counts) {
	for function, other := range others {
		t := c[function]
		if t == nil {
			c[function] = other
			continue
		}
		t.agreed += other.agreed
		t.forwarded += other.forwarded
		t.differed = append(t.differed, other.differed...)
		t.written = append(t.written, other.written...)
	}
}
