// Package manifest says what manifests state: the objects that a report is about, in the
// order in which they stand, and what could not be read.
//
// files.go finds files, documents.go cuts them into documents, objects.go makes objects of
// them, and a file for each kind says what is kept of it.
package manifest
