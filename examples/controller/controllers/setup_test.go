package controllers

import (
	"testing"
	"time"
)

// Conditions store full seconds.
func TestNow(t *testing.T) {
	got := now()
	if age := time.Since(got); got.Nanosecond() != 0 || age < 0 || age > 10*time.Second {
		t.Errorf("%v, %v ago", got, age)
	}
}
