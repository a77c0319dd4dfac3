// Package webhooks answers the questions of the API server before anything is stored: about
// pods under LimitRanges, about pools, and about claims.
package webhooks

import (
	"crypto/tls"
	_ "embed"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

//go:embed configurations.yaml
var configurations string

// Endpoint is the port of the webhooks, and the certificate by which the API server identifies
// them.
type Endpoint struct {
	port        int
	certificate tls.Certificate
}

// Loopback returns an endpoint on a free port of 127.0.0.1, for an API server on the same
// machine, with a certificate of its own.
func Loopback() (*Endpoint, error) {
	certificate, err := selfSigned()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	return &Endpoint{port: listener.Addr().(*net.TCPAddr).Port, certificate: certificate}, nil
}

// Server is the server that a manager has to be made with.
func (e *Endpoint) Server() webhook.Server {
	return webhook.NewServer(webhook.Options{
		Host: "127.0.0.1", Port: e.port,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) {
			config.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &e.certificate, nil }
		}},
	})
}

// Configurations are the manifests that tell the API server about the webhooks.
func (e *Endpoint) Configurations() string {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: e.certificate.Certificate[0]})
	return strings.NewReplacer(
		"$ADDRESS", fmt.Sprintf("https://127.0.0.1:%d", e.port),
		"$AUTHORITY", base64.StdEncoding.EncodeToString(authority),
	).Replace(configurations)
}

// Setup adds the webhooks to a manager.
func Setup(mgr manager.Manager) {
	for path, handler := range handlers(mgr.GetClient(), mgr.GetScheme()) {
		mgr.GetWebhookServer().Register(path, handler)
	}
}

func handlers(c client.Reader, scheme *runtime.Scheme) map[string]*admission.Webhook {
	decoder := admission.NewDecoder(scheme)
	return map[string]*admission.Webhook{
		"/pods":     {Handler: &Pods{Client: c, Decoder: decoder}},
		"/pools":    admission.WithValidator(scheme, Pools{}),
		"/claims":   admission.WithValidator(scheme, Claims{Client: c}),
		"/releases": admission.WithDefaulter(scheme, Releases{Client: c, Decoder: decoder}),
	}
}
