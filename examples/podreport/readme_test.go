package main

import (
	"os"
	"strings"
	"testing"
)

// The documents show the actual output of this program: every line between the dots of a block
// stands in a golden file, in that order.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	var readme []byte
	for _, name := range []string{"../../README.md", "../../docs/podreport.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		readme = append(readme, text...)
	}
	goldens := map[string]string{}
	for _, name := range []string{"samples.txt", "rejected.txt", "quotas.txt", "shop.txt", "samples.cpu.txt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		goldens[name] = string(text)
	}
	shown := map[string]bool{}
	for i, block := range strings.Split(string(readme), "```") {
		// Blocks in a language say so on their first line.
		if block, plain := strings.CutPrefix(block, "\n"); i%2 == 1 && plain && (strings.Contains(block, "\n  from ") || strings.Contains(block, "\n  set by the arguments")) {
			if name := shownIn(block, goldens); name == "" {
				t.Errorf("no golden file has this block:\n%s", block)
			} else {
				shown[name] = true
			}
		}
	}
	if len(shown) != len(goldens) {
		t.Errorf("blocks of %v, want one of each golden file", shown)
	}
}

func shownIn(block string, goldens map[string]string) string {
	for name, text := range goldens {
		if contained(block, text) {
			return name
		}
	}
	return ""
}

// contained reports whether the pieces of a block, between lines of dots, follow one another
// in a text.
func contained(block, text string) bool {
	var piece strings.Builder
	flush := func() bool {
		_, rest, found := strings.Cut(text, piece.String())
		text = rest
		piece.Reset()
		return found
	}
	for line := range strings.Lines(block) {
		if strings.TrimSpace(line) != "..." {
			piece.WriteString(line)
		} else if !flush() {
			return false
		}
	}
	return flush()
}

// The README of the program shows the summary of its samples, whole.
func TestReadmeShowsTheSummary(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	summary, err := os.ReadFile("testdata/samples.summary.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "\n```\n"+string(summary)+"```\n") {
		t.Error("the README does not show testdata/samples.summary.txt")
	}
}
