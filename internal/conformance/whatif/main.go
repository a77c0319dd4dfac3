// Command whatif compares package whatif with a running control plane: etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler. It draws scenarios, of nodes, LimitRanges, quotas and workloads that are created, scaled, updated and
// deleted. Before each change, the cluster is read; afterwards, once nothing changes any more, it is compared with the
// prediction: what is refused, with which message, how many pods there are of each workload, which of them wait and why,
// and what quotas count.
//
//	go run ./whatif -scenarios 300 -seed 1
//
// The kubelet is played: pods on nodes run and are ready, and pods that are being deleted are gone. The scheduler scores
// nodes by resources only, as package whatif does; with -default, by all plugins of its default profile. Of nodes with
// equal scores, the scheduler draws one. Where it draws another one than package whatif, the number of pods that wait may
// differ: such changes are counted apart.
//
// It exits with 1 for a difference, and with 3 if there can be no control plane.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := 0
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "whatif:", err)
		if code = 1; errors.Is(err, controlplane.ErrUnavailable) {
			code = 3
		}
	}
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("whatif", flag.ContinueOnError)
	scenarios := flags.Int("scenarios", 300, "how many `scenarios` to draw")
	first := flags.Int("first", 1, "the `number` of the first one")
	seed := flags.Uint64("seed", 1, "`number` that the scenarios follow from")
	quiet := flags.Duration("quiet", 2*time.Second, "`time` without a change after which a cluster is compared")
	byDefault := flags.Bool("default", false, "score by all plugins of the default profile")
	verbose := flags.Bool("v", false, "write each change")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server, err := start(ctx, *byDefault)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	w := newWorld(server, *quiet)
	go w.playKubelet(ctx)
	begin, counts := time.Now(), counts{}
	for i := *first; i < *first+*scenarios && ctx.Err() == nil; i++ {
		d, err := w.scenario(ctx, *seed, i, &counts, *verbose, out)
		if err != nil {
			return fmt.Errorf("scenario %d: %w", i, err)
		}
		if d != "" {
			counts.differences++
			fmt.Fprintf(out, "scenario %d differs: %s\n", i, d)
		}
	}
	fmt.Fprintf(out, "%d scenarios, seed %d, %s\n%s", *scenarios, *seed, time.Since(begin).Round(time.Second), counts.String())
	if counts.differences > 0 {
		return fmt.Errorf("%d scenarios differ", counts.differences)
	}
	return ctx.Err()
}
