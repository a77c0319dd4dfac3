// Package objects reads the Kubernetes objects in files, directories and the standard input:
// in the order in which they stand, with the place of each, and what could not be read.
//
// files.go finds files, documents.go cuts them into documents, reader.go makes objects of
// them, quantities.go checks their amounts, and problem.go says what is wrong, and where.
package objects
