package taskrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

type outcome = golden.Result

func runWith(stdin string, args ...string) outcome { return golden.Run(Run, stdin, args...) }

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata/golden", 2, map[string][]string{
		"samples.txt": nil,
		"explain.txt": {"-explain", "-init", "prepare"},
		"more.txt":    {"-f", "testdata/more.yaml", "-n", "team", "-init", "prepare"},
		"pods.txt":    {"-f", "samples/8-sources.yaml", "-o", "yaml"},
	})
}

// Manifests in the styles that people use, one file or directory for each: their pods are written, or the reason is given.
func TestManifestsAsPeopleWriteThem(t *testing.T) {
	const written = "testdata/written"
	entries, err := os.ReadDir(written)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range entries {
		got := runWith("", "-no-render", "-f", filepath.Join(written, entry.Name()))
		fmt.Fprintf(&all, "# %s: exit code %d\n%s%s\n", entry.Name(), got.Code, got.Stderr, got.Stdout)
	}
	golden.Compare(t, "testdata/golden/written.txt", strings.ReplaceAll(all.String(), written+"/", ""))
}
