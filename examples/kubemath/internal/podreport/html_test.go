package podreport_test

import (
	"strings"
	"testing"
)

// The page is a report like the others: its exit code says what was wrong.
func TestHTML(t *testing.T) {
	for _, test := range []struct {
		name string
		code int
		args []string
	}{
		{"samples", 0, []string{"-o", "html"}},
		{"rejected", 2, []string{"-f", "testdata/rejected.yaml", "-o", "html"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith("", test.args...)
			if got.Code != test.code || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "<!DOCTYPE html>\n") || !strings.HasSuffix(got.Stdout, "</html>\n") {
				t.Errorf("exit code %d, want %d; stderr %q; output %.100q", got.Code, test.code, got.Stderr, got.Stdout)
			}
		})
	}
}
