package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A recording is an answer of upstream for the project's own tests that upstream's tests do not contain:
// a test file in the copy of a package writes it.
type recording struct {
	pkg  string
	test string // in testdata/recorders
	file string // below the root of the project
}

var recordings = []recording{{
	kubernetes + "/pkg/kubelet/cm", "TestRecordMemoryReserve", "internal/replay/testdata/kubelet/memory_reserve.json",
}}

// record computes the answers, and compares them with the recorded ones or replaces these. It has to be
// called before anything is adapted.
func (r recording) record(b *built, root string, replace bool) (fault string, err error) {
	dir, err := b.directory(r.pkg)
	if err != nil {
		return "", err
	}
	sources, err := filesBelow(files, "testdata/recorders/"+r.pkg)
	if err != nil {
		return "", err
	}
	for name, source := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			return "", err
		}
		defer os.Remove(filepath.Join(dir, name))
	}
	recorded := filepath.Join(b.dir, "recorded.json")
	command := exec.Command("go", "test", "-mod=mod", "-trimpath", "-vet=off", "-count=1", "-run", "^"+r.test+"$", r.pkg)
	command.Dir = b.dir
	command.Env = append(os.Environ(), "KUBEMATH_RECORD="+recorded)
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", r.test, err, out)
	}
	got, err := os.ReadFile(recorded)
	if err != nil {
		return "", err
	}
	file := filepath.Join(root, r.file)
	if replace {
		return "", os.WriteFile(file, got, 0o644)
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && !bytes.Equal(got, want) {
		return fmt.Sprintf("%s: upstream's answers are not those recorded: run with -record, and see what differs", r.file), nil
	}
	return "", err
}
