package podreport

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/podreport/internal/summary"
	"github.com/kubemath/kubemath/examples/podreport/internal/trace"
)

type options struct {
	files     command.Files
	namespace namespace
	size      report.Size
	gates     computeresources.Gates
	format    format // empty for the table, or, if there are many workloads, the summary
	summary   bool
	explain   *trace.Number // nil for the report
	strict    bool
	quiet     bool
	ci        bool
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{namespace: "default"}
	flags := flag.NewFlagSet("podreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Podreport reports what the pods in manifests really request.\n\n"+
			"usage: podreport [-f FILE|DIR]... [-n NAMESPACE] [-node-cpu QUANTITY] [-node-memory QUANTITY]\n"+
			"                 [-o table|json|yaml|html | -summary | -explain RESOURCE] [-kubernetes VERSION] [-strict]\n"+
			"                 [-q] [-ci] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read",
			"the API server would reject an object in the input, or its pods or claims,\n     even if other input could not be read"),
			"  130  it was interrupted before it wrote the report\n")
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be repeated; without it, samples are reported")
	flags.Var(&o.namespace, "n", "the `NAMESPACE` of objects without one")
	flags.Func("node-cpu", "the CPU of the node that pods are placed on, a `QUANTITY`, instead of that of a Node", o.size.SetCPU)
	flags.Func("node-memory", "the memory of that node, a `QUANTITY`, also used for OOM scores;\nwithout this flag and a Node, 16Gi", o.size.SetMemory)
	flags.Func("explain", "write only how the amount of a `RESOURCE` is computed, such as limits.memory,\nor cpu, which is requests.cpu", func(name string) error {
		n, err := trace.Parse(name)
		o.explain = &n
		return err
	})
	flags.BoolVar(&o.summary, "summary", false, fmt.Sprintf("write only what the pods request by namespace, owner and node,\nwhich is the default for %d workloads or more", summary.Many))
	flags.Var(&o.format, "o", "the `FORMAT` of the output: table, json, yaml, or html (one file for a browser)")
	flags.BoolVar(&o.quiet, "q", false, "do not write notes about skipped and replaced objects")
	flags.BoolVar(&o.ci, "ci", false, "write errors, rejections and warnings as annotations of GitHub Actions, to the standard error")
	command.Kubernetes(flags, &o.gates)
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() error {
		switch {
		case o.explain != nil && o.format != "" && o.format != "table":
			return errors.New("-explain writes text, and cannot be given with -o " + string(o.format))
		case o.summary && o.format != "":
			return errors.New("-summary writes its own text, and cannot be given with -o")
		case o.summary && o.explain != nil:
			return errors.New("-summary and -explain cannot be given together")
		}
		return nil
	})
	return o, err
}

// namespace is the flag -n.
type namespace string

func (n *namespace) String() string { return string(*n) }

func (n *namespace) Set(name string) error {
	if messages := validation.IsDNS1123Label(name); len(messages) > 0 {
		return errors.New(messages[0])
	}
	*n = namespace(name)
	return nil
}
