package browser_test

import (
	"math/big"
	"strings"
	"testing"
)

// rational returns the value of a quantity, such as 250m or 1536Mi.
func rational(t *testing.T, text string) *big.Rat {
	t.Helper()
	i := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("-0123456789.", r) })
	number, suffix := text, ""
	if i >= 0 {
		number, suffix = text[:i], text[i:]
	}
	value, ok := new(big.Rat).SetString(number)
	if strings.HasPrefix(suffix, "e") {
		value, ok = new(big.Rat).SetString(text)
	}
	if !ok {
		t.Fatalf("%q is no quantity", text)
	}
	if binary, is := strings.CutSuffix(suffix, "i"); is {
		for range 1 + strings.Index("KMGTPE", binary) {
			value.Mul(value, big.NewRat(1024, 1))
		}
		return value
	}
	decimal := map[string]int64{"n": -3, "u": -2, "m": -1, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}[suffix]
	for ; decimal > 0; decimal-- {
		value.Mul(value, big.NewRat(1000, 1))
	}
	for ; decimal < 0; decimal++ {
		value.Quo(value, big.NewRat(1000, 1))
	}
	return value
}

func TestRational(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "250m": "1/4", "-1.5": "-3/2", "2Ki": "2048", "1Gi": "1073741824", "3k": "3000", "1e3": "1000", "5n": "1/200000000"} {
		if got := rational(t, text).RatString(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
