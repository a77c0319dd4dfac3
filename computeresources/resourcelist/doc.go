// Package resourcelist is arithmetic of ResourceLists: sums, comparisons, shares, integers, and
// the names of resources.
//
//	used = resourcelist.Add(used, requests)
//	free := resourcelist.Subtract(node.Status.Allocatable, used)
//	ok := resourcelist.Fits(requests, free)
//
// What k8s.io/apiserver/pkg/quota/v1 has is here by the same name, and returns what is empty
// as upstream does: not nil. Change the import path, and nothing else. What differs is that
// results own their quantities (that of upstream's RemoveZeros shares the decimal behind 1.5Gi
// with its argument), that names come out sorted and not in the order of a map, and that
// subtraction is exact for the least int64, too.
//
// # Which function answers which question
//
//   - How much is it together, how much remains: [Add], [Sum], [Subtract],
//     [SubtractWithNonNegativeResult]. How much do n of them need: [Multiply].
//   - What is the most, or the least, of each: [Max], [Min].
//   - Fill in what is missing: [Overlay]. Leave something out: [Mask], [RemoveZeros].
//   - Does it fit on a node: [Fits], and what does not, [Insufficient]. Is it within limits:
//     [LessThanOrEqual]. Is it the same: [Equals], [EqualsIgnoringZeros]. Is there anything:
//     [IsZero], [IsNegative].
//   - How large a part is used: [Percent], [Fraction], of all resources [Percents],
//     [Fractions]; of which one the most, [DominantShare]. How much are so many percent, or
//     times a ratio: [PartOf], [Scale].
//   - As int64: [Integer], [Integers], and back, [Quantity], [OfIntegers]. As text: [String].
//   - Which resources: [ResourceNames], [Intersection], [Difference], [Contains],
//     [ContainsPrefix].
//   - What kind of resource: [IsNative], [IsExtended], [IsHugePages], [HugePageSize],
//     [IsInteger], [IsOvercommitAllowed], [IsPodLevel], [AnyPodLevel]. Is the name valid:
//     [ValidateName], [ValidateContainerName].
//   - Which quotas count it: [RequestQuotaNames], [LimitQuotaName], and back,
//     [RequestOfQuota], [LimitOfQuota].
//
// # What is absent
//
// A resource that a list does not name
//
//   - counts as zero in sums, differences and shares of what is used, in EqualsIgnoringZeros,
//     and in Fits, where nothing is free of it;
//   - is not limited in LessThanOrEqual, which compares what both name;
//   - is not the same as zero in Equals and Overlay;
//   - leaves Max with the amount of the other list, and Min without any;
//   - has no share if it is the total that does not name it.
//
// A nil list is an empty one.
//
// # Contract
//
// It is that of the library. Lists, maps and slices that are returned may be empty, but are
// never nil.
//
// XInto clears dst, fills it with the result of X and returns it; if dst is nil, it returns a
// new list. Dst may be one of the arguments: SubtractInto(left, left, claim). Once dst has
// grown to the number of resources, it allocates only for amounts that need arbitrary
// precision: those beyond an int64, finer than a billionth, or decimals such as 1.5Gi.
//
// Every function takes time by the number of resources, and those over names, which compare
// each with each, by its square.
package resourcelist
