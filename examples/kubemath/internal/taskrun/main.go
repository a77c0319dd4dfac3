// Package taskrun is the subcommand tekton: what the steps of runs request.
package taskrun

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Guarded("kubemath", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	reader := objects.Reader{Kinds: kinds(), Stdin: stdin, Check: objects.Checked(o.Strict)}
	all := origin.Objects(reader, &o.Common, samples, "taskruns.tekton.dev", "pipelineruns.tekton.dev", "pipelines.tekton.dev", "tasks.tekton.dev",
		"limitranges", "resourcequotas", "pods")
	in := inputOf(all, cmp.Or(o.Namespace, "default"))
	code := command.OK
	namespaces := compareAll(&in, o.inits)
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "kubemath: %v\n", p)
		code = max(code, p.Code())
	}
	if text := nothingCompared(&in, namespaces); text != "" && code == command.OK { // otherwise a problem says why
		fmt.Fprintf(stderr, "kubemath: %s\n", text)
		code = command.Unread
	}
	if slices.ContainsFunc(namespaces, (*namespace).rejects) {
		code = max(code, command.Rejected)
	}
	var text strings.Builder
	if o.explain {
		writeExplanations(&text, &in, namespaces, o.inits)
	} else {
		writeReport(&text, namespaces)
	}
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
	command.Common
	inits   []string
	explain bool
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := command.NewFlags(&o.Common, "tekton",
		"What the steps of Tekton's runs request, and why.",
		"some input could not be read, or there was no run", "a run would be rejected or fail, by Tekton or by the API server", stdout, stderr,
		"text")
	flags.Func("init", "add this init container to TaskRuns; may be repeated", func(name string) error {
		o.inits = append(o.inits, name)
		return nil
	})
	flags.BoolVar(&o.explain, "explain", false, "where each amount of the pod comes from, and how it becomes Guaranteed")
	err := o.Parse(args, nil)
	return o, err
}
