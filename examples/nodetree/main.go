// Nodetree shows the cgroups of a node: what the kubelet sets on them, and the CPU that each gets if
// all use as much as they can, under cgroup v1 and under v2.
//
//	nodetree [-f FILE|DIR]... [-cpu QUANTITY] [-memory QUANTITY] [-driver cgroupfs|systemd]
//	         [-reserve PERCENT] [-as-written] [-files v1|v2|systemd | -svg]
//	         [-strict] [-version]
//
// Without -f, it shows the five pods of the kubelet's document "Pod level resource management", on a
// node that is so small that they compete:
//
//	go run ./examples/nodetree
//	go run ./examples/nodetree -svg > node.svg
//
// Files are YAML or JSON, "-" is the standard input:
//
//	kubectl get pods -A --field-selector spec.nodeName=NODE -o yaml | nodetree -f - -cpu 4
//
// In a directory and below it, all files whose names end in .yaml, .yml or .json are read. Pods are
// read, and kinds with a pod template: Deployment, StatefulSet, ReplicaSet, ReplicationController,
// DaemonSet and Job, and the items of lists. Other kinds are skipped.
//
// If a Deployment, its ReplicaSet and its pods are read, only the pods count: an object that owns
// others in the input does not count itself. Pods that have ended and Jobs that have finished do not
// count. If two objects have the same name, the later one counts.
//
// Missing requests are set to the limits, as the API server does, unless -as-written is given; the
// samples are not changed. A pod without a UID gets one that is computed from its namespace and name.
//
// Unknown fields, and amounts that are probably mistakes, such as a memory of 512m, are warnings, or
// errors with -strict.
//
// The output is a tree; with -files, the files of all cgroups and their contents, or the properties of
// their systemd units; and with -svg, a picture, in which pods with the same owner are one box. The
// exit code is
//
//	0  on success,
//	1  if the arguments are invalid, or some input could not be read,
//	2  if the API server would reject an object in the input, even if other input could
//	   not be read, and
//	3  if the program itself failed, or the output could not be written.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code.
var run = command.Guarded("nodetree", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin)
	code := command.OK
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "nodetree: %v\n", p)
		code = max(code, p.Code())
	}
	for _, note := range in.notes() {
		fmt.Fprintf(stderr, "nodetree: %s\n", note)
	}
	text, err := o.output(in)
	if err != nil {
		fmt.Fprintf(stderr, "nodetree: %v\n", err)
		return max(code, command.Unread)
	}
	io.WriteString(stdout, text)
	return code
}

// output returns what the program writes.
func (o *options) output(in *input) (string, error) {
	root, err := nodetree.Build(in.pods, o.node())
	if err != nil {
		return "", err
	}
	switch {
	case o.svg:
		return picture(in.grouped(&root, o.driver.Driver), o.milliCPU.n), nil
	case o.format != "":
		return files(&root, o.format), nil
	default:
		return table(&root), nil
	}
}

type options struct {
	files     command.Files
	milliCPU  amount
	memory    amount
	driver    driver
	reserve   int
	asWritten bool
	format    fileFormat
	svg       bool
	strict    bool
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{milliCPU: amount{200, resource.Milli}, memory: amount{16 << 30, 0}}
	flags := flag.NewFlagSet("nodetree", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Nodetree shows the cgroups of a node, and how much of its CPU each gets.\n\n"+
			"usage: nodetree [-f FILE|DIR]... [-cpu QUANTITY] [-memory QUANTITY] [-driver cgroupfs|systemd]\n"+
			"                [-reserve PERCENT] [-as-written] [-files v1|v2|systemd | -svg]\n"+
			"                [-strict] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read",
			"the API server would reject an object in the input"))
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be repeated; without it, samples are shown")
	flags.Var(&o.milliCPU, "cpu", "the CPU of the node, a `QUANTITY`")
	flags.Var(&o.memory, "memory", "the memory of the node, a `QUANTITY`")
	flags.Var(&o.driver, "driver", "the cgroup driver, which names cgroups, `cgroupfs|systemd`")
	flags.IntVar(&o.reserve, "reserve", -1, "limit the tiers, so that this `PERCENT` of the requests of other classes is reserved (qosReserved)")
	flags.BoolVar(&o.asWritten, "as-written", false, "do not set missing requests to limits")
	flags.Var(&o.format, "files", "write the files of all cgroups, `v1|v2`, or systemd properties, systemd")
	flags.BoolVar(&o.svg, "svg", false, "write a picture")
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() error {
		switch {
		case o.svg && o.format != "":
			return errors.New("-svg and -files cannot be given together")
		case o.reserve < -1 || o.reserve > 100:
			return fmt.Errorf("-reserve %d: want 0 to 100", o.reserve)
		}
		return nil
	})
	if o.format == "systemd" {
		o.driver.Driver = cgroupname.Systemd
	}
	return o, err
}

func (o *options) node() nodetree.Options {
	n := nodetree.Options{MilliCPU: o.milliCPU.n, Driver: o.driver.Driver}
	n.Kubelet.NodeMemory = cgroupconfig.NodeMemory{Capacity: o.memory.n, Allocatable: o.memory.n}
	if o.reserve >= 0 {
		percent := int64(o.reserve)
		n.Kubelet.ReservedPercent = &percent
	}
	return n
}

// amount is a flag of a quantity, in units of 10^scale.
type amount struct {
	n     int64
	scale resource.Scale
}

func (a *amount) String() string { return resource.NewScaledQuantity(a.n, a.scale).String() }

func (a *amount) Set(text string) error {
	if exponent.MatchString(text) {
		return errors.New("too large for a node")
	}
	q, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		return errors.New("not a quantity such as 500m or 2Gi")
	case q.Sign() <= 0:
		return errors.New("must be positive")
	case q.AsApproximateFloat64() > math.MaxInt64/1000:
		return errors.New("too large for a node")
	}
	a.n = q.ScaledValue(a.scale)
	return nil
}

// exponent matches amounts that must not be parsed: 1e-1000000000 has more digits than fit into
// memory.
var exponent = regexp.MustCompile(`^[+-]?[0-9.]+[eE][+-]?[0-9]{3,}$`)

// driver is the flag -driver.
type driver struct{ cgroupname.Driver }

const cgroupfs = "cgroupfs"

func (d *driver) String() string { return cmp.Or(string(d.Driver), cgroupfs) }

func (d *driver) Set(text string) error {
	switch text {
	case cgroupfs:
		d.Driver = cgroupname.Cgroupfs
	case string(cgroupname.Systemd):
		d.Driver = cgroupname.Systemd
	default:
		return errors.New("neither cgroupfs nor systemd")
	}
	return nil
}

// fileFormat is the flag -files.
type fileFormat string

func (f *fileFormat) String() string { return string(*f) }

func (f *fileFormat) Set(text string) error {
	if text != "v1" && text != "v2" && text != "systemd" {
		return errors.New("neither v1, nor v2, nor systemd")
	}
	*f = fileFormat(text)
	return nil
}
