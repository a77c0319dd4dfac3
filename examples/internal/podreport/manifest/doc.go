// Package manifest has the objects of manifests that a report is about, in the order of the input, and
// the problems of those that could not be read. Package objects reads them.
//
// File objects.go has the kinds that are read; the fields that are kept are in one file for each kind.
package manifest
