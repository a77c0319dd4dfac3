// Package diff is the subcommand diff: what happens if manifests are applied to a cluster.
//
// input.go reads the manifests and the cluster; page.go says in sections what package comparison finds, and text.go and
// markdown.go write it.
package diff

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Guarded("kubemath", program)

func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	in := readAll(&o, stdin)
	code := in.complain(stderr)
	if len(in.Change.Objects)+len(in.Old.Objects) == 0 {
		fmt.Fprintln(stderr, "kubemath: there is nothing to apply")
		return max(code, command.Unread)
	}
	if in.unread {
		return max(code, command.Unread)
	}
	r, err := in.report(&o)
	if err != nil {
		fmt.Fprintf(stderr, "kubemath: %v\n", err)
		return max(code, command.Unread)
	}
	if r.Fails() {
		code = max(code, command.Rejected)
	}
	if err := write(o.Format, r, stdout); err != nil {
		fmt.Fprintf(stderr, "kubemath: writing the output: %v\n", err)
		code = command.Failed
	}
	return code
}

// report compares.
func (in *input) report(o *options) (*comparison.Report, error) {
	opts := whatif.Options{Options: admit.Options{Gates: o.Gates}, AtOnce: o.atOnce, RunCronJobs: o.jobs}
	return comparison.ReportOf(&in.Input, comparison.Options{Options: opts, OnCluster: len(o.on) > 0})
}

func write(format string, r *comparison.Report, stdout io.Writer) error {
	var text string
	switch format {
	case "json":
		data, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		text = string(data) + "\n"
	case "markdown":
		text = markdown(pageOf(r))
	default:
		text = plain(pageOf(r), terminal.Width(stdout))
	}
	_, err := io.WriteString(stdout, text)
	return err
}
