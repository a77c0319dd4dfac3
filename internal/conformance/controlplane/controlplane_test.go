package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubemath/kubemath/internal/testkit"
)

// The processes have no proxy settings, stop on request, and report why they exited otherwise.
func TestProcess(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://192.0.2.1:1")
	dir := t.TempDir()
	p, err := startProcess(dir, "sleeper", "/bin/sh", "-c", "env; exec sleep 600")
	testkit.OK(t, err)
	for {
		if out, err := os.ReadFile(p.log); err != nil || strings.Contains(string(out), "PROXY") {
			t.Fatalf("%s, %v", out, err)
		} else if strings.Contains(string(out), "HOME="+dir) {
			break
		}
	}
	p.stop()
	if err := syscall.Kill(p.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("still there: %v", err)
	}

	p, err = startProcess(dir, "failing", "/bin/sh", "-c", "echo no luck; exit 7")
	testkit.OK(t, err)
	if err := p.wait(t.Context(), http.DefaultClient, "http://127.0.0.1:1/"); err == nil || !strings.Contains(err.Error(), "failing ended: exit status 7\nno luck") {
		t.Errorf("%v", err)
	}
	if _, err := startProcess(dir, "missing", filepath.Join(dir, "none")); err == nil {
		t.Error("a program that is not there was started")
	}
}

// A server that cannot start leaves nothing behind.
func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	if _, err := Start(t.Context(), Options{APIServer: "/bin/false", Etcd: "/bin/false"}); err == nil || !strings.Contains(err.Error(), "etcd ended") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestUnavailable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := FindEtcd(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v", err)
	}
	if _, err := Build(t.Context(), APIServer, io.Discard); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "cannot be built") {
		t.Errorf("%v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(cancelled, APIServer, io.Discard); err == nil || errors.Is(err, ErrUnavailable) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestClient(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		switch r.URL.Path {
		case "/echo":
			err = json.NewEncoder(w).Encode(map[string]string{"method": r.Method, "query": r.URL.RawQuery, "auth": r.Header.Get("Authorization")})
		case "/watched":
			_, err = io.WriteString(w, `{"type":"ADDED","object":{"a":1}}{"type":"DELETED","object":{"a":2}}{"type":"ERROR","object":{"code":410}}`)
		case "/forbidden":
			w.WriteHeader(http.StatusForbidden)
			_, err = io.WriteString(w, `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`)
		default:
			w.WriteHeader(http.StatusBadGateway)
			_, err = io.WriteString(w, "sorry")
		}
		if err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	c := &Client{address: server.URL, http: &http.Client{Transport: bearer{http.DefaultTransport, "secret"}}}
	for method, do := range map[string]func(out any) error{
		"GET":  func(out any) error { return c.Get(t.Context(), "/echo", out) },
		"POST": func(out any) error { return c.Create(t.Context(), "/echo?dryRun=All", nil, out) },
		"PUT":  func(out any) error { return c.Update(t.Context(), "/echo", nil, out) },
	} {
		var got map[string]string
		if err := do(&got); err != nil || got["method"] != method || got["auth"] != "Bearer secret" {
			t.Errorf("%s: %v, %v", method, got, err)
		}
	}
	if err := c.Delete(t.Context(), "/echo"); err != nil {
		t.Error(err)
	}
	var changes []string
	err := c.Watch(t.Context(), "/watched", func(change string, object json.RawMessage) error {
		changes = append(changes, change+string(object))
		return nil
	})
	if want := []string{`ADDED{"a":1}`, `DELETED{"a":2}`}; !slices.Equal(changes, want) || err == nil || !strings.Contains(err.Error(), "410") {
		t.Errorf("%v, %v", changes, err)
	}
	if err := c.Watch(t.Context(), "/forbidden", nil); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("%v", err)
	}
	if err := c.Get(t.Context(), "/forbidden", nil); !apierrors.IsForbidden(err) {
		t.Errorf("%v", err)
	}
	if err := c.Get(t.Context(), "/broken", nil); err == nil || !strings.Contains(err.Error(), "502 Bad Gateway: sorry") {
		t.Errorf("%v", err)
	}
}
