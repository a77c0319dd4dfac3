package resourcepool

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// What is said about pools and quotas of all sorts, with each flag and with pairs of them.
func TestVariants(t *testing.T) {
	golden.Variants(t, withFiles, "testdata/rich.txt",
		"-f pool.yaml",
		"-f pool.yaml -documented",
		"-f pool.yaml -no-headers -l team=sun",
		"-f pool.yaml -now 2026-02-01T00:00:00Z",
		"-f pool.yaml -plan",
		"-f pool.yaml -plan -documented",
		"-f pool.yaml -metrics",
		"-f pool.yaml -metrics -documented",
		"-f pool.yaml -n sun-dev",
		"-f pool.yaml -n sun-dev -plan",
		"-f pool.yaml -n sun-dev -metrics",
		"-f pool.yaml -l team=sun",
		"-f pool.yaml -l team=sun -plan",
		"-f pool.yaml -l team=sun -metrics",
		"-f pool.yaml -field-selector metadata.name=ordered",
		"-f pool.yaml -migrate",
		"-f pool-quotas.yaml",
		"-f pool-quotas.yaml -migrate",
		"-f pool-quotas.yaml -migrate -dir steps",
		"-f pool-plain.yaml -migrate",
		"-f pool-plain.yaml -migrate -dir it's",
		"-f pool-plain.yaml -strict",
		"-h",
	)
}

// withFiles also writes the files of a migration, and removes them.
func withFiles(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	code := Run(args, stdin, stdout, stderr)
	for _, dir := range []string{"steps", "it's"} {
		names, _ := filepath.Glob(dir + "/*") // the pattern is valid
		for _, name := range names {
			text, err := os.ReadFile(name)
			fmt.Fprintf(stdout, "%s: %v\n%s", name, err, text)
		}
		os.RemoveAll(dir)
	}
	return code
}

// What the package answers as values is the same.
func TestRichAsValues(t *testing.T) {
	asValues := func(files []string, _ io.Reader, stdout, _ io.Writer) int {
		for _, name := range files {
			a, err := AnswerFor(name, strings.NewReader(golden.Rich(t, name)))
			text, failed := json.Marshal(a)
			fmt.Fprintln(stdout, strings.ReplaceAll(string(text), "],[", "],\n["), err, failed)
		}
		return 0
	}
	golden.Variants(t, asValues, "testdata/values.txt", "pool.yaml", "pool-quotas.yaml", "pool-plain.yaml", "top-nodes.txt")
}
