package main

import "slices"

// The decisions that explain failures and differences.
const (
	overheadOfNothing decision = "docs/decisions/computeresources.md#overhead-always-counts"
	emptyOverhead     decision = "docs/decisions/cgroup.md#empty-overhead-is-missing"
	orderOfResizes    decision = "docs/decisions/computeresources.md#order-of-resizes"
	equalPods         decision = "docs/decisions/computeresources.md#preemption-of-equal-pods"
)

// knownDecisions returns the decisions that explain failures and differences.
func knownDecisions() []decision {
	return []decision{overheadOfNothing, emptyOverhead, orderOfResizes, equalPods}
}

// failuresOf returns all tests of a release that fail with kubemath inside.
func failuresOf(release string) []failure {
	return slices.DeleteFunc(slices.Clone(failures), func(f failure) bool { return f.release != "" && f.release != release })
}

// differencesOf returns all functions whose answers sometimes differ from those of a release.
func differencesOf(release string) []difference {
	return slices.DeleteFunc(slices.Clone(differences), func(d difference) bool { return d.release != "" && d.release != release })
}

var failures = []failure{
	{
		pkg: kubernetes + "/pkg/api/v1/resource", test: "TestGetResourceRequest",
		cases:  []string{"just-overhead for cpu", "just-overhead for memory"},
		reason: "overhead counts without any request", decision: overheadOfNothing,
	},
}

var differences = []difference{
	{function: "GetResourceRequest", reason: "overhead counts without any request", decision: overheadOfNothing},
	{function: "sortPendingResizes", reason: "the kubelet's order depends on when resizes became known", decision: orderOfResizes},
	{function: "convertOverheadToLinuxResources", reason: "an empty list of overhead is none", decision: emptyOverhead},
	{function: "SelectVictimsOnNode", release: "1.36", reason: "equally important pods are in the order of their names", decision: equalPods},
}
