package scheduler

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// otherProfiles are profiles as the scheduler reads them, and ours.
var otherProfiles = map[string]struct {
	yaml string // of profiles[0]
	ours whatif.Profile
}{
	"nodes are filled": {`
    pluginConfig:
    - name: NodeResourcesFit
      args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}]}}`,
		whatif.Profile{Fit: noderesources.ScoreOptions{Strategy: noderesources.MostAllocated, Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}}}}},
	"weights": {`
    plugins:
      score: {enabled: [{name: NodeResourcesFit, weight: 5}, {name: ImageLocality, weight: 7}, {name: PodTopologySpread, weight: 1}]}`,
		whatif.Profile{Weights: map[string]int32{"NodeResourcesFit": 5, "ImageLocality": 7, "PodTopologySpread": 1}}},
	"some do not compare": {`
    plugins:
      score: {disabled: [{name: NodeResourcesFit}, {name: NodeResourcesBalancedAllocation}, {name: TaintToleration}, {name: InterPodAffinity}]}`,
		whatif.Profile{Weights: map[string]int32{"NodeResourcesFit": 0, "NodeResourcesBalancedAllocation": 0, "TaintToleration": 0, "InterPodAffinity": 0}}},
	"others do not": {`
    plugins:
      score: {disabled: [{name: NodeAffinity}, {name: PodTopologySpread}, {name: ImageLocality}, {name: VolumeBinding}]}`,
		whatif.Profile{Weights: map[string]int32{"NodeAffinity": 0, "PodTopologySpread": 0, "ImageLocality": 0, "VolumeBinding": 0}}},
	"some refuse nothing": {`
    plugins:
      preFilter: {disabled: [{name: NodeAffinity}, {name: NodePorts}, {name: InterPodAffinity}]}
      filter: {disabled: [{name: NodeAffinity}, {name: NodePorts}, {name: InterPodAffinity}, {name: NodeUnschedulable}, {name: NodeName}]}`,
		whatif.Profile{NoFilters: []string{"NodeAffinity", "NodePorts", "InterPodAffinity", "NodeUnschedulable", "NodeName"}}},
	"others refuse nothing": {`
    plugins:
      preFilter: {disabled: [{name: PodTopologySpread}, {name: VolumeBinding}, {name: VolumeRestrictions}, {name: VolumeZone}, {name: NodeDeclaredFeatures}]}
      filter: {disabled: [{name: PodTopologySpread}, {name: TaintToleration}, {name: VolumeBinding}, {name: VolumeRestrictions}, {name: VolumeZone}, {name: NodeDeclaredFeatures}]}
      preScore: {disabled: [{name: VolumeBinding}]}
      score: {disabled: [{name: VolumeBinding}]}`,
		whatif.Profile{NoFilters: []string{"PodTopologySpread", "TaintToleration", "VolumeBinding", "NodeDeclaredFeatures"}, Weights: map[string]int32{"VolumeBinding": 0}}},
	"other spread": {`
    pluginConfig:
    - name: PodTopologySpread
      args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 1, topologyKey: size, whenUnsatisfiable: ScheduleAnyway}]}`,
		whatif.Profile{DefaultConstraints: []corev1.TopologySpreadConstraint{
			{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}, {MaxSkew: 1, TopologyKey: "size", WhenUnsatisfiable: corev1.ScheduleAnyway}}}},
	"no spread": {`
    pluginConfig:
    - name: PodTopologySpread
      args: {defaultingType: List, defaultConstraints: []}`,
		whatif.Profile{DefaultConstraints: []corev1.TopologySpreadConstraint{}}},
	"pod affinity": {`
    pluginConfig:
    - name: InterPodAffinity
      args: {hardPodAffinityWeight: 30, ignorePreferredTermsOfExistingPods: true}`,
		whatif.Profile{HardPodAffinityWeight: new(int32(30)), IgnorePreferredTermsOfExistingPods: true}},
	"added affinity": {`
    pluginConfig:
    - name: NodeAffinity
      args:
        addedAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: NotIn, values: [b]}]}]}
          preferredDuringSchedulingIgnoredDuringExecution: [{weight: 40, preference: {matchExpressions: [{key: size, operator: In, values: [a]}]}}]
    - name: NodeResourcesBalancedAllocation
      args: {resources: [{name: cpu, weight: 1}]}`,
		whatif.Profile{Balanced: noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}}}, AddedAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
				{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"b"}}}}}},
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
				{Weight: 40, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "size", Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}}},
		}}},
}

// A pod gets the first by name of the nodes with the highest score of the profile, all of which are named, or the message
// of its scheduler.
func TestOtherProfiles(t *testing.T) {
	for name, test := range otherProfiles {
		t.Run(name, func(t *testing.T) {
			decoded, _, err := scheme.Codecs.UniversalDecoder().Decode([]byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n  - schedulerName: default-scheduler"+test.yaml), nil, nil)
			testkit.OK(t, err)
			scheduler := newScheduler(t, &decoded.(*config.KubeSchedulerConfiguration).Profiles[0])
			reached := map[bool]int{}
			rapid.Check(t, func(t *rapid.T) {
				c := drawCluster(t)
				c.settleVolumes()
				want := scheduler.judge(t, c)
				result, _ := c.read(t, &test.ours).Apply(c.pod)
				got := result.Pods[0]
				reached[got.Node != ""]++
				if got.Node == "" {
					testkit.Equal(t, got.Waits.Message, want.message)
					return
				}
				want.compareChoice(t, c, &got)
			})
			t.Log(reached)
		})
	}
}
