package testkit

import (
	"flag"
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Reached draws a number of times, and fails for each rule that fewer than one draw in a hundred has
// reached, because then the properties that draw the same, a hundred times, hardly test it. Of returns the
// rules that one draw reaches; it must not fail. With -v, the test prints how many draws reached each rule.
//
// RAPID_SEED selects the draws, as it does in properties. Their number is the same with -short, because
// fewer draws would not show whether a rule is reached often.
func Reached(t *testing.T, draws int, of func(t *rapid.T) []string, rules ...string) {
	t.Helper()
	generator := rapid.Custom(of)
	counts := map[string]int{}
	first := seed(t) * draws
	for i := range draws {
		reached := generator.Example(first + i)
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

// seed returns the seed of rapid, 0 if it has none.
func seed(t *testing.T) int {
	t.Helper()
	n, err := strconv.ParseUint(flag.Lookup("rapid.seed").Value.String(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}
