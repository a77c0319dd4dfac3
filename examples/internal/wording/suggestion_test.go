package wording

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestDidYouMean(t *testing.T) {
	words := []string{"report", "diff", "json", "yaml", "CPU%", "MEMORY"}
	for word, want := range map[string]string{
		"dif": "diff", "diff": "diff", "rpeort": "report", "reporting": "", "yml": "yaml", "xml": "", "memroy": "MEMORY", "cpu": "CPU%", "d": "", "": "", "yaaaml": "yaml",
	} {
		if want != "" {
			want = ": did you mean " + want + "?"
		}
		testkit.Equal(t, DidYouMean(word, words), want, word)
	}
	if got := DidYouMean("a", nil); got != "" {
		t.Error(got)
	}
}
