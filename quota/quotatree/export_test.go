package quotatree

import corev1 "k8s.io/api/core/v1"

// Clone and Shortages are what tests compare Take, Give and Reclaim with.

func (t *Tree) Clone() *Tree { return t.clone() }

func (t *Tree) Shortages(node string, amounts map[corev1.ResourceName]int64) []*Shortage {
	i, _ := t.node(node)
	return t.shortages(i, amounts)
}
