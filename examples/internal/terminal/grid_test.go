package terminal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/terminal"
)

// Groups of columns stay together, and those that do not fit are below, with the names.
func TestGrid(t *testing.T) {
	table := terminal.Grid{
		Title:  "Nodes",
		Groups: []terminal.Group{{Title: "cpu", Columns: 2}, {Title: "ephemeral", Columns: 1}},
		Rows:   [][]string{{"  naïve", "1500m", "37%", "1"}, {"  b", "2", "", "-"}, {"  all", "3500m", "43%", "1"}},
		Total:  true,
	}
	wide := "Nodes           cpu  ephemeral\n" +
		"  naïve  1500m  37%          1\n" +
		"  b          2               -\n" +
		"  ----------------------------\n" +
		"  all    3500m  43%          1\n"
	narrow := "Nodes           cpu\n" +
		"  naïve  1500m  37%\n" +
		"  b          2\n" +
		"  -----------------\n" +
		"  all    3500m  43%\n\n" +
		"Nodes    ephemeral\n" +
		"  naïve          1\n" +
		"  b              -\n" +
		"  ----------------\n" +
		"  all            1\n"
	for columns, want := range map[int]string{30: wide, 29: narrow, 1: narrow} {
		if diff := cmp.Diff(want, table.Text(columns)); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", columns, diff)
		}
	}
}

func TestAligned(t *testing.T) {
	got := terminal.Aligned([][]string{{"NAME", "AGE"}, {"a-long-name", ""}, {"b", "3s"}}, 3)
	if diff := cmp.Diff("NAME          AGE\na-long-name\nb             3s\n", got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
