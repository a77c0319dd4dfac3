package vectors_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// The README names five mistakes, each with a case that is there.
func TestMistakes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(docs, "README.md"))
	testkit.OK(t, err)
	_, table, found := strings.Cut(string(text), "<!-- mistakes -->")
	table, _, ended := strings.Cut(table, "<!-- /mistakes -->")
	if !found || !ended {
		t.Fatal("the README has no table of mistakes")
	}
	rows := regexp.MustCompile("(?m)^\\| .* \\| ([a-z]+\\.json) \\| `(.+)` \\|$").FindAllStringSubmatch(table, -1)
	if len(rows) != 5 {
		t.Errorf("%d mistakes, want 5", len(rows))
	}
	for _, row := range rows {
		file, err := os.ReadFile(filepath.Join(docs, row[1]))
		if err != nil {
			t.Error(err)
		} else if name := `"name":"` + strings.ReplaceAll(row[2], `"`, `\"`) + `"`; !strings.Contains(string(file), name) {
			t.Errorf("%s has no case %s", row[1], row[2])
		}
	}
}
