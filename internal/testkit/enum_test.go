package testkit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// names are those of the values of fruit, with which tests plant faults. A name in front of "=" is
// what String returns, and the one behind it what MarshalText does.
type names string

func (n names) of(i uint8, marshalled bool) string {
	all := strings.Fields(string(n))
	if int(i) >= len(all) {
		return "unknown"
	}
	name, text, differ := strings.Cut(all[i], "=")
	if marshalled && differ {
		return text
	}
	return name
}

type (
	fine    uint8 // apple, pear
	longer  uint8 // apple, pear, plum
	other   uint8 // apple, peach
	uneven  uint8 // apple, pear=plum
	lenient uint8 // apple, pear, and any text
)

func (f fine) String() string    { return names("apple pear").of(uint8(f), false) }
func (f longer) String() string  { return names("apple pear plum").of(uint8(f), false) }
func (f other) String() string   { return names("apple peach").of(uint8(f), false) }
func (f uneven) String() string  { return names("apple pear=plum").of(uint8(f), false) }
func (f lenient) String() string { return names("apple pear").of(uint8(f), false) }

func (f fine) MarshalText() ([]byte, error)    { return marshal(uint8(f), "apple pear") }
func (f longer) MarshalText() ([]byte, error)  { return marshal(uint8(f), "apple pear plum") }
func (f other) MarshalText() ([]byte, error)   { return marshal(uint8(f), "apple peach") }
func (f uneven) MarshalText() ([]byte, error)  { return marshal(uint8(f), "apple pear=plum") }
func (f lenient) MarshalText() ([]byte, error) { return marshal(uint8(f), "apple pear") }

func (f *fine) UnmarshalText(text []byte) error { return unmarshal((*uint8)(f), text, "apple pear") }
func (f *longer) UnmarshalText(text []byte) error {
	return unmarshal((*uint8)(f), text, "apple pear plum")
}
func (f *other) UnmarshalText(text []byte) error { return unmarshal((*uint8)(f), text, "apple peach") }
func (f *uneven) UnmarshalText(text []byte) error {
	return unmarshal((*uint8)(f), text, "apple pear=plum")
}
func (f *lenient) UnmarshalText(text []byte) error {
	if unmarshal((*uint8)(f), text, "apple pear") != nil {
		*f = 0
	}
	return nil
}

func marshal(f uint8, all names) ([]byte, error) {
	if name := all.of(f, true); name != "unknown" {
		return []byte(name), nil
	}
	return nil, errors.New("no name")
}

func unmarshal(f *uint8, text []byte, all names) error {
	for i := range uint8(len(strings.Fields(string(all)))) {
		if all.of(i, true) == string(text) {
			*f = i
			return nil
		}
	}
	return errors.New("no such name")
}

func TestEnum(t *testing.T) {
	for _, test := range []struct {
		name  string
		check func(testkit.TB)
		want  string
	}{
		{"as it has to be", func(t testkit.TB) { testkit.Enum[fine](t, "apple", "pear") }, ""},
		{"a value more than names", func(t testkit.TB) { testkit.Enum[longer](t, "apple", "pear") }, `(2) is "plum", want unknown`},
		{"a value less than names", func(t testkit.TB) { testkit.Enum[fine](t, "apple", "pear", "plum") }, `(2) is "unknown", want "plum"`},
		{"another name", func(t testkit.TB) { testkit.Enum[other](t, "apple", "pear") }, `(1) is "peach", want "pear"`},
		{"another text", func(t testkit.TB) { testkit.Enum[uneven](t, "apple", "pear") }, `(1) is marshalled as "plum"`},
		{"unknown names are read", func(t testkit.TB) { testkit.Enum[lenient](t, "apple", "pear") }, `"" is unmarshalled as 0`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{}
			func() {
				defer func() {
					if stopped := recover(); stopped != nil && stopped != any(r) {
						panic(stopped)
					}
				}()
				test.check(r)
			}()
			if !strings.Contains(r.failure, test.want) || (r.failure == "") != (test.want == "") {
				t.Errorf("got %q, want %q", r.failure, test.want)
			}
		})
	}
}
