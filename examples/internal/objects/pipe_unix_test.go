//go:build unix

package objects_test

import (
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
	want := []string{filepath.Join(dir, "pod.yaml"), filepath.Join(dir, "pipe.yaml") + ": not a regular file"}
	if diff := cmp.Diff(want, lines(readAll([]string{dir}, kinds, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
