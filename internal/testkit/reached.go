package testkit

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Reached draws a number of times, and fails for each rule that only a few of the draws have reached,
// because then the properties that draw the same hardly test it. Of returns the rules that one draw
// reaches; it must not fail. With -v, the test prints how many draws reached each rule.
func Reached(t *testing.T, draws int, of func(t *rapid.T) []string, rules ...string) {
	t.Helper()
	const handful = 5
	generator := rapid.Custom(of)
	counts := map[string]int{}
	for seed := range draws {
		reached := generator.Example(seed)
		slices.Sort(reached)
		for _, rule := range slices.Compact(reached) {
			counts[rule]++
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d of %d draws: %s", counts[rule], draws, rule)
	}
	for _, rule := range rules {
		if counts[rule] < handful {
			t.Errorf("%d of %d draws reach %q, want %d or more", counts[rule], draws, rule, handful)
		}
	}
}
