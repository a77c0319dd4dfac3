package testkit

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// DisruptionBudget draws budgets of the namespaces shop and ops, for pods by the labels app and tier. Some allow no
// disruptions, some have a selector without an effect, and some know disruptions of pods of these names already.
func DisruptionBudget(names ...string) *rapid.Generator[*policyv1.PodDisruptionBudget] {
	expression := func(operator metav1.LabelSelectorOperator) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: operator}}}
	}
	return rapid.Custom(func(t *rapid.T) *policyv1.PodDisruptionBudget {
		b := &policyv1.PodDisruptionBudget{}
		b.Name = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
		b.Namespace = rapid.SampledFrom([]string{"shop", "ops"}).Draw(t, "namespace")
		b.Spec.Selector = rapid.SampledFrom([]*metav1.LabelSelector{
			nil, {}, {MatchLabels: map[string]string{"app": "web"}}, {MatchLabels: map[string]string{"tier": "front"}}, expression("Exists"), expression("DoesNotExist"), expression("?"),
		}).Draw(t, "selector")
		b.Status.DisruptionsAllowed = rapid.Int32Range(0, 1).Draw(t, "allowed")
		if rapid.IntRange(0, 3).Draw(t, "disrupted") == 3 {
			b.Status.DisruptedPods = map[string]metav1.Time{}
			for _, name := range names {
				b.Status.DisruptedPods[name] = metav1.Time{}
			}
		}
		return b
	})
}
