package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// Admission is what becomes of a pod in a namespace with LimitRanges, as far as requests
// and limits decide it.
type Admission struct {
	// Spec is the pod's with all defaults: what is stored, if it is admitted. The server
	// sets its own defaults once more whenever it reads a pod: where a LimitRange has given
	// amounts to the containers of a pod that sets some at pod level, clients read that pod
	// as the result of computeresources.ApplyRequestDefaults on Spec.
	Spec *corev1.PodSpec
	// Defaulted is what the API server has set: requests that follow from limits.
	Defaulted []computeresources.Change
	// Defaults are what LimitRanges have set after that.
	Defaults []computeresources.Change
	// Invalid is why the API server rejects the pod with these defaults: for a request
	// above a default limit, say.
	Invalid computeresources.InvalidResources
	// Violations are the bounds that it breaks with these defaults. The server looks for
	// them only if the pod is valid.
	Violations Violations
}

// Admit takes the steps of the API server with a pod that is to be created, as far as they
// have to do with requests and limits: requests default to limits
// (computeresources.ApplyRequestDefaults), LimitRanges give defaults (ApplyDefaults), the
// object is validated (computeresources.Validate), LimitRanges are enforced (Validate).
// With Options.IgnorePodLevel, the server does not keep spec.resources, and so the result has
// none. Spec does not change; that of the result is a copy, and all other parts of it are its
// own, too. A nil spec is an empty pod's.
func (p *Policy) Admit(spec *corev1.PodSpec) Admission {
	own := spec.DeepCopy()
	if own == nil {
		own = &corev1.PodSpec{}
	}
	return p.ApplyAdmission(own)
}

// ApplyAdmission takes the steps of Admit with spec itself, which becomes Spec of the result.
// Nothing else of the result is shared with it. A nil spec stays as it is, and the result has that
// of an empty pod.
func (p *Policy) ApplyAdmission(spec *corev1.PodSpec) Admission {
	if spec == nil {
		spec = &corev1.PodSpec{}
	}
	if p != nil && p.opts.IgnorePodLevel {
		spec.Resources = nil
	}
	return Admission{
		Spec:       spec,
		Defaulted:  computeresources.ApplyRequestDefaults(spec, computeresources.DefaultOptions{}),
		Defaults:   p.ApplyDefaults(spec),
		Invalid:    computeresources.Validate(spec, computeresources.ValidateOptions{}),
		Violations: p.Validate(spec),
	}
}

// Admitted reports whether the pod is stored.
func (a Admission) Admitted() bool { return len(a.Invalid) == 0 && len(a.Violations) == 0 }
