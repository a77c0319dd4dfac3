package interpodaffinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestMove(t *testing.T) {
	x := interpodaffinity.NewIndex([]*corev1.Node{{}, {}}, func(int) []*corev1.Pod { return nil })
	podIn := func(namespace, name string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	}
	p, q, other := podIn("shop", "p"), podIn("shop", "q"), podIn("team", "p")
	list := func(most int) (names []string) {
		for i, pod := range x.Pods("shop") {
			names = append(names, pod.Name+[]string{" on a", " on b"}[i])
			if len(names) == most {
				break
			}
		}
		return names
	}
	testkit.Equal(t, len(list(9)), 0)
	x.Move(0, p, false)
	x.Move(1, q, false)
	x.Move(1, other, false)
	testkit.NoDiff(t, list(9), []string{"p on a", "q on b"})
	testkit.NoDiff(t, list(1), []string{"p on a"})
	x.Move(0, p, true)
	testkit.NoDiff(t, list(9), []string{"q on b"})
}

func TestNeedsOthers(t *testing.T) {
	term := []corev1.PodAffinityTerm{{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{}}}
	for _, test := range []struct {
		affinity *corev1.Affinity
		want     bool
	}{
		{nil, false},
		{&corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term}}, true},
		{&corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term}}, false},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Affinity: test.affinity}}
		testkit.Equal(t, interpodaffinity.Of(pod, nil, interpodaffinity.Options{}).NeedsOthers(), test.want)
	}
}
