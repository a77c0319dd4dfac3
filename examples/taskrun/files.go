package main

import (
	"embed"
	"io"
	"iter"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

//go:embed samples/*.yaml
var samples embed.FS

// readAll reads the named files and directories, or the samples if there are none. Home is the
// namespace of objects without one.
func readAll(names []string, home string, stdin io.Reader) input {
	in := input{home: home, tasks: map[objectName]*task{}, pipelines: map[objectName]*pipeline{}, places: map[string]place{}}
	documents := objects.Documents(names, stdin)
	if len(names) == 0 {
		documents = objects.DocumentsFS(samples)
	}
	in.addDocuments(documents)
	in.assignPipelines()
	in.assignTasks()
	return in
}

// addDocuments reads documents. An error in one does not affect the others.
func (in *input) addDocuments(documents iter.Seq[objects.Document]) {
	for doc := range documents {
		at := place{file: doc.File, document: doc.Number}
		switch {
		case doc.Err != nil:
			in.fail(at, doc.Err.Error())
		case doc.Tree == nil: // only comments
		case doc.IsOther() && doc.Found:
			in.failAll(at, skipped, []fault{{text: objects.NotAnObject}})
		default:
			in.addTree(at, doc.Tree)
		}
	}
}
