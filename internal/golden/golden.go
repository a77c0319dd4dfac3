// Package golden runs the programs of the examples in their tests, and compares their output with
// files. With the flag -update, tests write these files.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is set if golden files are written.
var Update = flag.Bool("update", false, "write the golden files")

// Program is the function that the main of a program calls. It returns the exit code.
type Program func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Result is the output and the exit code of a program.
type Result struct {
	Code           int // its exit code
	Stdout, Stderr string
}

// Run runs a program on a standard input.
func Run(program Program, stdin string, args ...string) Result {
	var stdout, stderr bytes.Buffer
	code := program(args, strings.NewReader(stdin), &stdout, &stderr)
	return Result{code, stdout.String(), stderr.String()}
}

// Refuses fails the test unless a program rejects the arguments: it only exits with a code and
// writes the reason to the first line of its standard error.
func Refuses(t testing.TB, program Program, code int, why string, args ...string) {
	t.Helper()
	got := Run(program, "", args...)
	got.Stderr, _, _ = strings.Cut(got.Stderr, "\n")
	if diff := cmp.Diff(Result{Code: code, Stdout: "", Stderr: why}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Compare fails the test if got differs from the file.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("output differs from %s (-want +got):\n%s", file, diff)
	}
}

// Outputs compares what a program writes with golden files in a directory: those of the map, which has the arguments
// for each. The program has to exit with this code, and write nothing to its standard error but that it runs on samples.
func Outputs(t *testing.T, program Program, dir string, code int, args map[string][]string) {
	t.Helper()
	for file, args := range args {
		t.Run(file, func(t *testing.T) {
			got := Run(program, "", args...)
			if got.Code != code || got.Stderr != "" && !strings.HasPrefix(got.Stderr, "kubemath: these are samples:") {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			Compare(t, filepath.Join(dir, file), got.Stdout)
		})
	}
}

// Answers compares the exit codes and all that a program writes with one golden file. A case is its name, the standard input,
// and the arguments with blanks between them.
func Answers(t *testing.T, program Program, file string, cases [][3]string) {
	t.Helper()
	var all strings.Builder
	for _, c := range cases {
		got := Run(program, c[1], strings.Fields(c[2])...)
		fmt.Fprintf(&all, "== %s: %s: exit code %d\n%s%s", c[0], c[2], got.Code, got.Stderr, got.Stdout)
	}
	Compare(t, file, all.String())
}
