package webhooks

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// earlier is how much earlier than it was issued a certificate is valid, for machines whose clock is behind.
const earlier = time.Hour

// certificates are those that the webhooks are served with, from a Secret that all replicas share. Each is its own authority, and
// the API server is told about all of them. When two thirds of the lifetime of the newest one are over, a replica adds
// another one, which is served some time later, when the API servers have heard of it; the old one is valid until then, and
// longer.
//
// They are safe for concurrent use.
type certificates struct {
	client   client.Client
	reader   client.Reader // asks the API server, not a cache
	secret   types.NamespacedName
	name     string // the host that the API server connects to
	lifetime time.Duration
	now      func() time.Time

	mu  sync.RWMutex
	all []tls.Certificate // the oldest one first
}

// interval is how often the Secret is looked at.
func (c *certificates) interval() time.Duration {
	return max(100*time.Millisecond, min(c.lifetime/48, time.Minute))
}

// Start keeps the certificates until the context ends.
func (c *certificates) Start(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(c.interval()):
		}
		if err := c.sync(ctx); err != nil {
			ctrllog.FromContext(ctx).Error(err, "certificates of the webhooks")
		}
	}
}

// NeedLeaderElection is false: every replica serves webhooks.
func (*certificates) NeedLeaderElection() bool { return false }

// sync reads the Secret, and writes it if a certificate has to be added or has expired.
func (c *certificates) sync(ctx context.Context) error {
	for {
		secret := &corev1.Secret{}
		secret.Namespace, secret.Name = c.secret.Namespace, c.secret.Name
		err := c.reader.Get(ctx, c.secret, secret)
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		missing := err != nil
		all, changed, err := c.maintained(secret)
		if err != nil {
			return err
		}
		switch {
		case missing:
			err = c.client.Create(ctx, secret)
		case changed:
			err = c.client.Update(ctx, secret)
		}
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
			continue // Another replica was first.
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.all = all
		c.mu.Unlock()
		return nil
	}
}

// The keys of a certificate in the Secret end like those of TLS Secrets.
const certificateSuffix, keySuffix = ".crt", ".key"

// maintained removes certificates that are of no use from a Secret, adds one if it is time to, and returns all of them.
func (c *certificates) maintained(secret *corev1.Secret) (all []tls.Certificate, changed bool, err error) {
	now := c.now()
	for key, text := range secret.Data {
		name, is := strings.CutSuffix(key, certificateSuffix)
		if !is {
			continue
		}
		certificate, err := tls.X509KeyPair(text, secret.Data[name+keySuffix])
		if err != nil || now.After(certificate.Leaf.NotAfter) || certificate.Leaf.VerifyHostname(c.name) != nil {
			delete(secret.Data, key)
			delete(secret.Data, name+keySuffix)
			changed = true
			continue
		}
		all = append(all, certificate)
	}
	slices.SortFunc(all, func(a, b tls.Certificate) int { return a.Leaf.NotAfter.Compare(b.Leaf.NotAfter) })
	if n := len(all); n > 0 && now.Before(renewal(all[n-1].Leaf)) {
		return all, changed, nil
	}
	added, text, key, err := selfSigned(c.name, now, c.lifetime)
	if err != nil {
		return nil, false, err
	}
	if secret.Data == nil {
		secret.Data = map[string][]byte{}
	}
	name := added.Leaf.SerialNumber.String()
	secret.Data[name+certificateSuffix], secret.Data[name+keySuffix] = text, key
	return append(all, added), true, nil
}

// lifetimeOf is for how long a certificate was issued.
func lifetimeOf(c *x509.Certificate) time.Duration { return c.NotAfter.Sub(c.NotBefore) - earlier }

// renewal is when another certificate has to be added.
func renewal(c *x509.Certificate) time.Time { return c.NotAfter.Add(-lifetimeOf(c) / 3) }

// get returns the certificate to serve: the newest one that the API servers know, or the oldest one.
func (c *certificates) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, certificate := range slices.Backward(c.all) {
		known := certificate.Leaf.NotBefore.Add(earlier + lifetimeOf(certificate.Leaf)/12)
		if !c.now().Before(known) {
			return &certificate, nil
		}
	}
	if len(c.all) == 0 {
		return nil, errors.New("there is no certificate yet")
	}
	return &c.all[0], nil
}

// authorities returns what the API server has to trust, as PEM.
func (c *certificates) authorities() []byte {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var text bytes.Buffer
	for _, certificate := range c.all {
		text.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}))
	}
	return text.Bytes()
}

// selfSigned returns a certificate for a host, and PEM of it and of its key.
func selfSigned(host string, now time.Time, lifetime time.Duration) (certificate tls.Certificate, text, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		return tls.Certificate{}, nil, nil, err
	}
	// Authorities of one name have different keys, so each names its own.
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "kubemath webhooks " + serial.String()},
		NotBefore: now.Add(-earlier), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if address := net.ParseIP(host); address != nil {
		template.IPAddresses = []net.IP{address}
	} else {
		template.DNSNames = []string{host}
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return tls.Certificate{}, nil, nil, err
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		return tls.Certificate{}, nil, nil, err
	}
	text = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	key = pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded})
	certificate, err = tls.X509KeyPair(text, key)
	return certificate, text, key, err
}
