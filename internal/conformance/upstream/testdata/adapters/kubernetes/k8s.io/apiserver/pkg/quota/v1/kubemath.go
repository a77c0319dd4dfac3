package v1

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
)

// Theirs come in the order of a map.
func inOrder(names []corev1.ResourceName) []corev1.ResourceName {
	slices.Sort(names)
	return names
}

func Equals(a, b corev1.ResourceList) bool {
	in := beside.Keep("Equals", a, b)
	theirs := upstreamEquals(a.DeepCopy(), b.DeepCopy())
	ours := resourcelist.Equals(a, b)
	in.Unchanged()
	beside.Compare("Equals", ours, theirs)
	return ours
}

func LessThanOrEqual(a, b corev1.ResourceList) (bool, []corev1.ResourceName) {
	in := beside.Keep("LessThanOrEqual", a, b)
	theirs, theirNames := upstreamLessThanOrEqual(a.DeepCopy(), b.DeepCopy())
	ours, names := resourcelist.LessThanOrEqual(a, b)
	in.Unchanged()
	beside.Compare("LessThanOrEqual", ours, theirs)
	beside.Compare("LessThanOrEqual: names", names, inOrder(theirNames))
	return ours, names
}

// lists is an adapter of a function that makes a list of two.
func lists(name string, a, b corev1.ResourceList, ours, theirs func(a, b corev1.ResourceList) corev1.ResourceList) corev1.ResourceList {
	in := beside.Keep(name, a, b)
	want := theirs(a.DeepCopy(), b.DeepCopy())
	got := ours(a, b)
	in.Unchanged()
	beside.Compare(name, got, want)
	return got
}

func Max(a, b corev1.ResourceList) corev1.ResourceList {
	return lists("Max", a, b, func(a, b corev1.ResourceList) corev1.ResourceList { return resourcelist.Max(a, b) }, upstreamMax)
}

func Add(a, b corev1.ResourceList) corev1.ResourceList {
	return lists("Add", a, b, resourcelist.Add, upstreamAdd)
}

func Subtract(a, b corev1.ResourceList) corev1.ResourceList {
	return lists("Subtract", a, b, resourcelist.Subtract, upstreamSubtract)
}

func SubtractWithNonNegativeResult(a, b corev1.ResourceList) corev1.ResourceList {
	return lists("SubtractWithNonNegativeResult", a, b, resourcelist.SubtractWithNonNegativeResult, upstreamSubtractWithNonNegativeResult)
}

func Mask(resources corev1.ResourceList, names []corev1.ResourceName) corev1.ResourceList {
	in := beside.Keep("Mask", resources, names)
	theirs := upstreamMask(resources.DeepCopy(), slices.Clone(names))
	ours := resourcelist.Mask(resources, names)
	in.Unchanged()
	beside.Compare("Mask", ours, theirs)
	return ours
}

func RemoveZeros(a corev1.ResourceList) corev1.ResourceList {
	in := beside.Keep("RemoveZeros", a)
	theirs := upstreamRemoveZeros(a.DeepCopy())
	ours := resourcelist.RemoveZeros(a)
	in.Unchanged()
	beside.Compare("RemoveZeros", ours, theirs)
	return ours
}

func IsZero(a corev1.ResourceList) bool {
	in := beside.Keep("IsZero", a)
	theirs := upstreamIsZero(a.DeepCopy())
	ours := resourcelist.IsZero(a)
	in.Unchanged()
	beside.Compare("IsZero", ours, theirs)
	return ours
}

func IsNegative(a corev1.ResourceList) []corev1.ResourceName {
	in := beside.Keep("IsNegative", a)
	theirs := upstreamIsNegative(a.DeepCopy())
	ours := resourcelist.IsNegative(a)
	in.Unchanged()
	beside.Compare("IsNegative", ours, inOrder(theirs))
	return ours
}

func ResourceNames(resources corev1.ResourceList) []corev1.ResourceName {
	in := beside.Keep("ResourceNames", resources)
	theirs := upstreamResourceNames(resources.DeepCopy())
	ours := resourcelist.ResourceNames(resources)
	in.Unchanged()
	beside.Compare("ResourceNames", ours, inOrder(theirs))
	return ours
}
