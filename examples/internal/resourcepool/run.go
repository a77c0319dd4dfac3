// Package resourcepool is the subcommand pool, which evaluates the resource pools of Capsule without a cluster, and
// its answers as values.
package resourcepool

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// Run is the subcommand, and returns its exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return command.Guarded("kubemath", run)(args, stdin, stdout, stderr)
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	code := command.OK
	var out strings.Builder
	for _, c := range readAll(&o, stdin) {
		for _, p := range c.problems {
			fmt.Fprintf(stderr, "kubemath: %v\n", p)
			code = max(code, p.Code())
		}
		if len(o.Files) > 0 || o.Cluster {
			for _, note := range c.notes(&o) {
				fmt.Fprintf(stderr, "kubemath: %s\n", note)
			}
			if len(c.missing(&o)) > 0 {
				code = max(code, command.Unread)
			}
		}
		if c.heading != "" {
			fmt.Fprintf(&out, "%s\n\n", c.heading)
		}
		if err := o.show(&out, c); err != nil {
			fmt.Fprintf(stderr, "kubemath: %s: %v\n", c.name, err)
			return max(code, command.Unread)
		}
	}
	io.WriteString(stdout, out.String())
	return code
}

type options struct {
	command.Common
	now                    time.Time
	metrics, plan, migrate bool
}

// show prints what the options ask for.
func (o options) show(w io.Writer, c *cluster) error {
	if o.migrate {
		return showMigration(w, c)
	}
	now := o.timeFor(c)
	c.reconcile(now)
	switch {
	case o.metrics:
		showMetrics(w, c)
	case o.plan:
		for _, p := range c.plans() {
			p.write(w)
		}
	default:
		for _, t := range c.tables(now) {
			t.write(w)
		}
	}
	return nil
}

// timeFor returns the time that ages are counted to.
func (o *options) timeFor(c *cluster) time.Time {
	if o.now.IsZero() {
		return c.youngest().Add(2 * time.Second)
	}
	return o.now
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := command.NewFlags(&o.Common, "pool", "Which claims on resource pools hold what they request, and why others wait.",
		"some input could not be read, or an answer\n     needs more input, such as the Namespaces", "the API server would reject an object in the input", stdout, stderr, "text")
	flags.Func("now", "the `TIME` at which ages are computed, such as 2026-01-01T00:20:02Z", func(text string) (err error) {
		o.now, err = time.Parse(time.RFC3339, text)
		return err
	})
	flags.BoolVar(&o.metrics, "metrics", false, "print the metrics")
	flags.BoolVar(&o.plan, "plan", false, "print what has to change so that waiting claims are granted")
	flags.BoolVar(&o.migrate, "migrate", false, "print the pools and claims that replace the quotas of a Tenant, and other ResourceQuotas")
	err := o.Parse(args, func() error {
		if o.metrics && o.plan || o.metrics && o.migrate || o.plan && o.migrate {
			return errors.New("-metrics, -plan and -migrate cannot be given together")
		}
		return nil
	})
	return o, err
}
