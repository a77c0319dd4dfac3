// Package webhooks answers the questions of the API server before anything is stored: about
// pods under LimitRanges, about pools, and about claims.
package webhooks

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/quota/admit"
)

// Secret is the name of the Secret with the certificates, in the namespace of the controller.
const Secret = "kubemath-webhooks"

// Options say where the webhooks are, and what becomes of a claim or a pool if they do not answer.
type Options struct {
	// Address is where this process listens. Port 0 is a free one.
	Address string
	// Service is the Service by which the API server finds all processes, in the namespace of the controller. If it is
	// "", the API server connects to the address of the leader.
	Service string
	// FailurePolicy is Ignore if it is "".
	FailurePolicy admissionregistrationv1.FailurePolicyType
	// Lifetime is how long a certificate is valid. It is 90 days if it is 0.
	Lifetime time.Duration
}

// Endpoint is where the webhooks of a process are.
type Endpoint struct {
	Options

	host         string
	port         int
	certificates *certificates
}

// Listen returns an endpoint. Its server listens when it is started.
func Listen(o Options) (*Endpoint, error) {
	host, portText, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		listener, err := net.Listen("tcp", o.Address)
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		port = listener.Addr().(*net.TCPAddr).Port
	}
	switch o.FailurePolicy {
	case "":
		o.FailurePolicy = admissionregistrationv1.Ignore
	case admissionregistrationv1.Ignore, admissionregistrationv1.Fail:
	default:
		return nil, fmt.Errorf("failure policy %q: neither Ignore nor Fail", o.FailurePolicy)
	}
	if o.Lifetime == 0 {
		o.Lifetime = 90 * 24 * time.Hour
	}
	if o.Lifetime < 10*time.Second {
		return nil, fmt.Errorf("lifetime %v of certificates: less than 10s", o.Lifetime)
	}
	if o.Service == "" && net.ParseIP(host) == nil {
		return nil, fmt.Errorf("address %q: without a Service, an IP address is needed", o.Address)
	}
	e := &Endpoint{Options: o, host: host, port: port}
	e.certificates = &certificates{
		secret: types.NamespacedName{Namespace: rbac.Namespace, Name: Secret},
		name:   e.name(), lifetime: o.Lifetime, now: time.Now,
	}
	return e, nil
}

// name is the host that the API server expects the certificate to be of.
func (e *Endpoint) name() string {
	if e.Service != "" {
		return e.Service + "." + rbac.Namespace + ".svc"
	}
	return e.host
}

// Server is the server that a manager has to be made with.
func (e *Endpoint) Server() webhook.Server {
	return webhook.NewServer(webhook.Options{
		Host: e.host, Port: e.port,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) { config.GetCertificate = e.certificates.get }},
	})
}

// Setup adds the webhooks to a manager whose server is that of the endpoint. All processes serve them, and keep their
// certificates; the leader tells the API server about them.
func (e *Endpoint) Setup(ctx context.Context, mgr manager.Manager) error {
	for path, handler := range handlers(mgr.GetClient(), mgr.GetScheme()) {
		mgr.GetWebhookServer().Register(path, handler)
	}
	e.certificates.client, e.certificates.reader = mgr.GetClient(), mgr.GetAPIReader()
	if err := e.certificates.sync(ctx); err != nil {
		return err
	}
	if err := mgr.Add(e.certificates); err != nil {
		return err
	}
	return mgr.Add(&announcer{client: mgr.GetClient(), endpoint: e})
}

func handlers(c client.Reader, scheme *runtime.Scheme) map[string]*admission.Webhook {
	decoder := admission.NewDecoder(scheme)
	all := map[string]*admission.Webhook{
		"/pods":     {Handler: &Pods{Client: c, Decoder: decoder, MaxSize: maxSize}},
		"/pools":    admission.WithValidator(scheme, Pools{}),
		"/claims":   admission.WithValidator(scheme, Claims{Client: c}),
		"/releases": admission.WithDefaulter(scheme, Releases{Client: c, Decoder: decoder}),
	}
	for _, hook := range all {
		hook.Handler = bounded{hook.Handler, maxSize}
	}
	return all
}

// maxSize bounds what tenants write, so that an answer takes no more than seconds.
var maxSize = admit.MaxSize{Objects: 100, Bytes: 256 << 10}

// bounded refuses objects that are too large before they are decoded.
type bounded struct {
	admission.Handler
	max admit.MaxSize
}

func (b bounded) Handle(ctx context.Context, request admission.Request) admission.Response {
	if len(request.Object.Raw) > b.max.Bytes {
		object := &unstructured.Unstructured{}
		err := object.UnmarshalJSON(request.Object.Raw)
		if err == nil {
			err = b.max.Check(object)
		}
		if err != nil {
			return admission.Errored(http.StatusRequestEntityTooLarge, err)
		}
	}
	return b.Handler.Handle(ctx, request)
}
