package terminal

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestAligned(t *testing.T) {
	var text Text
	text.Aligned([][]string{{"NAME", "AGE"}, {"a-long-name", ""}, {"b", "3s"}}, 3)
	testkit.NoDiff(t, text.String(), "NAME          AGE\na-long-name\nb             3s\n")
}
