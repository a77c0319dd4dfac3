package taskrun

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
)

// fails records what is wrong with the task of a run, one that is in it or that it refers to, and reports whether there is
// anything.
func (in *input) fails(at objects.Place, spec *pipelinerun.TaskSpec, refers bool, path, apiVersion string) bool {
	if refers == (spec != nil) {
		in.Fail(at, objects.Invalid, path, "expected exactly one of taskRef and taskSpec")
		return true
	}
	if spec == nil {
		return false
	}
	errs := spec.Check(field.NewPath(path).Child("taskSpec"), apiVersion)
	if len(errs) > 0 {
		in.Fail(at, objects.Invalid, errs[0].Field, errs[0].ErrorBody())
	}
	return len(errs) > 0
}

// misses records that a task is not in the input, or not fetched.
func (in *input) misses(at objects.Place, path string, pod *pipelinerun.TaskPod) {
	if pod.Fetched {
		in.Fail(at, objects.Skipped, path, pod.Missing+", and not considered")
		return
	}
	in.Fail(at, objects.Unreadable, path, pod.Missing)
}
