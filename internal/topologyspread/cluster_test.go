package topologyspread_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// cluster is nodes with their pods.
type cluster struct {
	nodes []*corev1.Node
	pods  [][]*corev1.Pod
}

// clusterOf reads nodes such as "a zone=east !gpu: web web*": the name, labels and taints of a node, then its pods. "-"
// is a node without an object. The label kubernetes.io/hostname is that of host=, or the name; host=- is none.
func clusterOf(lines ...string) (c cluster) {
	for _, line := range lines {
		what, pods, _ := strings.Cut(line, ":")
		words := strings.Fields(what)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: words[0], Labels: map[string]string{corev1.LabelHostname: words[0]}}}
		for _, word := range words[1:] {
			if taint, isTaint := strings.CutPrefix(word, "!"); isTaint {
				node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: taint, Effect: corev1.TaintEffectNoSchedule})
				continue
			}
			key, value, _ := strings.Cut(word, "=")
			key = strings.NewReplacer("host", corev1.LabelHostname, "zone", corev1.LabelTopologyZone).Replace(key)
			node.Labels[key] = value
			if value == "-" {
				delete(node.Labels, key)
			}
		}
		if words[0] == "-" {
			node = nil
		}
		c.nodes, c.pods = append(c.nodes, node), append(c.pods, nil)
		for _, pod := range strings.Fields(pods) {
			c.pods[len(c.pods)-1] = append(c.pods[len(c.pods)-1], podOf(pod))
		}
	}
	return c
}

// podOf reads a pod such as "ops/web,version=2*": namespace, shop unless another is given, the value of its label app,
// further labels, and a star if it is being deleted.
func podOf(text string) *corev1.Pod {
	pod := &corev1.Pod{}
	namespace, rest, hasNamespace := strings.Cut(text, "/")
	if !hasNamespace {
		namespace, rest = "shop", text
	}
	rest, isDeleted := strings.CutSuffix(rest, "*")
	if isDeleted {
		pod.DeletionTimestamp = &metav1.Time{}
	}
	app, others, _ := strings.Cut(rest, ",")
	pod.Namespace, pod.Labels = namespace, map[string]string{"app": app}
	for other := range strings.SplitSeq(others, ",") {
		if key, value, isLabel := strings.Cut(other, "="); isLabel {
			pod.Labels[key] = value
		}
	}
	return pod
}

func (c *cluster) podsOn(i int) []*corev1.Pod { return c.pods[i] }

// spread is how pods are spread for a pod with its own constraints.
func (c *cluster) spread(t *testing.T, pod *corev1.Pod) *topologyspread.Spread {
	t.Helper()
	constraints, err := topologyspread.Of(pod, nil, topologyspread.Defaults{}, release.Rules{})
	testkit.OK(t, err)
	return constraints.On(c.nodes, c.podsOn)
}

// hard and soft are constraints with a selector of app=web and these changes.
func hard(key string, maxSkew int32, changes ...func(*corev1.TopologySpreadConstraint)) corev1.TopologySpreadConstraint {
	c := corev1.TopologySpreadConstraint{
		MaxSkew: maxSkew, TopologyKey: key, WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func soft(key string, maxSkew int32, changes ...func(*corev1.TopologySpreadConstraint)) corev1.TopologySpreadConstraint {
	c := hard(key, maxSkew, changes...)
	c.WhenUnsatisfiable = corev1.ScheduleAnyway
	return c
}

func minDomains(n int32) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.MinDomains = &n }
}

func selecting(s *metav1.LabelSelector) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.LabelSelector = s }
}

func matchLabelKeys(keys ...string) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.MatchLabelKeys = keys }
}

func affinityPolicy(p corev1.NodeInclusionPolicy) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.NodeAffinityPolicy = &p }
}

func taintsPolicy(p corev1.NodeInclusionPolicy) func(*corev1.TopologySpreadConstraint) {
	return func(c *corev1.TopologySpreadConstraint) { c.NodeTaintsPolicy = &p }
}

// web is a pod of the app web with constraints.
func web(constraints ...corev1.TopologySpreadConstraint) *corev1.Pod {
	pod := podOf("web,version=2")
	pod.Spec.TopologySpreadConstraints = constraints
	return pod
}

// onSSD makes a pod need nodes with disk=ssd.
func onSSD(pod *corev1.Pod) *corev1.Pod {
	pod.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	return pod
}

const (
	host = corev1.LabelHostname
	zone = corev1.LabelTopologyZone
)
