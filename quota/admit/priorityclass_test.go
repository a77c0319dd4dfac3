package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit"
)

// The messages are those of the plugin Priority of v1.36.3.
func TestPriorityClasses(t *testing.T) {
	all, some, none := withClasses(), withClasses(), admit.Options{}
	some.Incomplete = []string{"PriorityClass"}
	noDefault := admit.Options{PriorityClasses: []*schedulingv1.PriorityClass{}}
	for _, test := range []classCase{
		{name: "the default class of the lowest value, and then the first name", opts: all, priority: 5, classes: []computeresources.Source{{Kind: "PriorityClass", Name: "a-low", Field: "value"}}},
		{name: "no default class", opts: noDefault, priority: 0},
		{name: "nothing is known", opts: none, priority: -1},
		{name: "a class", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "high" }, priority: 10},
		{name: "a class of an incomplete list", opts: some, set: func(s *corev1.PodSpec) { s.PriorityClassName = "high" }, priority: 10},
		{name: "a class of each cluster", opts: none, set: func(s *corev1.PodSpec) { s.PriorityClassName = "system-cluster-critical" }, priority: 2000000000},
		{name: "a class of each cluster, which a list leaves out", opts: noDefault, set: func(s *corev1.PodSpec) { s.PriorityClassName = "system-cluster-critical" }, priority: 2000000000},
		{name: "the other one", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "system-node-critical" }, priority: 2000001000},
		{name: "a class that does not exist", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName = "hihg" }, priority: -1,
			err: `pods "web" is forbidden: no PriorityClass with name hihg was found`, path: "spec.priorityClassName", words: "pod: the PriorityClass hihg does not exist: create it, or name another one"},
		{name: "a class that may exist", opts: some, set: func(s *corev1.PodSpec) { s.PriorityClassName = "hihg" }, priority: -1, unknown: []string{`PriorityClass "hihg"`}},
		{name: "another priority", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.Priority = "high", pointer[int32](3) }, priority: 3,
			err:  `pods "web" is forbidden: the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 10 from the given PriorityClass name`,
			path: "spec.priority", words: "pod: the priority 3 is not that of its class, 10: leave it out"},
		{name: "another policy", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.PreemptionPolicy = "high", pointer(corev1.PreemptNever)
		}, priority: -1, path: "spec.preemptionPolicy", words: "pod: the preemption policy Never is not that of its class, PreemptLowerPriority: leave it out",
			err: `pods "web" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name`},
		{name: "its own priority", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.Priority, s.PreemptionPolicy = "high", pointer[int32](10), pointer(corev1.PreemptLowerPriority)
		}, priority: 10},
		{name: "the policy of the default class", opts: all, set: func(s *corev1.PodSpec) { s.PreemptionPolicy = pointer(corev1.PreemptNever) }, priority: 5,
			classes: []computeresources.Source{{Kind: "PriorityClass", Name: "a-low", Field: "value"}}},
		{name: "a policy without a class", opts: noDefault, set: func(s *corev1.PodSpec) { s.PreemptionPolicy = pointer(corev1.PreemptNever) }, priority: -1, path: "spec.preemptionPolicy", words: "pod: the preemption policy Never is not that of its class, PreemptLowerPriority: leave it out",
			err: `pods "web" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name`},
	} {
		t.Run(test.name, test.run)
	}
}
