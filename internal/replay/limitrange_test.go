package replay_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// replayLimitRangeObjects compares what a kube-apiserver stored of a LimitRange, or why it
// did not.
func replayLimitRangeObjects(t *testing.T, raw json.RawMessage) bool {
	var c struct {
		Name          string
		Input, Stored corev1.LimitRangeSpec
		Outcome       string
		Messages      []string
	}
	decode(t, raw, &c)
	lr := &corev1.LimitRange{}
	lr.Namespace, lr.Name = "ns", c.Name
	for _, item := range c.Input.Limits {
		lr.Spec.Limits = append(lr.Spec.Limits, limitrange.WithDefaults(item))
	}
	var messages []string
	for _, err := range limitrange.ValidateObject(lr) {
		messages = append(messages, err.Error())
	}
	testkit.NoDiff(t, distinct(messages), distinct(c.Messages), c.Name, "messages")
	if valid := len(messages) == 0; valid != (c.Outcome == "stored") {
		t.Errorf("%s: valid is %v, the server says %s", c.Name, valid, c.Outcome)
	}
	if diff := cmp.Diff(c.Stored, lr.Spec, cmpopts.EquateEmpty()); c.Outcome == "stored" && diff != "" {
		t.Errorf("%s: stored (-server +kubemath):\n%s", c.Name, diff)
	}
	return true
}

// replayLimitRangeAggregate compares the virtual LimitRange of several. Recorded are those
// cases in which it does not depend on their order.
func replayLimitRangeAggregate(t *testing.T, raw json.RawMessage) bool {
	var c struct {
		Name        string
		LimitRanges []*corev1.LimitRange
		Want        []struct {
			Type                                                    corev1.LimitType
			Min, Max, Default, DefaultRequest, MaxLimitRequestRatio corev1.ResourceList
		}
	}
	decode(t, raw, &c)
	a := limitrange.AggregateOf(c.LimitRanges)
	var want, got []corev1.LimitRangeItem
	for _, w := range c.Want {
		want = append(want, corev1.LimitRangeItem{
			Type: w.Type, Min: w.Min, Max: w.Max, Default: w.Default, DefaultRequest: w.DefaultRequest, MaxLimitRequestRatio: w.MaxLimitRequestRatio,
		})
		got = append(got, a.Item(w.Type))
	}
	testkit.NoDiff(t, got, want, cmpopts.EquateEmpty(), c.Name, "aggregate")
	types := map[corev1.LimitType]bool{}
	for _, v := range a.Values {
		types[v.Type] = true
	}
	if len(want) != len(types) {
		t.Errorf("%s: types %v, want %d", c.Name, types, len(want))
	}
	return true
}
