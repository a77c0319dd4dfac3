// Package podreport is the subcommand report.
package podreport

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/annotation"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/table"
	"github.com/kubemath/kubemath/quota/admit"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

func answer(o options, s *command.Session) {
	in := readAll(&o, s.Stdin)
	kubernetes := origin.Kubernetes(&o.Common, in.Kubelets, o.Say)
	if o.Namespace != "" {
		in.Nodes = nil // pods of other namespaces are there as well
	}
	r := report.Of(in, report.Options{Size: o.size, Kubernetes: kubernetes, Required: o.required})
	for _, p := range objects.Condensed(in.Problems) {
		s.Say(p.Code(), "%v", p)
	}
	if o.size.Memory != nil && o.size.CPU == nil && len(in.Nodes) == 0 {
		s.Say(command.Unread, "-node-memory is that of a Node, and the answer has none: it needs -node-cpu")
		return
	}
	if r.Rejects() {
		s.Exit(command.Rejected)
	}
	var skipped []string
	for _, k := range r.Skipped {
		skipped = append(skipped, fmt.Sprintf("%d %s", k.Count, wording.Printable(k.Kind)))
	}
	if len(skipped) > 0 {
		s.Say(command.OK, "skipped: %s", strings.Join(skipped, ", "))
	}
	if annotation.Write(s, o.Format, annotations(in, r)) {
		return
	}
	s.Answer(&o.Common, r, func() *listing.List { return table.Rows(r) }, func() { table.Write(s.Text, r, o.all) })
}

type options struct {
	command.Common
	size     report.Size
	required []corev1.ResourceName
	all      bool // as text, every workload is shown, however many there are
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "report", "What each workload requests, and why the API server would reject it.",
		"some input could not be read", "the API server would reject an object, or its pods or claims", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name", "github", "sarif")
	flags.Func("node-cpu", "the `CPU` of the node that pods are placed on", o.size.SetCPU)
	flags.Func("node-memory", "its `MEMORY` (default 16Gi, if there is no Node)", o.size.SetMemory)
	flags.Func("require", "warn of containers without `AMOUNTS`: cpu,limits.memory", o.require)
	flags.BoolVar(&o.all, "all", false, fmt.Sprintf("show each workload, also of %d or more", table.Many))
	err = o.Parse(args, nil)
	return o, err
}

// require adds names of amounts that a quota can require of pods.
func (o *options) require(names string) error {
	var any *admit.Namespace
	without := any.QuotaObject(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}}, admit.Attributes{})
	for name := range strings.SplitSeq(names, ",") {
		required := []corev1.ResourceName{corev1.ResourceName(name)}
		if len(without.MissingRequired(required)) == 0 {
			return fmt.Errorf("%q is not an amount that a quota requires: want cpu, memory, limits.cpu, limits.memory, "+
				"requests.cpu or requests.memory", name)
		}
		o.required = append(o.required, required...)
	}
	return nil
}

//go:embed samples/*.yaml
var samples embed.FS

func readAll(o *options, stdin io.Reader) *manifest.Input {
	home := cmp.Or(o.Namespace, "default")
	reader := objects.Reader{Kinds: manifest.Kinds, Stdin: stdin, Check: objects.Checked(o.Strict), Matters: true}
	all, asked := origin.Objects(reader, &o.Common, samples, resources...), o.Cluster && len(o.Files) == 0
	if asked {
		all = origin.Joined(all, origin.SharedQuotas(reader, &o.Common))
	}
	return manifest.Of(all, manifest.Options{Home: home, Strict: o.Strict, Asked: asked, Selects: o.Rows.Selects})
}

// resources are those that kubectl reads.
var resources = []string{
	"pods", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
	"replicationcontrollers", "services", "persistentvolumeclaims", "limitranges", "resourcequotas", "nodes",
	"priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io", "storageclasses.storage.k8s.io",
}

// annotations returns what is wrong with the input, and then what is refused.
func annotations(in *manifest.Input, r *report.Report) []annotation.Annotation {
	all := annotation.OfProblems(in.Problems)
	for _, o := range r.All() {
		for i := 0; o.Rejection != nil && i < len(o.Rejection.Reasons); i++ {
			reason := &o.Rejection.Reasons[i]
			parts := slices.DeleteFunc([]string{reason.Path, reason.What, reason.Remedy}, func(part string) bool { return part == "" })
			at := objects.Place{Source: o.Source, Line: o.Line}
			all = append(all, annotation.At(at, "refused", o.Title(), strings.Join(parts, ": ")))
		}
	}
	return all
}
