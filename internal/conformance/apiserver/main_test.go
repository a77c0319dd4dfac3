package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

// A fault is found, and shrunk to the smallest number that reproduces it.
func TestCheckShrinks(t *testing.T) {
	smallest := 0
	err := check(100, 1, 10*time.Second, func(t *rapid.T) {
		if n := rapid.IntRange(0, 1000).Draw(t, "n"); n >= 37 {
			smallest = n
			t.Fatalf(differs)
		}
	})
	if err == nil || smallest != 37 {
		t.Errorf("found %d: %v", smallest, err)
	}
	runs := 0
	if err := check(30, 1, time.Second, func(*rapid.T) { runs++ }); err != nil || runs != 30 {
		t.Errorf("%d runs: %v", runs, err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-cases", "0"}, {"-seed", "0"}, {"-cases", "x"}, {"other"}, {"serve", "more"}} {
		err := run(context.Background(), args, strings.NewReader(""), io.Discard)
		if !errors.Is(err, errUsage) || exitCode(err) != exitUsage {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// Without etcd, nothing is compared: the program says so and fails.
func TestUnavailable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, args := range [][]string{nil, {"serve"}} {
		err := run(context.Background(), args, strings.NewReader(""), io.Discard)
		if !errors.Is(err, controlplane.ErrUnavailable) || exitCode(err) != exitUnavailable || !strings.Contains(err.Error(), "Debian's package etcd-server") {
			t.Errorf("%q: %v", args, err)
		}
	}
	if exitCode(errors.New(differs)) != exitDifference {
		t.Error("a difference is no failure")
	}
}
