package coschedule

import (
	"strings"
	"testing"
)

func TestGeneratedName(t *testing.T) {
	long := strings.Repeat("a", 58)
	for prefix, want := range map[string]string{"build-": "build-xxxxx", long: long + "xxxxx", long + "b": long + "xxxxx"} {
		if got := generatedName(prefix); got != want {
			t.Errorf("%s: %s, want %s", prefix, got, want)
		}
	}
}
