// Package podreport is the program, apart from its name: that of podreport, and of a plugin of kubectl.
package podreport

import (
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

// Run is the program, and returns its exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin, nil)
	code := command.OK
	for _, p := range in.Problems {
		code = max(code, p.Code())
	}
	r := report.Of(in, report.Size{CPU: o.nodeCPU.amount, Memory: o.nodeMemory.amount})
	if r.Rejects() {
		code = command.Rejected
	}
	o.complain(in, r, stderr)
	if err := o.write(r, stdout); err != nil {
		fmt.Fprintf(stderr, "podreport: writing the report: %v\n", err)
		code = max(code, command.Unread)
	}
	return code
}
