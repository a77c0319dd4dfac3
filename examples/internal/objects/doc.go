// Package objects reads what kubectl reads: Kubernetes objects in files, directories and streams of YAML and JSON, by the
// decoders of apimachinery, in their order. It adds the line where a document begins, limits of size and time, and goes
// on behind what cannot be read, which it names.
//
// files.go finds files; source.go splits them into documents; json.go and yaml.go find the objects and the items of
// lists in these, one at a time; decode.go decodes them; problem.go has the errors.
package objects
