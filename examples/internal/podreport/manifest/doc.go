// Package manifest says what manifests state: the objects that a report is about, in the
// order in which they stand, and what could not be read. Package objects reads them.
//
// objects.go says which kinds are read, and a file for each kind what is kept of it.
package manifest
