// Package tree is the subcommand tree.
package tree

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

//go:embed samples/document.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	nodetree.Options
	memory    int64 // of a node that is not in the input, as MilliCPU; zero if it is not given
	node      string
	asWritten bool
	format    string
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	var reserve int
	flags := command.NewFlags(&o.Common, "tree", "The cgroups of each node, and the CPU that each gets under v1 and v2.",
		"some input could not be read", "the API server would reject an object in the input", stdout, stderr,
		"text", "wide", "json", "yaml", "csv")
	flags.StringVar(&o.node, "node", "", "this `NODE` only")
	flags.Func("cpu", "-memory: the `CPU` and memory of a node that is not in the input", amount(&o.MilliCPU, 1000))
	flags.Func("memory", "", amount(&o.memory, 1))
	flags.Func("driver", "the cgroup driver: cgroupfs or systemd", func(text string) error {
		o.Driver = map[string]cgroupname.Driver{"systemd": cgroupname.Systemd}[text]
		return oneOf(text, "cgroupfs", "systemd")
	})
	flags.IntVar(&reserve, "reserve", -1, "reserve this `PERCENT` for other classes")
	flags.BoolVar(&o.asWritten, "as-written", false, "do not set missing requests to limits")
	flags.Func("files", "write the files of all cgroups: v1, v2, or properties: systemd", func(text string) error {
		o.format = text
		return oneOf(text, "v1", "v2", "systemd")
	})
	err = o.Parse(args, func() error {
		if reserve < -1 || reserve > 100 {
			return fmt.Errorf("-reserve %d: want 0 to 100", reserve)
		}
		if o.format != "" && o.Format != "text" {
			return errors.New("-files and -o cannot be given together")
		}
		return nil
	})
	if percent := int64(reserve); reserve >= 0 {
		o.Kubelet.ReservedPercent = &percent
	}
	if o.format == "systemd" {
		o.Driver = cgroupname.Systemd
	}
	return o, err
}

func oneOf(text string, all ...string) error {
	if slices.Contains(all, text) {
		return nil
	}
	return fmt.Errorf("none of %v", all)
}

// amount reads a quantity as a number of parts of a unit.
func amount(to *int64, parts int64) func(text string) error {
	return func(text string) error {
		q, err := quantity.OfNode(text)
		if err == nil {
			q.Mul(parts)
			*to = q.Value()
		}
		return err
	}
}

func answer(o options, s *command.Session) {
	in := &input{}
	in.asWritten = o.asWritten || len(o.Files) == 0 && !o.Cluster // the samples get no defaults
	in.Home = o.Namespace
	reader := objects.Reader{Kinds: inventory.Kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	in.List.Read(origin.Objects(reader, o.WholeCluster(), samples, "nodes", "pods"))
	kubernetes := origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	in.kubernetes, o.Kubelet.Kubernetes = kubernetes, kubernetes
	in.makePods()
	inventory.Complain(s, &in.List)
	report, err := in.report(&o)
	switch {
	case err != nil:
		s.Say(command.Unread, "%v", err)
	case o.format == "":
		s.Answer(&o.Common, report, report.rows, func() { report.write(s) })
	case len(report.Nodes) > 1:
		s.Say(command.Unread, "-files is about one of %s: choose it with -node", wording.Count(int64(len(report.Nodes)), "node"))
	case report.Nodes[0].CPU == "" || report.Nodes[0].Memory == "":
		s.Say(command.Unread, "%s is not in the input: its files need -cpu and -memory", wording.Printable(report.Nodes[0].Name))
	default:
		writeFiles(s, &report.Nodes[0].tree, "", o.format)
	}
}
