// Package tree is the subcommand tree.
package tree

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/command"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Guarded("kubemath", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin)
	code := command.OK
	for _, p := range in.problems {
		fmt.Fprintf(stderr, "kubemath: %v\n", p)
		code = max(code, p.Code())
	}
	for _, note := range in.notes() {
		fmt.Fprintf(stderr, "kubemath: %s\n", note)
	}
	text, err := o.output(in)
	if err != nil {
		fmt.Fprintf(stderr, "kubemath: %v\n", err)
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
	case o.format != "":
		return files(&root, o.format), nil
	default:
		return table(&root), nil
	}
}

type options struct {
	command.Common
	milliCPU  amount
	memory    amount
	driver    driver
	reserve   int
	asWritten bool
	format    fileFormat
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{milliCPU: amount{200, resource.Milli}, memory: amount{16 << 30, 0}}
	flags := command.NewFlags(&o.Common, "tree", "The cgroups of a node, and the CPU that each gets under v1 and v2.",
		"some input could not be read", "the API server would reject an object in the input", stdout, stderr, "text")
	flags.Var(&o.milliCPU, "cpu", "the CPU of the node, a `QUANTITY`")
	flags.Var(&o.memory, "memory", "the memory of the node, a `QUANTITY`")
	flags.Var(&o.driver, "driver", "the cgroup driver: cgroupfs or systemd")
	flags.IntVar(&o.reserve, "reserve", -1, "limit the tiers: reserve this `PERCENT` for other classes (qosReserved)")
	flags.BoolVar(&o.asWritten, "as-written", false, "do not set missing requests to limits")
	flags.Var(&o.format, "files", "write the files of all cgroups: v1, v2, or properties: systemd")
	err := o.Parse(args, func() error {
		if o.reserve < -1 || o.reserve > 100 {
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
