package main

var (
	emptyForNil = row{decisions, "Kueue's merges of two nil lists are nil."}
)

// adopterFailures are all tests of other projects that fail with kubemath inside.
var adopterFailures = []failure{
	{pkg: kueueLists, test: "TestMerge/nil/max", reason: "an empty list for nil", row: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/merge", reason: "an empty list for nil", row: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/min", reason: "an empty list for nil", row: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/sum", reason: "an empty list for nil", row: emptyForNil},
}

const kueueLists = "sigs.k8s.io/kueue/pkg/util/resource"
