package main

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/controllers"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
)

// running is a controller at work.
type running struct {
	client client.Client // asks the server, not the controller's cache
	ended  chan error
}

// wait returns when the controller has ended.
func (r *running) wait() error { return <-r.ended }

// start defines the custom resources, starts the controllers and the webhooks, and tells
// the server about them. They end with the context.
func start(ctx context.Context, config *rest.Config) (*running, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	if err := define(ctx, c); err != nil {
		return nil, err
	}
	endpoint, err := webhooks.Loopback()
	if err != nil {
		return nil, err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme, WebhookServer: endpoint.Server(), Metrics: metricsserver.Options{BindAddress: "0"},
		// Without metrics, controllers of several managers in one process may have one name.
		Controller: ctrlconfig.Controller{SkipNameValidation: ptr.To(true)},
	})
	if err != nil {
		return nil, err
	}
	if err := controllers.Setup(ctx, mgr); err != nil {
		return nil, err
	}
	webhooks.Setup(mgr)
	r := &running{client: c, ended: make(chan error, 1)}
	go func() { r.ended <- mgr.Start(ctx) }()
	listens := mgr.GetWebhookServer().StartedChecker()
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		select {
		case err := <-r.ended:
			return false, errors.Join(errors.New("the controller has ended"), err)
		default:
			return listens(nil) == nil, nil
		}
	})
	if err != nil {
		return nil, err
	}
	return r, manifests.Apply(ctx, c, endpoint.Configurations())
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, errors.Join(clientgoscheme.AddToScheme(scheme), capsule.AddToScheme(scheme))
}

// define creates the custom resources, and waits until they are served.
func define(ctx context.Context, c client.Client) error {
	if err := manifests.Apply(ctx, c, capsule.Definitions); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		pools, claims := c.List(ctx, &capsule.ResourcePoolList{}), c.List(ctx, &capsule.ResourcePoolClaimList{})
		return pools == nil && claims == nil, nil
	})
}
