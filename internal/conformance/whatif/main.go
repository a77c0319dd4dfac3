// Command whatif compares package whatif with a running control plane: etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler. It draws scenarios, of nodes, LimitRanges, quotas and workloads that are created, scaled, updated and
// deleted. Before each change, the cluster is read; afterwards, once nothing changes any more, it is compared with the
// prediction: what is refused, with which message, how many pods there are of each workload, which of them wait and why,
// and what quotas count.
//
//	go run ./whatif -scenarios 300 -seed 1
//
// The kubelet is played: pods on nodes run and are ready, and pods that are being deleted are gone. The scheduler has its
// default profile; with -resources, it scores nodes by resources only. Each of its attempts to place a pod is judged in the
// state that it has seen, in the order of its log: the node has the highest weighted score, or the pod waits with the same
// message, and the same pods are preempted. Of nodes with equal scores, the scheduler draws one, and controllers delete any of
// equal pods. Where that is another one than in package whatif, the number of pods that wait may differ: such changes are counted
// apart. With -volumes, pods use persistent volumes in some scenarios.
//
// With -kubectl, kubectl applies the samples of kubemath diff, after kubectl kubemath diff has predicted what becomes of
// them.
//
// With -pipelineruns, what package affinity plans for a PipelineRun is created, and the run is deleted while it runs: its claims
// are deleted with it, if it owns them.
//
// With -readings, the program kubemath is asked, too: of dumps as users have them, which are whole, or lack nodes, pods, or the statuses of
// quotas or these themselves. What it says of the numbers of pods and of refusals agrees with the control plane, or the reading
// cannot tell. With -advice, what it advises for a change that is refused is applied instead, and has to admit all pods.
//
// A cluster mostly waits for its controllers, so several clusters play scenarios side by side.
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
	"sync"
	"syscall"
	"time"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := 0
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "whatif:", err)
		code = 1
		if errors.Is(err, controlplane.ErrUnavailable) {
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
	clusters := flags.Int("clusters", 3, "play in so many `clusters` side by side")
	byResources := flags.Bool("resources", false, "score nodes by resources only, not by all plugins of the default profile")
	byPlugin := flags.Bool("kubectl", false, "play no scenarios, but the samples of kubemath diff, with kubectl and kubemath as its plugin")
	byRuns := flags.Bool("pipelineruns", false, "play no scenarios, but PipelineRuns that are deleted while they run")
	byReading := flags.Bool("readings", false, "ask the program as well, of dumps that are whole, without nodes, pods, or statuses of quotas")
	byAdvice := flags.Bool("advice", false, "apply what the program advises for changes that are refused")
	volumes := flags.Int("volumes", 25, "`percentage` of the scenarios in which pods use volumes")
	keep := flags.String("keep", "", "write the objects before each difference into this `directory`, as whatif.Read takes them, and then what is changed")
	verbose := flags.Bool("v", false, "write each change")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *byPlugin {
		return playPlugin(ctx, *quiet, out)
	}
	if *byRuns {
		return playPipelineRuns(ctx, *quiet, out)
	}
	begin := time.Now()
	g := &game{seed: *seed, next: *first, end: *first + *scenarios, verbose: *verbose, keep: *keep, volumes: *volumes, out: out}
	if *byReading || *byAdvice {
		g.program, err = buildProgram(ctx, *byAdvice)
		if err != nil {
			return err
		}
		defer os.RemoveAll(g.program.dir)
	}
	err = g.play(ctx, max(1, min(*clusters, *scenarios)), *byResources, *quiet)
	fmt.Fprintf(out, "%d scenarios, seed %d, %s\n%s", g.counts.scenarios, *seed, time.Since(begin).Round(time.Second), g.counts.String())
	if err != nil {
		return err
	}
	if g.counts.differences > 0 {
		return fmt.Errorf("%d scenarios differ", g.counts.differences)
	}
	return ctx.Err()
}

// game is the scenarios that are played, and what has come of them.
type game struct {
	seed    uint64
	verbose bool
	keep    string
	volumes int
	program *program // nil if only package whatif is asked

	sync.Mutex
	next, end int // the number of the next scenario, and that after the last one
	counts    counts
	out       io.Writer
}

// play plays all scenarios. The first error of a cluster ends the others.
func (g *game) play(ctx context.Context, clusters int, byResources bool, quiet time.Duration) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, clusters)
	for range clusters {
		go func() { failed <- g.playIn(ctx, byResources, quiet) }()
	}
	var all error
	for range clusters {
		if err := <-failed; err != nil {
			all = errors.Join(all, err)
			stop()
		}
	}
	return all
}

// playIn plays scenarios in a cluster until none is left.
func (g *game) playIn(ctx context.Context, byResources bool, quiet time.Duration) (err error) {
	server, err := start(ctx, byResources)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	w := newWorld(server, quiet)
	w.allScores = !byResources
	go w.playKubelet(ctx)
	for number, left := g.take(); left && ctx.Err() == nil; number, left = g.take() {
		var c counts
		difference, err := w.scenario(ctx, g.seed, number, &c, g)
		if err != nil {
			return fmt.Errorf("scenario %d: %w", number, err)
		}
		g.tell(number, difference, &c)
	}
	return nil
}

// take returns the number of the next scenario, if one is left.
func (g *game) take() (number int, left bool) {
	g.Lock()
	defer g.Unlock()
	g.next++
	return g.next - 1, g.next <= g.end
}

// step writes a step, if each is to be written.
func (g *game) step(number, i int, what string) {
	if g.verbose {
		g.Lock()
		defer g.Unlock()
		fmt.Fprintf(g.out, "scenario %d, step %d: %s\n", number, i, what)
	}
}

// tell counts what was compared in a scenario, and writes a difference.
func (g *game) tell(number int, difference string, c *counts) {
	g.Lock()
	defer g.Unlock()
	if difference != "" {
		c.differences++
		fmt.Fprintf(g.out, "scenario %d differs: %s\n", number, difference)
	}
	c.scenarios++
	g.counts.add(c)
}
