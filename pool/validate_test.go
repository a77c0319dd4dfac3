package pool_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func messages(errs field.ErrorList) (all []string) {
	for _, e := range errs {
		all = append(all, e.Error())
	}
	return all
}

func TestValidatePool(t *testing.T) {
	in := func(values ...string) metav1.LabelSelector {
		return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "env", Operator: "In", Values: values}}}
	}
	scope := func(name corev1.ResourceQuotaScope, operator corev1.ScopeSelectorOperator, values ...string) func(*pool.ResourcePool) {
		return func(p *pool.ResourcePool) {
			p.Spec.Quota.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: name, Operator: operator, Values: values}}}
		}
	}
	const scopes = `"BestEffort", "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "PriorityClass", "Terminating", "VolumeAttributesClass"`
	hard := func(pairs ...string) func(*pool.ResourcePool) {
		return func(p *pool.ResourcePool) { p.Spec.Quota.Hard = testkit.List(pairs...) }
	}
	for _, test := range []struct {
		name   string
		change func(*pool.ResourcePool)
		want   []string
	}{
		{"valid", func(*pool.ResourcePool) {}, nil},
		{"all kinds of resources", hard("cpu", "100m", "memory", "1.5", "ephemeral-storage", "1Gi", "requests.cpu", "1", "requests.memory", "1", "requests.storage", "1",
			"requests.ephemeral-storage", "1", "limits.cpu", "1", "limits.memory", "1", "limits.ephemeral-storage", "1", "pods", "1", "services", "1",
			"replicationcontrollers", "1", "secrets", "1", "configmaps", "1", "persistentvolumeclaims", "1", "services.nodeports", "1", "services.loadbalancers", "1",
			"resourcequotas", "1", "count/deployments.apps", "1", "requests.example.com/gpu", "1", "hugepages-2Mi", "2Mi", "requests.hugepages-1Gi", "1Gi",
			"gold.storageclass.storage.k8s.io/requests.storage", "1Gi"), nil},
		{"name", func(p *pool.ResourcePool) { p.Name = "A" }, []string{`metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{"no resources", hard(), []string{`spec.quota.hard: Required value: a pool needs resources`}},
		{"no resource name", hard("", "1"), []string{`spec.quota.hard[]: Invalid value: "": name part must be non-empty`}},
		{"negative fraction of a byte", hard("memory", "-1m"), []string{`spec.quota.hard[memory]: Invalid value: "-1m": must be greater than or equal to 0`}},
		{"zero", hard("pods", "0"), nil},
		{"half an object", hard("count/jobs.batch", "1.5"), []string{`spec.quota.hard[count/jobs.batch]: Invalid value: "1500m": must be an integer`}},
		{"a fraction below a milli-unit", hard("pods", "999999500n"), []string{`spec.quota.hard[pods]: Invalid value: "999999500n": must be an integer`}},
		{"a negative fraction", hard("pods", "-0.5"), []string{`spec.quota.hard[pods]: Invalid value: "-500m": must be greater than or equal to 0`}},
		{"scope selector", scope("PriorityClass", "In", "best-effort"), nil},
		{"scope selector with Exists", scope("VolumeAttributesClass", "Exists"), nil},
		{"NotIn scope without values", scope("PriorityClass", "NotIn"), []string{"spec.quota.scopeSelector.matchExpressions[0].values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"}},
		{"scope exists among", scope("PriorityClass", "DoesNotExist", "x"), []string{"spec.quota.scopeSelector.matchExpressions[0].values: Invalid value: [\"x\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"}},
		{"everything at once", func(p *pool.ResourcePool) {
			p.Spec.Selectors = []metav1.LabelSelector{in(), in()}
			p.Spec.Quota = corev1.ResourceQuotaSpec{
				Hard: testkit.List("gpus", "-1", "pods", "500m"), Scopes: []corev1.ResourceQuotaScope{"Worst", "Best"},
				ScopeSelector: &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
					{ScopeName: "Worst", Operator: "In"}, {ScopeName: "Best", Operator: "Exists", Values: []string{"x"}}, {ScopeName: "Good", Operator: "Like"}}},
			}
			p.Spec.Defaults = testkit.List("x", "-1", "y", "-1")
			p.Name = ""
		}, []string{
			`metadata.name: Required value`,
			`spec.defaults[x]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.defaults[x]: Invalid value: "x": must be a standard resource for quota`,
			`spec.defaults[y]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.defaults[y]: Invalid value: "y": must be a standard resource for quota`,
			`spec.quota.hard[gpus]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.quota.hard[gpus]: Invalid value: "gpus": must be a standard resource for quota`,
			`spec.quota.hard[pods]: Invalid value: "500m": must be an integer`,
			"spec.quota.scopeSelector.matchExpressions[0].scopeName: Unsupported value: \"Worst\": supported values: " + scopes,
			"spec.quota.scopeSelector.matchExpressions[0].values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
			"spec.quota.scopeSelector.matchExpressions[1].scopeName: Unsupported value: \"Best\": supported values: " + scopes,
			"spec.quota.scopeSelector.matchExpressions[1].values: Invalid value: [\"x\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
			"spec.quota.scopeSelector.matchExpressions[2].operator: Invalid value: \"Like\": not a valid selector operator",
			"spec.quota.scopeSelector.matchExpressions[2].scopeName: Unsupported value: \"Good\": supported values: " + scopes,
			`spec.quota.scopes[0]: Unsupported value: "Worst": supported values: ` + scopes,
			`spec.quota.scopes[1]: Unsupported value: "Best": supported values: ` + scopes,
			"spec.selectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
			"spec.selectors[1].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("example", testkit.List("pods", "1"))
			test.change(p)
			testkit.NoDiff(t, messages(pool.ValidatePool(nil, p)), test.want)
		})
	}
	testkit.NoDiff(t, messages(pool.ValidatePool(nil, nil)), []string{"<nil>: Required value: pool"}, "nil")
}

func TestValidateClaim(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*pool.ResourcePoolClaim)
		want   []string
	}{
		{"valid", func(*pool.ResourcePoolClaim) {}, nil},
		{"no pool yet", func(c *pool.ResourcePoolClaim) { c.Spec.Pool = "" }, nil},
		{"no name", func(c *pool.ResourcePoolClaim) { c.Name = "" }, []string{"metadata.name: Required value"}},
		{"no namespace", func(c *pool.ResourcePoolClaim) { c.Namespace = "" }, []string{"metadata.namespace: Required value: claims are namespaced"}},
		{"empty", func(c *pool.ResourcePoolClaim) { c.Spec.Claim = nil }, []string{"spec.claim: Required value: a claim needs resources"}},
		{"amounts", func(c *pool.ResourcePoolClaim) { c.Spec.Claim = testkit.List("gpus", "1", "pods", "-1") }, []string{
			`spec.claim[gpus]: Invalid value: "gpus": must be a standard resource for quota`,
			`spec.claim[pods]: Invalid value: "-1": must be greater than or equal to 0`}},
		{"everything at once", func(c *pool.ResourcePoolClaim) { *c = pool.ResourcePoolClaim{} }, []string{
			"metadata.name: Required value", "metadata.namespace: Required value: claims are namespaced", "spec.claim: Required value: a claim needs resources"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClaim("solar-test", "get-me-cpu", 0, testkit.List("requests.cpu", "2"))
			test.change(c)
			testkit.NoDiff(t, messages(pool.ValidateClaim(nil, c, pool.AdmissionOptions{})), test.want)
		})
	}
	c := newClaim("solar-test", "get-me-cpu", 0, testkit.List("requests.cpu", "2"))
	c.Spec.Pool, c.Spec.Claim = "No Pool", nil
	if got := messages(pool.ValidateClaim(nil, c, pool.AdmissionOptions{})); len(got) != 2 || !strings.HasPrefix(got[0], "spec.claim: ") || !strings.HasPrefix(got[1], `spec.pool: Invalid value: "No Pool"`) {
		t.Errorf("a pool that cannot exist: %q", got)
	}
	testkit.NoDiff(t, messages(pool.ValidateClaim(nil, nil, pool.AdmissionOptions{})), []string{"<nil>: Required value: claim"}, "nil")
}

// The manifests of the document are read without errors, and have the documented meaning.
func TestManifestOfTheDocument(t *testing.T) {
	p := decode[pool.ResourcePool](t, `
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata:
  name: gold-storage
spec:
  defaults:
    "count/persistentvolumeclaims": 3
  config:
    defaultsZero: true
    orderedQueue: true
    deleteBoundResources: true
  selectors:
    - matchExpressions:
        - { key: company.com/env, operator: In, values: [prod, pre-prod] }
  quota:
    hard:
      requests.storage: "10Gi"
      persistentvolumeclaims: "10"
    scopeSelector:
      matchExpressions:
        - operator: In
          scopeName: VolumeAttributesClass
          values: ["gold"]
`)
	if errs := pool.ValidatePool(nil, p); len(errs) > 0 {
		t.Errorf("invalid: %v", errs)
	}
	want := pool.ResourcePoolSpec{
		Defaults:  testkit.List("count/persistentvolumeclaims", "3"),
		Config:    pool.ResourcePoolConfig{DefaultsZero: true, OrderedQueue: true, DeleteBoundResources: true},
		Selectors: []metav1.LabelSelector{{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "company.com/env", Operator: "In", Values: []string{"prod", "pre-prod"}}}}},
		Quota: corev1.ResourceQuotaSpec{
			Hard: testkit.List("requests.storage", "10Gi", "persistentvolumeclaims", "10"),
			ScopeSelector: &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
				{Operator: "In", ScopeName: "VolumeAttributesClass", Values: []string{"gold"}}}},
		},
	}
	testkit.NoDiff(t, p.Spec, want)
	// Its ResourceQuota has its scopes, and shares nothing with it.
	q := pool.Quota(p, "x", nil)
	q.Spec.ScopeSelector.MatchExpressions[0].Values[0] = "silver"
	testkit.NoDiff(t, p.Spec, want, "after a change to the quota")
}
