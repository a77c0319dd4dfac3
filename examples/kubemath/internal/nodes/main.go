// Package nodes is the subcommand nodes.
package nodes

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
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
	if len(in.nodes)+len(in.pods) == 0 {
		fmt.Fprintln(stderr, "kubemath: the input has neither a Node nor a Pod")
		return max(code, command.Unread)
	}
	c, err := clusterOf(&in, o.Gates)
	if err != nil {
		fmt.Fprintf(stderr, "kubemath: %v\n", err)
		return max(code, command.Unread)
	}
	used, err := readUsage(&o)
	if err != nil {
		fmt.Fprintf(stderr, "kubemath: -usage: %v\n", err)
		code = max(code, command.Unread)
	}
	if _, known := c.byName[o.drain]; o.drain != "" && !known {
		fmt.Fprintf(stderr, "kubemath: -drain %s: the input has no Node of this name\n", wording.Printable(o.drain))
		code, o.drain = max(code, command.Unread), ""
	}
	for _, name := range c.unknownShapes(&o) {
		fmt.Fprintf(stderr, "kubemath: -shape %s: the input has no Node of this name\n", wording.Printable(name))
		code = max(code, command.Unread)
	}
	r := c.report(&o, used)
	if !r.fits() {
		code = max(code, command.Rejected)
	}
	if err := o.write(&r, stdout); err != nil {
		fmt.Fprintf(stderr, "kubemath: writing the output: %v\n", err)
		code = command.Failed
	}
	return code
}

// write writes the report.
func (o *options) write(r *Report, stdout io.Writer) error {
	text := o.table(r, terminal.Width(stdout))
	if o.Format == "json" {
		data, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		text = string(data) + "\n"
	}
	_, err := io.WriteString(stdout, text)
	return err
}
