package objects

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// asWritten is what strange looks for, as an expression.
var asWritten = regexp.MustCompile(`^(?:[+]?[0-9.]*\\|-[0-9.\\]|[+]?[0-9.]{31}|[+]?[0-9.]+[eE][+-]?[0-9]{2,}(?:["},\]\s]|$))`)

func TestStrangeEqualsTheExpression(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = `0123459..+-eE\",} m`
	found := 0
	for range 200_000 {
		text := make([]byte, 1+random.IntN(12))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		if random.IntN(20) == 0 {
			text = append([]byte("1234567890123456789012345678"), text...)
		}
		want := asWritten.Match(text)
		if got := strange(text); got != want {
			t.Fatalf("%q: %t, want %t", text, got, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d of them", found)
	}
}

// Of two kinds, the last one counts, as for kubectl.
func TestKindTwice(t *testing.T) {
	text := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "kind": "Service"}`
	for o := range (Reader{Kinds: Kinds{{"v1", "Pod"}: reflect.TypeFor[corev1.Pod](), {"v1", "Service"}: reflect.TypeFor[corev1.Service]()}}).File("a.json", strings.NewReader(text)) {
		if _, is := o.Typed.(*corev1.Service); !is || o.Kind != "Service" {
			t.Errorf("%s, %T", o.Kind, o.Typed)
		}
	}
}
