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
	"sync"
	"time"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
)

const module = "k8s.io/kubernetes"

// Components that Build builds.
const (
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kubectl           = "kubectl"
)

// ErrUnavailable is wrapped by the errors of Build and FindEtcd: no server can run on this machine.
// Any other error is a failure.
var ErrUnavailable = errors.New("no API server on this machine")

// building is held while a component is built, so that clusters which start together build it once.
var building sync.Mutex

// Build returns the path of a component of the version that the module file of the oracle requires. The
// first time, it compiles one, which takes minutes, and keeps it in the user's cache
// directory; it says so on log. It has to be called within this module.
func Build(ctx context.Context, component string, log io.Writer) (path string, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w: %s cannot be built: %w", ErrUnavailable, component, err)
		}
	}()
	out, err := exec.CommandContext(ctx, "go", "list", "-modfile="+oracle.ModFile, "-m", "-f", "{{.Version}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("the version of %s, which only internal/conformance requires: %w", module, err)
	}
	version := strings.TrimSpace(string(out))
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "kubemath")
	path = filepath.Join(dir, fmt.Sprintf("%s-%s-%s-%s", component, version, runtime.GOOS, runtime.GOARCH))
	building.Lock()
	defer building.Unlock()
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fmt.Fprintf(log, "building %s %s, once: this takes some minutes\n", component, version)
	start := time.Now()
	if err := compile(ctx, component, path, version, log); err != nil {
		return "", err
	}
	fmt.Fprintf(log, "built %s in %s\n", path, time.Since(start).Round(time.Second))
	return path, nil
}

// compile builds a temporary file next to path and renames it, so path is always complete.
func compile(ctx context.Context, component, path, version string, log io.Writer) error {
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer os.Remove(temporary)
	modFile, err := copyModFile()
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(modFile))
	build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-modfile="+modFile, "-o", temporary,
		"-ldflags", "-s -w -X k8s.io/component-base/version.gitVersion="+version, module+"/cmd/"+component)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stdout, build.Stderr = log, log
	if err := build.Run(); err != nil {
		return fmt.Errorf("%v: %w", build, err)
	}
	return os.Rename(temporary, path)
}

// copyModFile copies the module file of the oracle, to which a build adds the modules that only the component needs.
func copyModFile() (path string, err error) {
	dir, err := os.MkdirTemp("", "kubemath-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "kubernetes.mod")
	sum := strings.TrimSuffix(oracle.ModFile, ".mod") + ".sum"
	for from, to := range map[string]string{oracle.ModFile: path, sum: filepath.Join(dir, "kubernetes.sum")} {
		content, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, content, 0o644)
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return path, nil
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
