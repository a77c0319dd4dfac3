package podreport_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// The output of the program for inputs that are not meant for it, or are broken.
func TestBroken(t *testing.T) { golden.CompareBroken(t, run, "testdata/broken.txt") }

func FuzzInput(f *testing.F) { golden.FuzzInput(f, run) }
