package main

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// What the program says of inputs that are not meant for it, or are broken.
func TestBroken(t *testing.T) { golden.CompareBroken(t, run, "testdata/broken.txt") }

// FuzzInput feeds the program with anything: it ends soon, and takes little memory.
func FuzzInput(f *testing.F) {
	for _, in := range golden.Broken() {
		if len(in.Text) < 1<<16 {
			f.Add([]byte(in.Text))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<20 {
			return
		}
		got := golden.Bounded(t, "input", run, string(input), "-f", "-")
		if got.Stdout == "" && got.Stderr == "" && got.Code != 0 {
			t.Errorf("exit code %d without a word", got.Code)
		}
	})
}
