package enum_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/enum"
	"github.com/kubemath/kubemath/internal/testkit"
)

type color uint8

const (
	red color = iota + 1
	green
)

func (c color) String() string {
	switch c {
	case 0:
		return "unspecified"
	case red:
		return "red"
	case green:
		return "green"
	}
	return enum.Unknown
}

func TestRoundTrip(t *testing.T) {
	for _, c := range []color{0, red, green} {
		text, err := enum.Marshal(c)
		if err != nil || string(text) != c.String() {
			t.Errorf("Marshal(%d) = %q, %v", c, text, err)
		}
		var got color
		if err := enum.Unmarshal(&got, text, green); err != nil || got != c {
			t.Errorf("Unmarshal(%q) = %v, %v, want %v", text, got, err, c)
		}
	}
}

func TestUnknown(t *testing.T) {
	if text, err := enum.Marshal(color(3)); err == nil || err.Error() != "enum_test.color: no name for 3" {
		t.Errorf("Marshal(3) = %q, %v, want an error with the type and the value", text, err)
	}
	for _, name := range []string{"blue", enum.Unknown, "", "Red"} {
		got := red
		err := enum.Unmarshal(&got, []byte(name), green)
		if err == nil || err.Error() != `enum_test.color: unknown name "`+name+`": must be one of "red", "green"` {
			t.Errorf("Unmarshal(%q): %v, want an error with the type and all names", name, err)
		}
		testkit.Equal(t, got, red, "Unmarshal(", name, ") left")
	}
}
