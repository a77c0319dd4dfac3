package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// unreliable is a proxy in front of an API server, which refuses requests with conflicts and for their number, loses answers, and
// holds writes of quotas until their writers are gone.
type unreliable struct {
	Kubeconfig string // of the proxy

	target    *url.URL
	transport http.RoundTripper

	mu       sync.Mutex
	random   *rand.Rand
	on       bool
	armed    chan struct{} // closed when a write is held; nil if none is to be held
	held     chan struct{} // closed when it may go on
	done     chan struct{} // closed when it has been answered
	heldOf   types.NamespacedName
	only     string // the namespace of the quota to hold, "" for any
	injected map[string]int
}

// The faults that the proxy makes.
const (
	faultThrottled = "429"
	faultRetry     = "429 with Retry-After"
	faultConflict  = "409"
	faultLost      = "answer lost"
	faultError     = "answer is 500"
	heldConflicts  = "held write conflicts"
	heldArrives    = "held write is stored"
)

func startUnreliable(t *testing.T, config *rest.Config) *unreliable {
	t.Helper()
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(config))
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	u := &unreliable{target: target, transport: transport, random: rand.New(rand.NewPCG(3, 4)), injected: map[string]int{}}
	server := httptest.NewUnstartedServer(u)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	u.Kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: %s, certificate-authority-data: %s}}]
users: [{name: u, user: {token: %s}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`, server.URL, base64.StdEncoding.EncodeToString(authority), config.BearerToken)
	if err := os.WriteFile(u.Kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return u
}

// set turns faults on or off.
func (u *unreliable) set(on bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.on = on
}

// arm makes the proxy hold the next write that lets a quota rise, in a namespace, or any if that is "". The channel that is
// returned is closed when it has one.
func (u *unreliable) arm(namespace string) <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.only = namespace
	u.armed, u.held, u.done = make(chan struct{}), make(chan struct{}), make(chan struct{})
	return u.armed
}

// release lets the write that is held go on, and waits for its answer. If none is held, none will be.
func (u *unreliable) release() {
	u.mu.Lock()
	armed, held, done := u.armed, u.held, u.done
	u.armed = nil
	u.mu.Unlock()
	close(held)
	select {
	case <-armed:
		<-done
	default:
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.heldOf = types.NamespacedName{}
}

// holds reports whether a write of a quota is held.
func (u *unreliable) holds(quota types.NamespacedName) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.heldOf == quota
}

func (u *unreliable) count(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.injected[what]++
}

// counts are how often each fault was made.
func (u *unreliable) counts() map[string]int {
	u.mu.Lock()
	defer u.mu.Unlock()
	counts := map[string]int{}
	for what, n := range u.injected {
		counts[what] = n
	}
	return counts
}

func (u *unreliable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet || strings.Contains(r.URL.Path, "/leases") {
		if r.URL.Query().Get("watch") == "" && !strings.Contains(r.URL.Path, "/leases") && u.fault(200) == faultRetry {
			u.throttle(w, true)
			return
		}
		proxy := &httputil.ReverseProxy{Transport: u.transport, FlushInterval: -1, Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(u.target) }, ErrorLog: log.New(io.Discard, "", 0)}
		proxy.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	fault := u.fault(100)
	switch fault {
	case faultThrottled, faultRetry:
		u.throttle(w, fault == faultRetry)
		return
	case faultConflict:
		u.count(fault)
		answer(w, http.StatusConflict, metav1.StatusReasonConflict)
		return
	}
	held, done := u.hold(r, body)
	if held != nil {
		<-held
	}
	// The write arrives even if its writer is gone.
	response, err := u.forward(r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	if held != nil {
		what := heldArrives
		if response.StatusCode >= 300 {
			what = heldConflicts
		}
		u.count(what)
		close(done)
	}
	switch {
	case response.StatusCode >= 300:
	case fault == faultLost:
		u.count(fault)
		panic(http.ErrAbortHandler)
	case fault == faultError:
		u.count(fault)
		answer(w, http.StatusInternalServerError, metav1.StatusReasonInternalError)
		return
	}
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body)
}

// fault returns what goes wrong with one of a number of requests.
func (u *unreliable) fault(of int) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.on {
		return ""
	}
	n := u.random.IntN(of)
	switch {
	case n < 1:
		return faultRetry
	case n < 4:
		return faultThrottled
	case n < 8:
		return faultConflict
	case n < 9:
		return faultLost
	case n < 10:
		return faultError
	}
	return ""
}

// hold returns the channels of a write of a quota that is to be held, nil for others.
func (u *unreliable) hold(r *http.Request, body []byte) (held, done chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.armed == nil || r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/resourcequotas/") {
		return nil, nil
	}
	q := &corev1.ResourceQuota{}
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, q); err != nil || q.Spec.Hard.Pods().Cmp(*q.Status.Hard.Pods()) <= 0 || u.only != "" && u.only != q.Namespace {
		return nil, nil
	}
	select {
	case <-u.armed:
		return nil, nil
	default:
	}
	close(u.armed)
	u.heldOf = types.NamespacedName{Namespace: q.Namespace, Name: q.Name}
	return u.held, u.done
}

func (u *unreliable) forward(r *http.Request, body []byte) (*http.Response, error) {
	forwarded := r.Clone(context.WithoutCancel(r.Context()))
	forwarded.RequestURI = ""
	forwarded.URL.Scheme, forwarded.URL.Host, forwarded.Host = u.target.Scheme, u.target.Host, u.target.Host
	forwarded.Body, forwarded.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return u.transport.RoundTrip(forwarded)
}

func (u *unreliable) throttle(w http.ResponseWriter, later bool) {
	if later {
		w.Header().Set("Retry-After", "1")
		u.count(faultRetry)
	} else {
		u.count(faultThrottled)
	}
	answer(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
}

// answer writes what an API server answers to a request that fails.
func answer(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	status := metav1.Status{Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: "injected"}
	status.APIVersion, status.Kind = "v1", "Status"
	_ = json.NewEncoder(w).Encode(status)
}
