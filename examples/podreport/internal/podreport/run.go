// Package podreport is the program podreport, which is also a plugin of kubectl under another name.
package podreport

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// Main runs the program, and exits with its exit code.
func Main() {
	LimitMemory()
	command.Main(Run)
}

// LimitMemory runs garbage collection earlier than by default, because nearly all memory that
// decoding allocates is soon unused.
func LimitMemory() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(softLimit)
}

// softLimit is the memory in bytes above which garbage collection takes more time.
const softLimit = 480 << 20

// Run is the program, and returns its exit code.
var Run = command.Guarded("podreport", run)

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	p := startProgress(command.Uncleaned(stderr), progressAfter, progressEvery)
	in := readAll(&o, stdin, p.count)
	p.stop()
	r := report.Of(in, o.size, o.gates)
	code := command.OK
	for _, p := range in.Problems {
		code = max(code, p.Code())
	}
	if err := o.explainable(r); err != nil {
		fmt.Fprintf(stderr, "podreport: %v\n", err)
		return command.Unread
	}
	if r.Rejects() {
		code = max(code, command.Rejected)
	}
	o.complain(in, r, stderr)
	if err := o.write(r, stdout); err != nil {
		fmt.Fprintf(stderr, "podreport: writing the report: %v\n", err)
		code = command.Failed
	}
	return code
}
