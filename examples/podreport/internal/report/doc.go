// Package report says what manifests ask for. Report is the answer, and its JSON the output
// of -o json.
//
// What becomes of a workload is computed in the order of an API server: what it fills in
// (defaults.go), what it rejects (rejection.go), what quotas leave room for (quotas.go, by
// the books in ledger.go); then what a node makes of the pods (node.go,
// cgroups.go).
package report
