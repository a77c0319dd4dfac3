package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// prediction is the server's answer according to kubemath.
type prediction struct {
	answer
	by    string                  // who refuses it
	after []*corev1.ResourceQuota // what is in use then
}

// The outcomes of a request.
const (
	stored       = "stored"
	invalid      = "invalid"
	byRanges     = "forbidden by LimitRanges"
	byQuotas     = "forbidden by quotas"
	notSpecified = "forbidden, as a quota requires amounts"
	byDefault    = "forbidden, as limited by default"
	byScopes     = "refused, as its scopes are limited by default"
)

// kubernetes is the release of the server.
var kubernetes = computeresources.Kubernetes{Release: oracle.Release}

// admitOptions are those of the server.
var admitOptions = admit.Options{Kubernetes: kubernetes, Limited: limited, ExtendedResources: extendedResources}

// decide returns kubemath's decision on an object in a namespace.
type decide func(*admit.Namespace) admit.Decision

// predict returns what decide predicts with LimitRanges and quotas in all orders, because the
// server has no fixed order, and for every LimitRange that rejects the object. The first prediction
// is that of their order by name, which is kubemath's own.
func predict(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, ask decide) (all []prediction, err error) {
	for _, namespace := range inAllOrders(ranges, quotas) {
		n, err := admit.Compile(namespace.ranges, namespace.quotas, admitOptions)
		if err != nil {
			return nil, err
		}
		one, err := predictions(n, ask(n))
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// ofEachRange returns the answers of each LimitRange that rejects the object, or none if another
// answer comes first. The server lists LimitRanges once for their defaults and again for their
// bounds, in two orders.
func ofEachRange(p prediction, refusals computeresources.Problems[*admit.Refusal]) (all []prediction) {
	if len(refusals) == 0 || by(refusals[0]) != byRanges {
		return nil
	}
	violations := map[string]computeresources.Problems[*limitrange.Violation]{}
	for _, r := range refusals {
		if r.Violation != nil {
			violations[r.Violation.Source.Name] = append(violations[r.Violation.Source.Name], r.Violation)
		}
	}
	head, _, _ := strings.Cut(p.Message, " is forbidden: ")
	for _, name := range slices.Sorted(maps.Keys(violations)) {
		p.Message = head + " is forbidden: " + violations[name].Err().Error()
		all = append(all, p)
	}
	return all
}

// predictions returns the answers that a decision in a namespace predicts, its own first.
func predictions(n *admit.Namespace, d admit.Decision) ([]prediction, error) {
	a, err := answerOf(d.Err(), d.Object)
	p := prediction{answer: withoutOrder(a), by: stored, after: n.After(d).Quotas()}
	for _, q := range p.after {
		q.Name = order.ReplaceAllString(q.Name, "")
	}
	if len(d.Refusals) > 0 {
		p.by = by(d.Refusals[0])
	}
	return append([]prediction{p}, ofEachRange(p, d.Refusals)...), err
}

// by returns who refuses an object, for the first reason.
func by(r *admit.Refusal) string {
	switch {
	case r.Violation != nil:
		return byRanges
	case r.Failure == nil:
		return invalid
	}
	switch r.Failure.Cause {
	case quota.MustSpecify:
		return notSpecified
	case quota.UncoveredResources:
		return byDefault
	case quota.UncoveredScopes:
		return byScopes
	}
	return byQuotas
}

// order is what inAllOrders puts before names.
var order = regexp.MustCompile(`order-\d\.`)

// withoutOrder returns an answer with the original names.
func withoutOrder(a answer) answer {
	a.Message = order.ReplaceAllString(a.Message, "")
	return a
}

// ordered are LimitRanges and quotas in one order.
type ordered struct {
	ranges []*corev1.LimitRange
	quotas []*corev1.ResourceQuota
}

// inAllOrders returns copies in all orders, that by name first. Their names begin with the order.
func inAllOrders(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota) (all []ordered) {
	for _, r := range permutations(len(ranges)) {
		for _, q := range permutations(len(quotas)) {
			var o ordered
			for at, i := range r {
				lr := ranges[i].DeepCopy()
				lr.Name = fmt.Sprintf("order-%d.%s", at, lr.Name)
				o.ranges = append(o.ranges, lr)
			}
			for at, i := range q {
				rq := quotas[i].DeepCopy()
				rq.Name = fmt.Sprintf("order-%d.%s", at, rq.Name)
				o.quotas = append(o.quotas, rq)
			}
			all = append(all, o)
		}
	}
	return all
}

// permutations returns the orders of n elements, their own first.
func permutations(n int) [][]int {
	all := [][]int{nil}
	for i := range n {
		var longer [][]int
		for at := i; at >= 0; at-- {
			for _, p := range all {
				longer = append(longer, slices.Insert(slices.Clone(p), at, i))
			}
		}
		all = longer
	}
	return all
}
