package sweep_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// declared matches a function or method in docs/api.txt: its package, its receiver and its name.
var declared = regexp.MustCompile(`(?m)^(\S+): func (?:\((\*?\w+)(?:\[\w+\])?\)\.)?(\w+)`)

// TestAllFunctions compares the functions with docs/api.txt, so that none is forgotten.
func TestAllFunctions(t *testing.T) {
	text, err := os.ReadFile("../../../docs/api.txt")
	testkit.OK(t, err)
	var want, have []string
	for _, of := range declared.FindAllStringSubmatch(string(text), -1) {
		name := of[1] + "."
		if of[2] != "" {
			name += "(" + of[2] + ")."
		}
		want = append(want, name+of[3])
	}
	for _, f := range functions {
		have = append(have, f.name)
	}
	slices.Sort(want)
	slices.Sort(have)
	testkit.NoDiff(t, strings.Join(have, "\n"), strings.Join(want, "\n"))
}
