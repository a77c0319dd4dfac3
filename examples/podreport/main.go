// Podreport reports what manifests really ask for: of each workload the requests and
// limits of its containers, those of the whole pod as the scheduler, a quota and the
// kubelet see them, the QoS class and what would make it Guaranteed, which container the
// kernel kills first, what is left of quotas and how many replicas fit, and why the API
// server would reject it.
//
//	podreport [-f FILE]... [-n NAMESPACE] [-node-memory QUANTITY] [-o table|json]
//
// Without -f, it reports on samples of its own:
//
//	go run ./examples/podreport
//
// Files are YAML or JSON, with as many documents as they like; "-" is the standard
// input, so that it can be asked what a cluster runs:
//
//	kubectl get deployments,statefulsets -A -o yaml | podreport -f -
//
// It reads Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob, LimitRange,
// ResourceQuota, PersistentVolumeClaim, Service and List. Objects of other kinds are skipped, with a note. A Pod
// that has a status is a live one: a resize that is under way counts, and so does the
// class that it was given. Of a DaemonSet one pod is counted, as on each node; of a Job,
// and of a run of a CronJob, as many as run at the same time, even if it is suspended.
//
// LimitRanges apply to what is in their namespace, wherever in the input they stand. A
// workload is reported with the defaults that they give to its pods, and with the bounds
// that it breaks. They count as the server stores them, completed and only if they are
// valid; of two with one name the later one counts, as if both were applied. Live
// pods and claims have been admitted, and are left as they are. Objects that state no
// namespace are in that of -n.
//
// ResourceQuotas limit what is in their namespace, too, with the defaults of LimitRanges.
// Everything counts as if it was created in the order of the input, as far as it is
// admitted: workloads themselves, the ReplicaSet of a Deployment and the Job of a CronJob,
// pods, and claims, those that are created for pods included. What is used before is what
// the status of a quota says; objects that have a UID exist, and are part of it. Of a quota
// without a status, it is unknown: then only what exceeds it together with the rest of the
// input is known to be rejected. Services are reported if a quota limits them.
//
// What cannot be reported is named on the standard error, with its file, document,
// object and field; the rest is reported nevertheless. The exit code is
//
//	0  if nothing was wrong,
//	1  if something could not be read, or the report not be written,
//	2  if the API server would reject something that was read, or the pods or claims that
//	   are created for it, even if something else could not be read, and
//	3  if something was wrong with the arguments, so that nothing was read.
//
// The JSON of -o json is that of type Report.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/examples/podreport/internal/quantity"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
	"github.com/kubemath/kubemath/examples/podreport/internal/trace"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The greatest code that applies is that of the program.
const (
	exitOK       = iota
	exitInput    // something could not be read
	exitRejected // the API server would reject something
	exitUsage
)

// run is the program, and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	in := readAll(o.files, string(o.namespace), stdin)
	code := exitOK
	for _, p := range in.Problems {
		fmt.Fprintf(stderr, "podreport: %v\n", p)
		code = max(code, exitCode(p))
	}
	r := report.Of(&in, report.Size{CPU: o.nodeCPU.amount, Memory: o.nodeMemory.amount})
	if r.Rejects() {
		code = exitRejected
	}
	text, err := o.write(&r)
	if err == nil {
		_, err = io.WriteString(stdout, text)
	}
	if err != nil {
		fmt.Fprintf(stderr, "podreport: writing the report: %v\n", err)
		code = max(code, exitInput)
	}
	return code
}

func exitCode(p manifest.Problem) int {
	switch p.Grade {
	case manifest.Skipped:
		return exitOK
	case manifest.Invalid:
		return exitRejected
	default:
		return exitInput
	}
}

type options struct {
	files      files
	namespace  namespace
	nodeCPU    sizeFlag
	nodeMemory sizeFlag
	format     format
	explain    *trace.Number // nil for the report as a whole
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stderr io.Writer) (options, error) {
	o := options{
		namespace:  "default",
		format:     "table",
		nodeCPU:    sizeFlag{parts: 1000, none: "a node has more than no CPU", beyond: "more thousandths than 64 bits can count"},
		nodeMemory: sizeFlag{parts: 1, none: "a node has more than no memory", beyond: "more bytes than 64 bits can count"},
	}
	flags := flag.NewFlagSet("podreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Podreport reports what the pods in manifests really ask for.\n\n"+
			"usage: podreport [-f FILE]... [-n NAMESPACE] [-node-memory QUANTITY] [-o table|json]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, "\nexit codes:\n"+
			"  0  nothing was wrong\n"+
			"  1  something could not be read, or the report not be written\n"+
			"  2  the API server would reject something that was read, or its pods or claims,\n"+
			"     even if something else could not be read\n"+
			"  3  something was wrong with the arguments\n")
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, - for the standard input;\nmay be given again; without it, samples are reported")
	flags.Var(&o.namespace, "n", "the `NAMESPACE` of objects that state none")
	flags.Var(&o.nodeCPU, "node-cpu", "the CPU of a node that pods are put on, a `QUANTITY`, instead of that of a Node")
	flags.Var(&o.nodeMemory, "node-memory", "its memory, which OOM scores are for, too, a `QUANTITY`;\nif neither this nor a Node says, 16Gi")
	flags.Func("explain", "write only where the number of a `RESOURCE` comes from: cpu, limits.memory", func(name string) error {
		n, err := trace.Parse(name)
		o.explain = &n
		return err
	})
	flags.Var(&o.format, "o", "the `FORMAT` of the output: table or json")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q: files are given with -f", flags.Arg(0))
		fmt.Fprintf(stderr, "podreport: %v\n", err)
		return o, err
	}
	if o.explain != nil && o.format != "table" {
		err := errors.New("-explain writes text, and cannot be given with -o " + string(o.format))
		fmt.Fprintf(stderr, "podreport: %v\n", err)
		return o, err
	}
	return o, nil
}

// files is the flag -f.
type files []string

func (f *files) String() string { return "" }

func (f *files) Set(name string) error {
	*f = append(*f, name)
	return nil
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

// sizeFlag is the flag -node-cpu, or -node-memory.
type sizeFlag struct {
	amount *resource.Quantity // nil if it is not given
	parts  int64              // in which a unit is counted
	none   string             // what is wrong with nothing
	beyond string             // what is wrong with too much
}

func (s *sizeFlag) String() string { return "" }

func (s *sizeFlag) Set(text string) error {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return err
	case q.Sign() <= 0:
		return errors.New(s.none)
	case q.CmpInt64(math.MaxInt64/s.parts) > 0:
		return errors.New(s.beyond)
	}
	s.amount = &q
	return nil
}
