// Taskrun compares what the steps of Tekton's TaskRuns request, and what they are limited
// to: as their manifests state it; as Tekton fills it in, with defaults whose parts are
// truncated; filled in by exact division; and fitted into the bounds of the LimitRanges of
// the namespace. Of each result it shows what quotas charge, what of that is used at its
// peak, since steps run one after another, and what the API server, the LimitRanger and
// the quotas say of it.
//
//	taskrun [-f FILE|DIR]... [-n NAMESPACE] [-init NAME]... [-version]
//
// Without -f, it compares the cases of "Compute Resources in Tekton" and of "LimitRange
// support in Pipeline":
//
//	go run ./examples/taskrun
//
// Files are YAML or JSON, with as many documents as they like; of a directory, all manifests in it
// and below are read; "-" is the standard input, so that it can be asked what a cluster has run:
//
//	kubectl get taskruns,pipelineruns,pipelines,tasks,limitranges,resourcequotas -A -o yaml | taskrun -f -
//
// It reads TaskRun, Task, PipelineRun and Pipeline of tekton.dev/v1 and v1beta1, each in its
// spelling, and LimitRange, ResourceQuota, Pod and List. Objects of other kinds are
// skipped, with a note. Of several with one name the last one counts. A TaskRun, and a
// task of a Pipeline, has its task in itself, or names one that is read, too; so it is with the
// Pipeline of a PipelineRun. The runs of a matrix are alike, and one of them is compared. A Pod is
// compared like a TaskRun of which it is the pod: its steps are the containers whose names
// begin with "step-". Nothing is fetched: what resolvers and bundles refer to, ClusterTasks,
// child runs and tasks that are no Task, are skipped, with a note. A name that nothing was read of is
// a fault.
//
// LimitRanges count as the API server stores them, several as what they come to. Each run
// is judged by itself, by what quotas say is used; one that says nothing is not used.
// Tekton injects init containers, which -init adds: they state nothing, and so they get
// the whole defaults.
//
// What cannot be read is named on the standard error, with its file, document, object,
// field and value; the rest is compared nevertheless. The exit code is
//
//	0  if nothing was wrong,
//	1  if something could not be read, or the comparison not be written,
//	2  if something that was read would be rejected: a TaskRun by Tekton, or its pod, as
//	   Tekton makes it, by the API server, even if something else could not be read, and
//	3  if something was wrong with the arguments, so that nothing was read.
//
// The samples are rejected in part, as the documents say.
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
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
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
	if slices.ContainsFunc(namespaces, (*namespace).rejects) {
		code = command.Rejected
	}
	var text strings.Builder
	writeReport(&text, namespaces)
	if _, err := io.WriteString(stdout, text.String()); err != nil {
		fmt.Fprintf(stderr, "taskrun: writing the comparison: %v\n", err)
		code = max(code, command.Unread)
	}
	return code
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
		fmt.Fprint(stderr, "Taskrun compares what the steps of TaskRuns request: as stated, as filled in, as fitted.\n\n"+
			"usage: taskrun [-f FILE|DIR]... [-n NAMESPACE] [-init NAME]... [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, "\nexit codes:\n"+
			"  0  nothing was wrong\n"+
			"  1  something could not be read, or the comparison not be written\n"+
			"  2  something that was read would be rejected by Tekton, or its pod, as Tekton\n"+
			"     makes it, by the API server, even if something else could not be read\n"+
			"  3  something was wrong with the arguments\n")
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all in a directory, - for the standard input;\nmay be given again; without it, the cases of Tekton's documents are compared")
	flags.Var(&o.namespace, "n", "the `NAMESPACE` of objects that state none")
	flags.Func("init", "add an init container `NAME` that states nothing to the pods of TaskRuns;\nmay be given again", func(name string) error {
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
