// Package schedulerconfig reads a KubeSchedulerConfiguration into a whatif.Profile.
package schedulerconfig

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// config is a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1.
type config struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Profiles   []profile  `json:"profiles"`
	Extenders  []extender `json:"extenders"`
	percentage
}

// percentage is of the nodes that are compared, of all profiles or of one.
type percentage struct {
	Percent *int32 `json:"percentageOfNodesToScore"`
}

type extender struct {
	URLPrefix string `json:"urlPrefix"`
}

type profile struct {
	SchedulerName string               `json:"schedulerName"`
	Plugins       map[string]pluginSet `json:"plugins"` // by extension point
	PluginConfig  []struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"pluginConfig"`
	percentage
}

type pluginSet struct {
	Enabled, Disabled []plugin
}

type plugin struct {
	Name   string `json:"name"`
	Weight int32  `json:"weight"`
}

// has reports whether plugins include one of a name, and its weight, 1 if it is not set.
func has(plugins []plugin, name string) (weight int32, is bool) {
	for _, p := range plugins {
		if p.Name == name {
			return max(p.Weight, 1), true
		}
	}
	return 0, false
}

// lacks reports whether the set disables a plugin of the default profile.
func (s *pluginSet) lacks(name string) bool {
	_, isDisabled := has(s.Disabled, name)
	_, areAll := has(s.Disabled, "*")
	return isDisabled || areAll
}

// Read returns the profile of default-scheduler in a KubeSchedulerConfiguration, or else the first one, with the extended
// resources that it ignores.
func Read(text []byte) (p *whatif.Profile, ignored whatif.Options, err error) {
	document, err := yaml.ToJSON(text)
	if err != nil {
		return nil, ignored, err
	}
	var c config
	if err := json.Unmarshal(document, &c); err != nil {
		return nil, ignored, err
	}
	if c.APIVersion != "kubescheduler.config.k8s.io/v1" || c.Kind != "KubeSchedulerConfiguration" {
		return nil, ignored, fmt.Errorf("%s, %s: want a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1", c.APIVersion, c.Kind)
	}
	p = &whatif.Profile{Weights: map[string]int32{}}
	defer func() {
		slices.Sort(p.Others)
		p.Others = slices.Compact(p.Others)
	}()
	for _, e := range c.Extenders {
		p.Others = append(p.Others, "extender "+e.URLPrefix)
	}
	if c.Percent != nil {
		p.PercentageOfNodesToScore = *c.Percent
	}
	if len(c.Profiles) == 0 {
		return p, ignored, nil
	}
	from := &c.Profiles[max(0, slices.IndexFunc(c.Profiles, func(p profile) bool {
		return p.SchedulerName == "" || p.SchedulerName == corev1.DefaultSchedulerName
	}))]
	p.SchedulerName = from.SchedulerName
	if from.Percent != nil {
		p.PercentageOfNodesToScore = *from.Percent
	}
	for point := range from.Plugins {
		if !slices.Contains(points, point) {
			return p, ignored, fmt.Errorf("profile %q: no extension point %q", p.SchedulerName, point)
		}
	}
	from.setPlugins(p)
	err = from.setArguments(p, &ignored)
	return p, ignored, err
}

// points are the extension points.
var points = []string{"multiPoint", "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score",
	"reserve", "permit", "preBind", "bind", "postBind", "placementGenerate", "placementScore", "podGroupPostFilter"}

// scorers compare nodes, and filters refuse them.
var (
	scorers = []string{"TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread",
		"InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"}
	filters = []string{"NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "VolumeBinding",
		"PodTopologySpread", "InterPodAffinity", "NodeDeclaredFeatures"}
)

// others are further plugins of Kubernetes. Those that may refuse a node and cannot be left out alone are true.
var others = map[string]bool{
	"NodeResourcesFit": true, "VolumeRestrictions": true, "VolumeZone": true, "NodeVolumeLimits": false,
	"DynamicResources": false, "SchedulingGates": true, "PrioritySort": false, "DefaultPreemption": false,
	"DefaultBinder": false, "GangScheduling": false, "DeferredPodScheduling": false, "TopologyPlacementGenerator": false,
	"PodGroupPodsCount": false,
}

// setPlugins sets which plugins compare and refuse nodes.
//
// Source: mergePluginSet of k8s.io/kubernetes/pkg/scheduler/apis/config/v1, and expandMultiPointPlugins of
// k8s.io/kubernetes/pkg/scheduler/framework/runtime.
func (from *profile) setPlugins(p *whatif.Profile) {
	everywhere := from.Plugins["multiPoint"]
	// at returns whether a plugin runs at an extension point, and its weight, 0 if it is that of the default profile.
	at := func(point, name string) (weight int32, is bool) {
		own := from.Plugins[point]
		if weight, is := has(own.Enabled, name); is {
			return weight, true
		}
		weight, is = has(everywhere.Enabled, name)
		return weight, (is || !everywhere.lacks(name)) && !own.lacks(name)
	}
	for _, name := range scorers {
		weight, is := at("score", name)
		switch {
		case !is:
			p.Weights[name] = 0
		case weight > 0:
			p.Weights[name] = weight
		}
	}
	for _, name := range filters {
		if _, is := at("filter", name); !is {
			p.NoFilters = append(p.NoFilters, name)
		}
	}
	_, preempts := at("postFilter", "DefaultPreemption")
	p.NoPreemption = !preempts
	for name, mayRefuse := range others {
		point := "filter"
		if name == "SchedulingGates" {
			point = "preEnqueue"
		}
		isVolumes := name == "VolumeRestrictions" || name == "VolumeZone"
		_, is := at(point, name)
		if mayRefuse && !is && !(isVolumes && slices.Contains(p.NoFilters, "VolumeBinding")) {
			p.Others = append(p.Others, "disabled plugin "+name)
		}
	}
	for _, point := range points {
		set := from.Plugins[point]
		for _, enabled := range set.Enabled {
			_, isOther := others[enabled.Name]
			if !isOther && !slices.Contains(scorers, enabled.Name) && !slices.Contains(filters, enabled.Name) {
				p.Others = append(p.Others, "plugin "+enabled.Name)
			}
		}
	}
}

func (from *profile) setArguments(p *whatif.Profile, ignored *whatif.Options) error {
	for _, of := range from.PluginConfig {
		var args struct {
			IgnoredResources      []corev1.ResourceName `json:"ignoredResources"`
			IgnoredResourceGroups []string              `json:"ignoredResourceGroups"`
			ScoringStrategy       struct {
				Type                     noderesources.Strategy         `json:"type"`
				Resources                []noderesources.ResourceWeight `json:"resources"`
				RequestedToCapacityRatio struct {
					Shape []noderesources.UtilizationShapePoint `json:"shape"`
				} `json:"requestedToCapacityRatio"`
			} `json:"scoringStrategy"`
			Resources                          []noderesources.ResourceWeight    `json:"resources"`
			DefaultingType                     string                            `json:"defaultingType"`
			DefaultConstraints                 []corev1.TopologySpreadConstraint `json:"defaultConstraints"`
			HardPodAffinityWeight              *int32                            `json:"hardPodAffinityWeight"`
			IgnorePreferredTermsOfExistingPods bool                              `json:"ignorePreferredTermsOfExistingPods"`
			AddedAffinity                      *corev1.NodeAffinity              `json:"addedAffinity"`
			Shape                              []any                             `json:"shape"`
		}
		if len(of.Args) > 0 {
			if err := json.Unmarshal(of.Args, &args); err != nil {
				return fmt.Errorf("profile %q: arguments of %s: %w", p.SchedulerName, of.Name, err)
			}
		}
		switch of.Name {
		case "NodeResourcesFit":
			strategy := &args.ScoringStrategy
			p.Fit = noderesources.ScoreOptions{Strategy: strategy.Type, Resources: strategy.Resources,
				Shape: strategy.RequestedToCapacityRatio.Shape}
			ignored.IgnoredResources, ignored.IgnoredGroups = args.IgnoredResources, args.IgnoredResourceGroups
		case "NodeResourcesBalancedAllocation":
			p.Balanced = noderesources.ScoreOptions{Resources: args.Resources}
		case "PodTopologySpread":
			if args.DefaultingType == "List" {
				p.DefaultConstraints = append([]corev1.TopologySpreadConstraint{}, args.DefaultConstraints...)
			}
		case "InterPodAffinity":
			p.HardPodAffinityWeight = args.HardPodAffinityWeight
			p.IgnorePreferredTermsOfExistingPods = args.IgnorePreferredTermsOfExistingPods
		case "NodeAffinity":
			p.AddedAffinity = args.AddedAffinity
		case "VolumeBinding":
			if len(args.Shape) > 0 {
				p.Others = append(p.Others, "shape of VolumeBinding")
			}
		}
	}
	return nil
}

// Into returns a function that reads a file into options.
func Into(opts *whatif.Options) func(file string) error {
	return func(file string) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p, ignored, err := Read(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		opts.Profile, opts.IgnoredResources, opts.IgnoredGroups = p, ignored.IgnoredResources, ignored.IgnoredGroups
		return nil
	}
}
