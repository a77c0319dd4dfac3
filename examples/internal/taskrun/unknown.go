package taskrun

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
)

// checkTask returns what is wrong with the task of a run: one that is in it, or one that it refers to.
func checkTask(spec *pipelinerun.TaskSpec, refers bool, path, apiVersion string) *field.Error {
	at := field.NewPath(path)
	if refers == (spec != nil) {
		return field.Invalid(at, nil, "expected exactly one of taskRef and taskSpec")
	}
	if spec != nil {
		if errs := spec.Check(at.Child("taskSpec"), apiVersion); len(errs) > 0 {
			return errs[0]
		}
	}
	return nil
}

// fails records what is wrong with the task of a run, and reports whether there is anything.
func (in *input) fails(at objects.Place, spec *pipelinerun.TaskSpec, refers bool, path, apiVersion string) bool {
	err := checkTask(spec, refers, path, apiVersion)
	switch {
	case err == nil:
		return false
	case err.Type == field.ErrorTypeInvalid:
		in.Fail(at, objects.Invalid, err.Field, err.Detail)
	default:
		in.Fail(at, objects.Invalid, err.Field, err.ErrorBody())
	}
	return true
}

// misses records that a task is not in the input, or not fetched.
func (in *input) misses(at objects.Place, path string, pod *pipelinerun.TaskPod) {
	if pod.Fetched {
		in.Fail(at, objects.Skipped, path, pod.Missing+", and not considered")
		return
	}
	in.Fail(at, objects.Unreadable, path, pod.Missing)
}
