package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// identity is how the server and its only user authenticate each other: a self-signed certificate
// for 127.0.0.1, and a token.
type identity struct {
	certificate, key string // files
	tokens           string // file
	serviceAccounts  string // file, the key that would sign their tokens
	authority        []byte // PEM
	token            string
}

// newIdentity draws one and writes its files into dir.
func newIdentity(dir string) (*identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubemath"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	id := &identity{
		certificate: filepath.Join(dir, "server.crt"), key: filepath.Join(dir, "server.key"), tokens: filepath.Join(dir, "tokens.csv"),
		authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		token:     rand.Text(),
	}
	id.serviceAccounts = id.key
	for path, content := range map[string][]byte{
		id.certificate: id.authority,
		id.key:         pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}),
		id.tokens:      fmt.Appendf(nil, "%s,kubemath,kubemath,system:masters\n", id.token),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return nil, err
		}
	}
	return id, nil
}

// tls trusts the server's certificate alone.
func (id *identity) tls() *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(id.authority)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// kubeconfig is what kubectl and client-go need to know.
func (id *identity) kubeconfig(address string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: kubemath
clusters:
- name: kubemath
  cluster:
    server: %s
    certificate-authority-data: %s
contexts:
- name: kubemath
  context: {cluster: kubemath, user: kubemath}
users:
- name: kubemath
  user:
    token: %s
`, address, base64.StdEncoding.EncodeToString(id.authority), id.token)
}
