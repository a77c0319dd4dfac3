package golden

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/rich
var rich embed.FS

// Rich returns the text of a file: of a cluster with everything (cluster.yaml), or of what is asked about it, which is manifests
// that are applied (change.yaml, before.yaml), pods that are resized (resize.yaml), the configuration of a scheduler
// (scheduler.yaml), or what kubectl top writes (top-nodes.txt, top-pods.txt).
func Rich(t testing.TB, name string) string {
	t.Helper()
	text, err := rich.ReadFile("testdata/rich/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Variants compares the exit codes and all that a program writes with one golden file. A case is the arguments with blanks
// between them, which may name the files of Rich. If an earlier case is the beginning of one, the golden file has the lines in
// which the two differ, unless all of the output is shorter.
func Variants(t *testing.T, program Program, file string, cases ...string) {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	files, _ := rich.ReadDir("testdata/rich")
	for _, f := range files {
		if err := os.WriteFile(f.Name(), []byte(Rich(t, f.Name())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outputs := make(map[string][]string, len(cases))
	var all strings.Builder
	for i, c := range cases {
		got := Run(program, "", strings.Fields(c)...)
		lines := slices.Collect(strings.Lines(got.Stderr + got.Stdout))
		outputs[c] = lines
		of := ""
		for _, earlier := range cases[:i] {
			if strings.HasPrefix(c, earlier+" ") && len(earlier) > len(of) {
				of = earlier
			}
		}
		title := fmt.Sprintf("== %s: exit code %d\n", c, got.Code)
		if changes := differing(outputs[of], lines); of != "" && len(changes) < len(lines) {
			title, lines = fmt.Sprintf("== %s: exit code %d, unlike without %s:\n", c, got.Code, strings.TrimPrefix(c, of+" ")), changes
		}
		all.WriteString(title + strings.Join(lines, ""))
	}
	Compare(t, file, all.String())
}

// differing returns the lines of one text that another does not have at that place, after "- ", and those of the other, after
// "+ ", in the order of the texts. As many lines as possible are the same.
func differing(from, to []string) (changes []string) {
	common := make([][]int, len(from)+1) // the most common lines from these on
	for i := range common {
		common[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			if from[i] == to[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(from) || j < len(to) {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j]:
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && common[i+1][j] >= common[i][j+1]:
			changes, i = append(changes, "- "+from[i]), i+1
		default:
			changes, j = append(changes, "+ "+to[j]), j+1
		}
	}
	return changes
}
