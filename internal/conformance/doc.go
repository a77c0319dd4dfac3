// Package conformance compares kubemath with Kubernetes itself: as oracle, in its tests and, as a
// running server, in the program apiserver; and as rival, in the program rivals.
//
// The tests draw random objects, give a copy to upstream, since upstream changes its input, and compare
// the answers. For each difference there is a test named TestDivergence… that says which side is right,
// and why.
package conformance
