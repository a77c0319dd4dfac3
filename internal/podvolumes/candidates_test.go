package podvolumes_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Of the volumes whose affinity matches a node, the smallest is bound, and of several as small the first. Each volume is
// compared with each node here.
func TestSmallestVolumeOfANode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zones := rapid.SampledFrom([]string{"a", "b", "c"})
		w := world{claims: []*corev1.PersistentVolumeClaim{pendingClaim("data", "static", "1Gi")},
			classes: []*storagev1.StorageClass{class("static", "kubernetes.io/no-provisioner")}}
		isIn := map[string]map[string]bool{} // by volume: the zones of its affinity
		for i := range rapid.IntRange(0, 6).Draw(t, "volumes") {
			name := fmt.Sprint("v-", i)
			some := rapid.SliceOfN(zones, 1, 3).Draw(t, "zones")
			isIn[name] = map[string]bool{}
			for _, zone := range some {
				isIn[name][zone] = true
			}
			affinity := in(corev1.LabelTopologyZone, some...)
			switch rapid.IntRange(0, 8).Draw(t, "affinity") {
			case 0:
				affinity, isIn[name] = nil, map[string]bool{"a": true, "b": true, "c": true}
			case 1: // a term for each zone
				affinity = in(corev1.LabelTopologyZone, some[:1]...)
				for _, zone := range some[1:] {
					affinity.Required.NodeSelectorTerms = append(affinity.Required.NodeSelectorTerms, in(corev1.LabelTopologyZone, zone).Required.NodeSelectorTerms...)
				}
			case 2: // by another label
				affinity, isIn[name] = in(corev1.LabelHostname, "host-"+some[0]), map[string]bool{some[0]: true}
			case 3: // by two labels
				affinity.Required.NodeSelectorTerms[0].MatchExpressions = append(affinity.Required.NodeSelectorTerms[0].MatchExpressions,
					in(corev1.LabelHostname, "host-a").Required.NodeSelectorTerms[0].MatchExpressions...)
				isIn[name] = map[string]bool{"a": isIn[name]["a"]}
			case 4: // by what the label is not
				affinity.Required.NodeSelectorTerms[0].MatchExpressions[0].Operator = corev1.NodeSelectorOpNotIn
				isIn[name] = map[string]bool{"a": !isIn[name]["a"], "b": !isIn[name]["b"], "c": !isIn[name]["c"]}
			case 5: // by a field, at which nothing looks
				term := &affinity.Required.NodeSelectorTerms[0]
				term.MatchFields = []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"node-x"}}}
			}
			w.volumes = append(w.volumes, volume(name, "static", fmt.Sprint(rapid.IntRange(1, 3).Draw(t, "size"), "Gi"), affinity))
		}
		nodes := zoneNodes("a", "b", "c")
		on := podvolumes.Of(podUsing("data"), w.objects()).On(nodes, func(int) []*corev1.Pod { return nil })
		for i, zone := range []string{"a", "b", "c"} {
			var want *corev1.PersistentVolume
			for _, v := range w.volumes {
				if isIn[v.Name][zone] && (want == nil || v.Spec.Capacity.Storage().Cmp(*want.Spec.Capacity.Storage()) < 0) {
					want = v
				}
			}
			bindings := on.Bindings(i)
			if want == nil {
				testkit.Equal(t, text(on.Verdict(i)), podvolumes.BindConflict, zone)
				continue
			}
			testkit.Equal(t, len(bindings), 1, zone)
			testkit.Equal(t, bindings[0].Volume.Name, want.Name, zone)
		}
	})
}
