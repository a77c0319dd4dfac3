package main

// The rows that explain failures and differences.
var (
	overheadOfNothing = row{decisions, "`internal/conformance.TestDivergenceResourceRequest`"}
	uidWithPod        = row{decisions, "`cgroup/cgroupname.TestUIDThatContainsPod`"}
	emptyOverhead     = row{decisions, "`cgroup/cgroupconfig.TestForSandbox`"}
	weightsToShares   = row{decisions, "`cgroup.TestKubeletReadsSharesBackTooLow`"}
	equalPods         = row{decisions, "`internal/conformance.TestDivergencePreemptionOfEqualPods`"}
)

// knownRows returns the rows that explain failures and differences.
func knownRows() []row {
	return []row{overheadOfNothing, uidWithPod, emptyOverhead, weightsToShares, equalPods}
}

// failures are all upstream tests that fail with kubemath inside.
var failures = []failure{
	{
		pkg: kubernetes + "/pkg/kubelet/cm", test: "TestCpuWeightToCPUShares",
		cases:  []string{"cpuWeight: 2,", "cpuWeight: 3,", "cpuWeight: 4,", "cpuWeight: 245,"},
		reason: "the kubelet returns shares that have another weight", row: weightsToShares,
	},
	{
		pkg: kubernetes + "/pkg/kubelet/cm", test: "TestIsCgroupPod",
		cases: []string{
			"cgroupfs, input: [podthis-uid-contains-reserved-word-pod], expected: false",
			"cgroupfs, input: [podthis-uid-contains-reserved-word-pod], expected: ,",
			"systemd, input: [podthis-uid-contains-reserved-word-pod], expected: false",
			"systemd, input: [podthis-uid-contains-reserved-word-pod], expected: ,",
		},
		reason: `a UID may contain "pod"`, row: uidWithPod,
	},
	{
		pkg: kubernetes + "/pkg/api/v1/resource", test: "TestGetResourceRequest",
		cases:  []string{"just-overhead for cpu", "just-overhead for memory"},
		reason: "overhead counts by itself", row: overheadOfNothing,
	},
}

// differences are all functions whose answers sometimes differ from upstream's.
var differences = []difference{
	{"cpuWeightToCPUShares", "the kubelet returns shares that have another weight", weightsToShares},
	{"IsPodCgroup", `a UID may contain "pod"`, uidWithPod},
	{"IsPodCgroup: UID", `a UID may contain "pod"`, uidWithPod},
	{"GetResourceRequest", "overhead counts by itself", overheadOfNothing},
	{"convertOverheadToLinuxResources", "an empty list of overhead is none", emptyOverhead},
	{"SelectVictimsOnNode", "equally important pods are in the order of their names", equalPods},
}
