package podreport

import (
	"errors"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/kubemath/internal/table"
	"github.com/kubemath/kubemath/examples/kubemath/internal/trace"
	"github.com/kubemath/kubemath/quota/admit"
)

type options struct {
	command.Common
	size     report.Size
	required []corev1.ResourceName
	explain  *trace.Number // nil for the report
	all      bool          // as text, every workload is shown, however many there are
	ci       bool
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := command.NewFlags(&o.Common, "report", "What each workload requests, and why the API server would reject it.",
		"some input could not be read", "the API server would reject an object, or its pods or claims", stdout, stderr,
		"text", "json")
	flags.Func("node-cpu", "the CPU of the node that pods are placed on", o.size.SetCPU)
	flags.Func("node-memory", "the memory of that node (default 16Gi, if there is no Node)", o.size.SetMemory)
	flags.Func("explain", "how the amount of a `RESOURCE` comes about: limits.memory", func(name string) error {
		n, err := trace.Parse(name)
		o.explain = &n
		return err
	})
	flags.Func("require", "warn of containers without `AMOUNTS`: cpu,limits.memory", o.require)
	flags.BoolVar(&o.all, "all", false, fmt.Sprintf("show each workload, also of %d or more", table.Many))
	flags.BoolVar(&o.ci, "ci", false, "write what is wrong as annotations of GitHub Actions")
	err := o.Parse(args, func() error {
		if o.explain != nil && o.Format != "text" {
			return errors.New("-explain writes text, and cannot be given with -o " + o.Format)
		}
		return nil
	})
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
