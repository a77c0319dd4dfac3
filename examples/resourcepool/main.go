// Resourcepool shows what becomes of resource pools and the claims on them, without a
// cluster: which claims are bound, why the others wait, and which ResourceQuotas namespaces
// get, in the tables that kubectl prints.
//
//	resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]
//
// Without -f, it runs through samples, which are those of Capsule's documentation:
//
//	go run ./examples/resourcepool
//
// Files are YAML or JSON, with as many documents as they like; "-" is the standard input. Of a
// directory, all files in it and below are read whose names end in .yaml, .yml or .json.
// Together they are one cluster. ResourcePool, ResourcePoolClaim, Namespace, ResourceQuota
// and Tenant are read, and other kinds are skipped. Fields that are unknown, and amounts that are
// hardly meant, are warnings, or with -strict errors. Statuses count: a claim that is bound stays
// bound. What is missing for an answer is said.
//
// With -metrics, it prints what a metrics endpoint would. With -plan, it tells by how much
// pools would have to grow, which releases would do instead, and who was overtaken. With
// -migrate, it prints, as YAML, the pools and claims that replace the quotas of a Tenant, and
// other ResourceQuotas, and says what of these no pool can have.
//
// Ages are those at the time of -now; without it, the youngest object is two seconds old.
// The exit code is
//
//	0  if nothing was wrong,
//	1  if something could not be read, or is missing for an answer, such as the Namespaces, or the
//	   output could not be written,
//	2  if the API server would reject something that was read, even if something else could
//	   not be read, and
//	3  if something was wrong with the arguments, so that nothing was read.
package main

import (
	"os"

	"github.com/kubemath/kubemath/examples/internal/resourcepool"
)

func main() {
	os.Exit(resourcepool.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
