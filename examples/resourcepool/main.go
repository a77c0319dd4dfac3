// Resourcepool shows what becomes of resource pools and the claims on them, without a
// cluster: which claims are bound, why the others wait, and which ResourceQuotas namespaces
// get, in the tables that kubectl prints.
//
//	resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]
//
// Without -f, it runs through samples, which are those of Capsule's documentation:
//
//	go run ./examples/resourcepool
//
// Files are YAML or JSON, with as many documents as they like; "-" is the standard input. Of a
// directory, all files in it and below are read whose names end in .yaml, .yml or .json.
// Together they are one cluster. ResourcePool, ResourcePoolClaim, Namespace, ResourceQuota
// and Tenant are read, and other kinds are skipped. Fields that are unknown, and amounts that are
// hardly meant, are warnings, or with -strict errors. Statuses count: a claim that is bound stays
// bound. What is missing for an answer is said.
//
// With -metrics, it prints what a metrics endpoint would. With -plan, it tells by how much
// pools would have to grow, which releases would do instead, and who was overtaken. With
// -migrate, it prints, as YAML, the pools and claims that replace the quotas of a Tenant, and
// other ResourceQuotas, and says what of these no pool can have.
//
// Ages are those at the time of -now; without it, the youngest object is two seconds old.
// The exit code is
//
//	0  if nothing was wrong,
//	1  if something could not be read, or is missing for an answer, such as the Namespaces, or the
//	   output could not be written,
//	2  if the API server would reject something that was read, even if something else could
//	   not be read, and
//	3  if something was wrong with the arguments, so that nothing was read.
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
		fmt.Fprint(stderr, "Resourcepool shows what becomes of resource pools and the claims on them.\n\n"+
			"usage: resourcepool [-f FILE|DIR]... [-now TIME] [-metrics | -plan | -migrate] [-strict] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("something could not be read, or is missing for an answer, such as the Namespaces, or the\n     output could not be written",
			"the API server would reject something that was read"))
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be given again; without it, samples are shown")
	flags.Func("now", "the `TIME` that ages are counted to, like 2026-01-01T00:20:02Z", func(text string) (err error) {
		o.now, err = time.Parse(time.RFC3339, text)
		return err
	})
	flags.BoolVar(&o.metrics, "metrics", false, "print the metrics")
	flags.BoolVar(&o.plan, "plan", false, "print what would let waiting claims be bound")
	flags.BoolVar(&o.migrate, "migrate", false, "print the pools and claims that replace the quotas of a Tenant, and others")
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, func() error {
		if o.metrics && o.plan || o.metrics && o.migrate || o.plan && o.migrate {
			return errors.New("-metrics, -plan and -migrate exclude one another")
		}
		return nil
	})
	return o, err
}
