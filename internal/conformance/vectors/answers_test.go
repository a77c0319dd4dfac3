//go:build !kubernetes136 && !kubernetes138

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The files of docs/vectors are what Kubernetes 1.37 answers.
func TestFilesAreWhatKubernetesAnswers(t *testing.T) {
	files, err := answers("../../../docs/vectors")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../../docs/vectors", name))
		if err != nil {
			t.Error(err)
		} else if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-kubernetes +file):\n%s", name, diff)
		}
	}
}
