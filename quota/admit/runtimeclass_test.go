package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// The messages are those of the plugin RuntimeClass of v1.36.3.
func TestRuntimeClasses(t *testing.T) {
	all, some, none := withClasses(), withClasses(), admit.Options{}
	some.Incomplete = []string{"PriorityClass", "RuntimeClass"}
	for _, test := range []classCase{
		{name: "a RuntimeClass", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.NodeSelector = "high", pointer("kata"), map[string]string{"zone": "a"}
		}, priority: 10,
			classes: []computeresources.Source{{Kind: "RuntimeClass", Name: "kata", Field: "overhead.podFixed"}}},
		{name: "the same overhead", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.Overhead = "high", pointer("kata"), list("cpu", "0.25")
		}, priority: 10},
		{name: "another overhead", opts: all, set: func(s *corev1.PodSpec) { s.RuntimeClassName, s.Overhead = pointer("kata"), list("cpu", "1") }, priority: 5,
			err: `pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`, path: "spec.overhead", words: "pod: the overhead is not that of the RuntimeClass kata: leave it out",
			classes: []computeresources.Source{{Kind: "PriorityClass", Name: "a-low", Field: "value"}}},
		{name: "overhead without a class", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.Overhead = "high", list("cpu", "1") }, priority: 10,
			err: `pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead`, path: "spec.overhead", words: "pod: no RuntimeClass defines its overhead: leave it out"},
		{name: "overhead of a class without it", opts: some, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.Overhead = "high", pointer("runc"), list("cpu", "1")
		}, priority: 10,
			err: `pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead`, path: "spec.overhead", words: "pod: no RuntimeClass defines its overhead: leave it out"},
		{name: "overhead, where no RuntimeClass is known", opts: none, set: func(s *corev1.PodSpec) { s.Overhead = list("cpu", "1") }, priority: -1},
		{name: "a RuntimeClass that does not exist", opts: all, set: func(s *corev1.PodSpec) { s.PriorityClassName, s.RuntimeClassName = "high", pointer("gvisor") }, priority: 10,
			err: `pods "web" is forbidden: pod rejected: RuntimeClass "gvisor" not found`, path: "spec.runtimeClassName", words: "pod: the RuntimeClass gvisor does not exist: create it, or name another one"},
		{name: "a RuntimeClass that may exist", opts: none, set: func(s *corev1.PodSpec) { s.RuntimeClassName = pointer("gvisor") }, priority: -1, unknown: []string{`RuntimeClass "gvisor"`}},
		{name: "another node selector", opts: all, set: func(s *corev1.PodSpec) {
			s.PriorityClassName, s.RuntimeClassName, s.NodeSelector = "high", pointer("kata"), map[string]string{"zone": "b"}
		}, priority: 10, path: "spec.nodeSelector", words: "pod: the node selector zone=b contradicts zone=a of the RuntimeClass kata: leave it out",
			err:     `pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[zone] = a; pod.spec.nodeSelector[zone] = b`,
			classes: []computeresources.Source{{Kind: "RuntimeClass", Name: "kata", Field: "overhead.podFixed"}}},
	} {
		t.Run(test.name, test.run)
	}
}

// A class comes before validation, overhead without a class after the bounds of LimitRanges. Overhead counts for bounds and quotas.
func TestOrderOfClasses(t *testing.T) {
	sandbox := pod(testkit.Container("app", list("cpu", "1"), nil))
	sandbox.Spec.RuntimeClassName = pointer("kata")
	namespace := compile(t, []*corev1.LimitRange{limitRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "2")})},
		[]*corev1.ResourceQuota{resourceQuota("compute", list("requests.cpu", "3"), list("requests.cpu", "1800m"))}, withClasses())
	sandbox.Spec.Containers[0].Resources.Limits = list("cpu", "2")
	d := namespace.Create(sandbox, admit.Attributes{})
	wantErr(t, d.Err(), `pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=1250m, used: requests.cpu=1800m, limited: requests.cpu=3`)
	spec := d.Object.(*corev1.Pod).Spec
	if got := spec.Tolerations[len(spec.Tolerations)-1].Key; got != "kata" || len(spec.Tolerations) != 3 || spec.NodeSelector["sandbox"] != "kata" {
		t.Errorf("tolerations %v, selector %v", spec.Tolerations, spec.NodeSelector)
	}
	own := sandbox.DeepCopy()
	own.Spec.Tolerations = []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpEqual, Value: "other", Effect: corev1.TaintEffectNoExecute}}
	if all := namespace.Create(own, admit.Attributes{}).Object.(*corev1.Pod).Spec.Tolerations; len(all) != 4 {
		t.Errorf("beside a toleration of another value, these are there: %v", all)
	}
	sandbox.Spec.Containers[0].Resources.Requests = list("cpu", "3")
	wantErr(t, namespace.Create(sandbox, admit.Attributes{}).Err(), `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`)
	sandbox.Spec.Overhead = list("cpu", "1")
	wantErr(t, namespace.Create(sandbox, admit.Attributes{}).Err(), `pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`)
	sandbox.Spec.RuntimeClassName = nil
	d = namespace.Create(sandbox, admit.Attributes{})
	wantErr(t, d.Err(), `Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2`)
	if got := d.Refusals[len(d.Refusals)-2].Forbidden; got != "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead" {
		t.Errorf("the refusal before that of the quota: %q", got)
	}
	sandbox.Spec.Containers[0].Resources.Limits = list("cpu", "3")
	wantErr(t, namespace.Create(sandbox, admit.Attributes{}).Err(), `pods "web" is forbidden: maximum cpu usage per Container is 2, but limit is 3`)
}
