package nodetree_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/nodetree"
)

func TestErrors(t *testing.T) {
	with := func(uid types.UID, class corev1.PodQOSClass) *corev1.Pod {
		p := pod("p")
		p.UID, p.Status.QOSClass = uid, class
		return p
	}
	other := pod("q")
	other.Namespace, other.UID = "", "p"
	for _, test := range []struct {
		pods []*corev1.Pod
		opts nodetree.Options
		text string
	}{
		{[]*corev1.Pod{pod("p")}, nodetree.Options{MilliCPU: -1}, "a node with -1m of CPU"},
		{nil, nodetree.Options{Driver: "other"}, `invalid cgroup name "/kubepods": its driver is neither cgroupfs nor systemd`},
		{nil, nodetree.Options{CgroupRoot: "/kubepods"}, `invalid cgroup name "/kubepods": there is one root of all pods above another`},
		{[]*corev1.Pod{with("", "")}, nodetree.Options{}, "pod d/p: it has no UID"},
		{[]*corev1.Pod{with("a_b", "")}, nodetree.Options{}, `pod d/p: invalid cgroup name "a_b": "_" cannot be part of a component`},
		{[]*corev1.Pod{with("p", "Best")}, nodetree.Options{}, `pod d/p: invalid cgroup name "Best": it is not a class of pods`},
		{[]*corev1.Pod{with("p", ""), other}, nodetree.Options{}, "pod d/p: it has the UID of pod q"},
	} {
		root, err := nodetree.Build(test.pods, test.opts)
		if err == nil || err.Error() != test.text || root.Title != "" {
			t.Errorf("%v, %v, want %q", root.Title, err, test.text)
		}
	}
}
