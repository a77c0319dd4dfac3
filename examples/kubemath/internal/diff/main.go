// Package diff is the subcommand diff: what happens if manifests are applied to a cluster.
//
// input.go reads the manifests and the cluster; diff.go asks package whatif, and describes the answer; fix.go finds the
// least change that admits all; page.go says it in sections, which text.go and markdown.go write.
package diff

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
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
	if len(in.change.objects)+len(in.old.objects) == 0 {
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
	if r.fails() {
		code = max(code, command.Rejected)
	}
	if err := write(o.Format, r, stdout); err != nil {
		fmt.Fprintf(stderr, "kubemath: writing the output: %v\n", err)
		code = command.Failed
	}
	return code
}

func write(format string, r *Report, stdout io.Writer) error {
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
