package main

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

// failures are all upstream tests that fail with kubemath inside.
var failures = []failure{
	{
		pkg: kubernetes + "/pkg/api/v1/resource", test: "TestGetResourceRequest",
		cases:  []string{"just-overhead for cpu", "just-overhead for memory"},
		reason: "overhead counts by itself", row: overheadOfNothing,
	},
}

// differences are all functions whose answers sometimes differ from upstream's.
var differences = []difference{
	{"GetResourceRequest", "overhead counts by itself", overheadOfNothing},
	{"sortPendingResizes", "the kubelet's order depends on when resizes became known", orderOfResizes},
	{"convertOverheadToLinuxResources", "an empty list of overhead is none", emptyOverhead},
	{"SelectVictimsOnNode", "equally important pods are in the order of their names", equalPods},
}
