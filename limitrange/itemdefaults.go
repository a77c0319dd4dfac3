package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// DefaultingRules are how missing defaults of a Container item follow from its bounds. The zero value is
// ServerRules. By any value that is not a constant, no defaults follow.
type DefaultingRules string

const (
	// ServerRules are the rules of the API server for a LimitRange that it stores, per resource: a
	// missing default limit is the maximum; then a missing default request is the default limit or,
	// if there is none, the minimum. The server also rounds all amounts up to milli-units.
	ServerRules DefaultingRules = ""

	// TektonRules are for controllers that set requests and limits themselves, so that the
	// LimitRanger has no default to set, per resource: with a default limit only, the default
	// request is the minimum; with a default request only, the default limit is the maximum; with
	// neither, both. ("LimitRange support in Pipeline"; the server's rules would give a pod with
	// many steps the default limit as request of each.)
	TektonRules DefaultingRules = "tekton"
)

// WithDefaults returns a copy of an item with the defaults that follow from its bounds. What the
// item sets remains, except for the rounding of ServerRules. Nothing is validated (see
// ValidateObject). Only items of type Container get defaults, and only under defined rules.
// Applying WithDefaults again changes nothing.
//
// Source: SetDefaults_LimitRangeItem and SetDefaults_ResourceList of
// k8s.io/kubernetes/pkg/apis/core/v1; "LimitRange support in Pipeline".
func WithDefaults(item corev1.LimitRangeItem, rules DefaultingRules) corev1.LimitRangeItem {
	done := *item.DeepCopy()
	if item.Type == corev1.LimitTypeContainer {
		switch rules {
		case ServerRules:
			fill(&done.Default, done.Max)
			fill(&done.DefaultRequest, done.Default)
			fill(&done.DefaultRequest, done.Min)
		case TektonRules:
			fill(&done.Default, done.Max)
			fill(&done.DefaultRequest, done.Min)
		}
	}
	if rules == ServerRules {
		for _, list := range []corev1.ResourceList{done.Max, done.Min, done.Default, done.DefaultRequest, done.MaxLimitRequestRatio} {
			quantity.RoundUpAll(list)
		}
	}
	return done
}

// fill sets the entries of list that are missing to those of defaults.
func fill(list *corev1.ResourceList, defaults corev1.ResourceList) {
	for name, q := range defaults {
		if _, stated := (*list)[name]; !stated {
			quantity.Set(list, name, q)
		}
	}
}
