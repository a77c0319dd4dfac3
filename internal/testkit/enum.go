package testkit

import (
	"encoding"
	"fmt"
)

// enumeration is a type whose constants start at 0 or 1, without gaps.
type enumeration interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}

// Enum fails the test unless these are the names of all values of an enumeration, beginning with its
// zero value: String and MarshalText return them, UnmarshalText reads them, and any other value or name
// is an error.
func Enum[E enumeration, P interface {
	*E
	encoding.TextUnmarshaler
}](t TB, names ...string) {
	t.Helper()
	for i := range 256 {
		value := E(i)
		text, err := value.MarshalText()
		if i >= len(names) {
			if got := value.String(); got != "unknown" {
				t.Fatalf("%T(%d) is %q, want unknown", value, i, got)
			}
			if err == nil {
				t.Fatalf("%T(%d) is marshalled as %q, want an error", value, i, text)
			}
			continue
		}
		if got := value.String(); got != names[i] {
			t.Fatalf("%T(%d) is %q, want %q", value, i, got, names[i])
		}
		if err != nil || string(text) != names[i] {
			t.Fatalf("%T(%d) is marshalled as %q, %v, want %q", value, i, text, err, names[i])
		}
		got := E(255)
		if err := P(&got).UnmarshalText([]byte(names[i])); err != nil || got != value {
			t.Fatalf("%q is unmarshalled as %d, %v, want %d", names[i], got, err, value)
		}
	}
	for _, name := range []string{"", "unknown", "another"} {
		got := E(255)
		if err := P(&got).UnmarshalText([]byte(name)); err == nil || got != 255 {
			t.Fatalf("%q is unmarshalled as %d, %v, want an error, and what was there before", name, got, err)
		}
	}
}
