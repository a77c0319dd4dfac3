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

// The pools have the capacity and the scope of the Tenant, or its quotas stay.
func TestMigrationOfATenant(t *testing.T) {
	const second = ", {hard: {pods: 7}, scopes: [Terminating]}"
	shared := strings.NewReplacer("SCOPE", "Tenant", "STATUS", "", second, "").Replace(tenantManifest)
	each := strings.NewReplacer("SCOPE", "Namespace", "STATUS", "").Replace(tenantManifest)
	status := strings.NewReplacer("SCOPE", "Namespace", "STATUS", "c").Replace(tenantManifest)
	for _, test := range []struct {
		name, input string
		code        int
		want, never []string // in the output
	}{
		{"shared", shared + ofTenant("a", "1750m", "500m") + ofTenant("b", "1500m", "250m"), 0,
			[]string{"namespace: a spec: claim: requests.cpu: 500m pool: t-compute", "namespace: b spec: claim: requests.cpu: 250m",
				"name: t-compute spec: config: defaultsZero: true quota: hard: requests.cpu: \"2\" selectors: - matchLabels: capsule.clastix.io/tenant: t",
				deleting, "# kubectl patch tenants.capsule.clastix.io t --type=json"},
			[]string{"will wait", "t-compute-a"}},
		{"more is used than the Tenant has", shared + ofTenant("a", "1500m", "1500m") + ofTenant("b", "1", "1"), 2,
			[]string{"b/requests.cpu will wait: requested: requests.cpu=1, available: requests.cpu=500m", "b would use requests.cpu=1 of 0",
				"# The old quotas have to stay"}, []string{deleting, "kubectl patch"}},
		{"a namespace without its quota", strings.Replace(shared, "namespaces: []", "namespaces: [a, b]", 1) + ofTenant("a", "2", "500m"), 2,
			[]string{"what b uses of requests.cpu is unknown", "# The old quotas have to stay"}, []string{deleting}},
		{"a quota without its use", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {requests.cpu: 2}}\n", 2,
			[]string{"# These are not to be applied as they are: see 3. # 1. ", "# a capsule-pool-own requests.cpu: 0/0 # what a uses of requests.cpu is unknown # The old quotas have to stay"}, []string{deleting, "nothing to migrate"}},
		{"nothing", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n", 1, []string{"# nothing to migrate: neither Tenant nor ResourceQuota"}, nil},
		{"one amount stays", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {services: 3, count/x~y/z: 4}}\nstatus: {used: {services: 1, count/x~y/z: 1}}\n", 0,
			[]string{"# These stay in the old quotas, because no pool can have them: # a/own: spec.hard[count/x~y/z]: "}, nil},
		{"a quota of which some use is known", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {requests.cpu: 2, pods: 3}}\nstatus: {used: {pods: 1}}\n", 2,
			[]string{"what a uses of requests.cpu is unknown", "# The old quotas have to stay"}, []string{"of pods is unknown", deleting}},
		{"of each namespace", each + ofTenant("a", "2", "500m") + ofTenant("b", "2", "1"), 0,
			[]string{"namespace: a spec: claim: requests.cpu: \"2\" pool: t-compute-a", "namespace: a spec: claim: pods: \"7\" pool: t-size-a",
				"namespace: b spec: claim: requests.cpu: \"2\" pool: t-compute-b",
				"name: t-compute-a spec: config: defaultsZero: true quota: hard: requests.cpu: \"2\" selectors: - matchExpressions: - key: kubernetes.io/metadata.name operator: In values: - a ---",
				"name: t-size-a spec: config: defaultsZero: true quota: hard: pods: \"7\" scopes: - Terminating", "name: t-compute-b",
				"a capsule-pool-t-compute-a requests.cpu: 500m/2", "a capsule-pool-t-size-a pods: 0/7", "a namespace that is created later has no limit", deleting},
			[]string{"will wait", "name: t-compute spec", "values: - a - b"}},
		{"of a namespace of the status", status, 0, []string{"pool: t-compute-c", "name: t-size-c", deleting}, nil},
		{"of a space of the status", strings.Replace(status, "namespaces: [c]", "spaces: [{name: e}]", 1), 0, []string{"pool: t-compute-e", "name: t-size-e", deleting}, nil},
		{"of a namespace with the label", each + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: d, labels: {capsule.clastix.io/tenant: t}}\n", 0,
			[]string{"pool: t-compute-d", deleting}, nil},
		{"of no namespace", each, 2, []string{"# Tenant t is not migrated: its namespaces are not in the input"}, []string{deleting, "kind: ResourcePool"}},
		{"a namespace uses more than the Tenant gives it", each + ofTenant("a", "2", "2500m"), 2,
			[]string{"a would use requests.cpu=2500m of 2", "# The old quotas have to stay"}, []string{deleting}},
		{"an unknown scope", strings.Replace(shared, "scope: Tenant", "scope: Cluster", 1), 2,
			[]string{"# Tenant t is not migrated: spec.resourceQuotas.scope is Cluster"}, []string{deleting, "kind: ResourcePool"}},
		{"no scope", strings.Replace(shared, "scope: Tenant, ", "", 1) + ofTenant("a", "2", "500m"), 0, []string{"name: t-compute spec", deleting}, []string{"nothing to migrate"}},
		{"a scope that pools do not have", strings.Replace(each, "Terminating", "Weekend", 1) + ofTenant("a", "2", "500m"), 2,
			[]string{"# Tenant t is not migrated: pool t-size-a: spec.quota.scopes[0]: Unsupported value"}, []string{deleting, "kind: ResourcePool"}},
		{"without the Tenant", ofTenant("a", "1750m", "500m") + ofTenant("b", "1500m", "250m"), 2,
			[]string{"# Tenant t is not migrated: a/capsule-t-0: metadata.annotations[quota.capsule.clastix.io/hard-requests.cpu]: Forbidden: the quota is that of Tenant t, which is needed"},
			[]string{deleting, "kind: ResourcePool"}},
		{"without the Tenant, annotated", strings.ReplaceAll(ofTenant("a", "1750m", "500m")+ofTenant("b", "1500m", "250m"), "labels:",
			"annotations: {quota.capsule.clastix.io/hard-requests.cpu: \"2\", quota.capsule.clastix.io/used-requests.cpu: 750m}, labels:"), 0,
			[]string{"quota: hard: requests.cpu: \"2\" selectors: - matchLabels: capsule.clastix.io/tenant: t", deleting, "# a/capsule-t-0", "# a capsule-pool-capsule-t-0 requests.cpu: 500m/500m # b capsule-pool-capsule-t-0 requests.cpu: 250m/250m"}, nil},
		{"without the Tenant and its use", strings.Replace(strings.Replace(ofTenant("a", "1750m", "500m"), "labels:", "annotations: {quota.capsule.clastix.io/hard-requests.cpu: \"2\"}, labels:", 1), "used: {requests.cpu: 500m}", "hard: {pods: 1}", 1), 2,
			[]string{"what a uses of requests.cpu is unknown"}, []string{deleting}},
		{"a name of a path is only printed", strings.NewReplacer("capsule-t-0", "capsule-../t-0", "tenant: t}", "tenant: ../t}", "labels:",
			"annotations: {quota.capsule.clastix.io/hard-requests.cpu: \"2\"}, labels:").Replace(ofTenant("a", "1750m", "500m")), 0, []string{"kind: ResourcePool", "from Tenant ../t."}, []string{"this is no name"}},
		{"beside a plain one", ofTenant("a", "1750m", "500m") + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: own, namespace: a}\nspec: {hard: {services: 3}}\nstatus: {used: {services: 1}}\n", 2,
			[]string{"# Tenant t is not migrated", "name: own spec: config", deleting + "Delete", "# kubectl delete resourcequotas -n a own"}, []string{"kubectl patch", "requests.cpu: 1750m"}},
		{"an item that the Tenant has no more", shared + ofTenant("a", "2", "500m") + strings.Replace(ofTenant("a", "9", "1"), "capsule-t-0", "capsule-t-3", 1), 0,
			[]string{"# Capsule deletes a/capsule-t-3: Tenant t has no such item", deleting}, []string{"requests.cpu: \"9\""}},
		{"a Tenant without quotas", "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\n" + strings.Replace(strings.Replace(ofTenant("a", "1", "0"), "capsule-t-0", "own", 1), "projectcapsule.dev/tenant", "team", 1), 0,
			[]string{"name: own"}, []string{"Tenant t"}},
	} {
		got := runWith(test.input, "-migrate", "-f", "-")
		text := strings.Join(strings.Fields(got.Stdout), " ")
		if got.Code != test.code {
			t.Errorf("%s: exit code %d, want %d; stderr %s", test.name, got.Code, test.code, got.Stderr)
		}
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: missing: %s\n%s", test.name, want, got.Stdout)
			}
		}
		for _, never := range test.never {
			if strings.Contains(text, never) {
				t.Errorf("%s: %s is in\n%s", test.name, never, got.Stdout)
			}
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

// Items that limit one resource, in different scopes, have claims of different names.
func TestClaimsOfOneResource(t *testing.T) {
	const items = "items: [{hard: {pods: 7}}, {hard: {pods: 3}, scopes: [BestEffort]}]"
	tenant := "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: {resourceQuotas: {scope: Tenant, " + items + "}}\n"
	first := strings.NewReplacer("requests.cpu", "pods").Replace(ofTenant("a", "7", "2"))
	second := strings.NewReplacer("requests.cpu: ", "pods: ", "t-0", "t-1").Replace(ofTenant("a", "3", "1"))
	got := runWith(tenant+first+second, "-migrate", "-f", "-")
	text := strings.Join(strings.Fields(got.Stdout), " ")
	for _, want := range []string{"name: pods namespace: a spec: claim: pods: \"2\" pool: t-size", "name: pods-1 namespace: a spec: claim: pods: \"1\" pool: t-size-1",
		"# a capsule-pool-t-size pods: 2/2 # a capsule-pool-t-size-1 pods: 1/1"} {
		if got.Code != 0 || !strings.Contains(text, want) {
			t.Errorf("exit code %d, no %q:\n%s%s", got.Code, want, got.Stderr, got.Stdout)
		}
	}
}

// Files are not named after a Tenant whose name is a path.
func TestNoNameOfATenant(t *testing.T) {
	input := strings.NewReplacer("capsule-t-0", "capsule-../t-0", "tenant: t}", "tenant: ../t}").Replace(ofTenant("a", "1750m", "500m"))
	got := runWith(input, "-migrate", "-f", "-", "-dir", filepath.Join(t.TempDir(), "steps"))
	testkit.Equal(t, got.Stdout, "# Tenant \"../t\" is not migrated: this is no name of a Tenant.\n\n")
	testkit.Equal(t, got.Code, 2, "exit code")
}
