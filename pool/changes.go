package pool

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Changes returns which parts of the status of a pool differ from those of another one, as sorted paths of its JSON,
// such as allocation.available, claims[red] for a namespace, exhaustions[pods] or conditions[Ready].message. It is nil
// if there is nothing to write. Quantities are equal if their amounts are, and nil is equal to empty. The order of
// lists counts, except that of conditions.
//
// Cost: linear in the recorded claims.
func (s ResourcePoolStatus) Changes(to ResourcePoolStatus) []string {
	var c changes
	c.add("observedGeneration", s.ObservedGeneration == to.ObservedGeneration)
	c.add("namespaceCount", s.NamespaceCount == to.NamespaceCount)
	c.add("claimCount", s.ClaimCount == to.ClaimCount)
	c.add("namespaces", slices.Equal(s.Namespaces, to.Namespaces))
	changedKeys(&c, "claims", s.Claims, to.Claims, func(a, b []RecordedClaim) bool {
		return slices.EqualFunc(a, b, sameRecord)
	})
	c.allocation(s.Allocation, to.Allocation)
	changedKeys(&c, "exhaustions", s.Exhaustions, to.Exhaustions, func(a, b Exhaustion) bool {
		return a.Available.Cmp(b.Available) == 0 && a.Requesting.Cmp(b.Requesting) == 0
	})
	c.conditions(s.Conditions, to.Conditions)
	slices.Sort(c)
	return c
}

// Changes returns which parts of the status of a claim differ from those of another one, as
// [ResourcePoolStatus.Changes] does. If all of them end with .message, the decision is the same: the message of a
// waiting claim names other amounts whenever other claims of its pool come and go.
func (s ResourcePoolClaimStatus) Changes(to ResourcePoolClaimStatus) []string {
	var c changes
	c.add("observedGeneration", s.ObservedGeneration == to.ObservedGeneration)
	c.add("pool", s.Pool == to.Pool)
	c.condition("condition", s.Condition, to.Condition)
	c.allocation(s.Allocation, to.Allocation)
	c.conditions(s.Conditions, to.Conditions)
	slices.Sort(c)
	return c
}

// changes are paths.
type changes []string

func (c *changes) add(path string, same bool) {
	if !same {
		*c = append(*c, path)
	}
}

func (c *changes) allocation(a, b AllocationStatus) {
	for _, part := range []struct {
		path string
		a, b corev1.ResourceList
	}{
		{"allocation.hard", a.Hard, b.Hard},
		{"allocation.used", a.Claimed, b.Claimed},
		{"allocation.available", a.Available, b.Available},
	} {
		c.add(part.path, resourcelist.Equals(part.a, part.b))
	}
}

func (c *changes) conditions(a, b []metav1.Condition) {
	before, after := byType(a), byType(b)
	for kind := range union(before, after) {
		path := fmt.Sprintf("conditions[%s]", kind)
		from, hadBefore := before[kind]
		to, hasNow := after[kind]
		if hadBefore != hasNow {
			c.add(path, false)
			continue
		}
		c.condition(path, from, to)
	}
}

func (c *changes) condition(path string, a, b metav1.Condition) {
	c.add(path+".type", a.Type == b.Type)
	c.add(path+".status", a.Status == b.Status)
	c.add(path+".reason", a.Reason == b.Reason)
	c.add(path+".message", a.Message == b.Message)
	c.add(path+".observedGeneration", a.ObservedGeneration == b.ObservedGeneration)
	c.add(path+".lastTransitionTime", a.LastTransitionTime.Time.Equal(b.LastTransitionTime.Time))
}

// byType returns conditions by their type, the first of equal ones.
func byType(conditions []metav1.Condition) map[string]metav1.Condition {
	all := make(map[string]metav1.Condition, len(conditions))
	for _, c := range slices.Backward(conditions) {
		all[c.Type] = c
	}
	return all
}

func sameRecord(a, b RecordedClaim) bool {
	return a.Name == b.Name && a.Namespace == b.Namespace && a.UID == b.UID && resourcelist.Equals(a.Claims, b.Claims)
}

func changedKeys[K ~string, V any](c *changes, path string, a, b map[K]V, same func(a, b V) bool) {
	for key := range union(a, b) {
		from, hadBefore := a[key]
		to, hasNow := b[key]
		c.add(fmt.Sprintf("%s[%s]", path, key), hadBefore == hasNow && same(from, to))
	}
}

// union returns the keys of two maps.
func union[K comparable, V any](a, b map[K]V) map[K]V {
	all := maps.Clone(a)
	if all == nil {
		return b
	}
	maps.Copy(all, b)
	return all
}
