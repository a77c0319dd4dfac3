package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// plantIn runs the tests of one package, compiled into dir: first with a few random objects, which is
// enough for most faults, and then with the usual number.
func plantIn(root, dir, pkg string, f *fault) (outcome, error) {
	program := filepath.Join(dir, "fault.test")
	args := []string{"test", "-c", "-o", program, "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off"}
	if f.race {
		args = append(args, "-race")
	}
	// Only whether a test fails matters, so the object need not be shrunk.
	env := append(os.Environ(), "GOWORK=off", "RAPID_SEED=1", "RAPID_SHRINKTIME=0s", "RAPID_NOFAILFILE=true")
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
			test.Env = append(slices.Clone(env), "RAPID_CHECKS=5")
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
