package interpodaffinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func withKeys(match, mismatch []string) func(*corev1.PodAffinityTerm) {
	return func(t *corev1.PodAffinityTerm) { t.MatchLabelKeys, t.MismatchLabelKeys = match, mismatch }
}

func withoutSelector(t *corev1.PodAffinityTerm) { t.LabelSelector = nil }

// The selectors are those of KEP-3633: the label of a key of matchLabelKeys is In, that of mismatchLabelKeys NotIn.
func TestWithLabelKeys(t *testing.T) {
	labels := map[string]string{"app": "web", "pod-template-hash": "1", "tenant": "x", "empty": ""}
	stored := func(t corev1.PodAffinityTerm, requirements ...metav1.LabelSelectorRequirement) corev1.PodAffinityTerm {
		t.LabelSelector.MatchExpressions = requirements
		return t
	}
	hash := metav1.LabelSelectorRequirement{Key: "pod-template-hash", Operator: metav1.LabelSelectorOpIn, Values: []string{"1"}}
	tenant := metav1.LabelSelectorRequirement{Key: "tenant", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"x"}}
	isEmpty := metav1.LabelSelectorRequirement{Key: "empty", Operator: metav1.LabelSelectorOpIn, Values: []string{""}}
	isNotEmpty := metav1.LabelSelectorRequirement{Key: "empty", Operator: metav1.LabelSelectorOpNotIn, Values: []string{""}}
	match, mismatch := withKeys([]string{"absent", "pod-template-hash"}, nil), withKeys(nil, []string{"tenant", "absent"})
	both, empty := withKeys([]string{"pod-template-hash"}, []string{"tenant"}), withKeys([]string{"empty"}, []string{"empty"})

	p := pod(labels, attract("zone", "web", match), attract("host", "web", empty), repel("zone", "web", mismatch), repel("zone", "web", both, withoutSelector),
		prefer(3, "zone", "web", both), shun(4, "zone", "web", match), repel("zone", "web", both))
	before := p.DeepCopy()
	got := interpodaffinity.WithLabelKeys(p.Spec.Affinity, labels)
	testkit.NoDiff(t, p, before, "the argument")
	testkit.NoDiff(t, got, &corev1.Affinity{
		PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				stored(appIs("zone", "web", match), hash), stored(appIs("host", "web", empty), isEmpty, isNotEmpty),
			},
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
				{Weight: 3, PodAffinityTerm: stored(appIs("zone", "web", both), hash, tenant)},
			},
		},
		PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				stored(appIs("zone", "web", mismatch), tenant), appIs("zone", "web", both, withoutSelector), stored(appIs("zone", "web", both), hash, tenant),
			},
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
				{Weight: 4, PodAffinityTerm: stored(appIs("zone", "web", match), hash)},
			},
		},
	})
}

// Without keys, there is nothing to copy.
func TestWithoutLabelKeys(t *testing.T) {
	for _, a := range []*corev1.Affinity{nil, {}, pod(web, attract("zone", "web"), repel("zone", "web", withKeys([]string{"app"}, nil), withoutSelector)).Spec.Affinity} {
		if interpodaffinity.WithLabelKeys(a, web) != a {
			t.Errorf("%v was copied", a)
		}
	}
}

// The API server adds requirements for the keys of labels that the pod has.
func TestLabelKeysMatchReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.PodAffinityClusters(1, 1).Draw(t, "cluster")
		pod, other := c.Incoming, rapid.SampledFrom(append(c.Pods, c.Incoming)).Draw(t, "other")
		stored := pod.DeepCopy()
		stored.Spec.Affinity = interpodaffinity.WithLabelKeys(pod.Spec.Affinity, pod.Labels)
		merged := listsOf(stored).all()
		for i, term := range listsOf(pod).all() {
			want := selects(term.LabelSelector, other.Labels)
			for _, key := range term.MatchLabelKeys {
				want = want && agree(key, pod, other)
			}
			for _, key := range term.MismatchLabelKeys {
				_, isSet := pod.Labels[key]
				want = want && !(isSet && agree(key, pod, other))
			}
			testkit.Equal(t, selects(merged[i].LabelSelector, other.Labels), want)
		}
	})
}

// agree reports whether another pod has the label that a pod has.
func agree(key string, pod, other *corev1.Pod) bool {
	value, isSet := pod.Labels[key]
	there, isThere := other.Labels[key]
	return !isSet || isThere && value == there
}
