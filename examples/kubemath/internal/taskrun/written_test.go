package taskrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// written are manifests as people write them: one file or directory for
// each way.
const written = "testdata/written"

// Manifests in the styles that people use, one file or directory for each: they are compared, or
// the reason is given.
func TestManifestsAsPeopleWriteThem(t *testing.T) {
	entries, err := os.ReadDir(written)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range entries {
		got := runWith("", "-no-render", "-f", filepath.Join(written, entry.Name()))
		fmt.Fprintf(&all, "# %s: exit code %d\n%s%s\n", entry.Name(), got.Code, got.Stderr, strings.TrimSuffix(got.Stdout, legend))
	}
	golden.Compare(t, "testdata/golden/written.txt", strings.ReplaceAll(all.String(), written+"/", ""))
}
