// Package quantity is the arithmetic below the kernels: quantities and lists
// of them, added, compared and turned into integers so that nothing is lost and
// nothing is shared.
//
// It exists because resource.Quantity is easy to use wrongly in three ways:
//
//   - A quantity such as 1.5Gi keeps its value behind a pointer. A plain copy
//     shares that pointer, and Add on the copy changes the original.
//   - Cmp, AsDec and String write into their receiver, even though the value
//     stays the same. On a shared object that is a data race.
//   - Value and MilliValue overflow without a word: MilliValue of 1E is 0.
//
// Functions here take quantities by value and never write through them. A list
// that is returned or filled owns its quantities.
package quantity
