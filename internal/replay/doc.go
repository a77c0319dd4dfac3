// Package replay reads recorded answers of real systems, so that tests can hold the
// kernels against them without those systems.
//
// A file holds the cases of one question to one system, as a JSON array; its path,
// <system>/<question>.json, says which. The tests of this package replay the files in testdata, and
// those with the same paths in every directory that the environment variable KUBEMATH_VECTORS
// names, separated by colons. A file that no test knows, or that holds no case, is an error, so no
// file is ignored silently.
//
// A package whose kernels answer a question adds a replayer for the file to the table in
// replay_test.go, and the recorded file to testdata.
//
// Amounts in answers are plain decimals in base units ("0.25" for 250m CPU), to be
// compared by value.
package replay
