// Coschedule plans how the pods of PipelineRuns are held on one node (TEP-0135): it prints,
// as YAML, the claims and StatefulSets to create, and what the pod of each task gets.
//
//	coschedule [-f FILE|DIR]... [-coschedule VALUE] [-explain] [-version]
//
// Without -f, it plans the two PipelineRuns of the TEP:
//
//	go run ./examples/coschedule
//	go run ./examples/coschedule -coschedule workspaces
//	go run ./examples/coschedule -explain
//
// Files are YAML or JSON, with as many documents as they like; of a directory, all manifests in it
// and below are read; "-" is the standard input.
// Of Pipelines and Tasks the tasks and their steps are read, for the runs that refer to them; of
// Nodes and Pods what is free, so that it can be asked whether a cluster can hold a run, and whether there are
// placeholders that have to be moved:
//
//	kubectl get pipelineruns,pipelines,tasks,nodes,pods -A -o yaml | coschedule -f - -explain
//
// With -explain it prints, instead of YAML, which pods are held together, what stands
// behind each workspace, how much the tasks ask for at once, which nodes have room for it, and
// where the scheduler may put the placeholder, which is all that it sees. What a task asks for is
// taken from the steps of the task, if they were read, and from spec.taskRunSpecs of the run. With
// -size, placeholders hold the room and make way for the pods of the tasks.
//
// Nothing is fetched: what resolvers and bundles refer to is not known, and notes on the standard
// error say so, as they do of objects of other kinds. Of several Pipelines or Tasks with one name the
// last one counts. A run that the server has not named yet is
// planned under a name and a UID that are made up, with a note as well. Custom tasks, child runs, and
// tasks that Tekton skips since their matrix is empty, have no pod. A task whose steps use a workspace
// of the run has it without binding it, if it is embedded.
//
// What is wrong is named on the standard error; the rest is planned nevertheless. The exit
// code is 0, 1 if anything was wrong with the input, or if it has no PipelineRun, and 3 if something
// was wrong with the arguments.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(o.files, stdin)
	planned := planAll(&in, o)
	var text strings.Builder
	if o.explain {
		explain(&text, &in, planned, o)
	} else {
		err = writeManifests(&text, planned)
	}
	if err == nil {
		_, err = io.WriteString(stdout, text.String())
	}
	if err != nil {
		in.problems = append(in.problems, fmt.Sprintf("writing: %v", err))
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
	if len(in.problems) > 0 {
		return command.Unread
	}
	return command.OK
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
		fmt.Fprint(stderr, "Coschedule plans how the pods of PipelineRuns are held on one node.\n\n"+
			"usage: coschedule [-f FILE|DIR]... [-coschedule VALUE] [-explain] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, "\nexit codes:\n"+
			"  0  nothing was wrong\n"+
			"  1  something was wrong with the input, or it has no PipelineRun, or the plan could not be written\n"+
			"  3  something was wrong with the arguments\n")
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all in a directory, - for the standard input;\nmay be given again; without it, the PipelineRuns of TEP-0135 are planned")
	flags.StringVar(&feature.Coschedule, "coschedule", "pipelineruns", "the feature flag, a `VALUE`: workspaces, pipelineruns, isolate-pipelinerun or disabled")
	flags.StringVar(&feature.DisableAffinityAssistant, "disable-affinity-assistant", "", "the feature flag that was there before, `true or false`; if it is given, both count")
	flags.StringVar(&o.image, "image", "registry.k8s.io/pause:3.10", "the `IMAGE` of placeholders")
	flags.BoolVar(&o.size, "size", false, "let placeholders request what their tasks do at their peak of cpu and memory, and make way for them")
	flags.BoolVar(&o.labelClaims, "label-claims", false, "label claims as the TEP draws them")
	flags.BoolVar(&o.explain, "explain", false, "say in words what is planned, what the runs need, and which nodes have it")
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() (err error) {
		feature.DuringMigration = feature.DisableAffinityAssistant != ""
		o.behavior, err = affinity.BehaviorOf(feature)
		return err
	})
	return o, err
}
