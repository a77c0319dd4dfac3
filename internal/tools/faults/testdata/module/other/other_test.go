package other_test

import (
	"testing"

	"example.com/module/other"
)

func TestTwice(t *testing.T) {
	if other.Twice(2) != 4 {
		t.Error("wrong")
	}
}
