package replay_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// podAdmission is a pod that was created in a namespace with LimitRanges, and the result of a
// kube-apiserver.
type podAdmission struct {
	Name        string
	LimitRanges []corev1.LimitRange
	Pod         corev1.Pod
	Outcome     string
	Messages    []string
	Containers  []storedPart // init containers first
	PodLevel    *storedPart
	Annotations map[string]string
	QOSClass    corev1.PodQOSClass
}

type storedPart struct {
	Name             string
	Requests, Limits corev1.ResourceList
}

// replayPodAdmission runs the whole admission of a pod, and compares the outcome, the stored object or
// all messages, the annotation of LimitRanges and the class.
//
// The server lists LimitRanges in no fixed order, once for their defaults, and again for their bounds,
// where it stops at the first one that rejects the pod: one pair of orders has to give its answer.
func replayPodAdmission(t *testing.T, raw json.RawMessage) bool {
	var c podAdmission
	decode(t, raw, &c)
	testkit.Equal(t, c.difference(), "", c.Name, c.Outcome)
	return true
}

// difference returns how the admission differs from the server's in every order of defaults. It is empty
// if it does not in one of them.
func (c *podAdmission) difference() string {
	var differences []string
	for _, ranges := range orders(c.LimitRanges) {
		diff := c.compareAnswer(ranges)
		if diff == "" {
			return ""
		}
		differences = append(differences, diff)
	}
	return strings.Join(differences, "\nor, in another order:\n")
}

// orders returns LimitRanges in all orders, with names that sort in that order.
func orders(ranges []corev1.LimitRange) (all [][]*corev1.LimitRange) {
	if len(ranges) == 0 {
		return [][]*corev1.LimitRange{nil}
	}
	for i := range ranges {
		rest := slices.Delete(slices.Clone(ranges), i, i+1)
		for _, others := range orders(rest) {
			first := ranges[i].DeepCopy()
			order := []*corev1.LimitRange{first}
			for _, other := range others {
				order = append(order, other.DeepCopy())
			}
			for j, lr := range order {
				lr.Name = string(rune('a' + j))
			}
			all = append(all, order)
		}
	}
	return all
}

// compareAnswer returns how the answer that a client gets, or the stored object, differs from the
// server's, in a namespace with the defaults of LimitRanges in one order, and their bounds in any.
func (c *podAdmission) compareAnswer(ranges []*corev1.LimitRange) string {
	recorded := computeresources.Kubernetes{Release: "1.36"} // the release of the server
	namespace, err := admit.Compile(ranges, nil, admit.Options{Kubernetes: recorded})
	if err != nil {
		return err.Error()
	}
	decision := namespace.Create(&c.Pod, admit.Attributes{})
	reasons := map[string]metav1.StatusReason{"invalid": metav1.StatusReasonInvalid, "forbidden": metav1.StatusReasonForbidden, "admitted": metav1.StatusReasonUnknown}
	if diff := cmp.Diff(reasons[c.Outcome], apierrors.ReasonForError(decision.Err())); diff != "" {
		return diff
	}
	if c.Outcome == "forbidden" {
		return c.compareBounds(decision.Refusals)
	}
	if err := decision.Err(); err != nil {
		return c.compareMessage(err.Error())
	}
	stored := decision.Object.(*corev1.Pod)
	return cmp.Diff(c.Annotations[limitrange.AnnotationKey], stored.Annotations[limitrange.AnnotationKey]) +
		cmp.Diff(c.QOSClass, stored.Status.QOSClass) + cmp.Diff(parts(c.stored()), parts(&stored.Spec), cmpopts.EquateEmpty())
}

// compareBounds returns how the message of each LimitRange that rejects the pod differs from the server's:
// any of them is the first in some order of the bounds. The result is empty if one does not differ.
func (c *podAdmission) compareBounds(refusals computeresources.Problems[*admit.Refusal]) string {
	rejecting := map[string]computeresources.Problems[*limitrange.Violation]{}
	for _, r := range refusals {
		if r.Violation != nil {
			rejecting[r.Source.Name] = append(rejecting[r.Source.Name], r.Violation)
		}
	}
	var differences []string
	for _, name := range slices.Sorted(maps.Keys(rejecting)) {
		diff := c.compareMessage(`pods "p" is forbidden: ` + rejecting[name].Err().Error())
		if diff == "" {
			return ""
		}
		differences = append(differences, diff)
	}
	return strings.Join(differences, "\nor, of another LimitRange:\n")
}

// compareMessage returns how a message differs from one of the server's parts in any order.
func (c *podAdmission) compareMessage(message string) string {
	head := map[string]string{"invalid": `Pod "p" is invalid: `, "forbidden": `pods "p" is forbidden: `}[c.Outcome]
	if !strings.HasPrefix(message, head) || len(message) != messageLength(head, c.Messages) {
		return cmp.Diff(c.Messages, message)
	}
	for _, part := range c.Messages {
		if !strings.Contains(message, part) {
			return cmp.Diff(part, message)
		}
	}
	return ""
}

// messageLength returns how long a message of parts in any order is: "[a, b]" after its head.
func messageLength(head string, parts []string) int {
	parts = distinct(parts)
	n := len(head) + len(strings.Join(parts, ", "))
	if len(parts) > 1 {
		n += len("[]")
	}
	return n
}

// distinct returns messages sorted, and each of them once.
func distinct(messages []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(messages)))
}

// stored returns the spec as the server stored it.
func (c *podAdmission) stored() *corev1.PodSpec {
	spec := c.Pod.Spec.DeepCopy()
	byName := map[string]storedPart{}
	for _, part := range c.Containers {
		byName[part.Name] = part
	}
	for _, container := range computeresources.Containers(spec) {
		part := byName[container.Name]
		container.Resources = corev1.ResourceRequirements{Requests: part.Requests, Limits: part.Limits}
	}
	if c.PodLevel != nil {
		spec.Resources = &corev1.ResourceRequirements{Requests: c.PodLevel.Requests, Limits: c.PodLevel.Limits}
	}
	return spec
}

// parts are the requirements of a pod, by their location.
func parts(spec *corev1.PodSpec) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for ref, c := range computeresources.Containers(spec) {
		all[ref.String()] = c.Resources
	}
	if spec.Resources != nil {
		all["pod"] = *spec.Resources
	}
	return all
}

// Some answers of the server need one order of LimitRanges for their defaults, and another for their
// bounds. This pod gets the limit of the range "ratio", and is rejected by the range "maximum" first.
func TestReplayOfTwoOrders(t *testing.T) {
	const namespace = `"LimitRanges": [
		{"metadata": {"name": "ratio"}, "spec": {"limits": [{"type": "Container", "default": {"cpu": "4"}, "defaultRequest": {"cpu": "1"}, "maxLimitRequestRatio": {"cpu": "3"}}]}},
		{"metadata": {"name": "maximum"}, "spec": {"limits": [{"type": "Container", "default": {"cpu": "2"}, "defaultRequest": {"cpu": "2"}, "max": {"cpu": "2"}}]}}],
		"Pod": {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}`
	for _, test := range []struct {
		outcome, message string
		possible         bool
	}{
		{"forbidden", "maximum cpu usage per Container is 2, but limit is 4", true},
		{"forbidden", "cpu max limit to request ratio per Container is 3, but provided ratio is 4.000000", true},
		{"forbidden", "cpu max limit to request ratio per Container is 3, but provided ratio is 1.000000", false},
		{"forbidden", "maximum cpu usage per Container is 2, but limit is 4\", \"cpu max limit to request ratio per Container is 3, but provided ratio is 4.000000", false},
		{"invalid", "maximum cpu usage per Container is 2, but limit is 4", false},
	} {
		var c podAdmission
		decode(t, json.RawMessage(`{"Outcome": "`+test.outcome+`", "Messages": ["`+test.message+`"], `+namespace+`}`), &c)
		if diff := c.difference(); (diff == "") != test.possible {
			t.Errorf("%s, %s: possible is %v, want %v\n%s", test.outcome, test.message, diff == "", test.possible, diff)
		}
	}
}
