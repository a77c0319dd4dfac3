package taskrun

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/coschedule"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

//go:embed samples/*.yaml
var samples embed.FS

// samples are those of what is asked for.
func (o *options) samples() fs.FS {
	if o.plan {
		return coschedule.Samples
	}
	return samples
}

// inputOf returns the input that documents have. Home is the namespace of objects without one.
func inputOf(documents iter.Seq[objects.Document], home string) input {
	in := input{home: home, tasks: map[objectName]*task{}, pipelines: map[objectName]*pipeline{}, places: map[string]place{}}
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
		case errors.Is(doc.Err, command.ErrInternal):
			in.failAll(at, failed, []fault{{text: doc.Err.Error()}})
		case doc.Err != nil:
			in.fail(at, doc.Err.Error())
		case doc.Tree == nil: // only comments
		case doc.IsOther() && doc.Found:
			in.failAll(at, skipped, []fault{{text: objects.NotAnObject}})
		default:
			for _, f := range doc.Faults {
				in.failAll(at, warning, []fault{{text: fmt.Sprintf("line %d: %s", f.Line, f.Text)}})
			}
			in.guard(at, func() { in.addTree(at, doc.Tree) })
		}
	}
}

// guard calls a function that handles an object, and records a panic as a problem of it.
func (in *input) guard(at place, handle func()) {
	if err := command.Recovered(handle); err != nil {
		in.failAll(at, failed, []fault{{text: err.Error()}})
	}
}
