// Package resourcelist adds and compares ResourceLists, converts them to integers, and tells
// what the names of resources mean.
//
//	used = resourcelist.Add(used, requests)
//	free := resourcelist.Subtract(node.Status.Allocatable, used)
//	ok := resourcelist.Fits(requests, free)
//
// The functions of k8s.io/apiserver/pkg/quota/v1 have the same names here: change only the import
// path. Like upstream, they return empty lists rather than nil. There are three
// differences. Results own their quantities, where upstream's RemoveZeros shares the decimal
// value of 1.5Gi with its argument. Names are sorted, where upstream returns them in map order. And
// subtracting the smallest int64 is exact.
//
// # Which function answers which question
//
//   - How much is it in total, and how much remains? [Add], [Sum], [Subtract],
//     [SubtractWithNonNegativeResult]. How much do n of them need? [Multiply].
//   - What is the largest or smallest amount of each resource, of any number of lists? [Max], [Min].
//     Which amounts are outside a minimum and a maximum, and what are they within? [Clamp], and
//     in place, [ClampInto].
//   - What remains of the resources that a list has? [SubtractKeepNames].
//   - How often does a list fit into another, and what stops one more? [Times].
//   - How are missing resources set, or resources removed? [Overlay], [Mask],
//     [Restrict], [RemoveZeros].
//   - Does it fit on a node, and which resources are short? [Fits], [Insufficient]. Is it within
//     limits? [LessThanOrEqual]. Is it equal? [Equals], [EqualsWithin]. Is it zero or negative? [IsZero],
//     [IsNegative].
//   - Which share is used? [Percent], [Fraction], and the largest one,
//     [DominantShare]. How much is a part or a multiple? [PartOf], [Scale], and of
//     one quantity, [PartOfQuantity], [ScaleQuantity], by the [Ratio] of two.
//   - What is it as an int64, and back? [Integer], [Integers], [Quantity], [OfIntegers].
//     Without a name, [Value], [Float]. How are integers added without wrapping around? [AddSaturated],
//     [SubSaturated], [MulSaturated]. As text?
//     [String], and rounded for people, [Short].
//   - Which resources are in the list? [ResourceNames].
//   - What kind of resource is it? [IsExtended], [IsHugePages], [IsPodLevel].
//
// # Missing resources
//
// A resource that a list does not contain
//
//   - counts as zero in sums, differences and used shares;
//   - has no free amount in Fits;
//   - is not limited in LessThanOrEqual, which compares the resources that are in both lists;
//   - differs from zero in Equals and Overlay;
//   - is in the result of Max if any list has it, and not in the result of Min;
//   - has no share if it is missing in the total.
//
// A nil list is empty.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Returned lists, maps and slices may be
// empty, but are never nil.
//
// XInto clears dst, fills it with the result of X, and returns it. If dst is nil, XInto returns a
// new list. Dst may be one of the arguments: SubtractInto(remaining, remaining, used). Once dst has
// room for all resources, XInto allocates only for amounts that need arbitrary precision: those
// beyond an int64, finer than a billionth, or decimals such as 1.5Gi.
//
// Lists are meant for a few objects and for answers that people read. To add up hundreds of pods, use
// [github.com/kubemath/kubemath/computeresources.PodTotals], and [Integer] for what they are compared with; for more
// than one question about the pods of a node, a
// [github.com/kubemath/kubemath/computeresources/noderesources.Ledger]. [Integers] and [OfIntegers] allocate a
// map, so they are for sums, and not for each object.
//
// The cost is linear in the number of resources. Functions over slices of names compare each name
// with each, so their cost is quadratic.
package resourcelist
