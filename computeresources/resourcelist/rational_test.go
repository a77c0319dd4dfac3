package resourcelist_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A fraction is the same after it was written and read.
func TestRational(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := big.NewRat(rapid.Int64().Draw(t, "numerator"), rapid.Int64Min(1).Draw(t, "denominator"))
		r := resourcelist.Rational(want.RatString())
		testkit.Contract(t, func() any { return []any{r, r.Rat().RatString()} }, r)
		if got := r.Rat(); got.Cmp(want) != 0 {
			t.Errorf("%s, want %s", got, want)
		}
	})
	for text, want := range map[resourcelist.Rational]string{
		"": "0", "0": "0", "3/4": "3/4", "-6/8": "-3/4", "1/0": "0", "1e999999999": "0", "0.5": "0", "half": "0", "0x10": "0", "--1": "0", "1/-2": "0",
	} {
		testkit.Equal(t, text.Rat().RatString(), want, text)
	}
}
