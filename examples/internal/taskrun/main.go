// Package taskrun is the subcommand tekton: what the steps of runs request, and what becomes of their pods.
//
// read.go reads the objects, runs.go finds the task of each run, and how far it is; timeline.go follows a
// PipelineRun, and report.go writes the pods that package steps makes of runs.
package taskrun

import (
	"embed"
	"io"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
)

//go:embed samples/*.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	inits      []string
	explain    bool
	release    string
	coschedule string
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "tekton",
		"What the steps of Tekton's runs request, and what becomes of their pods.",
		"some input could not be read, or there was no run",
		"a run would be rejected, wait or fail, by Tekton or by the API server", stdout, stderr,
		"text", "yaml")
	flags.Func("init", "add this init container to TaskRuns; may be repeated", command.Append(&o.inits))
	flags.BoolVar(&o.explain, "explain", false, "where each amount comes from, and how it is Guaranteed")
	flags.StringVar(&o.release, "tekton", "", "the release of Tekton, such as v1.13.0, which alone sets amounts for its containers")
	flags.StringVar(&o.coschedule, "coschedule", "",
		"the `FLAG`; default: that of the input")
	err = o.Parse(args, func() error {
		_, err := affinity.BehaviorOf(o.coschedule)
		return err
	})
	return o, err
}

func answer(o options, s *command.Session) {
	in := read(&o, s)
	o.Kubernetes = origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	for _, r := range in.runs {
		in.List.Problems = append(in.List.Problems, objects.Guarded(r.Place, func() { in.write(s, &o, r) })...)
	}
	inventory.Complain(s, &in.List)
	if len(in.runs) == 0 {
		s.Say(command.Unread, "the input has no run of a known task, and no Pod")
	}
}
