package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = `//go:build linux

package p

// Sum calls count.
func Sum(a []int) int {
	s := Sums{Count: 1} // not Count
	_ = s.Count
	return Count(a) + helper(a) +
		Sum(nil)
}

func Count(a []int) int { return len(a) }

// helper is not renamed.
func helper(a []int) int { return Count(a) }

type T struct{}

func (t *T) Sum() int { return Count(nil) + other.Count() + other.Sum() + t.Each() + t.other() }

func (t *T) Each() int { return t.Sum() }

func (t T) other() int { return t.Sum() }
`

func TestRename(t *testing.T) {
	const want = `//go:build linux

package p

// Sum calls count.
func upstreamSum(a []int) int {
	s := Sums{Count: 1} // not Count
	_ = s.Count
	return upstreamCount(a) + helper(a) +
		upstreamSum(nil)
}

func upstreamCount(a []int) int { return len(a) }

// helper is not renamed.
func helper(a []int) int { return Count(a) }

type T struct{}

func (t *T) upstreamSum() int { return upstreamCount(nil) + other.Count() + other.Sum() + t.upstreamEach() + t.other() }

func (t *T) upstreamEach() int { return t.upstreamSum() }

func (t T) other() int { return t.Sum() }
`
	got, found, err := rename("p.go", []byte(sample), []declared{"Sum", "Count", "T.Sum", "T.Each", "Missing"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]declared{"Sum", "Count", "T.Sum", "T.Each"}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if _, _, err := rename("p.go", []byte("package"), nil); err == nil {
		t.Error("no Go, and no error")
	}
}

func TestAdapt(t *testing.T) {
	const test = "package p\n\nfunc TestSum() { Sum(nil) }\n"
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("p.go", sample)
	write("p_test.go", test)
	adapter := "package p\n\nfunc Sum(a []int) int { return upstreamSum(a) }\n"
	if err := adapt(dir, map[string][]byte{"kubemath.go": []byte(adapter)}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"kubemath.go": adapter, "p_test.go": test} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	// T.Sum is a method, and not what the adapter declares.
	got, err := os.ReadFile(filepath.Join(dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	functions, err := functionsOf("p.go", got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]declared{"upstreamSum", "Count", "helper", "T.Sum", "T.Each", "T.other"}, functions); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
	if err := adapt(dir, map[string][]byte{"other.go": []byte("package p\n\nfunc Gone() {}\n")}); err == nil {
		t.Error("an adapter that stands in for nothing is accepted")
	}
}
