package objects_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/quota/admit"
)

// What is read of files with everything: places, identities and problems, with each check.
func TestEverything(t *testing.T) {
	golden.Variants(t, everything, "testdata/everything.txt",
		"cluster.yaml",
		"cluster.yaml warn",
		"cluster.yaml strict matters",
		"cluster.yaml small",
		"change.yaml",
		"change.yaml warn matters",
		"workloads.yaml warn",
		"tekton.yaml matters",
		"pool.yaml",
		"top-nodes.txt",
		". warn",
	)
}

// everything is a program: a file or directory, and then what the reader is to do.
func everything(args []string, _ io.Reader, stdout, _ io.Writer) int {
	r := objects.Reader{Kinds: inventory.Kinds}
	for _, arg := range args[1:] {
		switch arg {
		case "warn":
			r.Check = objects.Checked(false)
		case "strict":
			r.Check = objects.Checked(true)
		case "matters":
			r.Matters = true
		case "small":
			r.MaxBytes = 400
		}
	}
	var all []objects.Problem
	for o := range r.Files(args[:1]) {
		text := fmt.Sprintf("%v | %v, line %d, turn %d | %s %s %+q", o.Place, o.Source, o.Line, o.Turn, o.APIVersion, o.Kind, o.Identity)
		if object, is := o.Typed.(admit.APIObject); is {
			text += fmt.Sprintf(" | read, %q", objects.RejectedName(object))
		}
		fmt.Fprintf(stdout, "%s | unknown: %t, matters: %t\n", text, o.Unknown(), o.Matters())
		for _, p := range o.Problems {
			fmt.Fprintf(stdout, "  %v | %s | line %d | exit code %d, lacks: %t, strict: %t\n", p, p.Message(), p.Begins(), p.Code(), p.Lacks(), p.Strict)
		}
		all = append(all, o.Problems...)
	}
	for _, p := range objects.Condensed(all)[:min(len(all), 3)] {
		fmt.Fprintln(stdout, "condensed:", p)
	}
	return 0
}
