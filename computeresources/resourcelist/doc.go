// Package arithmetic adds, subtracts, compares and selects in lists of resources, as
// quotas need it. Its functions bear the names that k8s.io/apiserver/pkg/quota/v1 gave
// them, so that code that has outgrown an import of the API server can change its import
// path, and little else.
//
//	used = resourcelist.Add(used, resourcelist.Mask(requested, resourcelist.ResourceNames(hard)))
//	fits, exceeded := resourcelist.LessThanOrEqual(used, hard)
//
// It differs from its namesake in what it promises: results own their quantities (that
// of upstream's RemoveZeros shares the decimal behind 1.5Gi with its argument), names come
// out sorted and not in the order of a map, and subtraction is exact for the least int64,
// too.
//
// # Contract
//
// Functions only read their arguments, and are exact at every scale. A nil list is an
// empty one, and a resource that a list does not name counts as zero wherever an amount
// is needed. Lists and slices of names that are returned may be empty, but are never nil.
//
// XInto clears dst, fills it with the result of X and returns it; if dst is nil, it
// returns a new list. Dst may be one of the arguments: SubtractInto(left, left, claim).
// Once dst has grown to the number of resources, it allocates only for amounts that need
// arbitrary precision: those beyond an int64, finer than a billionth, or decimals such as
// 1.5Gi.
//
// Every function takes time by the number of resources, and those over names, which
// compare each with each, by its square.
package resourcelist
