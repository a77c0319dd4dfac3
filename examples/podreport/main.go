// Podreport reports what manifests really ask for: of each workload the requests and
// limits of its containers, those of the whole pod as the scheduler, a quota and the
// kubelet see them, the QoS class and what would make it Guaranteed, and which
// container the kernel kills first.
//
//	podreport [-f FILE]... [-node-memory QUANTITY] [-o table|json]
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
// It reads Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob and List.
// Objects of other kinds are skipped, with a note. A Pod that has a status is a live
// one: a resize that is under way counts, and so does the class that it was given. Of a
// DaemonSet one pod is counted, as on each node; of a Job, and of a run of a CronJob,
// as many as run at the same time, even if it is suspended.
//
// What cannot be reported is named on the standard error, with its file, document,
// object and field; the rest is reported nevertheless. The exit code is 0, 1 if
// anything was wrong with the input, and 2 if something was wrong with the arguments.
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
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

const (
	exitOK = iota
	exitInput
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
	in := readAll(o.files, stdin)
	code := exitOK
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "podreport: %v\n", p)
		if !p.skipped {
			code = exitInput
		}
	}
	text, err := o.format.write(reportOn(in.workloads, o.nodeMemory))
	if err == nil {
		_, err = io.WriteString(stdout, text)
	}
	if err != nil {
		fmt.Fprintf(stderr, "podreport: writing the report: %v\n", err)
		return exitInput
	}
	return code
}

type options struct {
	files      files
	nodeMemory nodeMemory
	format     format
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stderr io.Writer) (options, error) {
	o := options{format: "table"}
	if err := o.nodeMemory.Set("16Gi"); err != nil {
		return o, err
	}
	flags := flag.NewFlagSet("podreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Podreport reports what the pods in manifests really ask for.\n\n"+
			"usage: podreport [-f FILE]... [-node-memory QUANTITY] [-o table|json]\n\n")
		flags.PrintDefaults()
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, - for the standard input;\nmay be given again; without it, samples are reported")
	flags.Var(&o.nodeMemory, "node-memory", "the memory of the node that OOM scores are for, a `QUANTITY`")
	flags.Var(&o.format, "o", "the `FORMAT` of the output: table or json")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q: files are given with -f", flags.Arg(0))
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

// nodeMemory is the flag -node-memory.
type nodeMemory struct {
	text  string
	bytes int64
}

func (m *nodeMemory) String() string { return m.text }

func (m *nodeMemory) Set(text string) error {
	q, err := parseQuantity(text)
	if err != nil {
		return err
	}
	if q.Sign() <= 0 {
		return errors.New("a node has more than no memory")
	}
	if q.CmpInt64(math.MaxInt64) > 0 {
		return errors.New("more bytes than 64 bits can count")
	}
	*m = nodeMemory{text: canonical(q), bytes: q.Value()} // rounded up, never to 0
	return nil
}
