// Package objects reads the Kubernetes objects in files, directories and the standard input, in their
// order, with the place of each, and with the errors of those that could not be read.
//
// files.go finds files. reader.go and stream.go split them into documents; yaml.go converts YAML to
// JSON; scan.go and items.go find the objects and the items of lists in JSON. object.go decodes them into
// types, and documents.go into untyped trees. quantities.go, unknown.go and unlikely.go check the fields
// of objects, lines.go finds the lines of fields, and problem.go has the errors.
package objects
