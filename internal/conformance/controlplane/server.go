package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Options say what to start. The zero value lacks APIServer alone.
type Options struct {
	// APIServer is the path of a kube-apiserver: see Build.
	APIServer string
	// Etcd is the path of an etcd, by default what FindEtcd finds.
	Etcd string
	// Arguments are further arguments of the kube-apiserver.
	Arguments []string
	// Admission is an AdmissionConfiguration as YAML, with those of its plugins in it. By
	// default, the server has none.
	Admission []byte
}

// Server is a running API server.
type Server struct {
	// Client asks the server, as its administrator.
	Client *Client
	// Kubeconfig is the path of a file for other clients, which Stop removes.
	Kubeconfig string

	dir             string
	etcd, apiserver *process
	others          []*process
}

// startTime is how long a server may take until it is ready.
const startTime = 2 * time.Minute

// Start runs etcd and a kube-apiserver and waits until it is ready. If it fails, nothing is left
// running. Pods do not need service accounts, all requests are authorized, and no controllers run:
// callers write the statuses that they need.
func Start(ctx context.Context, opts Options) (*Server, error) {
	if opts.Etcd == "" {
		path, err := FindEtcd()
		if err != nil {
			return nil, err
		}
		opts.Etcd = path
	}
	var err error
	// A free port may be taken by another process before it is used.
	for range 3 {
		var s *Server
		s, err = start(ctx, opts)
		if err == nil {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

func start(ctx context.Context, opts Options) (s *Server, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	s = &Server{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
			s = nil
		}
	}()
	s.dir, err = os.MkdirTemp("", "kubemath-apiserver-")
	if err != nil {
		return s, err
	}
	id, err := newIdentity(s.dir)
	if err != nil {
		return s, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return s, err
	}
	etcdAddress, peerAddress, address := local("http", ports[0]), local("http", ports[1]), local("https", ports[2])
	s.etcd, err = startProcess(s.dir, "etcd", opts.Etcd,
		"--name=kubemath", "--data-dir="+filepath.Join(s.dir, "etcd"),
		"--listen-client-urls="+etcdAddress, "--advertise-client-urls="+etcdAddress,
		"--listen-peer-urls="+peerAddress, "--initial-advertise-peer-urls="+peerAddress,
		"--initial-cluster=kubemath="+peerAddress, "--log-level=warn",
	)
	if err != nil {
		return s, err
	}
	err = s.etcd.wait(ctx, &http.Client{Transport: &http.Transport{}}, etcdAddress+"/health")
	if err != nil {
		return s, err
	}
	arguments := opts.Arguments
	if len(opts.Admission) > 0 {
		path := filepath.Join(s.dir, "admission.yaml")
		err = os.WriteFile(path, opts.Admission, 0o600)
		if err != nil {
			return s, err
		}
		arguments = append(slices.Clone(arguments), "--admission-control-config-file="+path)
	}
	s.apiserver, err = startProcess(s.dir, "kube-apiserver", opts.APIServer, append([]string{
		"--etcd-servers=" + etcdAddress, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[2]),
		"--cert-dir=" + s.dir, "--tls-cert-file=" + id.certificate, "--tls-private-key-file=" + id.key,
		"--token-auth-file=" + id.tokens, "--authorization-mode=RBAC", "--anonymous-auth=false",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + id.serviceAccounts, "--service-account-signing-key-file=" + id.serviceAccounts,
		"--service-cluster-ip-range=10.0.0.0/16", "--endpoint-reconciler-type=none",
		"--enable-aggregator-routing=true", // No proxy runs, so webhooks are found by the endpoints of their Service.
		"--disable-admission-plugins=ServiceAccount", "--enable-priority-and-fairness=false", "--profiling=false",
	}, arguments...)...)
	if err != nil {
		return s, err
	}
	s.Client = newClient(address, id)
	err = s.apiserver.wait(ctx, s.Client.http, address+"/readyz")
	if err != nil {
		return s, err
	}
	s.Kubeconfig = filepath.Join(s.dir, "kubeconfig")
	return s, os.WriteFile(s.Kubeconfig, []byte(id.kubeconfig(address)), 0o600)
}

// Run starts a further component, whose arguments are those given and a kubeconfig of the administrator.
func (s *Server) Run(name, path string, args ...string) error {
	p, err := startProcess(s.dir, name, path, append(slices.Clone(args), "--kubeconfig="+s.Kubeconfig)...)
	if err == nil {
		s.others = append(s.others, p)
	}
	return err
}

// Log returns the path of the file that a component which Run has started writes, empty if there is none.
func (s *Server) Log(name string) string {
	for _, p := range s.others {
		if p.name == name {
			return p.log
		}
	}
	return ""
}

// Failure returns why a component has ended, nil if all of them run.
func (s *Server) Failure() error {
	for _, p := range append([]*process{s.apiserver, s.etcd}, s.others...) {
		select {
		case <-p.done:
			return p.failure()
		default:
		}
	}
	return nil
}

// Stop ends the server and etcd, and removes all that they have written.
func (s *Server) Stop() error {
	for _, p := range append(slices.Clone(s.others), s.apiserver, s.etcd) {
		if p != nil {
			p.stop()
		}
	}
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// wait returns when the address answers with 200, or the process has ended.
func (p *process) wait(ctx context.Context, client *http.Client, address string) error {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		if response, err := client.Do(request); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.done:
			return p.failure()
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", p.name, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func local(scheme string, port int) string { return fmt.Sprintf("%s://127.0.0.1:%d", scheme, port) }

// freePorts returns different ports of 127.0.0.1 that no process listens on.
func freePorts(n int) (ports []int, err error) {
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
