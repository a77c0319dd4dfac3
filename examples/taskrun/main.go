// Taskrun compares the requests and limits of the steps of Tekton's TaskRuns: as their manifests set
// them; with the defaults that Tekton sets, whose parts are truncated; with defaults that are divided
// exactly; and moved into the bounds of the LimitRanges of the namespace. For each of these it shows
// what quotas count, how much of that is used at the peak, since steps run one after another, and the
// answers of the API server, the LimitRanger and the quotas.
//
//	taskrun [-f FILE|DIR]... [-n NAMESPACE] [-init NAME]... [-version]
//
// Without -f, it compares the cases of "Compute Resources in Tekton" and of "LimitRange
// support in Pipeline":
//
//	go run ./examples/taskrun
//
// Files are YAML or JSON, with any number of documents; in a directory and below it, all manifests
// are read; "-" is the standard input, for example for the objects of a cluster:
//
//	kubectl get taskruns,pipelineruns,pipelines,tasks,limitranges,resourcequotas -A -o yaml | taskrun -f -
//
// It reads TaskRun, Task, PipelineRun and Pipeline of tekton.dev/v1 and v1beta1, each with its field
// names, and LimitRange, ResourceQuota, Pod and List. Objects of other kinds are skipped, with a note.
// If several objects have the same name, the last one counts. A TaskRun, or a task of a Pipeline,
// contains its task, or names one in the input; the same holds for the Pipeline of a PipelineRun. The
// runs of a matrix are equal, and one of them is compared. A Pod is compared as if it belonged to a
// TaskRun: its steps are the containers whose names begin with "step-". Nothing is fetched: references
// to resolvers and bundles, ClusterTasks, child runs and custom tasks are skipped, with a note. A
// reference to an object that is not in the input is an error.
//
// LimitRanges count as the API server stores them, and several of them are aggregated. Each run is
// checked on its own against the usage in the status of quotas; without a status, nothing is used.
// Tekton injects init containers, which -init adds: they set no amounts, and so they get the
// defaults undivided.
//
// Errors are written to the standard error, with file, document, object, field and value; all else is
// compared nevertheless. The exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read, or no run was compared,
//	   because there is none, or because the tasks of all runs are elsewhere,
//	2  if Tekton would reject a TaskRun in the input, or the API server would reject its pod,
//	   as Tekton creates it, even if other input could not be read, and
//	3  if the program itself failed, or the output could not be written.
//
// Some of the samples are rejected, as the documents say.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/examples/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code.
var run = command.Guarded("taskrun", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(o.files, string(o.namespace), stdin)
	code := command.OK
	namespaces := compareAll(&in, o.inits)
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "taskrun: %v\n", p)
		code = max(code, p.exitCode())
	}
	if text := nothingCompared(&in, namespaces); text != "" && code == command.OK { // otherwise a problem says why
		fmt.Fprintf(stderr, "taskrun: %s\n", text)
		code = command.Unread
	}
	if slices.ContainsFunc(namespaces, (*namespace).rejects) {
		code = max(code, command.Rejected)
	}
	var text strings.Builder
	writeReport(&text, namespaces)
	io.WriteString(stdout, text.String())
	return code
}

// nothingCompared returns why no run was compared, or "" if one was.
func nothingCompared(in *input, namespaces []*namespace) string {
	switch {
	case slices.ContainsFunc(namespaces, func(n *namespace) bool { return len(n.runs) > 0 }):
		return ""
	case len(in.runs) > 0 || in.unresolved:
		return "nothing is compared: all runs are skipped, as their tasks are not in the input"
	}
	return "nothing is compared: the input has no TaskRun, PipelineRun or Pod that can be read"
}

type options struct {
	files     command.Files
	namespace label
	inits     []string
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{namespace: "default"}
	flags := flag.NewFlagSet("taskrun", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Taskrun compares what the steps of TaskRuns request: as written, as filled in, as fitted.\n\n"+
			"usage: taskrun [-f FILE|DIR]... [-n NAMESPACE] [-init NAME]... [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read, or no run was compared",
			"Tekton would reject a TaskRun in the input, or the API server would reject its pod,\n     as Tekton creates it, even if other input could not be read"))
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all in a directory, - for the standard input;\nmay be repeated; without it, the cases of Tekton's documents are compared")
	flags.Var(&o.namespace, "n", "the `NAMESPACE` of objects without one")
	flags.Func("init", "add an init container `NAME` without requests and limits to the pods of TaskRuns;\nmay be repeated", func(name string) error {
		o.inits = append(o.inits, name)
		return nil
	})
	command.Version(flags, stdout)
	err := command.Parse(flags, args, nil)
	return o, err
}

// label is a flag for the name of a namespace.
type label string

func (l *label) String() string { return string(*l) }

func (l *label) Set(name string) error {
	if messages := validation.IsDNS1123Label(name); len(messages) > 0 {
		return errors.New(messages[0])
	}
	*l = label(name)
	return nil
}
