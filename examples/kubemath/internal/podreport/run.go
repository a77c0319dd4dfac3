// Package podreport is the subcommand report.
package podreport

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

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
	for _, p := range in.Problems {
		s.Exit(p.Code())
	}
	if r.Rejects() {
		s.Exit(command.Rejected)
	}
	o.complain(in, r, s.Stderr)
	s.Answer(&o.Common, r, func() *listing.List { return table.Rows(r) }, func() { table.Write(s.Text, r, o.all) })
}

type options struct {
	command.Common
	size     report.Size
	required []corev1.ResourceName
	all      bool // as text, every workload is shown, however many there are
	ci       bool
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "report", "What each workload requests, and why the API server would reject it.",
		"some input could not be read", "the API server would reject an object, or its pods or claims", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	flags.Func("node-cpu", "the `CPU` of the node that pods are placed on", o.size.SetCPU)
	flags.Func("node-memory", "its `MEMORY` (default 16Gi, if there is no Node)", o.size.SetMemory)
	flags.Func("require", "warn of containers without `AMOUNTS`: cpu,limits.memory", o.require)
	flags.BoolVar(&o.all, "all", false, fmt.Sprintf("show each workload, also of %d or more", table.Many))
	flags.BoolVar(&o.ci, "ci", false, "write what is wrong as annotations of GitHub Actions")
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

// readAll reads the named files and directories, the cluster, or the samples.
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

// complain writes one line for each problem of the input, and one line for what was skipped.
func (o *options) complain(in *manifest.Input, r *report.Report, to io.Writer) {
	if o.ci {
		io.WriteString(to, annotations(r))
	}
	for _, p := range in.Problems {
		if o.ci && p.Grade != objects.Skipped {
			continue
		}
		fmt.Fprintf(to, "kubemath: %v\n", p)
	}
	if len(r.Skipped) == 0 {
		return
	}
	var counts []string
	for _, s := range r.Skipped {
		counts = append(counts, fmt.Sprintf("%d %s", s.Count, wording.Printable(s.Kind)))
	}
	fmt.Fprintf(to, "kubemath: skipped: %s\n", strings.Join(counts, ", "))
}

// annotations returns the problems as annotations of GitHub Actions, which shows them next to the lines.
func annotations(r *report.Report) string {
	var b strings.Builder
	for _, f := range r.Errors {
		annotate(&b, "error", f.Source.File, f.Line, f.Object, withField(f.Field, f.Text))
	}
	for _, f := range r.Warnings {
		annotate(&b, "warning", f.Source.File, f.Line, f.Object, withField(f.Field, f.Text))
	}
	for _, o := range r.All() {
		for i := 0; o.Rejection != nil && i < len(o.Rejection.Reasons); i++ {
			reason := &o.Rejection.Reasons[i]
			text := withField(reason.Path, reason.What)
			if reason.Remedy != "" {
				text += ": " + reason.Remedy
			}
			annotate(&b, "error", o.Source.File, o.Line, o.Title(), text)
		}
	}
	return b.String()
}

func withField(field, text string) string {
	if field == "" {
		return text
	}
	return field + ": " + text
}

// An annotation is one line, whose properties end with a comma or a colon.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, level, file string, line int, title, message string) {
	var properties []string
	if file != "-" {
		properties = append(properties, "file="+escapeProperty.Replace(file))
		if line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", line))
		}
	}
	if title != "" {
		properties = append(properties, "title="+escapeProperty.Replace(title))
	}
	fmt.Fprintf(b, "::%s %s::%s\n", level, strings.Join(properties, ","), escapeMessage.Replace(message))
}
