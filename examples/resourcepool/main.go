// Resourcepool shows what becomes of resource pools and the claims on them, without a
// cluster: which claims are bound, why the others wait, and which ResourceQuotas namespaces
// get, in the tables that kubectl prints.
//
//	resourcepool [-f FILE]... [-now TIME] [-metrics | -plan | -migrate]
//
// Without -f, it runs through samples, which are those of Capsule's documentation:
//
//	go run ./examples/resourcepool
//
// Files are YAML or JSON, with as many documents as they like; "-" is the standard input.
// Together they are one cluster. ResourcePool, ResourcePoolClaim, Namespace, ResourceQuota
// and Tenant are read, other kinds are errors, and so are fields that pools and claims do
// not have. Statuses count: a claim that is bound stays bound.
//
// With -metrics, it prints what a metrics endpoint would. With -plan, it tells by how much
// pools would have to grow, which releases would do instead, and who was overtaken. With
// -migrate, it prints, as YAML, the pools and claims that replace the quotas of a Tenant, and
// other ResourceQuotas, and says what of these no pool can have.
//
// Ages are those at the time of -now; without it, the youngest object is two seconds old.
// The exit code is 0, 1 if anything was wrong with the input, and 3 if something was wrong
// with the arguments.
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
	o, err := parseArgs(args, stderr)
	if err != nil {
		return command.CodeOf(err)
	}
	clusters, err := readAll(o.files, stdin)
	var out strings.Builder
	for _, c := range clusters {
		if c.heading != "" {
			fmt.Fprintf(&out, "%s\n\n", c.heading)
		}
		if err = o.show(&out, c); err != nil {
			err = fmt.Errorf("%s: %w", c.name, err)
			break
		}
	}
	if err == nil {
		_, err = io.WriteString(stdout, out.String())
	}
	if err != nil {
		fmt.Fprintf(stderr, "resourcepool: %v\n", err)
		return command.Unread
	}
	return command.OK
}

type options struct {
	files                  command.Files
	now                    time.Time
	metrics, plan, migrate bool
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
func parseArgs(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("resourcepool", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Resourcepool shows what becomes of resource pools and the claims on them.\n\n"+
			"usage: resourcepool [-f FILE]... [-now TIME] [-metrics | -plan | -migrate]\n\n")
		flags.PrintDefaults()
	}
	flags.Var(&o.files, "f", "read manifests from `FILE`, YAML or JSON, - for the standard input;\nmay be given again; without it, samples are shown")
	flags.Func("now", "the `TIME` that ages are counted to, like 2026-01-01T00:20:02Z", func(text string) (err error) {
		o.now, err = time.Parse(time.RFC3339, text)
		return err
	})
	flags.BoolVar(&o.metrics, "metrics", false, "print the metrics")
	flags.BoolVar(&o.plan, "plan", false, "print what would let waiting claims be bound")
	flags.BoolVar(&o.migrate, "migrate", false, "print the pools and claims that replace the quotas of a Tenant, and others")
	err := command.Parse(flags, args, func() error {
		if o.metrics && o.plan || o.metrics && o.migrate || o.plan && o.migrate {
			return errors.New("-metrics, -plan and -migrate exclude one another")
		}
		return nil
	})
	return o, err
}
