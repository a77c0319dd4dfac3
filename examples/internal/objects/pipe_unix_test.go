//go:build unix

package objects_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A pipe in a directory may never end, and is not read.
func TestPipeInADirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pod.yaml"), pod)
	testkit.OK(t, syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600))
	pipe := filepath.Join(dir, "pipe.yaml") + ": not a regular file"
	want := []string{filepath.Join(dir, "pod.yaml"), pipe, pipe}
	testkit.NoDiff(t, lines(readAll([]string{dir, filepath.Join(dir, "pipe.yaml")}, kinds, nil)), want)
}

// A pipe that a shell creates for the output of a command is read.
func TestPipeOfAShell(t *testing.T) {
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	defer r.Close()
	fmt.Fprint(w, pod)
	w.Close()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	testkit.NoDiff(t, lines(readAll([]string{name}, kinds, nil)), []string{name})
}
