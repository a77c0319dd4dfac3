package testkit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestEqualAndNoDiff(t *testing.T) {
	for want, check := range map[string]func(testkit.TB){
		"":                           func(t testkit.TB) { testkit.Equal(t, "a", "a", "letters") },
		`letter 1: got "a", want ""`: func(t testkit.TB) { testkit.Equal(t, "a", "", "letter", 1) },
		"got 1, want 2":              func(t testkit.TB) { testkit.Equal(t, 1, 2) },
		"amounts of app: (-want +got)": func(t testkit.TB) {
			testkit.NoDiff(t, testkit.List("cpu", "1"), testkit.List("cpu", "2"), "amounts of", "app")
		},
		"(-want +got)":  func(t testkit.TB) { testkit.NoDiff(t, []int{}, nil) },
		"no such thing": func(t testkit.TB) { testkit.OK(t, errors.New("no such thing")) },
	} {
		if got := failureOf(check); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	testkit.NoDiff(t, testkit.List("cpu", "1"), testkit.List("cpu", "1000m"), "an amount in another format")
	testkit.OK(t, nil)
	testkit.NoDiff(t, []int{}, nil, "empty and nil", cmpopts.EquateEmpty())
	testkit.NoDiff(t, testkit.Strings([]error{fmt.Errorf("a"), nil}), []string{"a", "<nil>"})
	testkit.NoDiff(t, testkit.Strings([]int{}), nil)
}
