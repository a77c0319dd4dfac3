package affinity_test

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
)

// The aggregates of apimachinery are slices, so == panics.
func TestErrorsOfInvalidRunsCanBeCompared(t *testing.T) {
	_, first := affinity.PlanFor(nil, affinity.Options{})
	_, second := affinity.PlanFor(nil, affinity.Options{})
	if first == second {
		t.Error("two errors are one")
	}
	_, first = peak.DemandOf(nil, peak.Options{})
	_, second = peak.DemandOf(nil, peak.Options{})
	if first == nil || first == second {
		t.Errorf("%v, %v", first, second)
	}
}

func TestInvalidError(t *testing.T) {
	run := &affinity.Run{Name: "a", Tasks: []affinity.Task{{Name: "b", RunAfter: []string{"c"}}, {Name: "d", RunAfter: []string{"e"}}}}
	_, err := affinity.PlanFor(run, affinity.Options{})
	faults := affinity.Validate(run, affinity.Options{})
	var invalid *affinity.InvalidRunError
	if !errors.As(err, &invalid) || len(invalid.Errors) != len(faults) || len(faults) < 2 {
		t.Fatalf("%v, want %v", err, faults)
	}
	if got, want := err.Error(), faults.ToAggregate().Error(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var fault *field.Error
	if !errors.As(err, &fault) || fault != invalid.Errors[0] {
		t.Errorf("%v is not the first of %v", fault, invalid.Errors)
	}
	if got := (&affinity.InvalidRunError{}).Error(); got != "" {
		t.Errorf("of no errors: %q", got)
	}
}
