package quantity

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// anySuspect finds what suspect matches, wherever it is.
var anySuspect = regexp.MustCompile(`[":,\[\s+](?:-[0-9]|[0-9.]{31}|[0-9.]+[eE][+-]?[0-9]{2,}["},\]\s])`)

func TestSuspicious(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "0123459..+-eE\":,} m\t"
	found := 0
	for range 300_000 {
		text := []byte(`{"`)
		for range 1 + random.IntN(14) {
			text = append(text, letters[random.IntN(len(letters))])
		}
		if random.IntN(20) == 0 {
			text = append(text, `"1234567890123456789012345678`...)
			text = append(text, letters[:random.IntN(8)]...)
		}
		text = append(text, `"}`...)
		want := anySuspect.Match(text)
		if got := Suspicious(text); got != want {
			t.Fatalf("%q: %t, want %t", text, got, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d of them", found)
	}
	for text, want := range map[string]bool{`[-1]`: true, `[-x]`: false, `[1]`: false} { // at the beginning
		if Suspicious([]byte(text)) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
	for _, digits := range []int{1, 2, 40, 48, 49, 50, 51, 60, 1000} { // exponents longer than what is looked at
		if !Suspicious([]byte(`{"a": "1e` + strings.Repeat("0", digits) + `9"}`)) {
			t.Errorf("%d zeros", digits)
		}
	}
}
