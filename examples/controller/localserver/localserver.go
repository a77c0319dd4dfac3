// Package localserver runs a real kube-apiserver, with etcd, on 127.0.0.1: the one that the
// conformance tests of kubemath are held against. Their module requires k8s.io/kubernetes, which a
// controller should not require, so it runs as a separate process.
package localserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrUnavailable is wrapped by the errors of Start if no server can run on this machine: no etcd on
// PATH, or no kube-apiserver that can be built.
var ErrUnavailable = errors.New("no API server on this machine")

// exitUnavailable is the exit code of the server program for that.
const exitUnavailable = 3

// Server is a running API server.
type Server struct {
	Kubeconfig string // path of a file

	process *exec.Cmd
	stdin   io.Closer
	dir     string
}

// Start builds the server if needed, which takes minutes the first time, and starts it. Progress is
// written to log.
func Start(ctx context.Context, log io.Writer) (s *Server, err error) {
	module, err := conformance(ctx)
	if err != nil {
		return nil, err
	}
	s = &Server{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	s.dir, err = os.MkdirTemp("", "kubemath-localserver-")
	if err != nil {
		return s, err
	}
	program := filepath.Join(s.dir, "apiserver")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./apiserver")
	build.Dir, build.Stdout, build.Stderr = module, log, log
	if err := build.Run(); err != nil {
		return s, fmt.Errorf("%v: %w", build, err)
	}
	return s, s.serve(module, program, log)
}

// serve starts the program and waits until it names a kubeconfig.
func (s *Server) serve(module, program string, log io.Writer) error {
	s.process = exec.Command(program, "serve")
	s.process.Dir, s.process.Stderr = module, log
	// Ctrl-C interrupts only this program, which then stops the server.
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := s.process.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		s.process = nil
		return err
	}
	s.stdin = stdin
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil { // It has ended without a word: its exit code says why.
		err := errors.Join(errors.New("the API server ended before it was ready"), s.wait())
		if s.process.ProcessState.ExitCode() == exitUnavailable {
			err = ErrUnavailable
		}
		s.process = nil
		return err
	}
	s.Kubeconfig = strings.TrimSpace(line)
	return nil
}

// Stop ends the server, and removes all that it has written.
func (s *Server) Stop() error {
	var err error
	if s.process != nil {
		err = s.wait()
	}
	if s.dir == "" {
		return err
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// wait closes the standard input of the server, which makes it exit. If this program is killed, the
// kernel closes it.
func (s *Server) wait() error {
	return errors.Join(s.stdin.Close(), s.process.Wait())
}

// conformance returns the directory of the module with the program that serves.
func conformance(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/kubemath/kubemath").Output()
	if err != nil {
		return "", fmt.Errorf("where kubemath is: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "internal", "conformance"), nil
}
