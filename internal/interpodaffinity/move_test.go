package interpodaffinity_test

import (
	"slices"
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
	all := func(map[string]string) bool { return true }
	list := func(most int) (names []string) {
		for i, pod := range x.Pods("shop", all) {
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

func TestPods(t *testing.T) {
	x := interpodaffinity.NewIndex([]*corev1.Node{{}, {}}, func(int) []*corev1.Pod { return nil })
	labelled := func(name, app string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": app}}}
	}
	web, web2, db := labelled("web", "web"), labelled("web-2", "web"), labelled("db", "db")
	for i, pod := range []*corev1.Pod{web, web2, db} {
		x.Add(i%2, pod)
	}
	list := func(x *interpodaffinity.Index) (names, asked []string) {
		for _, pod := range x.Pods("", func(labels map[string]string) bool {
			asked = append(asked, labels["app"])
			return labels["app"] == "web"
		}) {
			names = append(names, pod.Name)
		}
		slices.Sort(asked)
		return names, asked
	}
	names, asked := list(x)
	testkit.NoDiff(t, names, []string{"web", "web-2"})
	testkit.NoDiff(t, asked, []string{"db", "web"}, "each set of labels once")

	clone := x.Clone()
	clone.Remove(0, db)
	clone.Remove(1, db) // is not there
	clone.Remove(0, web)
	clone.Add(1, labelled("web-3", "web"))
	names, asked = list(clone)
	testkit.NoDiff(t, names, []string{"web-2", "web-3"})
	testkit.NoDiff(t, asked, []string{"web"}, "labels that no pod has are forgotten")
	names, asked = list(x)
	testkit.NoDiff(t, names, []string{"web", "web-2"}, "the copy is its own")
	testkit.NoDiff(t, asked, []string{"db", "web"}, "the copy is its own")
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
