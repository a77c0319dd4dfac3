package main

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

// saying returns a namespace whose server gives one of these answers to each request, in any order.
func saying(messages ...string) request {
	return request{kind: "pods", object: minimalPod(), method: func(_ context.Context, _ string, _, _ any) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: messages[rand.IntN(len(messages))]}}
	}}
}

func expecting(messages ...string) (all []prediction) {
	for _, m := range messages {
		all = append(all, prediction{answer: answer{Code: 403, Reason: metav1.StatusReasonForbidden, Message: m}})
	}
	return all
}

func TestHear(t *testing.T) {
	const several = "x: [a, b, c, d]"
	tests := []struct {
		name             string
		says             []string
		possible         []string // kubemath's own first
		heard, different string
	}{
		{name: "one answer", says: []string{"a"}, possible: []string{"a"}, heard: "1"},
		{name: "either of two quotas", says: []string{"a", "b"}, possible: []string{"b", "a"}, heard: "2"},
		{name: "a map in any order", says: []string{"x: [a, b]", "x: [b, a]"}, possible: []string{"x: [a, b]"}, heard: "2"},
		{name: "an answer that kubemath does not know", says: []string{"a", "b"}, possible: []string{"a"}, different: "without effect"},
		{name: "an answer that the server never gives", says: []string{"a"}, possible: []string{"b", "a"}, different: "does not say"},
		{name: "an order that the server never gives", says: []string{"x: [b, a]"}, possible: []string{"x: [a, b]"}, different: "does not say"},
		{name: "an order of many parts that the server never gives", says: []string{"x: [d, b, a, c]"}, possible: []string{several}, heard: "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := &namespace{world: &world{ctx: context.Background()}, tally: tally{}}
			err := check(1, 1, 0, func(rt *rapid.T) {
				n.t = rt
				n.hear(saying(test.says...), expecting(test.possible...))
			})
			if (err != nil) != (test.different != "") || !strings.Contains(n.difference, test.different) {
				t.Fatalf("%v: %s", err, n.difference)
			}
			if test.heard != "" && n.tally["answers that the server gives"][test.heard] == 0 {
				t.Errorf("%v", n.tally)
			}
		})
	}
}

// There is no dry run for an object that is stored in only one way.
func TestHearStored(t *testing.T) {
	other := storedAnswer()
	other.Stored = facts(minimalPod())
	for name, test := range map[string]struct {
		possible []answer
		asks     bool
	}{
		"one answer":              {[]answer{storedAnswer()}, false},
		"the same answer twice":   {[]answer{storedAnswer(), storedAnswer()}, false},
		"two objects":             {[]answer{storedAnswer(), other}, true},
		"stored, or not admitted": {[]answer{storedAnswer(), {Code: 403}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			r := request{kind: "pods", object: minimalPod(), method: func(context.Context, string, any, any) error {
				asked++
				return nil
			}}
			n := &namespace{world: &world{ctx: context.Background()}, tally: tally{}}
			var possible []prediction
			for _, a := range test.possible {
				possible = append(possible, prediction{answer: a})
			}
			err := check(1, 1, 0, func(rt *rapid.T) {
				n.t = rt
				n.hear(r, possible)
			})
			if (err != nil) != test.asks {
				t.Errorf("an answer that does not depend on the server: %v", err)
			}
			if (asked > 0) != test.asks || !test.asks && len(n.tally) > 0 {
				t.Errorf("asked %d times: %v", asked, n.tally)
			}
		})
	}
}

func TestWithoutLetters(t *testing.T) {
	tests := map[string]string{
		`pods "web-abcde" is forbidden`:      `pods "web-xxxxx" is forbidden`,
		`pods "web-" is forbidden`:           `pods "web-" is forbidden`,
		`pods "other-abcde" is forbidden`:    `pods "other-abcde" is forbidden`,
		`Pod "web-abcde" is invalid: "web-"`: `Pod "web-xxxxx" is invalid: "web-"`,
	}
	for message, want := range tests {
		testkit.Equal(t, withoutLetters(message, "web-"), want, message)
	}
}
