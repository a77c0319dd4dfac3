package localserver

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// program is a script that replaces the server program.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "apiserver")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// The server is ready when it has named a kubeconfig, and ends with its standard input.
func TestServe(t *testing.T) {
	s := &Server{}
	if err := s.serve(t.TempDir(), program(t, `[ "$1" = serve ] && echo /some/kubeconfig && exec cat >/dev/null`), io.Discard); err != nil {
		t.Fatal(err)
	}
	if s.Kubeconfig != "/some/kubeconfig" {
		t.Errorf("%q", s.Kubeconfig)
	}
	pid := s.process.Process.Pid
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("still there: %v", err)
	}
}

func TestServeFails(t *testing.T) {
	for script, want := range map[string]string{
		"exit 3": "no API server on this machine",
		"exit 1": "exit status 1",
		"exit 0": "ended before it was ready",
	} {
		s := &Server{}
		err := s.serve(t.TempDir(), program(t, script), io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrUnavailable) != (script == "exit 3") {
			t.Errorf("%s: %v", script, err)
		}
		if err := s.Stop(); err != nil {
			t.Errorf("%s: %v", script, err)
		}
	}
	if err := (&Server{}).serve(t.TempDir(), filepath.Join(t.TempDir(), "none"), io.Discard); err == nil {
		t.Error("a program that is not there was started")
	}
}

// The directory that the server is built in is there.
func TestConformance(t *testing.T) {
	dir, err := conformance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "apiserver", "main.go")); err != nil {
		t.Error(err)
	}
}
