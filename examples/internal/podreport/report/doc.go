// Package report computes what manifests request. Report is the result, and its JSON is the output
// of -o json.
//
// Package quota/admit decides on each object: which defaults the API server sets (workload.go), why
// it rejects an object (rejection.go), and how much fits into quotas as one object after the other is
// created (parts.go, creation.go, quotas.go). Then sums are added up (sums.go), and the pods are placed on nodes
// (node.go, place.go).
package report
