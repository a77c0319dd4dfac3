package manifest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// checkWorkload returns why the API server would reject a workload, for errors that would make its
// report misleading. Requests and limits are validated in the report, and other fields are not.
func checkWorkload(w *Workload) []objects.Fault {
	v := validity{prefix: w.Prefix}
	if w.Name == "" {
		v.faults = append(v.faults, objects.Fault{Field: "metadata.name", Text: "missing"})
	}
	for _, c := range w.counts {
		if c.value != nil && *c.value < 0 {
			v.faults = append(v.faults, objects.Fault{Field: c.path, Text: fmt.Sprintf("%d is negative", *c.value)})
		}
	}
	v.checkNames(&w.Pod.Spec)
	v.checkClass(w.Pod.Status.QOSClass)
	return v.faults
}

type validity struct {
	prefix string // of paths within the pod
	faults []objects.Fault
}

func (v *validity) fault(path, format string, args ...any) {
	v.faults = append(v.faults, objects.Fault{Field: v.prefix + path, Text: fmt.Sprintf(format, args...)})
}

func (v *validity) checkNames(spec *corev1.PodSpec) {
	if len(spec.Containers) == 0 {
		v.fault("spec.containers", "no containers")
	}
	seen := map[string]bool{}
	for ref, c := range computeresources.Containers(spec) {
		path := ref.Path(nil).Child("name").String()
		switch {
		case c.Name == "":
			v.fault(path, "missing")
		case seen[c.Name]:
			v.fault(path, "%q is the name of two containers", c.Name)
		}
		seen[c.Name] = true
	}
}

// checkClass reports an unknown QoS class in a status.
func (v *validity) checkClass(class corev1.PodQOSClass) {
	switch class {
	case "", corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort:
	default:
		v.fault("status.qosClass", "%q is not a QoS class", class)
	}
}
