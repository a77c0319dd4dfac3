package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
)

// candidate is a volume that a claim can be bound to.
type candidate struct {
	volume   *corev1.PersistentVolume
	affinity nodeaffinity.Selector
}

// candidates are volumes, the smallest first. Most local volumes name their node in a label: a node is only compared
// with those that name it, and with those that name none.
type candidates struct {
	all    []candidate
	keys   []string        // of the labels that volumes name, sorted
	named  map[label][]int // the volumes that name a label, in order
	others []int           // those that name none
}

// label is a label of nodes.
type label struct{ key, value string }

// sort sorts the volumes by size.
func (c *candidates) sort() {
	slices.SortStableFunc(c.all, func(a, b candidate) int {
		x, y := a.volume.Spec.Capacity[corev1.ResourceStorage], b.volume.Spec.Capacity[corev1.ResourceStorage]
		return x.Cmp(y)
	})
	c.named = map[label][]int{}
	for i := range c.all {
		key, values := namedLabel(requiredOf(c.all[i].volume))
		if key == "" {
			c.others = append(c.others, i)
			continue
		}
		c.keys = append(c.keys, key)
		for _, value := range values {
			c.named[label{key, value}] = append(c.named[label{key, value}], i)
		}
	}
	slices.Sort(c.keys)
	c.keys = slices.Compact(c.keys)
}

// namedLabel returns a label that each node needs that a selector matches, with the values that it may have, and an
// empty key if the selector needs none.
func namedLabel(selector *corev1.NodeSelector) (key string, values []string) {
	if selector == nil || len(selector.NodeSelectorTerms) != 1 {
		return "", nil
	}
	for _, r := range selector.NodeSelectorTerms[0].MatchExpressions {
		if r.Operator == corev1.NodeSelectorOpIn {
			return r.Key, r.Values
		}
	}
	return "", nil
}

// first returns the first volume that can be used on a node and is not taken, and nil if there is none.
func (c *candidates) first(at *place, isTaken func(*candidate) bool) *corev1.PersistentVolume {
	found := len(c.all)
	look := func(some []int) {
		for _, i := range some {
			if i >= found {
				return
			}
			if one := &c.all[i]; !isTaken(one) && at.matches(&one.affinity) {
				found = i
			}
		}
	}
	look(c.others)
	for _, key := range c.keys {
		if value, isSet := at.nameless.Labels[key]; isSet {
			look(c.named[label{key, value}])
		}
	}
	if found == len(c.all) {
		return nil
	}
	return c.all[found].volume
}
