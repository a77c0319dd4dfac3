package kubemath

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	capsule "github.com/projectcapsule/capsule/api/v1beta2"
	"github.com/projectcapsule/capsule/pkg/api"
)

// TestMigration migrates random Tenants in the four steps that the program writes, and compares what Capsule's
// controllers make of them with what its Tenant controller has kept: the pools have the amounts and scopes of the items and
// select the namespaces of the Tenant, each claim is granted, and each namespace may use what step 3 says, and what it
// uses. The program refuses exactly the Tenants of which more is used than they allow.
func TestMigration(t *testing.T) {
	program := filepath.Join(t.TempDir(), "kubemath")
	build := exec.Command("go", "build", "-o", program, "./examples/kubemath")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		d, dir := draw(rt), t.TempDir()
		c := newCluster()
		d.store(t, c)
		c.settle(t, d.used)
		before := d.kept(t, c)
		withTenant := rapid.IntRange(1, 4).Draw(rt, "with the Tenant") > 1
		text, code := migrate(t, program, dir, c, withTenant)
		seen[fmt.Sprintf("%s, %d items, refused %t", d.tenant.Spec.ResourceQuota.Scope, len(before), code == 2)]++
		if !withTenant && (len(before) == 0 || d.tenant.Spec.ResourceQuota.Scope == api.ResourceQuotaScopeNamespace) {
			seen["without the Tenant"]++ // whose annotations have nothing
			if code == 0 && len(before) > 0 && !strings.Contains(text, "have to stay") {
				rt.Fatalf("migrated without the Tenant:\n%s", text)
			}
			return
		}
		if refused := code == 2; refused != (d.over && len(before) > 0) {
			rt.Fatalf("exit code %d, uses too much: %t\n%s\n%s", code, d.over, dump(t, c, true), text)
		}
		if code == 2 {
			if !regexp.MustCompile(`will wait|would use|have to stay`).MatchString(text) {
				rt.Fatalf("no reason:\n%s", text)
			}
			return
		}
		apply(t, c, dir)
		c.settle(t, d.used)
		for _, fault := range append(d.compare(t, c), checkSteps(t, c, dir)...) {
			rt.Errorf("%s", fault)
		}
		for _, fault := range d.remove(t, c, text) {
			rt.Errorf("%s", fault)
		}
		if rt.Failed() {
			rt.Fatalf("%s\n%s", dump(t, c, true), text)
		}
	})
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		t.Log(seen[key], key)
	}
}

// kept returns the items whose quotas Capsule keeps, with what all namespaces may use together: what a namespace may use, less
// what it uses itself, plus what all use. The Tenant has the same amounts, as long as less is used.
func (d *drawn) kept(t testing.TB, c *cluster) (items []corev1.ResourceQuotaSpec) {
	for i, item := range d.tenant.Spec.ResourceQuota.Items {
		for _, q := range list(t, c, &corev1.ResourceQuotaList{}).Items {
			if q.Name != fmt.Sprintf("capsule-%s-%d", d.tenant.Name, i) {
				continue
			}
			for name, hard := range item.Hard {
				total := q.Spec.Hard[name].DeepCopy()
				if d.tenant.Spec.ResourceQuota.Scope == api.ResourceQuotaScopeTenant {
					total.Sub(q.Status.Used[name])
					for _, namespace := range d.namespaces {
						total.Add(d.use[namespace+scopesOf(&item)][name])
					}
				}
				if !d.over && total.Cmp(hard) != 0 {
					t.Errorf("Capsule keeps %s of %s, not %s", total.String(), name, hard.String())
				}
			}
		}
		items = append(items, item)
	}
	return items
}

// dump writes the objects of the cluster, as kubectl get does.
func dump(t testing.TB, c *cluster, withTenant bool) []byte {
	l := map[string]any{"apiVersion": "v1", "kind": "List"}
	var items []any
	add := func(o any, apiVersion, kind string) {
		raw, err := json.Marshal(o)
		must(t, err)
		object := map[string]any{}
		must(t, json.Unmarshal(raw, &object))
		object["apiVersion"], object["kind"] = apiVersion, kind
		items = append(items, object)
	}
	for _, o := range list(t, c, &corev1.NamespaceList{}).Items {
		add(o, "v1", "Namespace")
	}
	for _, o := range list(t, c, &corev1.ResourceQuotaList{}).Items {
		add(o, "v1", "ResourceQuota")
	}
	for _, o := range list(t, c, &capsule.TenantList{}).Items {
		if withTenant {
			add(o, capsule.GroupVersion.String(), "Tenant")
		}
	}
	l["items"] = items
	raw, err := json.Marshal(l)
	must(t, err)
	return raw
}

// migrate runs the program, which writes its steps into a directory.
func migrate(t testing.TB, program, dir string, c *cluster, withTenant bool) (text string, code int) {
	run := exec.Command(program, "pool", "-migrate", "-dir", dir, "-f", "-")
	run.Stdin = bytes.NewReader(dump(t, c, withTenant))
	out, err := run.CombinedOutput()
	if code = run.ProcessState.ExitCode(); code != 0 && code != 2 && withTenant {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), code
}

// apply creates the objects of the manifests, in their order.
func apply(t testing.TB, c *cluster, dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.yaml")) // the pattern is valid
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		for _, document := range strings.Split(string(content), "---\n") {
			switch {
			case strings.Contains(document, "kind: ResourcePoolClaim\n"):
				claim := &capsule.ResourcePoolClaim{}
				must(t, yaml.UnmarshalStrict([]byte(document), claim))
				c.create(t, claim)
			case strings.Contains(document, "kind: ResourcePool\n"):
				pool := &capsule.ResourcePool{}
				must(t, yaml.UnmarshalStrict([]byte(document), pool))
				c.create(t, pool)
			}
		}
	}
}

// compare returns what differs between the Tenant and the pools.
func (d *drawn) compare(t testing.TB, c *cluster) (faults []string) {
	perNamespace := d.tenant.Spec.ResourceQuota.Scope == api.ResourceQuotaScopeNamespace
	var want, got []string
	for _, item := range d.tenant.Spec.ResourceQuota.Items {
		if !perNamespace {
			want = append(want, fmt.Sprint(d.namespaces, scopesOf(&item), written(item.Hard)))
			continue
		}
		for _, namespace := range d.namespaces {
			want = append(want, fmt.Sprint([]string{namespace}, scopesOf(&item), written(item.Hard)))
		}
	}
	for _, p := range list(t, c, &capsule.ResourcePoolList{}).Items {
		spec := corev1.ResourceQuotaSpec(p.Spec.Quota)
		got = append(got, fmt.Sprint(slices.Sorted(slices.Values(p.Status.Namespaces)), scopesOf(&spec), written(p.Status.Allocation.Hard)))
		faults = append(faults, d.compareQuotas(t, c, &p, perNamespace)...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		faults = append(faults, fmt.Sprintf("pools %q, want %q", got, want))
	}
	for _, claim := range list(t, c, &capsule.ResourcePoolClaimList{}).Items {
		if is := claim.Status.Condition; is.Type != "Bound" || is.Status != "True" {
			faults = append(faults, fmt.Sprintf("claim %s/%s: %s", claim.Namespace, claim.Name, is.Message))
		}
	}
	return faults
}

// compareQuotas compares the quotas of a pool: with all amounts for a namespace that had them alone, and otherwise with what the
// namespace uses.
func (d *drawn) compareQuotas(t testing.TB, c *cluster, p *capsule.ResourcePool, perNamespace bool) (faults []string) {
	for _, q := range list(t, c, &corev1.ResourceQuotaList{}).Items {
		if q.Name != "capsule-pool-"+p.Name {
			continue
		}
		for name, hard := range q.Spec.Hard {
			want := d.use[q.Namespace+scopesOf(&q.Spec)][name]
			if perNamespace {
				want = p.Spec.Quota.Hard[name]
			}
			if hard.Cmp(want) != 0 {
				faults = append(faults, fmt.Sprintf("%s/%s allows %s of %s, want %s", q.Namespace, q.Name, hard.String(), name, want.String()))
			}
		}
	}
	return faults
}

// written writes amounts, whatever their format.
func written(l corev1.ResourceList) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(l)) {
		q := l[name]
		all = append(all, fmt.Sprint(name, "=", q.AsDec()))
	}
	return all
}

var waits = regexp.MustCompile(`^kubectl wait resourcequotas (\S+) -n (\S+) .*\{\.spec\.hard\.(.*)\}=([^ ']+)`)

// checkSteps returns which quotas are not what the script of step 3 waits for.
func checkSteps(t testing.TB, c *cluster, dir string) (faults []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "3-*.sh")) // the pattern is valid
	for _, file := range files {
		script, err := os.ReadFile(file)
		must(t, err)
		for line := range strings.Lines(string(script)) {
			m := waits.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			q := &corev1.ResourceQuota{}
			must(t, c.Get(context.Background(), keyOf(m[2], m[1]), q))
			amount := q.Spec.Hard[corev1.ResourceName(strings.ReplaceAll(m[3], `\.`, "."))]
			if amount.String() != m[4] {
				faults = append(faults, fmt.Sprintf("%s: is %s", line, amount.String()))
			}
		}
	}
	return faults
}

// remove does step 4, and returns which of the old quotas stay, or are not announced.
func (d *drawn) remove(t testing.TB, c *cluster, text string) (faults []string) {
	stored := &capsule.Tenant{}
	must(t, c.Get(context.Background(), keyOf("", d.tenant.Name), stored))
	stored.Spec.ResourceQuota = api.ResourceQuotaSpec{Scope: api.ResourceQuotaScopeTenant} // by the default of the CRD
	old := regexp.MustCompile(`^capsule-` + regexp.QuoteMeta(d.tenant.Name) + `-\d+$`)
	for _, q := range list(t, c, &corev1.ResourceQuotaList{}).Items {
		if old.MatchString(q.Name) && !strings.Contains(text, "#    "+q.Namespace+"/"+q.Name+"\n") {
			faults = append(faults, fmt.Sprintf("%s/%s is not announced", q.Namespace, q.Name))
		}
	}
	must(t, c.Update(context.Background(), stored))
	c.settle(t, d.used)
	for _, q := range list(t, c, &corev1.ResourceQuotaList{}).Items {
		if old.MatchString(q.Name) {
			faults = append(faults, fmt.Sprintf("%s/%s stays", q.Namespace, q.Name))
		}
	}
	return append(faults, d.compare(t, c)...)
}
