package terminal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAligned(t *testing.T) {
	got := Aligned([][]string{{"NAME", "AGE"}, {"a-long-name", ""}, {"b", "3s"}}, 3)
	if diff := cmp.Diff("NAME          AGE\na-long-name\nb             3s\n", got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
