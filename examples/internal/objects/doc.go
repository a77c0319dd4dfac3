// Package objects reads the Kubernetes objects in files, directories and the standard input:
// in the order in which they stand, with the place of each, and what could not be read.
//
// files.go finds files. reader.go and stream.go cut them into documents: yaml.go turns those of
// YAML into JSON, and scan.go and items.go find the objects and the items of lists in JSON.
// object.go makes typed objects of them, and documents.go trees without a type. quantities.go,
// unknown.go and unlikely.go check what objects state, lines.go finds the lines of that, and
// problem.go says what is wrong, and where.
package objects
