package wording

import "testing"

func TestDidYouMean(t *testing.T) {
	words := []string{"report", "diff", "json", "yaml", "CPU%", "MEMORY"}
	for word, want := range map[string]string{
		"dif": "diff", "diff": "diff", "rpeort": "report", "reporting": "", "yml": "yaml", "xml": "", "memroy": "MEMORY", "cpu": "CPU%", "d": "", "": "", "yaaaml": "yaml",
	} {
		if want != "" {
			want = ": did you mean " + want + "?"
		}
		if got := DidYouMean(word, words); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("a", nil); got != "" {
		t.Error(got)
	}
}
