package affinity_test

import (
	"errors"
	"testing"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
)

// The error of PlanFor has the message of the aggregate of what Validate returns, and wraps each of these.
func TestErrorOfInvalidRuns(t *testing.T) {
	run := &affinity.Run{Name: "a", Tasks: []affinity.Task{{Name: "b", RunAfter: []string{"c"}}, {Name: "d", RunAfter: []string{"e"}}}}
	_, err := affinity.PlanFor(run, affinity.Options{})
	if want := `[tasks[0].runAfter[0]: Not found: "c", tasks[1].runAfter[0]: Not found: "e"]`; err == nil || err.Error() != want {
		t.Fatalf("%v, want %s", err, want)
	}
	var all utilerrors.Aggregate
	if !errors.As(err, &all) || len(all.Errors()) != 2 {
		t.Errorf("%#v is no Aggregate of two", err)
	}
	var fault *field.Error
	if !errors.As(err, &fault) || fault.Field != "tasks[0].runAfter[0]" {
		t.Errorf("%v is not the first error", fault)
	}
}
