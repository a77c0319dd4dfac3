// Package vectors makes the questions of docs/vectors: small inputs in JSON that a program in any
// language can read, each with a sentence that says why it is there.
//
// The answers beside them are not computed here, nor by this library: internal/conformance asks
// Kubernetes and writes the files. The tests of this package hold our functions to them.
package vectors
