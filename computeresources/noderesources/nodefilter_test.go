package noderesources_test

import (
	"maps"
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// refusals is a NodeFilter: what is said before and after resources about each node.
type refusals []struct {
	before, after refusal
	also          bool // there is a second message after resources
}

type refusal struct {
	message      string
	isResolvable bool
}

func (r refusals) BeforeResources(node int) (message string, isResolvable bool) {
	return r[node].before.message, r[node].before.isResolvable
}

func (r refusals) AfterResources(node int) (messages []string, isResolvable bool) {
	if r[node].after.message == "" {
		return nil, false
	}
	messages = []string{r[node].after.message}
	if r[node].also {
		messages = append(messages, "full disk")
	}
	return messages, r[node].after.isResolvable
}

func drawRefusals(t *rapid.T, nodes int) refusals {
	all := make(refusals, nodes)
	draw := func() refusal {
		if !rapid.Bool().Draw(t, "refuses") {
			return refusal{}
		}
		return refusal{rapid.SampledFrom([]string{"tainted", "Insufficient cpu", "crowded"}).Draw(t, "message"), rapid.Bool().Draw(t, "resolvable")}
	}
	for i := range all {
		all[i].before, all[i].after, all[i].also = draw(), draw(), rapid.Bool().Draw(t, "another message")
	}
	return all
}

// slowReplicas returns how many pods fit on a node.
func slowReplicas(n slowNode, pod slowPod) int64 {
	return int64(sort.Search(math.MaxInt64, func(there int) bool { return len(n.fit(pod, int64(there))) > 0 }))
}

// slowFitError counts what is wrong with each node if there are some more pods on it.
func slowFitError(c slowCluster, pod slowPod, filter refusals, there []int64) noderesources.FitError {
	counted := map[string]noderesources.FitReason{}
	add := func(message string, isUnresolvable bool) {
		r := counted[message]
		r.Message = message
		r.Nodes++
		if isUnresolvable {
			r.Unresolvable++
		}
		counted[message] = r
	}
	for i, name := range c.names() {
		short := c[name].fit(pod, there[i])
		switch f := filter[i]; {
		case f.before.message != "":
			add(f.before.message, !f.before.isResolvable)
		case len(short) > 0:
			for _, s := range short {
				message := "Insufficient " + string(s.Resource)
				if s.Resource == "pods" {
					message = "Too many pods"
				}
				add(message, s.Unresolvable)
			}
		case f.after.message != "":
			add(f.after.message, !f.after.isResolvable)
			if f.also {
				add("full disk", !f.after.isResolvable)
			}
		}
	}
	e := noderesources.FitError{Nodes: len(c)}
	for _, message := range slices.Sorted(maps.Keys(counted)) {
		e.Reasons = append(e.Reasons, counted[message])
	}
	return e
}

// The error has what the first plugin says about each node, also once as many pods are there as fit.
func TestFitErrorOfNodesThatOthersRefuse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, slow, _ := events(t)
		pod := podsWithoutStatus().Draw(t, "another pod")
		request, opts := noderesources.PodRequest(pod, none), noderesources.FitOptions{}
		filter, there := drawRefusals(t, len(slow)), make([]int64, len(slow))
		testkit.NoDiff(t, *c.FitError(request, opts, filter), slowFitError(slow, slowPodOf(pod), filter, there), "FitError")

		sum := int64(0)
		for i, name := range slow.names() {
			if filter[i].before.message+filter[i].after.message == "" {
				there[i] = slowReplicas(slow[name], slowPodOf(pod))
				sum = min(sum, math.MaxInt64-there[i]) + there[i]
			}
		}
		n, next := c.Replicas(request, opts, filter)
		testkit.Equal(t, n, sum, "replicas")
		testkit.NoDiff(t, *next, slowFitError(slow, slowPodOf(pod), filter, there), "next")
		unfiltered, _ := c.Replicas(request, opts, nil)
		open, _ := c.Replicas(request, opts, make(refusals, len(slow)))
		testkit.Equal(t, unfiltered, open, "without a filter")
	})
}
