// Command migration tries the four steps of kubemath pool -migrate on a running API server, with the
// CustomResourceDefinitions of Capsule: its manifests are validated and applied by kubectl, and its scripts are run. The
// controllers of Capsule and of quotas are played; internal/conformance/capsule has the former themselves.
//
//	go run ./migration
//
// It exits with 1 if a step fails, or if a check passes too early, and with 3 if there can be no API server.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
	"github.com/kubemath/kubemath/pool"
)

func main() {
	err, code := run(context.Background()), 0
	if errors.Is(err, controlplane.ErrUnavailable) {
		code = 3
	} else if err != nil {
		code = 1
	}
	fmt.Fprintln(os.Stderr, "migration: the steps end with", err)
	os.Exit(code)
}

// cluster is an API server, and a directory with the program.
type cluster struct {
	dir string
	env []string
}

func run(ctx context.Context) (err error) {
	path, err := controlplane.Build(ctx, controlplane.APIServer, os.Stderr)
	if err != nil {
		return err
	}
	server, err := controlplane.Start(ctx, controlplane.Options{APIServer: path})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	c := &cluster{dir: filepath.Dir(server.Kubeconfig)} // which Stop removes
	c.env = append(os.Environ(), "KUBECONFIG="+server.Kubeconfig, "PATH="+c.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := c.begin(); err != nil {
		return err
	}
	return c.migrate()
}

// do runs a command, which is printed. Its output is in the error.
func (c *cluster) do(name string, args ...string) (out []byte, err error) {
	command := exec.Command(name, args...)
	command.Env = c.env
	out, err = command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%v: %w\n%s%s", command, err, out, exit.Stderr)
	}
	return out, err
}

// begin stores the definitions of Capsule, and the objects before the migration, with their statuses.
func (c *cluster) begin() error {
	module, err := c.do("go", "-C", "capsule", "list", "-m", "-f", "{{.Dir}}", "github.com/projectcapsule/capsule")
	if err != nil {
		return err
	}
	crds := filepath.Join(strings.TrimSpace(string(module)), "charts", "capsule", "crds", "capsule.clastix.io_")
	return c.all(
		[]string{"kubectl", "apply", "--server-side", "-f", crds + "tenants.yaml", "-f", crds + "resourcepools.yaml", "-f", crds + "resourcepoolclaims.yaml"},
		[]string{"kubectl", "wait", "crd", "--all", "--for=condition=Established", "--timeout=60s"},
		[]string{"go", "build", "-C", "../..", "-o", filepath.Join(c.dir, "kubectl-kubemath"), "./examples/kubemath/kubectl-kubemath"},
		[]string{"kubectl", "apply", "-f", "migration/testdata/before.yaml"},
		[]string{"kubectl", "replace", "--subresource=status", "-f", "migration/testdata/before.yaml"})
}

// all runs commands, up to the first that fails.
func (c *cluster) all(commands ...[]string) error {
	for _, args := range commands {
		if _, err := c.do(args[0], args[1:]...); err != nil {
			return err
		}
	}
	return nil
}

// migrate does what the program says: 3 fails before 1 and 2 are done, and passes afterwards.
func (c *cluster) migrate() error {
	steps := filepath.Join(c.dir, "steps")
	text, err := c.do("kubectl", "kubemath", "pool", "-migrate", "-A", "-dir", steps)
	fmt.Printf("%s", text)
	files, _ := filepath.Glob(filepath.Join(steps, "*")) // the pattern is valid
	early, _ := filepath.Glob(filepath.Join(steps, "3-*"))
	if err != nil || len(early) == 0 {
		return errors.Join(err, errors.New("no step is written"))
	}
	for _, file := range early {
		if c.all([]string{"sh", file}) == nil {
			return fmt.Errorf("%s passes before there are pools", file)
		}
	}
	for _, file := range files {
		if filepath.Ext(file) == ".sh" {
			continue
		}
		for _, dry := range []string{"client", "server", "none"} {
			if err := c.all([]string{"kubectl", "apply", "--validate=strict", "--dry-run=" + dry, "-f", file}); err != nil {
				return err
			}
		}
	}
	err = c.playCapsule()
	for _, file := range files {
		if filepath.Ext(file) == ".sh" {
			err = errors.Join(err, c.all([]string{"sh", file}))
		}
	}
	left, failed := c.do("kubectl", "get", "resourcequotas,tenants", "-A", "-o",
		`jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}: {.spec.hard}{.spec.resourceQuotas}{"\n"}{end}`)
	want, missing := os.ReadFile("migration/testdata/after.txt")
	err = errors.Join(err, failed, missing)
	if err == nil && string(left) != string(want) {
		err = fmt.Errorf("afterwards, there is\n%s, want\n%s", left, want)
	}
	return err
}

// playCapsule stores the quotas of pools: the claims of a namespace, added up as Capsule does, or zero.
func (c *cluster) playCapsule() (err error) {
	var pools struct{ Items []*pool.ResourcePool }
	var claims struct{ Items []*pool.ResourcePoolClaim }
	var namespaces struct{ Items []*corev1.Namespace }
	for kind, into := range map[string]any{"resourcepools": &pools, "resourcepoolclaims": &claims, "namespaces": &namespaces} {
		out, failed := c.do("kubectl", "get", kind, "-A", "-o", "json")
		err = errors.Join(err, failed, json.Unmarshal(out, into))
	}
	for _, p := range pools.Items {
		for _, namespace := range pool.Namespaces(p, namespaces.Items) {
			q := pool.Quota(p, namespace, nil)
			for _, claim := range claims.Items {
				for name, amount := range claim.Spec.Claim {
					if sum := q.Spec.Hard[name]; claim.Namespace == namespace && claim.Spec.Pool == p.Name {
						sum.Add(amount)
						q.Spec.Hard[name] = sum
					}
				}
			}
			manifest, failed := json.Marshal(q)
			path := filepath.Join(c.dir, "quota.json")
			err = errors.Join(err, failed, os.WriteFile(path, manifest, 0o600), c.all([]string{"kubectl", "create", "-f", path}))
		}
	}
	return err
}
