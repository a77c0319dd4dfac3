package main

import (
	"os"
	"strings"
	"testing"
)

// The README shows the actual output of the program: the pieces of each block, between lines of
// dots, follow one another in a golden file.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	goldens := []string{"samples.txt", "pack.txt"}
	for i, block := range strings.Split(string(readme), "```") {
		block, plain := strings.CutPrefix(block, "\n") // others name their language
		if i%2 == 0 || !plain {
			continue
		}
		if len(goldens) == 0 {
			t.Fatal("more blocks than golden files")
		}
		text, err := os.ReadFile("testdata/" + goldens[0])
		if err != nil {
			t.Fatal(err)
		}
		rest := string(text)
		for _, piece := range strings.Split(block, "...\n") {
			_, after, found := strings.Cut(rest, piece)
			if !found {
				t.Errorf("%s has no such lines:\n%s", goldens[0], piece)
			}
			rest = after
		}
		goldens = goldens[1:]
	}
	if len(goldens) > 0 {
		t.Errorf("no blocks of %v", goldens)
	}
}
