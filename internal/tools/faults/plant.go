package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

type outcome int

const (
	noticed outcome = iota + 1
	survived
	broken // does not apply, or does not compile
)

func (o outcome) String() string {
	switch o {
	case noticed:
		return "noticed"
	case survived:
		return "SURVIVED"
	case broken:
		return "BROKEN"
	}
	return "unspecified"
}

// plant runs the tests of a fault over the module at root, with the fault in it, package by package
// until one fails. The error says why a fault is broken.
func plant(root string, f *fault) (outcome, error) {
	dir, err := os.MkdirTemp("", "fault-")
	if err != nil {
		return broken, err
	}
	defer os.RemoveAll(dir)
	root, err = filepath.Abs(root)
	if err != nil {
		return broken, err
	}
	file := filepath.Join(root, filepath.FromSlash(f.file))
	text, err := os.ReadFile(file)
	if err != nil {
		return broken, err
	}
	edited, err := f.apply(string(text))
	if err != nil {
		return broken, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: filepath.Join(dir, "edited.go")}})
	if err != nil {
		return broken, err
	}
	for name, content := range map[string]string{"edited.go": edited, "overlay.json": string(overlay)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return broken, err
		}
	}
	for _, pkg := range f.tests {
		if did, err := plantIn(root, dir, pkg, f); did != survived {
			return did, err
		}
	}
	return survived, nil
}

// fewDraws is enough for most faults.
const fewDraws = "RAPID_CHECKS=5"

// plantIn runs the tests of one package, compiled into dir: first with a few random objects, and then with
// the usual number. Tests that fail with so few objects even without a fault do not run at first.
func plantIn(root, dir, pkg string, f *fault) (outcome, error) {
	program := filepath.Join(dir, "fault.test")
	args := []string{"test", "-c", "-o", program, "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off"}
	if f.race {
		args = append(args, "-race")
	}
	// Only whether a test fails matters, so the object need not be shrunk.
	env := append(os.Environ(), settings...)
	compile := exec.Command("go", append(args, "./"+pkg)...)
	compile.Dir, compile.Env = root, env
	if out, err := compile.CombinedOutput(); err != nil {
		return broken, fmt.Errorf("%s: %s: %w\n%s", f.file, f.name, err, out)
	}
	if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
		return survived, nil // there are no tests
	}
	for _, few := range []bool{true, false} {
		test := exec.Command(program, "-test.failfast", "-test.timeout=5m", "-test.paniconexit0")
		test.Dir, test.Env = filepath.Join(root, filepath.FromSlash(pkg)), env
		if few {
			skip, err := needMore(root, pkg)
			if err != nil {
				return broken, err
			}
			test.Args, test.Env = append(test.Args, "-test.skip="+skip), append(slices.Clone(env), fewDraws)
		}
		var exit *exec.ExitError
		switch out, err := test.CombinedOutput(); {
		case err == nil:
			continue
		case !errors.As(err, &exit):
			return broken, err
		case len(out) == 0: // it ended before a test failed
			return broken, fmt.Errorf("%s: %s: %w", f.file, f.name, err)
		}
		return noticed, nil
	}
	return survived, nil
}

// settings are the environment of all tests.
var settings = []string{"GOWORK=off", "RAPID_SEED=1", "RAPID_SHRINKTIME=0s", "RAPID_NOFAILFILE=true"}

// unplanted are the results of needMore by package.
var unplanted sync.Map

// needMore returns a regexp for the tests of a package that fail with a few random objects although
// there is no fault: they check that something was drawn. It runs the tests once for each package.
func needMore(root, pkg string) (string, error) {
	find, _ := unplanted.LoadOrStore(filepath.Join(root, pkg), sync.OnceValues(func() (string, error) {
		test := exec.Command("go", "test", "-count=1", "-vet=off", "./"+pkg)
		test.Dir, test.Env = root, append(os.Environ(), append(settings, fewDraws)...)
		var exit *exec.ExitError
		out, err := test.CombinedOutput()
		if err != nil && !errors.As(err, &exit) {
			return "", err
		}
		var names []string
		for _, failed := range failedTest.FindAllSubmatch(out, -1) {
			names = append(names, string(failed[1]))
		}
		if err != nil && names == nil {
			return "", fmt.Errorf("%s without a fault: %w\n%s", pkg, err, out)
		}
		return "^(" + strings.Join(names, "|") + ")$", nil
	}))
	return find.(func() (string, error))()
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
