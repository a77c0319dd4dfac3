package resourcepool

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(Run, stdin, args...) }

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata", 0, map[string][]string{
		"tables.txt":             nil,
		"documented.txt":         {"-documented"},
		"metrics.txt":            {"-metrics", "-f", "samples/1-skip-the-line.yaml"},
		"metrics-documented.txt": {"-metrics", "-documented", "-f", "samples/1-skip-the-line.yaml"},
		"plan.txt":               {"-plan"},
		"later.txt":              {"-now", "2026-01-02T02:30:00Z", "-f", "samples/1-skip-the-line.yaml"},
		"migrate.yaml":           {"-migrate", "-f", "samples/5-migration.yaml"},
		"plain.yaml":             {"-migrate", "-f", "testdata/plain-quotas.yaml"},
	})
}

// The lines of the document that the samples are about.
func TestDocument(t *testing.T) {
	tables := strings.Fields(runWith("", "-documented").Stdout)
	text := strings.Join(tables, " ")
	for _, line := range []string{
		"solar-test get-mem sampler Bound PoolExhausted requested: requests.memory=2Gi, available: requests.memory=512Mi 16m",
		"solar-test skip-the-line sampler Bound Succeeded Claimed resources 2s",
		"requested: requests.memory=512Mi, queued: requests.memory=2Gi",
		"solar-test get-me-cpu Assigned Failed ResourcePool.capsule.clastix.io \"sample\" not found",
		"capsule-pool-example 2s requests.storage: 0/0",
		"count/persistentvolumeclaims: 0/3, requests.cpu: 0/0, requests.memory: 0/0, requests.storage: 0/0 limits.cpu: 0/0, limits.memory: 0/0",
		"capsule-migration-0 <unknown> requests.cpu: 375m/1500m, requests.memory: 384Mi/1536Mi limits.cpu: 375m/1500m, limits.memory: 384Mi/1536Mi",
		"capsule-migration-1 <unknown> pods: 3/3",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("missing: %s", line)
		}
	}
	migration := runWith("", "-migrate").Stdout
	for _, line := range []string{
		"capsule-pool-migration-compute requests.cpu: 375m/375m, requests.memory: 384Mi/384Mi limits.cpu: 375m/375m, limits.memory: 384Mi/384Mi",
		"capsule-pool-migration-size pods: 3/3",
	} {
		if !strings.Contains(migration, line) {
			t.Errorf("missing from the migration: %s", line)
		}
	}
}

// What -migrate prints can be applied: then every claim is granted, and the quotas are those that it
// predicts.
func TestMigrationCanBeApplied(t *testing.T) {
	namespaces := ""
	for _, name := range []string{"dev", "prod", "test"} {
		namespaces += "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: migration-" + name + "\n  labels: {capsule.clastix.io/tenant: migration}\n"
	}
	got := runWith(runWith("", "-migrate", "-f", "samples/5-migration.yaml").Stdout+namespaces, "-documented", "-f", "-")
	if got.Code != 0 {
		t.Fatalf("exit code %d, stderr %s", got.Code, got.Stderr)
	}
	if n := strings.Count(got.Stdout, "Claimed resources"); n != 4 {
		t.Errorf("%d claims are granted, want 4:\n%s", n, got.Stdout)
	}
	for _, want := range []string{"requests.cpu: 0/375m", "pods: 0/3"} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("missing: %s", want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"metrics and a plan", []string{"-metrics", "-plan"}, 1, "kubemath: -metrics, -plan and -migrate cannot be given together"},
		{"metrics and a migration", []string{"-metrics", "-migrate"}, 1, "kubemath: -metrics, -plan and -migrate cannot be given together"},
		{"two modes", []string{"-plan", "-migrate"}, 1, "kubemath: -metrics, -plan and -migrate cannot be given together"},
		{"a migration of what is selected", []string{"-migrate", "-l", "a=b"}, 1, "kubemath: -migrate replaces all quotas that are read: -l, -field-selector and -n cannot be given"},
		{"a migration of a name", []string{"-migrate", "-field-selector", "metadata.name=a"}, 1, "kubemath: -migrate replaces all quotas that are read: -l, -field-selector and -n cannot be given"},
		{"a migration of a namespace", []string{"-migrate", "-n", "a"}, 1, "kubemath: -migrate replaces all quotas that are read: -l, -field-selector and -n cannot be given"},
		{"a migration to the documented API", []string{"-migrate", "-documented"}, 1, "kubemath: -migrate writes objects of the current API: -documented cannot be given"},
		{"the time of metrics", []string{"-metrics", "-now", "2026-01-01T00:20:02Z"}, 1, "kubemath: -now is for ages, which -metrics, -plan and -migrate do not have"},
		{"the time of a plan", []string{"-plan", "-now", "2026-01-01T00:20:02Z"}, 1, "kubemath: -now is for ages, which -metrics, -plan and -migrate do not have"},
		{"the time of a migration", []string{"-migrate", "-now", "2026-01-01T00:20:02Z"}, 1, "kubemath: -now is for ages, which -metrics, -plan and -migrate do not have"},
		{"no time", []string{"-now", "yesterday"}, 1, `invalid value "yesterday" for flag -now: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`},
		{"no file", []string{"-f", "missing.yaml"}, 1, "kubemath: missing.yaml: no such file or directory"},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, Run, test.code, test.stderr, test.args...) })
	}
}

const claim = "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: a, namespace: b}\nspec: {pool: c, claim: {pods: 1}}\n"

func TestInput(t *testing.T) {
	const tenantHead = "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: "
	const namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n"
	const aPool = "---\napiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: c}\nspec: {selectors: [{}], quota: {hard: {pods: 1}}}\n"
	const nobody = "kubemath: the input has neither a ResourcePool nor a ResourcePoolClaim"
	for _, test := range []struct {
		name, manifest string
		args           []string
		code           int
		want           string // the beginning of the standard error
	}{
		{"all that is needed", claim + namespace + aPool, nil, 0, ""},
		{"unknown field, strictly", claim + namespace + aPool + "---\n" + strings.NewReplacer("pool:", "pools:", "name: a", "name: d").Replace(claim), []string{"-strict"}, 2, "kubemath: -: document 4, line 15: ResourcePoolClaim b/d: spec.pools: unknown field, ignored\n"},
		{"invalid claim", strings.Replace(claim, "pods: 1", "pods: -1", 1), nil, 1, "kubemath: -: document 1, line 1: ResourcePoolClaim b/a: spec.claim[pods]: -1 is negative\n"},
		{"invalid pool", "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: a}\nspec: {quota: {}}", nil, 2, "kubemath: -: document 1: ResourcePool a: spec.quota.hard: Required value: a pool needs resources"},
		{"a claim for nothing", strings.Replace(claim, "claim: {pods: 1}", "claim: {}", 1), nil, 2, "kubemath: -: document 1: ResourcePoolClaim b/a: spec.claim: Required value"},
		{"another kind", claim + namespace + aPool + "---\napiVersion: v1\nkind: Secret\n", nil, 0, "kubemath: skipped, because nothing is computed from them: 1 Secret of v1\n"},
		{"twice", claim + namespace + aPool + aPool, nil, 0, "kubemath: -: document 3: ResourcePool c: skipped: replaced by the one of -, document 4, which has the same name\n"},
		{"no name", namespace + "---\napiVersion: v1\nkind: Namespace\n", nil, 2, "kubemath: -: document 2: Namespace: metadata.name: missing\n"},
		{"absurd amount", strings.Replace(claim, "pods: 1", "pods: 1e999999999", 1), nil, 1, "kubemath: -: document 1, line 1: ResourcePoolClaim b/a: spec.claim[pods]: \"1e999999999\" is out of range\n"},
		{"only a Tenant", tenantHead + "{owners: [{kind: User, name: a}], resourceQuotas: {items: [{hard: {pods: 1}}]}}\n", nil, 1, nobody + ": use -migrate for Tenants and ResourceQuotas\n"},
		{"only a Tenant to migrate", tenantHead + "{resourceQuotas: {items: [{hard: {pods: 1}}]}}\n", []string{"-migrate"}, 2, "kubemath: without the ResourceQuotas of the namespaces, the claims of a Tenant are unknown: only its pools are printed\n"},
		{"a Tenant that has no quotas", tenantHead + "{}\n", []string{"-migrate"}, 0, ""},
		{"nothing to migrate", claim, []string{"-migrate"}, 1, "kubemath: nothing to migrate: the input has neither a Tenant nor a ResourceQuota\n"},
		{"a Tenant that limits nothing", tenantHead + "{resourceQuotas: {items: [{scopes: [BestEffort]}]}}\n", []string{"-migrate"}, 1, "kubemath: without the ResourceQuotas of the namespaces, the claims of a Tenant are unknown: only its pools are printed\n" +
			"kubemath: migrate: pool \"t-size\" has no resources\n"},
		{"no Namespace", claim + aPool, nil, 1, "kubemath: the input has no Namespace b, and pools select Namespaces by labels\n"},
		{"two Namespaces that are missing", claim + "---\n" + strings.NewReplacer("namespace: b", "namespace: d").Replace(claim) + aPool, nil, 1, "kubemath: the input has no Namespace b, and"},
		{"another Namespace", claim + aPool + strings.Replace(namespace, "name: b", "name: d", 1), nil, 1, "kubemath: the input has no Namespace b, and pools select Namespaces by labels\n"},
		{"no Namespace of an odd name", strings.Replace(claim, "namespace: b", `namespace: "b\u001b"`, 1) + aPool, nil, 1, "kubemath: the input has no Namespace b\\x1b, and pools select Namespaces by labels\n"},
		{"no pool", claim + namespace, nil, 1, "kubemath: the input has no ResourcePool: no claim can be granted\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifest, append([]string{"-f", "-"}, test.args...)...)
			if got.Code != test.code || !strings.HasPrefix(got.Stderr, test.want) || test.want == "" && got.Stderr != "" {
				t.Errorf("exit code %d, want %d; stderr %q, want %q", got.Code, test.code, got.Stderr, test.want)
			}
		})
	}
}

// Labels are escaped as the text format has it.
func TestLabels(t *testing.T) {
	p := &pool.ResourcePool{}
	p.Name, p.Status.Allocation.Hard = "a\"b\\c\nd\te", testkit.List("pods", "1")
	var text strings.Builder
	(&cluster{pools: []*pool.ResourcePool{p}}).showMetrics(&text)
	if want := "capsule_pool_limit{pool=\"a\\\"b\\\\c\\nd\te\",resource=\"pods\"} 1\n"; !strings.Contains(text.String(), want) {
		t.Errorf("missing %s in\n%s", want, text.String())
	}
}

func TestNamesOfMigratedQuotas(t *testing.T) {
	manifest := "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: {resourceQuotas: {items: [{hard: {requests.storage: 1Gi, pods: 1}}, {hard: {count/jobs.batch: 1}}, {hard: {secrets: 1}}, {hard: {pods: 1, services: 2}}]}}\n"
	c := read(t, manifest)
	var got []string
	for _, s := range sourcesOf(c.tenants[0], nil) {
		got = append(got, s.Pool+" "+s.Claim)
	}
	testkit.NoDiff(t, got, []string{"t-storage storage", "t-size count-jobs.batch", "t-size-2 secrets", "t-size-3 size-3"})
}

// read returns the cluster of manifests, which must be without fault.
func read(t *testing.T, manifests string) *cluster {
	t.Helper()
	c := clusterOf(pool.Options{Documented: true}, "", objects.Reader{Kinds: kinds}.File("-", strings.NewReader(manifests)))
	if len(c.Problems) > 0 {
		t.Fatal(c.Problems)
	}
	return c
}

// A claim without a pool gets one, and is granted in the same run; one that is to be released
// lets another one be granted first.
func TestReconcile(t *testing.T) {
	manifest := "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: c}\nspec: {selectors: [{matchExpressions: [{key: nowhere, operator: DoesNotExist}]}], quota: {hard: {pods: 1}}}\n---\n" +
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n---\n" +
		"apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: leaves, namespace: b, annotations: {projectcapsule.dev/release: \"true\"}}\nspec: {pool: c, claim: {pods: 1}}\n" +
		"status: {pool: {name: c}, condition: {type: Bound, status: \"True\"}}\n---\n" +
		strings.Replace(strings.Replace(claim, "pool: c, ", "", 1), "name: a", "name: a, creationTimestamp: \"2026-01-01T00:00:00Z\"", 1)
	manifest += "---\n" + strings.NewReplacer("{name: c}", "{name: z}", "nowhere", "elsewhere").Replace(manifest[:strings.Index(manifest, "\n---\n")]) // which changes nothing
	c := read(t, manifest)
	c.reconcile(c.now())
	var got []string
	for _, claim := range c.claims {
		got = append(got, claim.Name+" "+claim.Spec.Pool+" "+claim.Status.Condition.Reason)
		if claim.Released() {
			t.Errorf("%s still has the annotation", claim.Name)
		}
	}
	testkit.NoDiff(t, got, []string{"leaves c PoolExhausted", "a c Succeeded"})
	if err := yaml.UnmarshalStrict([]byte(claim), &pool.ResourcePoolClaim{}); err != nil {
		t.Error(err)
	}
}

// By the current API, a claim that is edited while it holds less waits again, and Bound says what the namespace uses.
func TestCurrentAPI(t *testing.T) {
	const (
		head     = "apiVersion: capsule.clastix.io/v1beta2\nkind: "
		aPool    = head + "ResourcePool\nmetadata: {name: sampler, uid: u}\nspec: {quota: {hard: {requests.memory: 2Gi}}, selectors: [{matchLabels: {team: a}}]}\n"
		holds    = aPool + "status: {namespaces: [test], claims: {test: [{name: one, uid: c, namespace: test, claims: {requests.memory: 1Gi}}]}, claimCount: 1}\n---\n"
		aClaim   = head + "ResourcePoolClaim\nmetadata: {name: one, namespace: test, uid: c}\nspec: {pool: sampler, claim: {requests.memory: AMOUNT}}\n"
		holding  = aClaim + "status: {pool: {name: sampler, uid: u}, conditions: [{type: Exhausted, status: 'False', reason: NoExhaustions}]}\n---\n"
		aSpace   = "apiVersion: v1\nkind: Namespace\nmetadata: {name: test, labels: {team: a}}\n---\n"
		quotaOf  = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: capsule-pool-sampler, namespace: test}\nspec: {hard: {requests.memory: 1Gi}}\nstatus: {used: {requests.memory: USED}}\n"
		notBound = "True reconciled False claim is unused"
	)
	for _, test := range []struct{ amount, used, want string }{
		{"1Gi", "", notBound},
		{"1Gi", "0", notBound},
		{"1Gi", "unknown", "True reconciled True used until now"},
		{"1Gi", "256Mi", "True reconciled True claim is used"},
		{"3Gi", "", "True reconciled False claim causes exhaustions requested: requests.memory=3Gi, available: requests.memory=2Gi"},
	} {
		// The use of a namespace before it is unknown.
		input := strings.NewReplacer("AMOUNT", test.amount, "namespaces: [test]", "namespaces: [alpha, test]").Replace(holds + holding + aSpace + strings.Replace(aSpace, "name: test", "name: alpha", 1))
		switch test.used {
		case "":
		case "unknown":
			input = strings.Replace(input, "reason: NoExhaustions}", "reason: NoExhaustions}, {type: Bound, status: 'True', reason: InUse, message: used until now}", 1)
		default:
			input += strings.ReplaceAll(quotaOf, "USED", test.used)
		}
		got := runWith(input, "-f", "-")
		if text := strings.Join(strings.Fields(got.Stdout), " "); got.Code != 0 || !strings.Contains(text, "test one sampler "+test.want+" ") {
			t.Errorf("%+v: %+v", test, got)
		}
		if got := runWith(input, "-metrics", "-f", "-"); !strings.Contains(got.Stdout, `capsule_claim_condition{condition="Bound"`) {
			t.Errorf("the metrics are not today's: %+v", got)
		}
	}
}

// A file with pools or claims is answered with tables and plans, and one with quotas alone with a migration.
func TestAnswerFor(t *testing.T) {
	const (
		namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n"
		aPool     = "---\napiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: c}\nspec: {selectors: [{matchExpressions: [{key: nowhere, operator: DoesNotExist}]}], quota: {hard: {pods: 1, services: 1}}}\n"
		quota     = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: b}\nspec: {hard: {pods: 4}}\n"
		tenant    = "---\napiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: {resourceQuotas: {items: [{hard: {pods: 1}}]}}\n"
	)
	larger := "---\n" + strings.NewReplacer("{pods: 1}", "{pods: 3, services: 2}", "name: a", "name: large").Replace(claim)
	for _, test := range []struct {
		name, input string
		tables      []string
		plan        string
		migrates    bool
		notes       []string
	}{
		{"pools", claim + larger + namespace + aPool, []string{"ResourcePools", "Resources of ResourcePools", "ResourcePoolClaims", "ResourceQuotas"},
			"c: b/large; to grant b/large, add pods=3, services=1; to grant all, add pods=3, services=1; ", false, nil},
		{"pools and quotas", aPool + quota, []string{"ResourcePools", "Resources of ResourcePools", "ResourceQuotas"}, "c: ; ", false, nil},
		{"pools, claims and quotas", claim + namespace + aPool + quota, []string{"ResourcePools", "Resources of ResourcePools", "ResourcePoolClaims", "ResourceQuotas"}, "c: ; ", false, nil},
		{"quotas", quota, nil, "", true, nil},
		{"a Tenant", tenant, nil, "", true, []string{"without the ResourceQuotas of the namespaces, the claims of a Tenant are unknown: only its pools are printed"}},
		{"claims", claim + namespace, []string{"ResourcePoolClaims"}, "", false, []string{"the input has no ResourcePool: no claim can be granted"}},
		{"claims and quotas", claim + namespace + quota, []string{"ResourcePoolClaims", "ResourceQuotas"}, "", false, []string{"the input has no ResourcePool: no claim can be granted"}},
		{"a Tenant and its quota", tenant + strings.Replace(quota, "name: q", "name: capsule-t-0", 1), nil, "", true, nil},
		{"a claim that waits first", larger + namespace + aPool, []string{"ResourcePools", "Resources of ResourcePools", "ResourcePoolClaims", "ResourceQuotas"},
			"c: b/large; to grant b/large, add pods=2, services=1; to grant all, add pods=2, services=1; ", false, nil},
		{"a claim that waits first, and is being deleted", strings.Replace(larger, "name: large", "name: large, deletionTimestamp: '2024-01-02T03:04:05Z', finalizers: [f]", 1) + namespace + aPool,
			[]string{"ResourcePools", "Resources of ResourcePools", "ResourcePoolClaims", "ResourceQuotas"},
			"c: b/large; to grant b/large, add pods=2, services=1; to grant all, add pods=2, services=1; ", false, nil},
		{"others", namespace + "---\napiVersion: v1\nkind: Secret\n", nil, "", false,
			[]string{"skipped, because nothing is computed from them: 1 Secret of v1", "the input has neither a ResourcePool nor a ResourcePoolClaim"}},
	} {
		a, err := AnswerFor("file", strings.NewReader(test.input))
		if err != nil {
			t.Fatal(test.name, err)
		}
		var tables []string
		for _, table := range a.Tables {
			tables = append(tables, table.Title)
		}
		plan := ""
		for _, p := range a.Plans {
			plan += p.Pool + ": " + p.First + "; "
			for _, line := range p.Lines {
				plan += line + "; "
			}
		}
		testkit.NoDiff(t, []any{tables, plan, a.Migration != "", a.Notes}, []any{test.tables, test.plan, test.migrates, test.notes}, test.name)
	}
}

// What cannot be migrated is an error.
func TestAnswerForWhatCannotBeMigrated(t *testing.T) {
	const tenant = "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: t}\nspec: {resourceQuotas: {items: [{scopes: [BestEffort]}]}}\n"
	_, err := AnswerFor("file", strings.NewReader(tenant))
	if err == nil || err.Error() != "migrate: pool \"t-size\" has no resources" {
		t.Error(err)
	}
}

// Claims are in the order of their creation, of their names, and of their namespaces.
func TestOrderOfClaims(t *testing.T) {
	of := func(namespace, name, created string) string {
		return strings.Replace(claim, "{name: a, namespace: b}", "{name: "+name+", namespace: "+namespace+", creationTimestamp: \"2026-01-01T00:00:0"+created+"Z\"}", 1) + "---\n"
	}
	c := read(t, of("z", "a", "1")+of("b", "a", "1")+of("a", "b", "1")+of("x", "w", "0"))
	c.reconcile(c.now())
	var got []string
	for _, claim := range c.claims {
		got = append(got, claim.Key().String())
	}
	testkit.NoDiff(t, got, []string{"x/w", "b/a", "z/a", "a/b"})
}

// A field that the file should not have is a warning: the object counts nevertheless.
func TestWarnings(t *testing.T) {
	a, err := AnswerFor("file", strings.NewReader(strings.Replace(claim, "pool: c, ", "pool: c, colour: red, ", 1)))
	if err != nil || len(a.Problems) != 1 || a.Problems[0].Grade != objects.Warning || len(a.Tables) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Ages are computed two seconds after the last object was created.
func TestNow(t *testing.T) {
	older := strings.Replace(claim, "name: a", `name: a, creationTimestamp: "2026-01-01T00:00:00Z"`, 1)
	younger := strings.Replace(claim, "name: a", `name: z, creationTimestamp: "2026-01-02T00:00:00Z"`, 1)
	for _, input := range []string{older + "---\n" + younger, younger + "---\n" + older} {
		testkit.Equal(t, read(t, input).now().UTC().Format("2006-01-02T15:04:05Z"), "2026-01-02T00:00:02Z", "now is")
	}
}

// Tables, plans and metrics show what is selected, and the rest counts.
func TestSelected(t *testing.T) {
	aPool := func(name string) string {
		return "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\nmetadata: {name: " + name + ", labels: {of: " + name + "}}\nspec: {selectors: [{matchLabels: {a: b}}], quota: {hard: {pods: 1}}}\n---\n"
	}
	got := runWith(aPool("a")+aPool("b"), "-f", "-", "-l", "of=b")
	want := "NAME CLAIMS NAMESPACES AGE b 0 0 <unknown> POOL RESOURCE HARD HOLDS IN USE WAITS b pods 1 0"
	if text := strings.Join(strings.Fields(got.Stdout), " "); !strings.HasPrefix(text, want) {
		t.Errorf("%+v", got)
	}
	testkit.Equal(t, runWith(aPool("a")+aPool("b")+claim, "-f", "-", "-l", "of=b", "-plan").Stdout, "b: no claim waits\n\n")
	metrics := runWith(aPool("a")+aPool("b")+claim, "-f", "-", "-l", "of=b", "-metrics").Stdout
	if !strings.Contains(metrics, `capsule_pool_limit{pool="b",resource="pods"} 1`) || strings.Contains(metrics, `pool="a"`) || strings.Contains(metrics, "capsule_claim_condition{") {
		t.Error(metrics)
	}
	namespace := func(name string) string {
		return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {a: b}}\n---\n"
	}
	mine := "apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePoolClaim\nmetadata: {name: NAME}\nspec: {pool: a, claim: {pods: 1}}\n---\n"
	of := namespace("team") + namespace("other") + aPool("a") + strings.Replace(mine, "NAME", "mine", 1) + strings.Replace(mine, "NAME", "theirs, namespace: other", 1)
	shown := strings.Join(strings.Fields(runWith(of, "-f", "-", "-n", "team").Stdout), " ")
	for text, want := range map[string]bool{"a 1 2 <unknown>": true, "a pods 1 1 0 1": true, "team mine a ": true, "team capsule-pool-a ": true, "other": false, "theirs": false} {
		if strings.Contains(shown, text) != want {
			t.Errorf("-n team: %q is shown: %v: %s", text, !want, shown)
		}
	}
	if help := runWith("", "-h").Stderr; !strings.HasPrefix(help, "Which claims on resource pools hold") {
		t.Error(help)
	}
}
