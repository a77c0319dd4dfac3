package scheduler

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// noNominations is a PodNominator without pods.
type noNominations struct{ fwk.PodNominator }

// eviction is the node on which a pod makes room, with the pods that go.
type eviction struct {
	node    string
	victims []string // sorted
}

// preempt returns what the plugin chooses, unless a node has room: no node if preemption does not help. Of nodes on which
// it costs as much, the plugin takes any: preferred is taken if it may be.
func (s *defaultScheduler) preempt(t testkit.TB, plugin *defaultpreemption.DefaultPreemption, c *cluster, preferred string) (p eviction, hasRoom bool) {
	j := s.judge(t, c)
	if len(j.scores) > 0 || j.unscored != "" {
		return p, true
	}
	var potential []fwk.NodeInfo
	for i, n := range c.nodes {
		if j.refusal == "" && j.statuses[i].Code() == fwk.Unschedulable {
			info, err := s.NodeInfos().Get(n.Name)
			testkit.OK(t, err)
			potential = append(potential, info)
		}
	}
	if len(potential) == 0 {
		return p, false
	}
	ctx, state := context.Background(), framework.NewCycleState()
	_, status, _ := s.RunPreFilterPlugins(ctx, state, c.pod)
	testkit.OK(t, status.AsError())
	candidates, _, err := plugin.Evaluator.DryRunPreemption(ctx, state, c.pod, potential, nil, 0, int32(len(potential)))
	testkit.OK(t, err)
	best := plugin.Evaluator.SelectCandidate(ctx, candidates)
	if best == nil {
		return p, false
	}
	for range 200 {
		if best.Name() == preferred {
			break
		}
		best = plugin.Evaluator.SelectCandidate(ctx, candidates)
	}
	p.node = best.Name()
	for _, victim := range best.Victims().Pods {
		p.victims = append(p.victims, victim.Name)
	}
	slices.Sort(p.victims)
	return p, false
}

func newPreemption(t *testing.T, s *defaultScheduler) *defaultpreemption.DefaultPreemption {
	args := &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 100, MinCandidateNodesAbsolute: 100}
	plugin, err := defaultpreemption.New(context.Background(), args, s.Framework, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	return plugin
}

// prioritize gives pods a priority and a start, and takes from them host ports that they share on a node, and claims: see
// TestDivergencePortsOfVictims and TestDivergenceOneClaimOfVictims.
func (c *cluster) prioritize(t *rapid.T) {
	used := map[string]bool{}
	for i, p := range c.pods {
		p.Spec.Volumes = slices.DeleteFunc(p.Spec.Volumes, func(v corev1.Volume) bool {
			name := podvolumes.ClaimName(p, &v)
			isUsed := name != "" && used[name]
			used[name] = true
			return isUsed
		})
		p.Name, p.UID = fmt.Sprintf("p-%02d", i), types.UID(fmt.Sprintf("p-%02d", i))
		p.Spec.Priority = new(rapid.SampledFrom([]int32{0, 0, 0, 3, 5, 9}).Draw(t, "priority"))
		started := 100 * rapid.Int64Range(1, 3).Draw(t, "started")
		if len(c.pods) > 12 { // more are sorted in an order that is not stable
			started += int64(i)
		}
		p.Status.StartTime = &metav1.Time{Time: time.Unix(started, 0)}
		for _, other := range c.pods[:i] {
			if other.Spec.NodeName == p.Spec.NodeName && p.Spec.Containers[0].Ports != nil && other.Spec.Containers[0].Ports != nil ||
				p.Spec.HostNetwork {
				p.Spec.Containers[0].Ports = nil
			}
		}
	}
	c.pod.Spec.Priority, c.pod.Spec.PriorityClassName = new(int32(5)), "high"
	if rapid.IntRange(0, 3).Draw(t, "any node") > 0 { // only other pods keep it off
		for _, n := range c.nodes {
			n.Spec.Unschedulable, n.Spec.Taints = false, nil
		}
		c.pod.Spec.Affinity.NodeAffinity = nil
	}
}

// The node on which a pod makes room, and the pods that go, are those of the scheduler.
func TestPreemptionOfTheProfile(t *testing.T) {
	scheduler := newDefaultScheduler(t)
	plugin := newPreemption(t, scheduler)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		c.settleVolumes()
		c.prioritize(t)
		objects := append([]admit.APIObject{c.namespace, c.service, c.replicaSet,
			&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 5}}, c.storage.all()...)
		for _, n := range c.nodes {
			objects = append(objects, n)
		}
		for _, p := range c.pods {
			objects = append(objects, p)
		}
		read, err := whatif.Read(objects, whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release}}})
		testkit.OK(t, err)
		result, _ := read.Apply(c.pod)
		got := eviction{}
		for _, p := range result.Pods {
			if p.Object.Name == c.pod.Name {
				got.node = p.Node
			} else if p.Preempted {
				got.victims = append(got.victims, p.Object.Name)
			}
		}
		slices.Sort(got.victims)
		want, hasRoom := scheduler.preempt(t, plugin, c, got.node)
		if hasRoom {
			testkit.Equal(t, len(got.victims), 0, "a node has room")
			reached["a node has room"]++
			return
		}
		testkit.Equal(t, got.node, want.node, want.victims, got.victims)
		testkit.NoDiff(t, got.victims, want.victims, want.node)
		reached[fmt.Sprint(min(2, len(want.victims)), " victims, with claims: ", podvolumes.Of(c.pod, podvolumes.Objects{}) != nil, ", ports: ", hostports.Of(c.pod) != nil,
			", spread: ", c.pod.Spec.TopologySpreadConstraints != nil, ", pod affinity: ", c.pod.Spec.Affinity.PodAntiAffinity != nil || c.pod.Spec.Affinity.PodAffinity != nil)]++
	})
	for _, text := range slices.Sorted(func(yield func(string) bool) {
		for text := range reached {
			if !yield(text) {
				return
			}
		}
	}) {
		t.Logf("%6d %s", reached[text], text)
	}
}
