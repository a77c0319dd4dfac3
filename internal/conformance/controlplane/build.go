package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	module  = "k8s.io/kubernetes"
	command = module + "/cmd/kube-apiserver"
)

// ErrUnavailable is wrapped by the errors of Build and FindEtcd: no server can run on this machine.
// Any other error is a failure.
var ErrUnavailable = errors.New("no API server on this machine")

// Build returns the path of a kube-apiserver of the version that this module requires. The
// first time, it compiles one, which takes minutes, and keeps it in the user's cache
// directory; it says so on log. It has to be called within this module.
func Build(ctx context.Context, log io.Writer) (path string, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w: kube-apiserver cannot be built: %w", ErrUnavailable, err)
		}
	}()
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("the version of %s, which only internal/conformance requires: %w", module, err)
	}
	version := strings.TrimSpace(string(out))
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "kubemath")
	path = filepath.Join(dir, fmt.Sprintf("kube-apiserver-%s-%s-%s", version, runtime.GOOS, runtime.GOARCH))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fmt.Fprintf(log, "building kube-apiserver %s, once: this takes some minutes\n", version)
	start := time.Now()
	if err := compile(ctx, path, version, log); err != nil {
		return "", err
	}
	fmt.Fprintf(log, "built %s in %s\n", path, time.Since(start).Round(time.Second))
	return path, nil
}

// compile builds a temporary file next to path and renames it, so path is always complete.
func compile(ctx context.Context, path, version string, log io.Writer) error {
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer os.Remove(temporary)
	build := exec.CommandContext(ctx, "go", "build", "-o", temporary,
		"-ldflags", "-s -w -X k8s.io/component-base/version.gitVersion="+version, command)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stdout, build.Stderr = log, log
	if err := build.Run(); err != nil {
		return fmt.Errorf("%v: %w", build, err)
	}
	return os.Rename(temporary, path)
}

// FindEtcd returns the path of the etcd on PATH, which Debian has in its package
// etcd-server.
func FindEtcd() (string, error) {
	path, err := exec.LookPath("etcd")
	if err != nil {
		return "", fmt.Errorf("%w: %w (Debian's package etcd-server has it)", ErrUnavailable, err)
	}
	return path, nil
}
