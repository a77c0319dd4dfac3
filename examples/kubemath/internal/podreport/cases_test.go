package podreport_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Each file of testdata/cases has cases of one topic: a name, the arguments, the standard input, and the exit code and
// the whole output.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			testkit.OK(t, err)
			var got strings.Builder
			for _, c := range strings.Split(string(text), "=== ")[1:] {
				question, _, _ := strings.Cut(c, "--- exit code")
				_, command, _ := strings.Cut(question, "\n$ report ")
				args, stdin, _ := strings.Cut(command, "\n")
				r := runWith(stdin, strings.Fields(args)...)
				fmt.Fprintf(&got, "=== %s--- exit code %d\n%s%s", question, r.Code, r.Stderr, r.Stdout)
			}
			golden.Compare(t, file, got.String())
		})
	}
}
