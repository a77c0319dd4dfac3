package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asController is the environment variable that makes the test binary run as the controller, with
// the arguments in its value.
const asController = "KUBEMATH_AS_CONTROLLER"

func TestMain(m *testing.M) {
	if args := os.Getenv(asController); args != "" {
		os.Args = append([]string{"controller"}, strings.Fields(args)...)
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a controller that can be killed.
type process struct {
	command                   *exec.Cmd
	metrics, probes, webhooks string // addresses
	done                      chan struct{}
}

// startProcess starts a controller on a cluster that has all that it needs. Without an address, it has no webhooks.
func startProcess(t *testing.T, kubeconfig string, log io.Writer, webhooks string, flags ...string) *process {
	t.Helper()
	p := &process{command: exec.Command(os.Args[0]), metrics: freeAddress(t), probes: freeAddress(t), webhooks: webhooks, done: make(chan struct{})}
	args := []string{
		"-kubeconfig=" + kubeconfig, "-install=false", "-leader-elect-lease-duration=6s",
		"-metrics-bind-address=" + p.metrics, "-health-probe-bind-address=" + p.probes,
	}
	if webhooks == "" {
		args = append(args, "-no-webhooks")
	} else {
		args = append(args, "-webhook-bind-address="+webhooks)
	}
	p.command.Env = append(os.Environ(), asController+"="+strings.Join(append(args, flags...), " "))
	p.command.Stderr = log
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.command.Wait()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill sends SIGKILL: the process cannot clean up.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.done
}

// pause sends SIGSTOP: the process does nothing until it is continued, and does not know that it was paused.
func (p *process) pause() { _ = p.command.Process.Signal(syscall.SIGSTOP) }

func (p *process) resume() { _ = p.command.Process.Signal(syscall.SIGCONT) }

// terminate sends SIGTERM, and waits until the process has ended.
func (p *process) terminate() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	<-p.done
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// replicas are two processes, one of which leads.
type replicas struct {
	*testing.T
	kubeconfig string
	log        io.Writer
	webhooks   func() string  // returns an address for another process; nil for no webhooks
	flags      []string       // of webhooks
	started    func(*process) // nil, or told about each process
	processes  []*process
}

func startReplicas(t *testing.T, kubeconfig string, log io.Writer) *replicas {
	r := &replicas{T: t, kubeconfig: kubeconfig, log: log}
	r.complete()
	return r
}

// complete replaces processes that have ended, whether they were killed or exited. A process exits
// when it cannot renew its lease in time, which happens on a busy machine.
func (r *replicas) complete() {
	running := r.processes[:0]
	for _, p := range r.processes {
		if !p.ended() {
			running = append(running, p)
		}
	}
	for len(running) < 2 {
		address := ""
		if r.webhooks != nil {
			address = r.webhooks()
		}
		p := startProcess(r.T, r.kubeconfig, r.log, address, r.flags...)
		if r.started != nil {
			r.started(p)
		}
		running = append(running, p)
	}
	r.processes = running
}

// standby returns a process that does not lead.
func (r *replicas) standby() *process {
	r.Helper()
	leader := r.leader()
	for _, p := range r.processes {
		if p != leader {
			return p
		}
	}
	return nil
}

// leader waits for the process that leads.
func (r *replicas) leader() *process {
	r.Helper()
	for range 600 {
		r.complete()
		for _, p := range r.processes {
			if strings.Contains(read(r.T, "http://"+p.metrics+"/metrics"), `leader_election_master_status{name="kubemath-controller"} 1`) {
				return p
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	r.Fatal("nobody leads")
	return nil
}
