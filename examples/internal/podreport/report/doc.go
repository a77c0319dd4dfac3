// Package report says what manifests ask for. Report is the answer, and its JSON the output
// of -o json.
//
// What becomes of an object is the decision of quota/admit: what the API server fills in
// (workload.go), why it rejects something (rejection.go), and what quotas leave room for, as one
// object after the other is created (parts.go, creation.go, quotas.go). Then comes what a node
// makes of the pods (node.go, cgroups.go).
package report
