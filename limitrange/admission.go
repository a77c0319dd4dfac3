package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// Admission is the decision on a pod in a namespace with LimitRanges, as far as it depends on
// requests and limits.
type Admission struct {
	// Spec is the pod spec with all defaults, which is stored if the pod is admitted. The server
	// sets its own defaults again whenever it reads a pod from the store. If a LimitRange sets
	// container amounts in a pod with pod-level resources, clients therefore read the result of
	// computeresources.ApplyRequestDefaults on Spec.
	Spec *corev1.PodSpec
	// Defaulted are the requests that the API server sets because they follow from limits.
	Defaulted []computeresources.Change
	// Defaults are what LimitRanges set after that.
	Defaults []computeresources.Change
	// Invalid are the reasons why the API server rejects the pod with these defaults, for example a
	// request above a default limit.
	Invalid computeresources.InvalidResources
	// Violations are the bounds that the pod violates with these defaults. The server checks them
	// only if the pod is valid.
	Violations Violations
}

// Admit runs the steps of the API server for a new pod that concern requests and limits: requests
// default to limits (computeresources.ApplyRequestDefaults), LimitRanges set defaults
// (ApplyDefaults), the pod is validated (computeresources.Validate), and LimitRanges are enforced
// (Validate). With Gates.IgnorePodLevel, the server drops spec.resources, so the result has none.
// The result is a copy and shares no memory with spec. A nil spec is treated as an empty one.
func (p *Policy) Admit(spec *corev1.PodSpec) Admission {
	own := spec.DeepCopy()
	if own == nil {
		own = &corev1.PodSpec{}
	}
	return p.ApplyAdmission(own)
}

// ApplyAdmission runs the steps of Admit on spec itself, which becomes the Spec of the result. The
// result shares nothing else with it. For a nil spec, the result has a new, empty spec.
func (p *Policy) ApplyAdmission(spec *corev1.PodSpec) Admission {
	if spec == nil {
		spec = &corev1.PodSpec{}
	}
	if p != nil && p.ignorePodLevel {
		spec.Resources = nil
	}
	return Admission{
		Spec:       spec,
		Defaulted:  computeresources.ApplyRequestDefaults(spec, computeresources.Gates{}),
		Defaults:   p.ApplyDefaults(spec),
		Invalid:    computeresources.Validate(nil, spec, computeresources.Gates{}),
		Violations: p.Validate(spec),
	}
}

// Admitted reports whether the pod is stored.
func (a Admission) Admitted() bool { return len(a.Invalid) == 0 && len(a.Violations) == 0 }
