//go:build unix

package objects_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A pipe in a directory may never end, and is not read.
func TestPipeInADirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pod.yaml"), pod)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe.yaml") + ": not a regular file"
	want := []string{filepath.Join(dir, "pod.yaml"), pipe, pipe}
	if diff := cmp.Diff(want, lines(readAll([]string{dir, filepath.Join(dir, "pipe.yaml")}, kinds, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A pipe that a shell creates for the output of a command is read.
func TestPipeOfAShell(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fmt.Fprint(w, pod)
	w.Close()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if diff := cmp.Diff([]string{name}, lines(readAll([]string{name}, kinds, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
