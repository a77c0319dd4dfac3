package terminal

import (
	"os"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFor(t *testing.T) {
	t.Setenv("COLUMNS", "")
	if text := For(&strings.Builder{}); text.Columns != 100 || !text.Whole || text.Coloured {
		t.Errorf("%+v", text)
	}
	null, err := os.Open(os.DevNull) // no terminal
	testkit.OK(t, err)
	defer null.Close()
	if text := For(null); text.Columns != 100 || !text.Whole || text.Coloured {
		t.Errorf("%+v", text)
	}
	for columns, want := range map[string]int{"80": 80, "0": 100, "-1": 100, "wide": 100} {
		t.Setenv("COLUMNS", columns)
		if text := For(null); text.Columns != want || text.Whole != (want == 100) || text.Coloured {
			t.Errorf("COLUMNS=%s: %+v", columns, text)
		}
	}
}

// Colours are written raw, and only where they are to be.
func TestPass(t *testing.T) {
	for _, test := range []struct {
		coloured bool
		want     string
	}{
		{false, "a\nrejected\nb\nmay\nc\n"},
		{true, "a\n<\x1b[31m>rejected\n<\x1b[0m>b\n<\x1b[33m>may\n<\x1b[0m>c\n"},
	} {
		text, to := Text{Columns: 80, Coloured: test.coloured}, &strings.Builder{}
		text.Line("a")
		text.In(Red, func() { text.Line("rejected") })
		text.Line("b")
		text.In(Yellow, func() { text.Line("may") })
		text.Line("c")
		text.Pass(to, marked{to})
		if to.String() != test.want {
			t.Errorf("%q, want %q", to, test.want)
		}
	}
}

// marked writes texts between brackets.
type marked struct{ to *strings.Builder }

func (m marked) Write(text []byte) (int, error) {
	m.to.WriteString("<" + string(text) + ">")
	return len(text), nil
}
