package main

import (
	"path/filepath"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// A directory as people have it: a chart with its templates, a base with an overlay and a patch, a dump of a
// live namespace with what its controllers made, misspelled fields and unlikely amounts, and quotas of objects
// other than pods.
func TestStrangers(t *testing.T) {
	for _, test := range []struct {
		golden string
		code   int
		args   []string
	}{
		{"strangers.txt", 2, nil},
		{"strangers.ci.txt", 2, []string{"-ci", "-strict", "-q"}},
		{"strangers.summary.txt", 2, []string{"-summary", "-q"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", append([]string{"-f", "testdata/strangers"}, test.args...)...)
			if got.Code != test.code {
				t.Errorf("exit code %d, want %d", got.Code, test.code)
			}
			golden.Compare(t, filepath.Join("testdata", test.golden), got.Stdout+"--- stderr\n"+got.Stderr)
		})
	}
}
