// Package objects reads what kubectl reads: Kubernetes objects in files, directories and streams of YAML and JSON, by the
// decoders of apimachinery, in their order. It adds the line where a document begins, limits of size and time, and goes
// on behind what cannot be read, which it names.
//
// files.go finds files; input.go splits them into documents, and large lists into items; yaml.go and decode.go make objects
// of these, while more is read; reader.go returns them; problem.go says what could not be read.
package objects
