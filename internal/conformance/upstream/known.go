package main

import "slices"

// The rows that explain failures and differences.
var (
	overheadOfNothing = row{decisions, "`internal/conformance.TestDivergenceResourceRequest`"}
	emptyOverhead     = row{decisions, "`cgroup/cgroupconfig.TestForSandbox`"}
	orderOfResizes    = row{decisions, "`internal/conformance.TestDivergenceOrderOfResizes`"}
	equalPods         = row{decisions, "`internal/conformance.TestDivergencePreemptionOfEqualPods`"}
)

// knownRows returns the rows that explain failures and differences.
func knownRows() []row {
	return []row{overheadOfNothing, emptyOverhead, orderOfResizes, equalPods}
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
		reason: "overhead counts without any request", row: overheadOfNothing,
	},
}

var differences = []difference{
	{function: "GetResourceRequest", reason: "overhead counts without any request", row: overheadOfNothing},
	{function: "sortPendingResizes", reason: "the kubelet's order depends on when resizes became known", row: orderOfResizes},
	{function: "convertOverheadToLinuxResources", reason: "an empty list of overhead is none", row: emptyOverhead},
	{function: "SelectVictimsOnNode", release: "1.36", reason: "equally important pods are in the order of their names", row: equalPods},
}
