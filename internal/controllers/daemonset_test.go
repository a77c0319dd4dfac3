package controllers_test

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

// onNodes returns a DaemonSet with nodes that are separated by semicolons: the name, and what is unusual about it, then a
// colon and the pods.
func onNodes(set *appsv1.DaemonSet, text string) *controllers.DaemonSet {
	var nodes []controllers.DaemonNode
	pods := map[string][]controllers.Pod{}
	for part := range strings.SplitSeq(text, ";") {
		node, on, _ := strings.Cut(part, ":")
		words := strings.Fields(node)
		n := controllers.DaemonNode{Name: words[0], ShouldRun: true, MayStay: true}
		pods[n.Name] = podsOfText(on)
		for _, word := range words[1:] {
			switch word {
			case "stays":
				n.ShouldRun = false
			case "refused":
				n.ShouldRun, n.MayStay = false, false
			case "gone":
				n.ShouldRun, n.MayStay, n.IsGone = false, false, true
			default:
				panic(word)
			}
		}
		nodes = append(nodes, n)
	}
	s := controllers.NewDaemonSet(set, nodes, controllers.DaemonNode{})
	for _, n := range nodes {
		for i := range pods[n.Name] {
			p := &pods[n.Name][i]
			s.See(p.Object.Name, n.Name, p)
		}
	}
	return s
}

// tellDaemons writes what is created, with a bar after each batch, and what is deleted.
func tellDaemons(batches [][]string, deleted []*controllers.Pod) string {
	var told []string
	for _, batch := range batches {
		told = append(told, "create "+strings.Join(batch, " "))
	}
	if len(deleted) > 0 {
		var names []string
		for _, p := range deleted {
			names = append(names, p.Object.Name)
		}
		told = append(told, "delete "+strings.Join(names, " "))
	}
	return strings.Join(told, " | ")
}

// daemonsOf returns a DaemonSet with a surge and with what may be unavailable, or that updates pods as they are deleted.
func daemonsOf(surge, unavailable string) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{}
	if surge == "OnDelete" {
		d.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
		return d
	}
	rolling := &appsv1.RollingUpdateDaemonSet{}
	if surge != "" {
		amount := intstr.Parse(surge)
		rolling.MaxSurge = &amount
	}
	if unavailable != "" {
		amount := intstr.Parse(unavailable)
		rolling.MaxUnavailable = &amount
	}
	d.Spec.UpdateStrategy.RollingUpdate = rolling
	return d
}

// The wanted answers are those of podsShouldBeOnNode and rollingUpdate in pkg/controller/daemon.
func TestDaemonSet(t *testing.T) {
	for _, test := range []struct{ surge, unavailable, nodes, want string }{
		// Which nodes lack a pod, and which have one too many.
		{"", "", "a; b; c; d", "create a | create b c | create d"},
		{"", "", "a stays; b refused; c", "create c"},
		{"", "", "a: p leaves; b stays: q; c refused: r, s leaves; d gone: t, u waits, v waits leaves", "delete r u v"},
		{"", "", "a: p ended; b stays: q ended, r", "delete p q"},
		{"", "", "a: p succeeded; b stays: q succeeded", "delete p q"},
		{"", "", "a: p old, q", "delete q"},
		{"1", "0", "a: p ended; b stays: q ended; c: r leaves; d stays: s leaves", "create a | create c | delete p q"},
		{"", "", "a: p waits, q, r dated; b", "create b | delete q p"},
		{"OnDelete", "", "a: q, p, r old", "delete q r"},
		{"1", "0", "a: p, q, r old, s old", "delete q r s"},
		{"1", "0", "a: p starts, q, r old, s old", "delete q s"},
		{"1", "0", "a: p starts, r old starts", "delete r"},
		{"1", "0", "a: p starts, r old", ""},
		{"1%", "0", "a stays: p, q old", "delete q"},
		// Without surge.
		{"", "", "a: p old; b: q old; c: r", "delete p"},
		{"OnDelete", "", "a: p old; b: q old; c: r", ""},
		{"0", "2", "a: p old; b: q old; c: r old", "delete p q"},
		{"0", "2", "a: p old; b: q old starts; c: r", "delete q p"},
		{"0", "1", "a: p old; b: q old starts; c: r old starts", "delete q r"},
		{"0", "2", "a: p old; b: q starts; c: r old", "delete p"},
		{"0", "1", "a: p old; b: q starts; c: r old starts", "delete r"},
		{"0", "1", "a: p old; b: q leaves", ""},
		{"0", "1", "a stays: p old; b refused; c: q", "delete p"},
		{"0", "1", "a gone: p old; b: q", "delete p"},
		{"0", "1", "a gone: p old, q old; b: r old", ""},
		{"0", "1", "a gone: p old, q; b: r old", ""},
		{"0", "1", "a gone: p old starts; b: r old", "delete p"},
		{"0", "34%", "a: p old; b: q old; c: r old", "delete p q"},
		{"0", "50%", "a: p old; b: q old; c stays; d refused", "delete p"},
		{"0", "0", "a: p old; b: q old", "delete p"},
		{"0", "0", "a stays: p old", ""},
		// With surge.
		{"1", "0", "a: p old; b: q old; c: r", "create a"},
		{"1", "0", "a stays; b: q old", "create b"},
		{"50%", "0", "a: p old; b: q old; c: r old", "create a | create b"},
		{"1", "0", "a: p old; b: q old starts", "create b | create a"},
		{"1", "0", "a: p old; b: q old, r starts", ""},
		{"2", "0", "a: p old; b: q old, r starts", "create a"},
		{"1", "0", "a gone: p old, q old; b: r old", ""},
		{"1", "0", "a gone: p old, q; b: r old", "create b | delete p"},
		{"1", "0", "a stays: p old; b: q", "delete p"},
		{"1", "0", "a stays: p old; b: q starts", ""},
		{"1", "0", "a stays: p old; b: q old", "create b | delete p"},
		{"1", "0", "a stays: p old starts; b: q starts", "delete p"},
		{"1", "0", "a stays: p old; b stays; c: r", "delete p"},
		{"1", "0", "a stays: p old; b stays: q old; c: r", "delete p q"},
		{"1", "0", "a stays: p old; b stays: q old; c: r starts", "delete p"},
		{"1", "0", "a: p old, q starts; b stays: r old; c: s", "delete r"},
		{"1", "0", "a gone: p old; b: r old", ""},
		{"1%", "0", "a stays: p old", ""}, // no surge of no nodes
		{"1%", "1", "a stays: p old", "delete p"},
	} {
		set := onNodes(daemonsOf(test.surge, test.unavailable), test.nodes)
		testkit.Equal(t, tellDaemons(set.Sync()), test.want, test.surge, test.unavailable, test.nodes)
	}
	unused := daemonsOf("OnDelete", "")
	unused.Spec.UpdateStrategy.RollingUpdate = daemonsOf("1", "").Spec.UpdateStrategy.RollingUpdate
	testkit.Equal(t, tellDaemons(onNodes(unused, "a: p starts, q old").Sync()), "delete q", "a surge of another strategy")
	testkit.Equal(t, tellDaemons(onNodes(&appsv1.DaemonSet{}, "a: p old; b: q old").Sync()), "delete p", "by default")
}

// What was seen of a pod before no longer counts, also where it was. Nodes that are not listed are like the others.
func TestDaemonSetSeesAgain(t *testing.T) {
	for _, others := range []controllers.DaemonNode{{MayStay: true}, {}, {IsGone: true}} {
		s := controllers.NewDaemonSet(daemonsOf("", ""), []controllers.DaemonNode{{Name: "a", ShouldRun: true, MayStay: true}, {Name: "b", ShouldRun: true, MayStay: true}}, others)
		elsewhere := map[bool]string{true: "create a | create b", false: "create a | create b | delete p"}[others.MayStay || others.IsGone]
		for _, test := range []struct{ pod, node, want string }{
			{"p", "a", "create b"}, {"p", "b", "create a"}, {"q", "a", ""}, {"q old", "a", "delete q"}, {"q", "a", ""}, {"q ended", "a", "delete q"},
			{"q gone", "", "create a"}, {"p", "x", elsewhere}, {"p", "y", elsewhere}, {"p gone", "", "create a | create b"}, {"p gone", "y", "create a | create b"},
		} {
			if name, isGone := strings.CutSuffix(test.pod, " gone"); isGone {
				s.See(name, test.node, nil)
			} else {
				p := podsOfText(test.pod)[0]
				s.See(p.Object.Name, test.node, &p)
			}
			testkit.Equal(t, tellDaemons(s.Sync()), test.want, test.pod, test.node)
		}
	}
}

// The wanted answers are those of NodeShouldRunDaemonPod in pkg/controller/daemon.
func TestDaemonPlace(t *testing.T) {
	taint := func(key string, effect corev1.TaintEffect) corev1.NodeSpec {
		return corev1.NodeSpec{Taints: []corev1.Taint{{Key: key, Effect: effect}}}
	}
	elsewhere := corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "pool", Operator: corev1.NodeSelectorOpIn, Values: []string{"y"}}}}}}}}}
	tolerant := corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "x", Operator: corev1.TolerationOpExists}}}
	onHost := corev1.PodSpec{HostNetwork: true}
	for _, test := range []struct {
		name    string
		spec    corev1.PodSpec
		node    corev1.NodeSpec
		should  bool
		mayStay bool
	}{
		{"any node", corev1.PodSpec{}, corev1.NodeSpec{}, true, true},
		{"its node", corev1.PodSpec{NodeName: "n"}, corev1.NodeSpec{}, true, true},
		{"another node", corev1.PodSpec{NodeName: "m"}, corev1.NodeSpec{}, false, false},
		{"a label", corev1.PodSpec{NodeSelector: map[string]string{"pool": "x"}}, corev1.NodeSpec{}, true, true},
		{"another label", corev1.PodSpec{NodeSelector: map[string]string{"pool": "y"}}, corev1.NodeSpec{}, false, false},
		{"an affinity to another label", elsewhere, corev1.NodeSpec{}, false, false},
		{"a cordoned node", corev1.PodSpec{}, corev1.NodeSpec{Unschedulable: true}, true, true},
		{"a taint that it tolerates", tolerant, taint("x", corev1.TaintEffectNoExecute), true, true},
		{"a taint", corev1.PodSpec{}, taint("x", corev1.TaintEffectNoSchedule), false, true},
		{"a taint that evicts", corev1.PodSpec{}, taint("x", corev1.TaintEffectNoExecute), false, false},
		{"a mild taint", corev1.PodSpec{}, taint("x", corev1.TaintEffectPreferNoSchedule), true, true},
		{"not ready", corev1.PodSpec{}, taint(corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute), true, true},
		{"unreachable", corev1.PodSpec{}, taint(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute), true, true},
		{"not ready yet", corev1.PodSpec{}, taint(corev1.TaintNodeNotReady, corev1.TaintEffectNoSchedule), false, true},
		{"disk pressure", corev1.PodSpec{}, taint(corev1.TaintNodeDiskPressure, corev1.TaintEffectNoSchedule), true, true},
		{"memory pressure", corev1.PodSpec{}, taint(corev1.TaintNodeMemoryPressure, corev1.TaintEffectNoSchedule), true, true},
		{"many processes", corev1.PodSpec{}, taint(corev1.TaintNodePIDPressure, corev1.TaintEffectNoSchedule), true, true},
		{"unschedulable", corev1.PodSpec{}, taint(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule), true, true},
		{"no network", corev1.PodSpec{}, taint(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoSchedule), false, true},
		{"that of the host, for good", onHost, taint(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoExecute), false, false},
		{"that of the host", onHost, taint(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoSchedule), true, true},
	} {
		set := &appsv1.DaemonSet{}
		set.Spec.Template.Spec = test.spec
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"pool": "x"}}, Spec: test.node}
		should, mayStay := controllers.DaemonPlace(set)(n)
		testkit.Equal(t, should, test.should, test.name)
		testkit.Equal(t, mayStay, test.mayStay, test.name)
	}
}

// Tolerations that are there already are replaced by the same ones, as AddOrUpdateTolerationInPodSpec does.
func TestDaemonTolerations(t *testing.T) {
	own := corev1.Toleration{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
	other := corev1.Toleration{Key: "x", Operator: corev1.TolerationOpExists}
	spec := &corev1.PodSpec{Tolerations: []corev1.Toleration{own, other}}
	got := controllers.DaemonTolerations(spec)
	testkit.Equal(t, len(got), 7)
	testkit.Equal(t, slices.Contains(got, other), true)
	testkit.NoDiff(t, spec.Tolerations, []corev1.Toleration{own, other}, "as before")
}
