package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

// comparison is the result of a run.
type comparison struct {
	tally tally
	// difference and manifests are those of the smallest case that was found.
	difference string
	manifests  []string
}

// compare runs so many cases, each in a namespace of its own, and a fifth as many in which LimitRanges
// contradict each other. The error is one that prevented the comparison.
func compare(ctx context.Context, client *controlplane.Client, cases int, seed uint64, shrink time.Duration) (*comparison, error) {
	w, err := newWorld(ctx, client)
	if err != nil {
		return nil, err
	}
	result := &comparison{tally: tally{}}
	var broken error
	run := func(t *rapid.T, live func(*namespace)) {
		if broken != nil {
			return
		}
		n, err := w.newNamespace(t)
		if err != nil {
			broken = err
			return
		}
		defer func() {
			broken = n.broken
			if n.difference != "" {
				result.difference, result.manifests = n.difference, n.manifests
			} else if result.difference == "" {
				// Cases that rapid runs to shrink another one are not counted.
				result.merge(n.tally)
			}
		}()
		live(n)
	}
	err = check(cases, seed, shrink, func(t *rapid.T) { run(t, (*namespace).live) })
	if err == nil && broken == nil {
		err = check(max(1, cases/5), seed, shrink, func(t *rapid.T) { run(t, (*namespace).askInAnyOrder) })
	}
	switch {
	case broken != nil:
		return result, broken
	case result.difference != "":
		return result, nil
	}
	return result, err
}

func (w *world) newNamespace(t *rapid.T) (*namespace, error) {
	w.namespaces++
	n := &namespace{world: w, t: t, name: fmt.Sprintf("case-%d", w.namespaces), tally: tally{}}
	return n, w.client.Create(w.ctx, "/api/v1/namespaces", &corev1.Namespace{ObjectMeta: named(n.name)}, nil)
}

// step is an operation in a namespace, with its weight, and the condition under which it is
// possible.
type step struct {
	often int
	do    func(*namespace)
	can   func(*namespace) bool
}

func always(*namespace) bool     { return true }
func hasPod(n *namespace) bool   { return len(n.pods) > 0 }
func hasQuota(n *namespace) bool { return len(n.quotas) > 0 }

// Rapid draws the first ones more often than their share.
var steps = []step{
	{8, (*namespace).createPod, always},
	{10, (*namespace).resize, hasPod},
	{7, (*namespace).expand, func(n *namespace) bool { return len(n.claims) > 0 }},
	{4, (*namespace).changeService, func(n *namespace) bool { return len(n.services) > 0 }},
	{4, (*namespace).createClaim, always},
	{3, (*namespace).createService, always},
	{3, (*namespace).createWorkload, always},
	{6, (*namespace).changeWorkload, func(n *namespace) bool { return len(n.changeable()) > 0 }},
	{3, (*namespace).createDevices, always},
	{3, (*namespace).calculateUsage, hasQuota},
	{3, (*namespace).report, hasPod},
	{2, (*namespace).deadline, hasPod},
	{1, (*namespace).deletePod, hasPod},
	{1, (*namespace).createConfigMap, always},
}

// live runs random steps one after another.
func (n *namespace) live() {
	n.addLimitRanges()
	n.addQuotas()
	for range rapid.IntRange(1, 12).Draw(n.t, "steps") {
		var possible []step
		for _, s := range steps {
			if s.can(n) {
				possible = append(possible, slices.Repeat([]step{s}, s.often)...)
			}
		}
		pick(n.t, "step", possible).do(n)
	}
	n.clear()
}

func (c *comparison) merge(other tally) {
	for kind, outcomes := range other {
		for outcome, count := range outcomes {
			c.tally.add(kind, outcome, count)
		}
	}
}

// print writes what was compared, and the difference, if any, as manifests.
func (c *comparison) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, kind := range slices.Sorted(maps.Keys(c.tally)) {
		var counts []string
		sum := 0
		for _, outcome := range slices.Sorted(maps.Keys(c.tally[kind])) {
			counts = append(counts, fmt.Sprintf("%d %s", c.tally[kind][outcome], outcome))
			sum += c.tally[kind][outcome]
		}
		fmt.Fprintf(table, "%s\t%d\t%s\n", kind, sum, strings.Join(counts, ", "))
	}
	if err := table.Flush(); err != nil || c.difference == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\nA difference, in these steps:\n\n%s\n%s\n", strings.Join(c.manifests, "---\n"), c.difference)
	return err
}

// expected are the outcomes that occur in a run of any length.
var expected = map[string][]string{
	"LimitRanges":       {stored, invalid},
	"pods":              {stored, invalid, byRanges, byQuotas, notSpecified, byDefault, byScopes},
	"resizes":           {stored, invalid, byRanges, byQuotas},
	"claims":            {stored, invalid, byRanges, byQuotas, byDefault},
	"claims changed":    {stored},
	"services":          {stored, byQuotas, byDefault},
	"workloads":         {stored, invalid, byDefault},
	"workloads changed": {stored},
	"pods of workloads": {stored, invalid, byRanges, byQuotas, notSpecified},
	"usage calculated":  {"compared"},
	"quota admissions":  {"compared"},

	"kubemath's answer":             {heardWhole},
	"answers that the server gives": {"1", "2", "3"},

	ofTwo:     {oneAnswer, manyAnswers},
	ofThree:   {oneAnswer, manyAnswers},
	membersOf: {given},
}

// missing returns an error if an expected outcome has not occurred in a run, because the comparison
// proves nothing about outcomes that do not occur.
func (c *comparison) missing() error {
	var all []error
	for _, kind := range slices.Sorted(maps.Keys(expected)) {
		for _, outcome := range expected[kind] {
			if c.tally[kind][outcome] == 0 {
				all = append(all, fmt.Errorf("never seen: %s %s", kind, outcome))
			}
		}
	}
	return errors.Join(all...)
}
