// Package podreport is the subcommand report.
package podreport

import (
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Guarded("kubemath", run)

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin)
	if o.Namespace != "" {
		in.Nodes = nil // pods of other namespaces are there as well
	}
	r := report.Of(in, report.Options{Size: o.size, Gates: o.Gates, Required: o.required})
	code := command.OK
	for _, p := range in.Problems {
		code = max(code, p.Code())
	}
	if err := o.explainable(r); err != nil {
		fmt.Fprintf(stderr, "kubemath: %v\n", err)
		return command.Unread
	}
	if r.Rejects() {
		code = max(code, command.Rejected)
	}
	o.complain(in, r, stderr)
	if err := o.write(r, stdout); err != nil {
		fmt.Fprintf(stderr, "kubemath: writing the report: %v\n", err)
		code = command.Failed
	}
	return code
}
