package terminal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAligned(t *testing.T) {
	var text Text
	text.Aligned([][]string{{"NAME", "AGE"}, {"a-long-name", ""}, {"b", "3s"}}, 3)
	if diff := cmp.Diff("NAME          AGE\na-long-name\nb             3s\n", text.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
