// Controller runs the reconcilers and webhooks of this module, and shows what they do.
//
//	go run .
//
// starts a kube-apiserver on this machine, with the controller beside it, applies the
// samples, prints what has become of them, and serves until it is interrupted; kubectl can
// be used meanwhile. With -once, it ends after that. With -kubeconfig FILE, it runs on the
// cluster of that file, whose API server has to be on this machine, and applies no samples.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kubemath/kubemath/examples/controller/localserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// Controller-runtime has a flag -kubeconfig in the flags of the program.
	flags := flag.NewFlagSet("controller", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "run on the cluster of `FILE` instead of one of its own")
	once := flags.Bool("once", false, "end after what has become of the samples is printed")
	_ = flags.Parse(os.Args[1:])
	logWarnings()
	var err error
	if *kubeconfig != "" {
		err = serve(ctx, *kubeconfig)
	} else {
		err = show(ctx, os.Stdout, *once)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "controller:", err)
		os.Exit(1)
	}
}

func logWarnings() {
	ctrl.SetLogger(logr.FromSlogHandler(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
}

// serve runs the controller until the context ends.
func serve(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	running, err := start(ctx, config)
	if err != nil {
		return err
	}
	return running.wait()
}

// show runs the controller on a server of its own.
func show(ctx context.Context, out io.Writer, once bool) error {
	server, err := localserver.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer server.Stop()
	config, err := clientcmd.BuildConfigFromFlags("", server.Kubeconfig)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running, err := start(ctx, config)
	if err != nil {
		return err
	}
	if err := tour(ctx, running.client, out); err != nil {
		return err
	}
	if once {
		cancel()
	} else {
		fmt.Fprintf(out, "\nTry kubectl --kubeconfig %s get resourcepoolclaims -A. Ctrl-C ends.\n", server.Kubeconfig)
	}
	return running.wait()
}
