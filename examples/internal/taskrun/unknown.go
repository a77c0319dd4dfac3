package taskrun

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
)

// lacks records why the pod of a task is not known, and reports whether it is not: Tekton rejects its matrix or its task, it
// has none, or the task is not in the input or not fetched.
func (in *input) lacks(at objects.Place, pod *pipelinerun.TaskPod, path, apiVersion string) bool {
	switch {
	case pod.Invalid != "":
		in.Fail(at, objects.Invalid, path, pod.Invalid)
	case pod.Custom != "":
		in.Fail(at, objects.Skipped, path, pod.Custom+", and not considered")
	case pod.Refers == (pod.Own != nil):
		in.Fail(at, objects.Invalid, path, "expected exactly one of taskRef and taskSpec")
	case pod.Missing != "" && pod.Fetched:
		in.Fail(at, objects.Skipped, path, pod.Missing+", and not considered")
	case pod.Missing != "":
		in.Fail(at, objects.Unreadable, path, pod.Missing)
	case pod.Own != nil:
		errs := pod.Own.Check(field.NewPath(path).Child("taskSpec"), apiVersion)
		if len(errs) > 0 {
			in.Fail(at, objects.Invalid, errs[0].Field, errs[0].ErrorBody())
		}
		return len(errs) > 0
	default:
		return false
	}
	return true
}
