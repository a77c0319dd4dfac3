package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/controllers"
	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
)

// options are what a controller serves in addition to its reconcilers.
type options struct {
	webhooks      *webhooks.Endpoint // none if nil
	metrics       string             // address, "0" for none
	probes        string             // address, "0" for none
	leaseDuration time.Duration      // after which another one leads if the leader is silent
}

// running is a controller at work.
type running struct{ ended chan error }

// wait returns when the controller has ended.
func (r *running) wait() error { return <-r.ended }

// start starts the reconcilers and the webhooks, which end with the context. The webhooks listen when
// it returns. The reconcilers wait until this process leads.
func start(ctx context.Context, config *rest.Config, o options) (*running, error) {
	mgr, err := newManager(config, o)
	if err != nil {
		return nil, err
	}
	if err := controllers.Setup(mgr); err != nil {
		return nil, err
	}
	listens := healthz.Ping
	if o.webhooks != nil {
		if err := o.webhooks.Setup(ctx, mgr); err != nil {
			return nil, err
		}
		listens = mgr.GetWebhookServer().StartedChecker()
	}
	if err := errors.Join(
		mgr.AddHealthzCheck("ping", healthz.Ping),
		mgr.AddReadyzCheck("webhooks", listens),
		mgr.AddReadyzCheck("caches", synced(mgr)),
	); err != nil {
		return nil, err
	}
	r := &running{ended: make(chan error, 1)}
	go func() { r.ended <- mgr.Start(ctx) }()
	return r, wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		select {
		case err := <-r.ended:
			return false, errors.Join(errors.New("the controller has ended"), err)
		default:
			return listens(nil) == nil, nil
		}
	})
}

// newManager returns a manager with leader election: only the leader updates the book.
func newManager(config *rest.Config, o options) (ctrl.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	managed := ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: o.metrics},
		HealthProbeBindAddress:        o.probes,
		LeaderElection:                true,
		LeaderElectionNamespace:       rbac.Namespace,
		LeaderElectionID:              "kubemath-controller",
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 ptr.To(o.leaseDuration),
		RenewDeadline:                 ptr.To(o.leaseDuration * 2 / 3),
		RetryPeriod:                   ptr.To(o.leaseDuration * 2 / 15),
		// Controllers of several managers in one process, as in tests, may have one name.
		Controller: ctrlconfig.Controller{SkipNameValidation: ptr.To(true)},
	}
	if o.webhooks != nil {
		managed.WebhookServer = o.webhooks.Server()
	}
	return ctrl.NewManager(config, managed)
}

// synced is ready when the caches are filled, on the leader and on those that wait to lead.
func synced(mgr ctrl.Manager) healthz.Checker {
	return func(request *http.Request) error {
		ctx, cancel := context.WithTimeout(request.Context(), time.Second)
		defer cancel()
		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the caches are not filled")
		}
		return nil
	}
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, errors.Join(clientgoscheme.AddToScheme(scheme), capsule.AddToScheme(scheme))
}

// newClient returns a client that asks the server.
func newClient(config *rest.Config) (client.Client, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	return client.New(config, client.Options{Scheme: scheme})
}
