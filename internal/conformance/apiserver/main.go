// Apiserver holds kubemath against a real kube-apiserver, and runs one for others.
//
//	go run ./apiserver -cases 1000 -seed 1
//
// draws namespaces with LimitRanges and ResourceQuotas, creates and changes pods, claims and services
// in them, and compares after every step the answer of the server, the stored object, and the usage of
// quotas. It prints what was compared; on a difference, it prints the smallest manifests that show it,
// and exits with 1.
//
// It also draws namespaces whose LimitRanges contradict each other, repeats each creation there as a dry run, and compares
// all answers of the server with those that admit.Decision.Possible returns.
//
//	go run ./apiserver serve
//
// starts a server, prints the path of its kubeconfig, and serves until it is interrupted or
// its standard input ends, so that it does not outlive the program that it was started by.
//
// Both build kube-apiserver the first time, and need etcd on PATH. If one of the two is not available,
// they print that and exit with 3. No connection goes beyond 127.0.0.1.
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

// The exit codes of the program.
const (
	exitDifference  = 1
	exitUsage       = 2
	exitUnavailable = 3
)

// With enough cases, every outcome occurs.
const enough = 1000

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	code := 0
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		code = exitCode(err)
	}
	stop()
	os.Exit(code)
}

var errUsage = errors.New("usage: apiserver [-cases N] [-seed S] [-timeout D] [-shrink D], or apiserver serve")

func exitCode(err error) int {
	switch {
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, controlplane.ErrUnavailable):
		return exitUnavailable
	}
	return exitDifference
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) == 1 && args[0] == "serve" {
		return serve(ctx, in, out)
	}
	flags := flag.NewFlagSet("apiserver", flag.ContinueOnError)
	cases := flags.Int("cases", 1000, "how many `namespaces` to draw")
	seed := flags.Uint64("seed", 1, "`number` that the cases follow from")
	timeout := flags.Duration("timeout", 20*time.Minute, "`time` after which to give up, without that of building")
	shrink := flags.Duration("shrink", time.Minute, "`time` to shrink a difference")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 || *cases < 1 || *seed == 0 {
		return errors.Join(errUsage, err)
	}
	admission, err := admissionConfiguration()
	if err != nil {
		return err
	}
	server, err := start(ctx, admission)
	if err != nil {
		return err
	}
	defer stop(server)
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	initTesting()
	begin := time.Now()
	result, err := compare(ctx, server.Client, *cases, *seed, *shrink)
	if err != nil {
		return err
	}
	if err := result.print(out); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d namespaces, seed %d, %s\n", *cases, *seed, time.Since(begin).Round(time.Second))
	switch {
	case result.difference != "":
		return errors.New(differs)
	case result.neverGiven() != nil:
		return result.neverGiven()
	case *cases >= enough:
		return result.missing()
	}
	return nil
}

// start builds a server if needed, and starts it.
func start(ctx context.Context, admission []byte) (*controlplane.Server, error) {
	if _, err := controlplane.FindEtcd(); err != nil {
		return nil, err
	}
	binary, err := controlplane.Build(ctx, controlplane.APIServer, os.Stderr)
	if err != nil {
		return nil, err
	}
	return controlplane.Start(ctx, controlplane.Options{APIServer: binary, Admission: admission})
}

func stop(server *controlplane.Server) {
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
	}
}

// serve runs a server until the context or the input ends.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	server, err := start(ctx, nil)
	if err != nil {
		return err
	}
	defer stop(server)
	if _, err := fmt.Fprintln(out, server.Kubeconfig); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
