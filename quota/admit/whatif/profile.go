package whatif

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// Profile is a profile of the scheduler. The zero value is the default one.
//
// Source: KubeSchedulerProfile of k8s.io/kube-scheduler/config/v1.
type Profile struct {
	// SchedulerName is the spec.schedulerName of its pods, by default "default-scheduler". Of others, it is named as
	// unknown.
	SchedulerName string
	// Weights are those of plugins whose weight is not that of the default profile, by name: TaintToleration,
	// NodeAffinity, NodeResourcesFit, VolumeBinding, PodTopologySpread, InterPodAffinity,
	// NodeResourcesBalancedAllocation and ImageLocality. A plugin of weight 0 does not compare nodes.
	Weights map[string]int32
	// NoFilters are plugins that refuse no node: NodeName, NodeUnschedulable, TaintToleration, NodeAffinity, NodePorts,
	// VolumeBinding (with VolumeRestrictions and VolumeZone), PodTopologySpread, InterPodAffinity and
	// NodeDeclaredFeatures.
	NoFilters []string
	// Fit and Balanced are the arguments of NodeResourcesFit and of NodeResourcesBalancedAllocation, whose Strategy is
	// BalancedAllocation. See Options for ignored resources.
	Fit, Balanced noderesources.ScoreOptions
	// DefaultConstraints are the spread constraints of pods that have none, as with defaultingType List. Nil are those of
	// the system.
	DefaultConstraints []corev1.TopologySpreadConstraint
	// HardPodAffinityWeight and IgnorePreferredTermsOfExistingPods are the arguments of InterPodAffinity. Nil is 1.
	HardPodAffinityWeight              *int32
	IgnorePreferredTermsOfExistingPods bool
	// AddedAffinity is that of NodeAffinity, which each pod has in addition to its own.
	AddedAffinity *corev1.NodeAffinity
	// PercentageOfNodesToScore is how many percent of the nodes the scheduler compares at most, in clusters of 100 nodes
	// and more. Zero is its default, which depends on their number: see Choice.
	PercentageOfNodesToScore int32
	// NoPreemption is set if the plugin DefaultPreemption is disabled.
	NoPreemption bool
	// Others are what else decides and is not considered, such as plugins that are not part of Kubernetes, and extenders:
	// they are named as unknown for each pod that the scheduler places.
	Others []string
}

// name returns the spec.schedulerName of its pods.
func (p *Profile) name() string {
	if p == nil || p.SchedulerName == "" {
		return corev1.DefaultSchedulerName
	}
	return p.SchedulerName
}

// The plugins that look at resources.
const (
	resourcesFit = "NodeResourcesFit"
	balanced     = "NodeResourcesBalancedAllocation"
)

// compiled is a Profile in the form in which it is used. The zero value is the default one.
type compiled struct {
	plugins          *placement.Profile
	resources        noderesources.Profile // the scorers of resources, nil for those of the default profile
	ignoresResources bool                  // the nodes are not compared by resources
	percent          int32                 // PercentageOfNodesToScore
}

// compile returns a profile in the form in which it is used, or an error if the scheduler does not start with it.
func (p *Profile) compile() (c compiled, err error) {
	if p == nil {
		return c, nil
	}
	if percent := p.PercentageOfNodesToScore; percent < 0 || percent > 100 {
		return c, fmt.Errorf("whatif: profile %q: percentageOfNodesToScore: %d: not in valid range [0-100]",
			p.SchedulerName, percent)
	}
	c.percent = p.PercentageOfNodesToScore
	config := placement.Config{
		Weights: map[string]int32{}, NoFilters: p.NoFilters, AddedAffinity: p.AddedAffinity,
		Spread: topologyspread.Defaults{IsList: p.DefaultConstraints != nil, Constraints: p.DefaultConstraints},
		PodAffinity: interpodaffinity.Options{HardPodAffinityWeight: p.HardPodAffinityWeight,
			IgnorePreferredTermsOfExistingPods: p.IgnorePreferredTermsOfExistingPods},
	}
	weights := map[string]int32{resourcesFit: 1, balanced: 1}
	for name, weight := range p.Weights {
		if _, isOfResources := weights[name]; isOfResources {
			weights[name] = weight
		} else {
			config.Weights[name] = weight
		}
	}
	even := p.Balanced
	even.Strategy = noderesources.BalancedAllocation
	for _, plugin := range []struct {
		name string
		opts noderesources.ScoreOptions
	}{{resourcesFit, p.Fit}, {balanced, even}} {
		scorer, err := noderesources.NewScorer(plugin.opts)
		if err != nil {
			return c, fmt.Errorf("whatif: profile %q: %s: %w", p.SchedulerName, plugin.name, err)
		}
		weight := weights[plugin.name]
		switch {
		case weight < 0:
			return c, fmt.Errorf("whatif: profile %q: %s: weight %d", p.SchedulerName, plugin.name, weight)
		case weight > 0:
			c.resources = append(c.resources, noderesources.WeightedScorer{Scorer: scorer, Weight: weight})
		}
	}
	c.ignoresResources = len(c.resources) == 0
	c.plugins, err = placement.NewProfile(config)
	if err != nil {
		return c, fmt.Errorf("whatif: profile %q: %w", p.SchedulerName, err)
	}
	return c, nil
}
