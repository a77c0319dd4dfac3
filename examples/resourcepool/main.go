// Resourcepool evaluates resource pools and the claims on them without a cluster: it shows which
// claims hold what they request, why the others wait, and which ResourceQuotas namespaces get, in the tables that
// kubectl prints.
//
//	resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]
//
// Without -f, it evaluates the samples of Capsule's documentation:
//
//	go run ./examples/resourcepool
//
// Files are YAML or JSON, with any number of documents; "-" is the standard input. In a directory and
// below it, all files whose names end in .yaml, .yml or .json are read. Together they are one cluster.
// ResourcePool, ResourcePoolClaim, Namespace, ResourceQuota and Tenant are read, and other kinds are
// skipped. Unknown fields, and amounts that are probably mistakes, are warnings, or errors with
// -strict. Statuses count: a claim that is holding keeps holding. If an answer needs objects that are not
// in the input, an error says which.
//
// With -metrics, it prints the metrics of Capsule. With -plan, it prints by how much pools would have
// to grow, which releases would be enough instead, and which claims were overtaken. With -migrate, it
// prints, as YAML, the pools and claims that replace the quotas of a Tenant and other ResourceQuotas,
// and which of their amounts no pool can have.
//
// Ages are computed at the time of -now; without it, the youngest object is two seconds old.
// The exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read, or an answer needs more input,
//	   such as Namespaces,
//	2  if the API server would reject an object in the input, even if other input could
//	   not be read, and
//	3  if the program itself failed, or the output could not be written.
package main

import (
	"os"

	"github.com/kubemath/kubemath/examples/internal/resourcepool"
)

func main() {
	os.Exit(resourcepool.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
