package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
		args := []string{"test", "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off", "-count=1", "-failfast", "-timeout=5m"}
		if f.race {
			args = append(args, "-race")
		}
		cmd := exec.Command("go", append(args, "./"+pkg)...)
		cmd.Dir = root
		// It is enough to know that a test fails, not with how small an object.
		cmd.Env = append(os.Environ(), "GOWORK=off", "RAPID_SEED=1", "RAPID_SHRINKTIME=0s", "RAPID_NOFAILFILE=true")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case err == nil:
			continue
		case !errors.As(err, &exit):
			return broken, err
		case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]") || !strings.Contains(string(out), "FAIL"):
			return broken, fmt.Errorf("%s: %s:\n%s", f.file, f.name, out)
		}
		return noticed, nil
	}
	return survived, nil
}
