package resourcepool

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	tenantManifest = "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: {resourceQuotas: {scope: SCOPE, items: [{hard: {requests.cpu: 2}}, {hard: {pods: 7}, scopes: [Terminating]}]}}\nstatus: {namespaces: [STATUS]}\n"
	quotaOfTenant  = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: capsule-t-0, namespace: NAMESPACE, labels: {projectcapsule.dev/tenant: t}}\nspec: {hard: {requests.cpu: HARD}}\nstatus: {used: {requests.cpu: USED}}\n"
	deleting       = "# 4. "
)

func ofTenant(namespace, hard, used string) string {
	return strings.NewReplacer("NAMESPACE", namespace, "HARD", hard, "USED", used).Replace(quotaOfTenant)
}

// kubectl is asked for Tenants as well, if their quotas are migrated, and only then.
func TestMigrationAsksForTenants(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("kubectl is a shell script")
	}
	for _, test := range []struct {
		args []string
		asks bool
	}{{[]string{"-A", "-migrate"}, true}, {[]string{"-A"}, false}, {[]string{"-A", "-plan"}, false}} {
		dir := t.TempDir()
		log := filepath.Join(dir, "log")
		script := "#!/bin/sh\necho \"$*\" >> " + log + "\necho '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}'\n"
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o755))
		t.Setenv("PATH", dir)
		runWith("", test.args...)
		asked, err := os.ReadFile(log)
		testkit.OK(t, err)
		if got := strings.Contains(string(asked), "tenants.capsule.clastix.io"); got != test.asks {
			t.Errorf("%q: kubectl %s", test.args, asked)
		}
	}
}

// What is printed for a Tenant of scope Namespace can be applied: each namespace then has its whole amounts, and no more.
func TestMigrationOfEachNamespaceCanBeApplied(t *testing.T) {
	each := strings.NewReplacer("SCOPE", "Namespace", "STATUS", "a, b").Replace(tenantManifest)
	namespaces := ""
	for _, name := range []string{"a", "b", "other"} {
		namespaces += "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {kubernetes.io/metadata.name: " + name + "}}\n"
	}
	got := runWith(runWith(each, "-migrate", "-f", "-").Stdout+namespaces, "-documented", "-f", "-")
	if n := strings.Count(got.Stdout, "Claimed resources"); n != 4 || got.Code != 0 {
		t.Errorf("%d claims are granted, want 4: %+v", n, got)
	}
	for _, want := range []string{"a capsule-pool-t-compute-a <unknown> requests.cpu: 0/2", "a capsule-pool-t-size-a <unknown> pods: 0/7", "b capsule-pool-t-compute-b <unknown> requests.cpu: 0/2", "b capsule-pool-t-size-b <unknown> pods: 0/7"} {
		if text := strings.Join(strings.Fields(got.Stdout), " "); !strings.Contains(text, want) || strings.Contains(text, "other capsule") {
			t.Errorf("missing: %s in\n%s", want, got.Stdout)
		}
	}
}

// The quotas of the input stay as they are.
func TestMigrationOfEachNamespaceReadsOnly(t *testing.T) {
	c := read(t, strings.NewReplacer("SCOPE", "Namespace", "STATUS", "a").Replace(tenantManifest)+ofTenant("a", "1", "500m"))
	if _, reason, err := c.replacementOf(c.tenants[0]); reason != "" || err != nil {
		t.Fatal(reason, err)
	}
	if cpu := c.quotas[0].Spec.Hard["requests.cpu"]; cpu.String() != "1" {
		t.Errorf("the quota has now %s", cpu.String())
	}
}

// Files are not named after a Tenant whose name is a path.
func TestNoNameOfATenant(t *testing.T) {
	input := strings.NewReplacer("capsule-t-0", "capsule-../t-0", "tenant: t}", "tenant: ../t}").Replace(ofTenant("a", "1750m", "500m"))
	got := runWith(input, "-migrate", "-f", "-", "-dir", filepath.Join(t.TempDir(), "steps"))
	testkit.Equal(t, got.Stdout, "# Tenant \"../t\" is not migrated: this is no name of a Tenant.\n\n")
	testkit.Equal(t, got.Code, 2, "exit code")
}
