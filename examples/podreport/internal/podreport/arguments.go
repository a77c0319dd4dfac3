package podreport

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/podreport/internal/summary"
	"github.com/kubemath/kubemath/examples/podreport/internal/trace"
)

type options struct {
	files     command.Files
	namespace namespace
	size      report.Size
	format    format // empty for the table, or, of many workloads, the summary
	summary   bool
	explain   *trace.Number // nil for the report as a whole
	strict    bool
	quiet     bool
	ci        bool
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{namespace: "default"}
	flags := flag.NewFlagSet("podreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Podreport reports what the pods in manifests really ask for.\n\n"+
			"usage: podreport [-f FILE|DIR]... [-n NAMESPACE] [-node-cpu QUANTITY] [-node-memory QUANTITY]\n"+
			"                 [-o table|json|yaml|html | -summary | -explain RESOURCE] [-strict] [-q] [-ci] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("something could not be read, or the report not be written",
			"the API server would reject something that was read, or its pods or claims,\n     even if something else could not be read"),
			"  130  it was interrupted, and wrote no report\n")
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be given again; without it, samples are reported")
	flags.Var(&o.namespace, "n", "the `NAMESPACE` of objects that state none")
	flags.Func("node-cpu", "the CPU of a node that pods are put on, a `QUANTITY`, instead of that of a Node", o.size.SetCPU)
	flags.Func("node-memory", "its memory, which OOM scores are for, too, a `QUANTITY`;\nif neither this nor a Node says, 16Gi", o.size.SetMemory)
	flags.Func("explain", "write only where a number comes from: that of a `RESOURCE`, such as cpu,\nwhich is requests.cpu, or limits.memory", func(name string) error {
		n, err := trace.Parse(name)
		o.explain = &n
		return err
	})
	flags.BoolVar(&o.summary, "summary", false, fmt.Sprintf("write only what the pods hold by namespace, owner and node,\nas for %d workloads or more without -o", summary.Many))
	flags.Var(&o.format, "o", "the `FORMAT` of the output: table, json, yaml, or html, a page for a browser in one file")
	flags.BoolVar(&o.quiet, "q", false, "do not name what was skipped, nor note what was replaced")
	flags.BoolVar(&o.ci, "ci", false, "write errors, rejections and warnings as annotations of GitHub Actions, to the standard error")
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() error {
		switch {
		case o.explain != nil && o.format != "" && o.format != "table":
			return errors.New("-explain writes text, and cannot be given with -o " + string(o.format))
		case o.summary && o.format != "":
			return errors.New("-summary writes text of its own, and cannot be given with -o")
		case o.summary && o.explain != nil:
			return errors.New("-summary and -explain exclude one another")
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
