// Package taskrun is the subcommand tekton: what the steps of runs request.
//
// tekton.go has the objects of Tekton, input.go finds the task of each run, and report.go writes the pods that package
// steps makes of them.
package taskrun

import (
	"embed"
	"io"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

//go:embed samples/*.yaml
var samples embed.FS

var kinds = objects.Kinds{
	{"tekton.dev/v1", "Task"}:        reflect.TypeFor[inventory.Manifest[taskSpec]](),
	{"tekton.dev/v1", "TaskRun"}:     reflect.TypeFor[inventory.Manifest[taskRunSpec]](),
	{"tekton.dev/v1", "Pipeline"}:    reflect.TypeFor[inventory.Manifest[pipelineSpec]](),
	{"tekton.dev/v1", "PipelineRun"}: reflect.TypeFor[inventory.Manifest[pipelineRunSpec]](),
	{"v1", "LimitRange"}:             reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:          reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "Pod"}:                    reflect.TypeFor[corev1.Pod](),
	{"v1", "ConfigMap"}:              reflect.TypeFor[corev1.ConfigMap](),
}

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	inits   []string
	explain bool
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "tekton",
		"What the steps of Tekton's runs request, and why.",
		"some input could not be read, or there was no run",
		"a run would be rejected or fail, by Tekton or by the API server", stdout, stderr,
		"text", "yaml")
	flags.Func("init", "add this init container to TaskRuns; may be repeated", command.Append(&o.inits))
	flags.BoolVar(&o.explain, "explain", false, "where each amount of the pod comes from, and how it becomes Guaranteed")
	err = o.Parse(args, nil)
	return o, err
}

func answer(o options, s *command.Session) {
	in := read(&o, s)
	for _, r := range in.runs {
		in.List.Problems = append(in.List.Problems, objects.Guarded(r.Place, func() { in.write(s, &o, r) })...)
	}
	if tekton := func(r *run) bool { return r.settings != nil }; o.Format != "yaml" && len(o.inits) == 0 &&
		slices.ContainsFunc(in.runs, tekton) {
		s.Hang("", "Not counted yet: Tekton's own containers prepare and, if a step has a script or a workingDir, "+
			"place-scripts and working-dir-initializer; -init NAME adds one.")
	}
	in.complain(s)
}
