// Package coschedule plans how the pods of a PipelineRun are kept on one node
// (TEP-0135).
package coschedule

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Run writes the plans of the runs among the objects, and returns the exit code.
func Run(all iter.Seq[objects.Object], o Options, stdout, stderr io.Writer) int {
	in := inputOf(all)
	planned := planAll(&in, o)
	var text strings.Builder
	var err error
	if o.Explain {
		writeExplanation(&text, explain(&in, planned, o))
	} else {
		err = writeManifests(&text, planned)
	}
	if err != nil {
		in.failOwn(place{}, "writing: %v", err)
	}
	for _, skipped := range in.skipped {
		fmt.Fprintf(stderr, "kubemath: note: %s\n", skipped)
	}
	if !o.Explain { // which has them where they belong
		for _, note := range in.notes {
			fmt.Fprintf(stderr, "kubemath: note: %s\n", note)
		}
	}
	for _, problem := range in.problems {
		fmt.Fprintf(stderr, "kubemath: %s\n", problem)
	}
	io.WriteString(stdout, text.String())
	return in.code
}

// Options say how runs are planned.
type Options struct {
	Behavior affinity.Behavior
	Size     bool // placeholders request what their tasks need at the peak, until the pods arrive
	Explain  bool // in words, instead of the objects to create
}

// image is that of placeholders.
const image = "registry.k8s.io/pause:3.10"
