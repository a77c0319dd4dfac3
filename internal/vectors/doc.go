// Package vectors reads and writes docs/vectors: small inputs in JSON that a program in any language can
// read, each with a sentence that says why it is there.
//
// The questions are written by hand into these files. The answers are not computed here, nor by this library:
// internal/conformance asks Kubernetes and writes them. The tests of this package hold our functions to them.
package vectors
