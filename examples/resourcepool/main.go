// Resourcepool evaluates resource pools and the claims on them without a cluster: it shows which
// claims are bound, why the others wait, and which ResourceQuotas namespaces get, in the tables that
// kubectl prints.
//
//	resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]
//
// Without -f, it evaluates the samples of Capsule's documentation:
//
//	go run ./examples/resourcepool
//
// Files are YAML or JSON, with any number of documents; "-" is the standard input. In a directory and
// below it, all files whose names end in .yaml, .yml or .json are read. Together they are one cluster.
// ResourcePool, ResourcePoolClaim, Namespace, ResourceQuota and Tenant are read, and other kinds are
// skipped. Unknown fields, and amounts that are probably mistakes, are warnings, or errors with
// -strict. Statuses count: a claim that is bound stays bound. If an answer needs objects that are not
// in the input, an error says which.
//
// With -metrics, it prints the metrics of Capsule. With -plan, it prints by how much pools would have
// to grow, which releases would be enough instead, and which claims were overtaken. With -migrate, it
// prints, as YAML, the pools and claims that replace the quotas of a Tenant and other ResourceQuotas,
// and which of their amounts no pool can have.
//
// Ages are computed at the time of -now; without it, the youngest object is two seconds old.
// The exit code is
//
//	0  on success,
//	1  if some input could not be read, or an answer needs more input, such as Namespaces, or the
//	   output could not be written,
//	2  if the API server would reject an object in the input, even if other input could
//	   not be read, and
//	3  if the arguments are invalid, so that nothing was read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/kubemath/kubemath/examples/internal/command"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseArgs(args, stdout, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	code := command.OK
	var out strings.Builder
	for _, c := range readAll(&o, stdin) {
		for _, p := range c.problems {
			fmt.Fprintf(stderr, "resourcepool: %v\n", p)
			code = max(code, p.Code())
		}
		if len(o.files) > 0 {
			for _, note := range c.notes(&o) {
				fmt.Fprintf(stderr, "resourcepool: %s\n", note)
			}
			if len(c.missing(&o)) > 0 {
				code = max(code, command.Unread)
			}
		}
		if c.heading != "" {
			fmt.Fprintf(&out, "%s\n\n", c.heading)
		}
		if err := o.show(&out, c); err != nil {
			fmt.Fprintf(stderr, "resourcepool: %s: %v\n", c.name, err)
			return max(code, command.Unread)
		}
	}
	if _, err := io.WriteString(stdout, out.String()); err != nil {
		fmt.Fprintf(stderr, "resourcepool: %v\n", err)
		code = max(code, command.Unread)
	}
	return code
}

type options struct {
	files                  command.Files
	now                    time.Time
	metrics, plan, migrate bool
	strict                 bool
}

// show prints what the options ask for.
func (o options) show(w io.Writer, c *cluster) error {
	if o.migrate {
		return showMigration(w, c)
	}
	now := o.now
	if now.IsZero() {
		now = c.youngest().Add(2 * time.Second)
	}
	c.reconcile(now)
	switch {
	case o.metrics:
		showMetrics(w, c)
	case o.plan:
		showPlans(w, c)
	default:
		showTables(w, c, now)
	}
	return nil
}

// parseArgs reports what is wrong to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("resourcepool", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Resourcepool shows which claims on resource pools are bound, and why others wait.\n\n"+
			"usage: resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read, or an answer needs more input, such as the Namespaces, or\n     the output could not be written",
			"the API server would reject an object in the input"))
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be repeated; without it, samples are shown")
	flags.Func("now", "the `TIME` at which ages are computed, such as 2026-01-01T00:20:02Z", func(text string) (err error) {
		o.now, err = time.Parse(time.RFC3339, text)
		return err
	})
	flags.BoolVar(&o.metrics, "metrics", false, "print the metrics")
	flags.BoolVar(&o.plan, "plan", false, "print what has to change so that waiting claims are bound")
	flags.BoolVar(&o.migrate, "migrate", false, "print the pools and claims that replace the quotas of a Tenant, and other ResourceQuotas")
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() error {
		if o.metrics && o.plan || o.metrics && o.migrate || o.plan && o.migrate {
			return errors.New("-metrics, -plan and -migrate cannot be given together")
		}
		return nil
	})
	return o, err
}
