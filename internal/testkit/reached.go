package testkit

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Each returns a rule for each member of an enumeration: its text after what.
func Each[E any](what string, all []E) (rules []string) {
	for _, member := range all {
		rules = append(rules, what+fmt.Sprint(member))
	}
	return rules
}

// Reached draws a number of times, and fails for each rule that fewer than one draw in a hundred has
// reached, because then the properties that draw the same, a hundred times, hardly test it. Of returns the
// rules that one draw reaches; it must not fail. With -v, the test prints how many draws reached each rule.
//
// The draws are always the same, whatever RAPID_SEED is: a rule that is reached just often enough would fail
// with some seeds. With -short, the test is skipped: fewer draws would not show whether a rule is reached often.
func Reached(t *testing.T, draws int, of func(t *rapid.T) []string, rules ...string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("it takes %d draws", draws)
	}
	generator := rapid.Custom(of)
	counts := map[string]int{}
	for i := range draws {
		reached := generator.Example(i)
		slices.Sort(reached)
		for _, rule := range slices.Compact(reached) {
			counts[rule]++
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d of %d draws: %s", counts[rule], draws, rule)
	}
	for _, rule := range rules {
		if want := draws / 100; counts[rule] < want {
			t.Errorf("%d of %d draws reach %q, want %d or more", counts[rule], draws, rule, want)
		}
	}
}
