package wording_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWording(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{wording.Count(0, "pod"), "0 pods"},
		{wording.Count(1, "pod"), "1 pod"},
		{wording.Count(2, "pod"), "2 pods"},
		{wording.Qualified("", "web"), "web"},
		{wording.Qualified("shop", "web"), "shop/web"},
		{wording.Enumerate(nil), ""},
		{wording.Enumerate([]string{"a"}), "a"},
		{wording.Enumerate([]string{"a", "b"}), "a and b"},
		{wording.Enumerate([]string{"a", "b", "c"}), "a, b and c"},
		{wording.Spoken(""), ""},
		{wording.Spoken("Created"), "created"},
		{wording.Spoken("NotFound"), "not found"},
		{wording.OneLine("a\n  b\nc\n"), "a; b; c"},
		{wording.Printable("añ"), "añ"},
		{wording.Printable("a\n\x1b"), `a\n\x1b`},
		{wording.Printable("a\xff"), `a\xff`},
	} {
		testkit.Equal(t, test.got, test.want)
	}
}
