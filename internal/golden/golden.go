// Package golden runs the programs of the examples in their tests, and compares what
// they print with files. With the flag -update, tests write these files.
package golden

import (
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update says that golden files are to be written.
var Update = flag.Bool("update", false, "write the golden files")

// Result is what a program leaves behind.
type Result struct {
	Code           int // its exit code
	Stdout, Stderr string
}

// Run runs a program, given as the function behind its main, on a standard input.
func Run(program func(args []string, stdin io.Reader, stdout, stderr io.Writer) int, stdin string, args ...string) Result {
	var stdout, stderr bytes.Buffer
	code := program(args, strings.NewReader(stdin), &stdout, &stderr)
	return Result{code, stdout.String(), stderr.String()}
}

// Compare fails the test if got is not what the file holds.
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
