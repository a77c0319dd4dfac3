// Package coschedule is the program coschedule, which plans how the pods of a PipelineRun are kept on one node
// (TEP-0135), and its answers as values.
package coschedule

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// Run is the program, and returns its exit code.
var Run = command.Guarded("coschedule", run)

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(o.files, stdin)
	planned := planAll(&in, o)
	var text strings.Builder
	if o.explain {
		writeExplanation(&text, explain(&in, planned, o))
	} else {
		err = writeManifests(&text, planned)
	}
	if err != nil {
		in.failOwn(place{}, "writing: %v", err)
	}
	for _, skipped := range in.skipped {
		fmt.Fprintf(stderr, "coschedule: note: %s\n", skipped)
	}
	if !o.explain { // which has them where they belong
		for _, note := range in.notes {
			fmt.Fprintf(stderr, "coschedule: note: %s\n", note)
		}
	}
	for _, problem := range in.problems {
		fmt.Fprintf(stderr, "coschedule: %s\n", problem)
	}
	io.WriteString(stdout, text.String())
	return in.code
}

type options struct {
	files       command.Files
	behavior    affinity.Behavior
	image       string
	size        bool
	labelClaims bool
	explain     bool
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	var feature affinity.Flags
	flags := flag.NewFlagSet("coschedule", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Coschedule plans how the pods of a PipelineRun are kept on one node.\n\n"+
			"usage: coschedule [-f FILE|DIR]... [-coschedule VALUE] [-explain] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read, or has no PipelineRun",
			"Tekton would reject a PipelineRun in the input, or fail one of its tasks"))
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all in a directory, - for the standard input;\nmay be repeated; without it, the PipelineRuns of TEP-0135 are planned")
	flags.StringVar(&feature.Coschedule, "coschedule", "pipelineruns", "the feature flag, a `VALUE`: workspaces, pipelineruns, isolate-pipelinerun or disabled")
	flags.StringVar(&feature.DisableAffinityAssistant, "disable-affinity-assistant", "", "the former feature flag, `true or false`; if it is given, both flags count")
	flags.StringVar(&o.image, "image", "registry.k8s.io/pause:3.10", "the `IMAGE` of placeholders")
	flags.BoolVar(&o.size, "size", false, "let placeholders request the cpu and memory that their tasks need at the peak, until the pods arrive")
	flags.BoolVar(&o.labelClaims, "label-claims", false, "label claims as in the TEP")
	flags.BoolVar(&o.explain, "explain", false, "explain the plan: what the runs need, and which nodes have room")
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() (err error) {
		feature.DuringMigration = feature.DisableAffinityAssistant != ""
		o.behavior, err = affinity.BehaviorOf(feature)
		return err
	})
	return o, err
}
