package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/rbac"
)

// outage is how long claims may be refused after a process was killed, if they are not stored without an answer.
const outage = 5 * time.Second

// service serves the webhooks of two processes through a Service, while claims are created all the time. The processes are killed,
// terminated, and change their certificates.
func (c cluster) service(kubeconfig string) {
	host := ownAddress(c.T)
	if host == "" {
		c.Skip("NO WEBHOOKS WERE CALLED THROUGH A SERVICE: this machine has no address but loopback, which endpoints cannot have")
	}
	text, err := os.ReadFile(filepath.Join("deploy", "service.yaml"))
	c.must(err)
	c.must(manifests.Apply(c.Context(), c, string(text)))
	c.team("dune", "dune-a")
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	kept := &endpoints{cluster: c}
	go kept.keep(ctx)

	start := func(policy admissionregistrationv1.FailurePolicyType, lifetime time.Duration) *replicas {
		c.must(uninstall(c.Context(), c)) // With the certificates, whose lifetime is another one.
		r := &replicas{T: c.T, kubeconfig: kubeconfig, log: os.Stderr, started: kept.add,
			webhooks: func() string { return freeAddressOf(c.T, host) },
			flags: []string{
				"-webhook-service=kubemath-controller", fmt.Sprint("-webhook-failure-policy=", policy), fmt.Sprint("-webhook-certificate-lifetime=", lifetime),
			},
		}
		r.leader()
		c.wantWebhooks(r, policy)
		return r
	}
	c.Run("Ignore", func(t *testing.T) { cluster{t, c.Client}.ignored(start(admissionregistrationv1.Ignore, time.Hour)) })
	c.Run("Fail", func(t *testing.T) { cluster{t, c.Client}.refused(start(admissionregistrationv1.Fail, 36*time.Second)) })
	c.Run("killed", func(t *testing.T) { cluster{t, c.Client}.allKilled(start(admissionregistrationv1.Fail, time.Hour)) })
}

// ignored webhooks never hold up a claim.
func (c cluster) ignored(r *replicas) {
	made := c.create()
	r.leader().kill()
	time.Sleep(outage)
	r.standby().kill()
	time.Sleep(outage)
	c.wantWebhooks(r, admissionregistrationv1.Ignore)
	for _, p := range r.processes {
		p.terminate()
	}
	time.Sleep(time.Second)
	n, failures := made.stop()
	c.Logf("%d claims created, %d refused", n, len(failures))
	if n < 100 || len(failures) > 0 {
		c.Errorf("%d claims created, refused: %v", n, failures)
	}
}

// refused claims are those for which no webhook answers: for a moment after a process is killed, but not while certificates
// change, nor after the last process has ended.
func (c cluster) refused(r *replicas) {
	for _, victim := range []struct {
		what string
		find func() *process
	}{{"leader", r.leader}, {"standby", r.standby}} {
		what, p := victim.what, victim.find()
		made := c.create()
		time.Sleep(time.Second)
		killed := time.Now()
		p.kill()
		time.Sleep(outage + 3*time.Second)
		n, failures := made.stop()
		last := time.Duration(0)
		for _, failure := range failures {
			last = max(last, failure.at.Sub(killed))
		}
		c.Logf("%s killed: %d claims created, %d refused, the last one after %v", what, n, len(failures), last.Round(time.Millisecond))
		if n < 20 || last > outage {
			c.Errorf("claims are refused %v after the %s was killed: %v", last, what, failures)
		}
		c.wantWebhooks(r, admissionregistrationv1.Fail)
	}
	made := c.create()
	var serials []string
	for start := time.Now(); len(serials) < 3 && time.Since(start) < 2*time.Minute; time.Sleep(200 * time.Millisecond) {
		for _, p := range r.processes {
			if serial := serialOf(p.webhooks); serial != "" && !slices.Contains(serials, serial) {
				serials = append(serials, serial)
			}
		}
	}
	n, failures := made.stop()
	c.Logf("%d certificates: %d claims created, %d refused", len(serials), n, len(failures))
	if len(serials) != 3 || n < 100 || len(failures) > 0 {
		c.Errorf("%d certificates, %d claims created, refused: %v", len(serials), n, failures)
	}
	for _, p := range r.processes {
		_ = p.command.Process.Signal(syscall.SIGTERM)
	}
	for _, p := range r.processes {
		<-p.done
	}
	c.claim("dune-a", "after", "dune", 0)
	c.must(c.Delete(c.Context(), newClaim("dune-a", "after", "dune", 0)))
}

// allKilled leaves nobody who answers, and the API server refuses claims until the webhooks are removed.
func (c cluster) allKilled(r *replicas) {
	for _, p := range r.processes {
		p.kill()
	}
	if err := c.Create(c.Context(), newClaim("dune-a", "nobody", "dune", 0)); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		c.Errorf("nobody answers: %v", err)
	}
	uninstalled := startProcess(c.T, r.kubeconfig, os.Stderr, "", "-uninstall")
	<-uninstalled.done
	if code := uninstalled.command.ProcessState.ExitCode(); code != 0 {
		c.Fatalf("-uninstall exits with %d", code)
	}
	c.eventually("a claim after -uninstall", func() string {
		return fmt.Sprint(c.Create(c.Context(), newClaim("dune-a", "nobody", "dune", 0)))
	}, "<nil>")
	c.must(c.Delete(c.Context(), newClaim("dune-a", "nobody", "dune", 0)))
}

// wantWebhooks waits until two processes are ready, and invalid claims are refused; then the API server knows the webhooks.
func (c cluster) wantWebhooks(r *replicas, policy admissionregistrationv1.FailurePolicyType) {
	c.Helper()
	r.leader()
	for _, p := range r.processes {
		c.eventually("readiness", func() string { return read(c.T, "http://"+p.probes+"/readyz") }, "ok")
	}
	c.eventually("the failure policy", func() string {
		var configuration admissionregistrationv1.ValidatingWebhookConfiguration
		c.must(client.IgnoreNotFound(c.Get(c.Context(), types.NamespacedName{Name: "kubemath-pools"}, &configuration)))
		if len(configuration.Webhooks) == 0 {
			return ""
		}
		return string(*configuration.Webhooks[0].FailurePolicy)
	}, string(policy))
	c.eventually("the endpoints", func() string {
		var list discoveryv1.EndpointSliceList
		c.must(c.List(c.Context(), &list, client.InNamespace(rbac.Namespace)))
		return fmt.Sprint(len(list.Items))
	}, "2")
	c.eventually("a refusal of an invalid claim", func() string {
		err := c.Create(c.Context(), newClaim("dune-a", "negative", "dune", -1), client.DryRunAll)
		return fmt.Sprint(err != nil && strings.HasPrefix(err.Error(), `admission webhook "claims.kubemath.example" denied the request`))
	}, "true")
	time.Sleep(time.Second) // What one API server knows of endpoints may be late for that.
}

// endpoints plays the kubelet and the controller of EndpointSlices: every second, it looks at which processes are ready.
type endpoints struct {
	cluster
	mu        sync.Mutex
	processes []*process
}

func (e *endpoints) add(p *process) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.processes = append(e.processes, p)
}

func (e *endpoints) keep(ctx context.Context) {
	known := map[*process]bool{}
	for ctx.Err() == nil {
		e.mu.Lock()
		processes := slices.Clone(e.processes)
		e.mu.Unlock()
		for _, p := range processes {
			ready := !p.ended() && read(e.T, "http://"+p.probes+"/readyz") == "ok"
			if ready == known[p] {
				continue
			}
			err := e.write(ctx, p, ready)
			if err == nil {
				known[p] = ready
			} else if ctx.Err() == nil {
				e.Log(err)
			}
		}
		time.Sleep(time.Second)
	}
}

func (e *endpoints) write(ctx context.Context, p *process, ready bool) error {
	host, portText, err := net.SplitHostPort(p.webhooks)
	if err != nil {
		return err
	}
	port, err := strconv.ParseInt(portText, 10, 32)
	if err != nil {
		return err
	}
	slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	slice.Namespace, slice.Name = rbac.Namespace, "webhooks-"+portText
	if !ready {
		return e.Delete(ctx, slice)
	}
	slice.Labels = map[string]string{discoveryv1.LabelServiceName: "kubemath-controller"}
	slice.Ports = []discoveryv1.EndpointPort{{Name: ptr.To("webhooks"), Port: ptr.To(int32(port))}}
	slice.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{host}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(true)}}}
	return e.Create(ctx, slice)
}

// creations are claims that are created, and deleted again, one after the other.
type creations struct {
	cluster
	end      chan struct{}
	done     sync.WaitGroup
	made     int
	failures []failure
}

type failure struct {
	at  time.Time
	err string
}

// create starts to create claims.
func (c cluster) create() *creations {
	m := &creations{cluster: c, end: make(chan struct{})}
	m.done.Go(func() {
		for number := 0; ; number++ {
			select {
			case <-m.end:
				return
			case <-time.After(20 * time.Millisecond):
			}
			claim := newClaim("dune-a", fmt.Sprint("made-", number), "dune", 0)
			if err := m.Create(context.Background(), claim); err != nil {
				m.failures = append(m.failures, failure{time.Now(), err.Error()})
				continue
			}
			m.made++
			// Nobody answers about a deletion, either.
			for client.IgnoreNotFound(m.Delete(context.Background(), claim)) != nil {
				time.Sleep(100 * time.Millisecond)
			}
		}
	})
	return m
}

// stop returns how many claims were created, and which ones were refused.
func (m *creations) stop() (int, []failure) {
	close(m.end)
	m.done.Wait()
	return m.made, m.failures
}

// serialOf returns the serial number of the certificate that is served at an address, "" if there is none.
func serialOf(address string) string {
	// Only which one it is matters here; the API server checks it.
	connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return ""
	}
	defer connection.Close()
	return connection.ConnectionState().PeerCertificates[0].SerialNumber.String()
}

// ownAddress returns an IPv4 address of this machine that endpoints of a Service may have, "" if there is none.
func ownAddress(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		if network, is := address.(*net.IPNet); is && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			return network.IP.String()
		}
	}
	return ""
}
