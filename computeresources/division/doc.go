// Package division splits an amount of a resource into equal parts without losing any of it, such as the requests of a
// task among its steps. It has the rules, and package [github.com/kubemath/kubemath/affinity/steps] follows them, as
// [Options] say.
//
//	division.Divisible(corev1.ResourceCPU) // true: 1 over 3 steps is 334m, 333m and 333m
//	division.Divisible("nvidia.com/gpu")   // false: one step gets all of it, or each does
//
// # The rules
//
// Amounts are divided into whole units, because half a byte is of no use to a container: 1m of
// cpu, one byte of memory, ephemeral-storage and storage, and 1 of everything else.
// Resources that cannot be divided, such as GPUs and huge pages (see [Divisible]), are assigned
// whole, to one part or to each.
//
// Equal parts differ by at most one unit, larger parts come first, and the
// parts add up to the whole at any scale. If the amount is not a multiple of the unit, the
// remainder of less than one unit is added to the first of the smaller parts: 1000001n CPU over
// two is 1m and 1n. With Options.Truncated, they are all the same and lose the remainder, as in Tekton.
//
// Negative amounts are divided by the same rules: -1 over 3 is -333m, -333m and -334m. Parts
// are rounded toward negative infinity, and truncated ones toward zero, to -333m. The format of a
// quantity is kept.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath].
//
// # Sources
//
// Tekton's "Compute Resources in Tekton" (what is divided, and why); IsOvercommitAllowed of
// k8s.io/kubernetes/pkg/apis/core/v1/helper (what is not divisible).
package division
