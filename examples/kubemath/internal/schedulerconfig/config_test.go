package schedulerconfig_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/kubemath/internal/schedulerconfig"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		text string // of profiles[0], or of the rest of the document
		want whatif.Profile
	}{
		"nothing":     {"", whatif.Profile{}},
		"no profiles": {"extenders: [{urlPrefix: 'http://gpu'}, {urlPrefix: 'http://fpga'}]\n", whatif.Profile{Others: []string{"extender http://fpga", "extender http://gpu"}}},
		"the default one of several": {"profiles: [{schedulerName: batch}, {schedulerName: default-scheduler, plugins: {score: {disabled: [{name: ImageLocality}]}}}]\n",
			whatif.Profile{SchedulerName: "default-scheduler", Weights: map[string]int32{"ImageLocality": 0}}},
		"percentage of all":       {"percentageOfNodesToScore: 70\nprofiles: [{schedulerName: batch}]\n", whatif.Profile{SchedulerName: "batch", PercentageOfNodesToScore: 70}},
		"percentage of a profile": {"percentageOfNodesToScore: 70\nprofiles: [{schedulerName: batch, percentageOfNodesToScore: 0}]\n", whatif.Profile{SchedulerName: "batch"}},
		"one without a name":      {"profiles: [{schedulerName: batch}, {plugins: {score: {disabled: [{name: ImageLocality}]}}}]\n", whatif.Profile{Weights: map[string]int32{"ImageLocality": 0}}},
		"else the first":          {"profiles: [{schedulerName: batch}, {schedulerName: spark}]\n", whatif.Profile{SchedulerName: "batch"}},
		"nodes are filled": {`
    pluginConfig:
    - name: NodeResourcesFit
      args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}]}}`,
			whatif.Profile{Fit: noderesources.ScoreOptions{Strategy: noderesources.MostAllocated, Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}}}}},
		"nodes are filled up to a point": {`
    pluginConfig:
    - name: NodeResourcesFit
      args: {scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}}}`,
			whatif.Profile{Fit: noderesources.ScoreOptions{Strategy: noderesources.RequestedToCapacityRatio, Shape: []noderesources.UtilizationShapePoint{{}, {Utilization: 100, Score: 10}}}}},
		"weights": {`
    plugins:
      score: {enabled: [{name: NodeResourcesFit, weight: 5}, {name: ImageLocality}]}
      multiPoint: {enabled: [{name: NodeAffinity, weight: 9}, {name: ImageLocality, weight: 7}]}`,
			whatif.Profile{Weights: map[string]int32{"NodeResourcesFit": 5, "ImageLocality": 1, "NodeAffinity": 9}}},
		"disabled at one point": {`
    plugins:
      score: {disabled: [{name: TaintToleration}]}
      filter: {disabled: [{name: NodePorts}]}`,
			whatif.Profile{Weights: map[string]int32{"TaintToleration": 0}, NoFilters: []string{"NodePorts"}}},
		"enabled everywhere, but disabled at one point": {`
    plugins:
      multiPoint: {enabled: [{name: NodeAffinity, weight: 9}]}
      score: {disabled: [{name: NodeAffinity}]}`,
			whatif.Profile{Weights: map[string]int32{"NodeAffinity": 0}}},
		"disabled everywhere, but enabled at one point": {`
    plugins:
      multiPoint: {disabled: [{name: NodeAffinity}]}
      score: {enabled: [{name: NodeAffinity, weight: 4}]}`,
			whatif.Profile{Weights: map[string]int32{"NodeAffinity": 4}, NoFilters: []string{"NodeAffinity"}}},
		"disabled everywhere": {`
    plugins:
      multiPoint: {disabled: [{name: TaintToleration}, {name: DefaultPreemption}, {name: NodeVolumeLimits}]}`,
			whatif.Profile{Weights: map[string]int32{"TaintToleration": 0}, NoFilters: []string{"TaintToleration"}, NoPreemption: true}},
		"gated pods are placed": {`
    plugins:
      filter: {disabled: [{name: PrioritySort}]}
      preEnqueue: {disabled: [{name: SchedulingGates}]}`, whatif.Profile{Others: []string{"disabled plugin SchedulingGates"}}},
		"plugins of Kubernetes at their points": {`
    plugins: {filter: {enabled: [{name: NodePorts}]}, score: {enabled: [{name: ImageLocality}]}, bind: {enabled: [{name: DefaultBinder}]}, reserve: {enabled: [{name: VolumeBinding}]}, preScore: {enabled: [{name: NodeDeclaredFeatures}]}}`,
			whatif.Profile{Weights: map[string]int32{"ImageLocality": 1}}},
		"two strategies": {`
    pluginConfig:
    - {name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 2}]}}
    - {name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: memory, weight: 3}]}}}
    - {name: NodeResourcesBalancedAllocation, args: {resources: [{name: example.com/a, weight: 1}]}}`,
			whatif.Profile{Fit: noderesources.ScoreOptions{Strategy: noderesources.MostAllocated, Resources: []noderesources.ResourceWeight{{Name: "memory", Weight: 3}}},
				Balanced: noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "example.com/a", Weight: 1}}}}},
		"preemption": {`
    plugins:
      postFilter: {disabled: [{name: '*'}]}`, whatif.Profile{NoPreemption: true}},
		"only one compares": {`
    plugins:
      score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit}]}`,
			whatif.Profile{Weights: map[string]int32{"TaintToleration": 0, "NodeAffinity": 0, "NodeResourcesFit": 1, "VolumeBinding": 0, "PodTopologySpread": 0,
				"InterPodAffinity": 0, "NodeResourcesBalancedAllocation": 0, "ImageLocality": 0}}},
		"one of all": {`
    plugins:
      multiPoint: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit, weight: 2}, {name: NodePorts}, {name: PrioritySort}, {name: DefaultBinder}, {name: SchedulingGates}]}`,
			whatif.Profile{NoPreemption: true, Weights: map[string]int32{"TaintToleration": 0, "NodeAffinity": 0, "NodeResourcesFit": 2, "VolumeBinding": 0, "PodTopologySpread": 0,
				"InterPodAffinity": 0, "NodeResourcesBalancedAllocation": 0, "ImageLocality": 0},
				NoFilters: []string{"NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "VolumeBinding", "PodTopologySpread", "InterPodAffinity", "NodeDeclaredFeatures"}}},
		"what is not known": {`
    plugins:
      multiPoint: {enabled: [{name: Coscheduling}], disabled: [{name: SchedulingGates}]}
      filter: {enabled: [{name: Coscheduling}, {name: Trimaran}], disabled: [{name: NodeResourcesFit}, {name: VolumeZone}]}
    pluginConfig: [{name: VolumeBinding, args: {shape: [{utilization: 0, score: 0}]}}, {name: Coscheduling}]`,
			whatif.Profile{Others: []string{"disabled plugin NodeResourcesFit", "disabled plugin SchedulingGates", "disabled plugin VolumeZone", "plugin Coscheduling", "plugin Trimaran", "shape of VolumeBinding"}}},
		"what is not known at other points": {`
    plugins: {preEnqueue: {enabled: [{name: A}]}, queueSort: {enabled: [{name: B}]}, postFilter: {enabled: [{name: C}]}, permit: {enabled: [{name: D}]}, postBind: {enabled: [{name: E}]}}`,
			whatif.Profile{Others: []string{"plugin A", "plugin B", "plugin C", "plugin D", "plugin E"}}},
		"no volumes": {`
    plugins: {filter: {disabled: [{name: VolumeBinding}, {name: VolumeZone}, {name: VolumeRestrictions}]}}
    pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 5}}]`,
			whatif.Profile{NoFilters: []string{"VolumeBinding"}}},
		"other spread": {`
    pluginConfig:
    - name: PodTopologySpread
      args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}`,
			whatif.Profile{DefaultConstraints: []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}}}},
		"no spread":         {"\n    pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List}}]", whatif.Profile{DefaultConstraints: []corev1.TopologySpreadConstraint{}}},
		"the system's own":  {"\n    pluginConfig: [{name: PodTopologySpread, args: {defaultingType: System}}]", whatif.Profile{}},
		"pod affinity":      {"\n    pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true}}]", whatif.Profile{HardPodAffinityWeight: new(int32), IgnorePreferredTermsOfExistingPods: true}},
		"added affinity":    {"\n    pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {}}}]", whatif.Profile{AddedAffinity: &corev1.NodeAffinity{}}},
		"balanced":          {"\n    pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 1}]}}]", whatif.Profile{Balanced: noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 1}}}}},
		"ignored resources": {"\n    pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [example.com/a], ignoredResourceGroups: [example.org]}}]", whatif.Profile{}},
	} {
		text := head + test.text
		if strings.HasPrefix(test.text, "\n") {
			text = head + "profiles:\n  - schedulerName: own" + test.text
			test.want.SchedulerName = "own"
		}
		if test.want.Weights == nil {
			test.want.Weights = map[string]int32{}
		}
		p, ignored, err := schedulerconfig.Read([]byte(text))
		testkit.OK(t, err)
		testkit.NoDiff(t, *p, test.want, name)
		wantIgnored := whatif.Options{}
		if name == "ignored resources" {
			wantIgnored.IgnoredResources, wantIgnored.IgnoredGroups = []corev1.ResourceName{"example.com/a"}, []string{"example.org"}
		}
		testkit.NoDiff(t, ignored, wantIgnored, name)
		_, err = whatif.Read(nil, whatif.Options{Profile: p})
		testkit.OK(t, err)
	}
}

func TestInto(t *testing.T) {
	file, opts := filepath.Join(t.TempDir(), "a.yaml"), whatif.Options{}
	testkit.OK(t, os.WriteFile(file, []byte(head+"profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [a/b], ignoredResourceGroups: [c]}}]}]\n"), 0o600))
	testkit.OK(t, schedulerconfig.Into(&opts)(file))
	want := whatif.Options{Profile: &whatif.Profile{Weights: map[string]int32{}}, IgnoredResources: []corev1.ResourceName{"a/b"}, IgnoredGroups: []string{"c"}}
	testkit.NoDiff(t, opts, want)
	// What is refused changes nothing.
	if err := schedulerconfig.Into(&opts)(file + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	testkit.OK(t, os.WriteFile(file, []byte("kind: Pod\n"), 0o600))
	if err := schedulerconfig.Into(&opts)(file); err == nil || err.Error() != file+": , Pod: want a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1" {
		t.Errorf("another file: %v", err)
	}
	testkit.NoDiff(t, opts, want, "after errors")
	testkit.OK(t, os.WriteFile(file, []byte(head+"percentageOfNodesToScore: 7\n"), 0o600))
	testkit.OK(t, schedulerconfig.Into(&opts)(file))
	testkit.NoDiff(t, opts, whatif.Options{Profile: &whatif.Profile{PercentageOfNodesToScore: 7, Weights: map[string]int32{}}}, "a second file")
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"{":     "unexpected end of JSON input",
		"a: [b": "did not find expected",
		"apiVersion: v1\nkind: KubeSchedulerConfiguration\n": "v1, KubeSchedulerConfiguration: want",
		"a: [b]\n":                    ", : want a KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1",
		"apiVersion: v1\nkind: Pod\n": "v1, Pod: want",
		"apiVersion: kubescheduler.config.k8s.io/v1\nkind: Pod\n": "want a KubeSchedulerConfiguration",
		head + "profiles: 7\n": "cannot unmarshal number",
		head + "profiles: [{schedulerName: own, plugins: {scores: {}}}]\n":           `profile "own": no extension point "scores"`,
		head + "profiles: [{pluginConfig: [{name: InterPodAffinity, args: [7]}]}]\n": `profile "": arguments of InterPodAffinity: json`,
	} {
		_, _, err := schedulerconfig.Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
