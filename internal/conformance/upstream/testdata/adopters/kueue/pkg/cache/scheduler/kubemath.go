package scheduler

import (
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"sigs.k8s.io/kueue/pkg/resources"

	"github.com/kubemath/kubemath/quota/quotatree"
)

func available(node hierarchicalResourceNode, fr resources.FlavorResource) resources.Amount {
	return resources.NewAmount(stateOf(node, fr).Available)
}

func potentialAvailable(node hierarchicalResourceNode, fr resources.FlavorResource) resources.Amount {
	return resources.NewAmount(stateOf(node, fr).Potential)
}

func addUsage(node hierarchicalResourceNode, fr resources.FlavorResource, n resources.Amount) {
	change(node, fr, n, (*quotatree.Tree).Charge)
}

func removeUsage(node hierarchicalResourceNode, fr resources.FlavorResource, n resources.Amount) {
	change(node, fr, n, (*quotatree.Tree).Give)
}

func dominantResourceShare(node dominantResourceShareNode, requests resources.FlavorResourceQuantities) DRS {
	drs := DRS{fairWeight: node.fairWeight()}
	path := pathOf(node)
	quota := path[len(path)-1].getResourceNode().SubtreeQuota // of the root: all resources
	tree := treeOf(path, quota)
	charged := map[corev1.ResourceName]int64{}
	for fr, n := range requests {
		if _, ok := node.getResourceNode().SubtreeQuota[fr]; ok {
			charged[nameOf(fr)] = n.Int64()
		}
	}
	if tree == nil || tree.Charge("0", charged) != nil {
		return drs
	}
	share := tree.Share("0")
	drs.dominantResource, drs.borrowing = share.Resource, share.Borrowing
	drs.unweightedRatio, _ = new(big.Rat).Mul(share.Ratio.Rat(), big.NewRat(1000, 1)).Float64()
	for fr := range quota {
		if s := tree.State("0", nameOf(fr)); share.Borrowing && s.Usage > s.Quota {
			drs.borrowedFRs = append(drs.borrowedFRs, fr)
		}
	}
	return drs
}

func calculateLendable(node hierarchicalResourceNode) map[corev1.ResourceName]resources.Amount {
	path, lendable := pathOf(node), map[corev1.ResourceName]resources.Amount{}
	quota := path[len(path)-1].getResourceNode().SubtreeQuota
	tree := treeOf(path, quota)
	for fr := range quota {
		lendable[fr.Resource] = lendable[fr.Resource].AddInt64(tree.State("0", nameOf(fr)).Potential)
	}
	return lendable
}

func stateOf(node hierarchicalResourceNode, fr resources.FlavorResource) quotatree.State {
	return treeOf(pathOf(node), resources.FlavorResourceQuantities{fr: {}}).State("0", nameOf(fr))
}

// change changes what a node holds, and writes the usage of all nodes on the way to the root in which it differs.
func change(node hierarchicalResourceNode, fr resources.FlavorResource, n resources.Amount, by func(*quotatree.Tree, string, map[corev1.ResourceName]int64) error) {
	path := pathOf(node)
	tree := treeOf(path, resources.FlavorResourceQuantities{fr: {}})
	if tree == nil || by(tree, "0", map[corev1.ResourceName]int64{nameOf(fr): n.Int64()}) != nil {
		return
	}
	for i, ancestor := range path {
		usage := ancestor.getResourceNode().Usage
		if now := resources.NewAmount(tree.State(strconv.Itoa(i), nameOf(fr)).Usage); i == 0 || usage[fr] != now {
			usage[fr] = now
		}
	}
}

// pathOf returns a node and its ancestors.
func pathOf(node hierarchicalResourceNode) []hierarchicalResourceNode {
	path := []hierarchicalResourceNode{node}
	for node.HasParent() {
		node = node.parentHRN()
		path = append(path, node)
	}
	return path
}

// treeOf returns the tree of the nodes on a path, which are named 0 and so on. What their other children lend and
// use counts as theirs. It is nil if quotatree refuses the amounts.
func treeOf(path []hierarchicalResourceNode, frs resources.FlavorResourceQuantities) *quotatree.Tree {
	nodes := make([]quotatree.Node, len(path))
	o := quotatree.Options{CountsAs: map[corev1.ResourceName]corev1.ResourceName{}}
	for i, at := range path {
		n, r := quotatree.Node{Name: strconv.Itoa(i)}, at.getResourceNode()
		if at.HasParent() {
			n.Parent = strconv.Itoa(i + 1)
		}
		n.Nominal, n.Used = map[corev1.ResourceName]int64{}, map[corev1.ResourceName]int64{}
		n.BorrowingLimit, n.LendingLimit = map[corev1.ResourceName]int64{}, map[corev1.ResourceName]int64{}
		for fr := range frs {
			name := nameOf(fr)
			o.CountsAs[name] = fr.Resource
			n.Nominal[name], n.Used[name] = r.SubtreeQuota[fr].Int64(), r.Usage[fr].Int64()
			if i > 0 {
				below := path[i-1].getResourceNode()
				n.Nominal[name] -= below.SubtreeQuota[fr].Int64() - below.localQuota(fr).Int64()
				n.Used[name] -= max(0, below.Usage[fr].Int64()-below.localQuota(fr).Int64())
			}
			setLimit(n.BorrowingLimit, name, r.Quotas[fr].BorrowingLimit)
			setLimit(n.LendingLimit, name, r.Quotas[fr].LendingLimit)
		}
		nodes[i] = n
	}
	tree, err := quotatree.New(nodes, o)
	if err != nil {
		return nil
	}
	return tree
}

func setLimit(limits map[corev1.ResourceName]int64, name corev1.ResourceName, limit *resources.Amount) {
	if limit != nil && *limit != resources.Unlimited {
		limits[name] = limit.Int64()
	}
}

func nameOf(fr resources.FlavorResource) corev1.ResourceName {
	return corev1.ResourceName(fr.Flavor) + "/" + fr.Resource
}
