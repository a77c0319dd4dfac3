package podreport

import (
	"errors"
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/kubemath/internal/summary"
	"github.com/kubemath/kubemath/examples/kubemath/internal/trace"
)

type options struct {
	command.Common
	size    report.Size
	all     bool // as text, every workload is shown, however many there are
	summary bool
	explain *trace.Number // nil for the report
	quiet   bool
	ci      bool
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := command.NewFlags(&o.Common, "report", "What each workload requests, and why the API server would reject it.",
		"some input could not be read", "the API server would reject an object, or its pods or claims", stdout, stderr,
		"text", "json", "yaml", "html")
	flags.Func("node-cpu", "the CPU of the node that pods are placed on", o.size.SetCPU)
	flags.Func("node-memory", "the memory of that node; without it and a Node, 16Gi", o.size.SetMemory)
	flags.Func("explain", "show how the amount of a `RESOURCE` is computed, such as limits.memory", func(name string) error {
		n, err := trace.Parse(name)
		o.explain = &n
		return err
	})
	flags.BoolVar(&o.summary, "summary", false, fmt.Sprintf("show sums only, as for %d workloads or more; -all shows all", summary.Many))
	flags.BoolVar(&o.all, "all", false, "")
	flags.BoolVar(&o.quiet, "q", false, "no notes about skipped and replaced objects")
	flags.BoolVar(&o.ci, "ci", false, "write what is wrong as annotations of GitHub Actions")
	err := o.Parse(args, func() error {
		switch {
		case o.explain != nil && o.Format != "text":
			return errors.New("-explain writes text, and cannot be given with -o " + o.Format)
		case o.summary && (o.Format != "text" || o.all):
			return errors.New("-summary writes its own text, and cannot be given with -o or -all")
		case o.summary && o.explain != nil:
			return errors.New("-summary and -explain cannot be given together")
		}
		return nil
	})
	return o, err
}
