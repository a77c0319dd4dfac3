// Package division divides amounts of a resource into parts, so that nothing is lost.
//
//	parts, err := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, division.Options{})
//	// 334m, 333m, 333m
//
// [Divide] gives equal parts, [Weighted] parts by weight; [List] and [WeightedList] do
// the same with every resource of a list.
//
// Amounts are divided in whole units, since half a byte is no use to a container: 1m of
// cpu, one byte of memory, ephemeral-storage and storage, and 1 of everything else (see
// [Unit]). What cannot be divided, such as GPUs and huge pages, never is (see
// [Divisible]): it goes whole to one part or to each, as [Options] say.
//
// The parts of an [Exact] division differ by at most one unit, larger ones come first,
// and they add up to the whole at any scale. If the amount is not a multiple of
// the unit, the remainder of less than one unit is added to the first of the smaller parts:
// 1000001n CPU over two is 1m and 1n. [Truncated] parts are all equal, and the remainder is
// lost, as with Tekton.
//
// Amounts below zero are divided by the same rules, which round down, away from zero: -1
// over 3 is -333m, -333m and -334m. The format of a quantity is kept.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity. Results own their memory. The time that a division
// into equal parts takes does not depend on their number. It grows with the number of
// digits of the amount; one of more than 2^52 units, or finer than one, or below zero,
// needs arbitrary precision.
//
// # Sources
//
// Tekton's "Compute Resources in Tekton" (what is divided, and why); for what is not
// divisible, IsOvercommitAllowed of k8s.io/kubernetes/pkg/apis/core/v1/helper.
package division
