// Controller runs the reconcilers and webhooks of this module, and shows what they do.
//
//	go run .
//
// starts a kube-apiserver on this machine, with the controller beside it, applies the samples,
// prints the result, and serves until it is interrupted; kubectl can be used meanwhile. With -once,
// it ends after that. With -kubeconfig FILE, it runs on the cluster of that file, and applies no
// samples. With -in-cluster, it does so on the cluster in which it is a pod.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kubemath/kubemath/examples/controller/localserver"
	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
)

// arguments are those of the command line.
type arguments struct {
	kubeconfig           string
	once, inCluster      bool
	installs, noWebhooks bool
	uninstalls           bool
	metrics, probes      string
	leaseDuration        time.Duration
	qps                  float64
	webhooks             webhooks.Options
}

func parse(args []string) (arguments, error) {
	var a arguments
	// Controller-runtime has a flag -kubeconfig in the flags of the program.
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	flags.StringVar(&a.kubeconfig, "kubeconfig", "", "run on the cluster of `FILE` instead of one of its own")
	flags.BoolVar(&a.inCluster, "in-cluster", false, "run on the cluster of the pod that this process is in, as its service account")
	flags.BoolVar(&a.once, "once", false, "end after what has become of the samples is printed")
	flags.BoolVar(&a.installs, "install", true, "with -kubeconfig or -in-cluster, install the custom resources and the roles, unless somebody else has")
	flags.BoolVar(&a.noWebhooks, "no-webhooks", false, "with -kubeconfig or -in-cluster, serve no webhooks")
	flags.StringVar(&a.webhooks.Address, "webhook-bind-address", "127.0.0.1:0", "serve webhooks on `ADDRESS`")
	flags.StringVar(&a.webhooks.Service, "webhook-service", "", "the API server finds the webhooks by the Service `NAME` of the controller's namespace, instead of the address of the leader")
	flags.StringVar((*string)(&a.webhooks.FailurePolicy), "webhook-failure-policy", "Ignore", "what happens to pools and claims when no webhook answers: `Ignore` stores them, Fail refuses them")
	flags.DurationVar(&a.webhooks.Lifetime, "webhook-certificate-lifetime", 90*24*time.Hour, "`time` that certificates of the webhooks are valid for")
	flags.BoolVar(&a.uninstalls, "uninstall", false, "with -kubeconfig or -in-cluster, remove the webhooks and the finalizers of pools, and exit: then nothing refuses writes")
	flags.StringVar(&a.metrics, "metrics-bind-address", "127.0.0.1:8080", "serve metrics on `ADDRESS`; 0 for none")
	flags.StringVar(&a.probes, "health-probe-bind-address", "127.0.0.1:8081", "serve /healthz and /readyz on `ADDRESS`; 0 for none")
	flags.DurationVar(&a.leaseDuration, "leader-elect-lease-duration", 15*time.Second, "`time` after which another process leads if the leader is silent")
	flags.Float64Var(&a.qps, "kube-api-qps", 0, "send the API server at most `N` requests a second; 0 for no limit but its own")
	if err := flags.Parse(args); err != nil {
		return a, err
	}
	if a.inCluster && a.kubeconfig != "" {
		err := errors.New("-in-cluster and -kubeconfig exclude each other")
		fmt.Fprintln(flags.Output(), err)
		return a, err
	}
	if a.uninstalls && !a.inCluster && a.kubeconfig == "" {
		err := errors.New("-uninstall needs -kubeconfig or -in-cluster")
		fmt.Fprintln(flags.Output(), err)
		return a, err
	}
	if !(a.qps >= 0 && a.qps <= math.MaxInt32) {
		err := fmt.Errorf("-kube-api-qps %v: not a number of requests", a.qps)
		fmt.Fprintln(flags.Output(), err)
		return a, err
	}
	return a, nil
}

// configure reads a kubeconfig or what a pod has of its cluster, and limits the requests of its clients.
// Without a limit, the API server's priority and fairness decides, as in configurations that
// controller-runtime reads; client-go alone has a limit of 5 a second.
func (a arguments) configure(kubeconfig string) (*rest.Config, error) {
	read := func() (*rest.Config, error) { return clientcmd.BuildConfigFromFlags("", kubeconfig) }
	if a.inCluster {
		read = rest.InClusterConfig
	}
	config, err := read()
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	if a.qps > 0 {
		config.QPS, config.Burst = float32(a.qps), max(1, int(2*a.qps))
	}
	return config, nil
}

func main() {
	args, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	logWarnings()
	if args.kubeconfig != "" || args.inCluster {
		err = serve(ctx, args)
	} else {
		err = show(ctx, os.Stdout, args)
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

// serve runs the controller on a cluster until the context ends.
func serve(ctx context.Context, args arguments) error {
	config, err := args.configure(args.kubeconfig)
	if err != nil {
		return err
	}
	c, err := newClient(config)
	if err != nil {
		return err
	}
	if args.uninstalls {
		return uninstall(ctx, c)
	}
	if args.installs {
		if err := install(ctx, c); err != nil {
			return err
		}
	}
	o := options{metrics: args.metrics, probes: args.probes, leaseDuration: args.leaseDuration}
	if !args.noWebhooks {
		o.webhooks, err = webhooks.Listen(args.webhooks)
		if err != nil {
			return err
		}
	}
	running, err := start(ctx, config, o)
	if err != nil {
		return err
	}
	return running.wait()
}

// show runs the controller on a server of its own, with the rights of its service account.
func show(ctx context.Context, out io.Writer, args arguments) error {
	server, err := localserver.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer server.Stop()
	config, err := args.configure(server.Kubeconfig)
	if err != nil {
		return err
	}
	c, err := newClient(config)
	if err != nil {
		return err
	}
	if err := install(ctx, c); err != nil {
		return err
	}
	account, err := rbac.AsServiceAccount(ctx, c, config)
	if err != nil {
		return err
	}
	endpoint, err := webhooks.Listen(args.webhooks)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running, err := start(ctx, account, options{webhooks: endpoint, metrics: args.metrics, probes: args.probes, leaseDuration: args.leaseDuration})
	if err != nil {
		return err
	}
	if err := tour(ctx, c, out); err != nil {
		return err
	}
	if args.once {
		cancel()
	} else {
		fmt.Fprintf(out, "\nTry kubectl --kubeconfig %s get resourcepoolclaims -A. Ctrl-C ends.\n", server.Kubeconfig)
	}
	return running.wait()
}
