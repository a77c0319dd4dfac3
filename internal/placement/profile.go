package placement

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// The plugins of the default profile that this package has.
const (
	NodeName             = "NodeName"
	NodeUnschedulable    = "NodeUnschedulable"
	TaintToleration      = "TaintToleration"
	NodeAffinity         = "NodeAffinity"
	NodePorts            = "NodePorts"
	VolumeBinding        = "VolumeBinding"
	PodTopologySpread    = "PodTopologySpread"
	InterPodAffinity     = "InterPodAffinity"
	ImageLocality        = "ImageLocality"
	NodeDeclaredFeatures = "NodeDeclaredFeatures"
)

// defaultWeight returns the weight of a plugin in the default profile, 0 if it does not compare nodes.
func defaultWeight(plugin string) int64 {
	switch plugin {
	case TaintToleration:
		return 3
	case NodeAffinity, PodTopologySpread, InterPodAffinity:
		return 2
	case ImageLocality, VolumeBinding:
		return 1
	}
	return 0
}

// Config is how a profile of the scheduler differs from the default one, which is the zero value.
type Config struct {
	Weights       map[string]int32 // of plugins that compare nodes; with 0, a plugin does not
	NoFilters     []string         // plugins that refuse no node
	Spread        topologyspread.Defaults
	PodAffinity   interpodaffinity.Options
	AddedAffinity *corev1.NodeAffinity // of each pod
}

// Profile is a profile of the scheduler. The zero value is the default one. It is never written to.
type Profile struct {
	Config
	enforced nodeaffinity.Selector   // the required part of AddedAffinity
	favoured *nodeaffinity.Preferred // the preferred part, nil if there is none
}

// NewProfile returns a profile. If the scheduler does not start with it, it returns an error.
func NewProfile(c Config) (*Profile, error) {
	p := &Profile{Config: c}
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		if weight := c.Weights[name]; defaultWeight(name) == 0 || weight < 0 {
			return nil, fmt.Errorf("plugin %q with weight %d does not compare nodes", name, weight)
		}
	}
	for _, name := range c.NoFilters {
		if !isFilter(name) {
			return nil, fmt.Errorf("plugin %q refuses no nodes", name)
		}
	}
	if c.AddedAffinity == nil {
		return p, nil
	}
	if err := nodeaffinity.CheckSelector(c.AddedAffinity.RequiredDuringSchedulingIgnoredDuringExecution); err != nil {
		return nil, fmt.Errorf("parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: %w", err)
	}
	var err error
	p.enforced = nodeaffinity.SelectorOf(c.AddedAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	p.favoured, err = nodeaffinity.PreferredOf(&corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: c.AddedAffinity}})
	if err != nil {
		return nil, fmt.Errorf("parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: %w", err)
	}
	return p, nil
}

// isFilter reports whether a plugin refuses nodes in the default profile.
func isFilter(plugin string) bool {
	switch plugin {
	case NodeName, NodeUnschedulable, TaintToleration, NodeAffinity, NodePorts, VolumeBinding, PodTopologySpread,
		InterPodAffinity, NodeDeclaredFeatures:
		return true
	}
	return false
}

// filters reports whether a plugin may refuse a node.
func (p *Profile) filters(plugin string) bool {
	return !slices.Contains(p.NoFilters, plugin)
}

// weight returns the weight of a plugin, 0 if it does not compare nodes.
func (p *Profile) weight(plugin string) int64 {
	if weight, isSet := p.Weights[plugin]; isSet {
		return int64(weight)
	}
	return defaultWeight(plugin)
}
