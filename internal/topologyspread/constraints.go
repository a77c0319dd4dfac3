package topologyspread

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/labelselector"
	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/release"
)

// Constraints are the topology spread constraints of one pod. They never change.
type Constraints struct {
	hard, soft   []constraint // DoNotSchedule and ScheduleAnyway
	mayLackLabel bool         // nodes without the labels of the soft ones are scored as well
	namespace    string
	required     nodeaffinity.Required
	tolerations  []corev1.Toleration
}

// constraint is one of them.
type constraint struct {
	topologyKey    string
	maxSkew        int32
	minDomains     int32
	selector       labels.Selector
	selectsItself  bool // the selector matches the pod that has the constraint
	countsNone     bool // no pods count, although the selector matches all
	honorsAffinity bool // pods on nodes that the pod's node affinity excludes do not count
	honorsTaints   bool // pods on nodes with taints that the pod does not tolerate do not count
	isPerNode      bool // each node is a domain and its pods count, whatever its labels and taints are
}

// Of returns the topology spread constraints of a pod. If it has none of its own, they are the default constraints with
// a selector, that of DefaultSelector. Of returns nil if there are none, or if the default selector is nil or empty. An
// error says which label selector is invalid: the API server refuses such pods, and the scheduler does not place them.
//
// Source: getConstraints, filterTopologySpreadConstraints and buildDefaultConstraints.
func Of(
	pod *corev1.Pod, selector labels.Selector, defaults Defaults, rules release.Rules,
) (*Constraints, error) {
	if pod == nil {
		return nil, nil
	}
	c := &Constraints{
		namespace: pod.Namespace, required: nodeaffinity.RequiredOf(&pod.Spec), tolerations: pod.Spec.Tolerations,
	}
	own := pod.Spec.TopologySpreadConstraints
	for i := range own {
		selector, err := selectorOf(&own[i], pod.Labels)
		if err != nil {
			return nil, fmt.Errorf("topologySpreadConstraints[%d].labelSelector: %w", i, err)
		}
		c.add(&own[i], selector, pod.Labels, rules)
	}
	if len(own) == 0 && selector != nil && !selector.Empty() {
		all := defaults.constraints()
		for i := range all {
			c.add(&all[i], selector, pod.Labels, rules)
		}
		c.mayLackLabel = !defaults.IsList
	}
	if len(c.hard)+len(c.soft) == 0 {
		return nil, nil
	}
	return c, nil
}

// IsRequired reports whether a constraint keeps the pod off nodes.
func (c *Constraints) IsRequired() bool { return c != nil && len(c.hard) > 0 }

// add adds a constraint of a pod with these labels.
func (c *Constraints) add(
	from *corev1.TopologySpreadConstraint, selector labels.Selector, podLabels labels.Set, rules release.Rules,
) {
	read := constraint{
		topologyKey: from.TopologyKey, maxSkew: from.MaxSkew, minDomains: 1,
		selector: selector, selectsItself: selector.Matches(podLabels),
		countsNone:     selector.Empty() && !rules.CountsEmptySelector(),
		honorsAffinity: from.NodeAffinityPolicy == nil || *from.NodeAffinityPolicy == corev1.NodeInclusionPolicyHonor,
		honorsTaints:   from.NodeTaintsPolicy != nil && *from.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor,
	}
	if from.MinDomains != nil {
		read.minDomains = *from.MinDomains
	}
	switch from.WhenUnsatisfiable {
	case corev1.DoNotSchedule:
		c.hard = append(c.hard, read)
	case corev1.ScheduleAnyway:
		read.isPerNode = from.TopologyKey == corev1.LabelHostname
		c.soft = append(c.soft, read)
	}
}

// selectorOf returns which pods a constraint selects: those that its label selector matches, and that have the same
// values as the pod for those matchLabelKeys that the pod has.
//
// Source: filterTopologySpreadConstraints and mergeLabelSetWithSelector.
func selectorOf(c *corev1.TopologySpreadConstraint, podLabels labels.Set) (labels.Selector, error) {
	selector, err := labelselector.Of(c.LabelSelector)
	if err != nil {
		return nil, err
	}
	requirements, isSelectable := selector.Requirements()
	if !isSelectable {
		return selector, nil
	}
	same := labels.Set{}
	for _, key := range c.MatchLabelKeys {
		if value, found := podLabels[key]; found {
			same[key] = value
		}
	}
	return labels.SelectorFromSet(same).Add(requirements...), nil
}
