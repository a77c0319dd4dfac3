package admit

import "k8s.io/apimachinery/pkg/util/validation/field"

// place is the location of the pod spec in an object.
type place uint8

const (
	inPod         place = iota // a Pod, and any other object that is not a workload
	inTemplate                 // the template of a workload
	inJobTemplate              // the template of the jobs of a CronJob
)

// path returns the path of the pod spec.
func (p place) path() *field.Path {
	switch p {
	case inTemplate:
		return field.NewPath("spec", "template", "spec")
	case inJobTemplate:
		return field.NewPath("spec", "jobTemplate", "spec", "template", "spec")
	case inPod:
	}
	return field.NewPath("spec")
}
