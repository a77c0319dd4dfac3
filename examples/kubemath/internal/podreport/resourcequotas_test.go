package podreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhichQuotasCount(t *testing.T) {
	generated := strings.NewReplacer("name: q", "generateName: q-")
	quota := quotaWith("q", "{pods: 1}", "{pods: 0}")
	for _, test := range []struct {
		name, manifests, args string
		code                  int
		quotas                []string // namespace and name
		stderr                string
	}{
		{"one", quota, "", 0, []string{"shop/q"}, ""},
		{"the same again", join(quota, quota), "", 0, []string{"shop/q"}, ""},
		{"replaced", join(quota, newQuota("q", "{hard: {pods: 1}}")), "", 0, []string{"shop/q"}, "kubemath: -: document 1: ResourceQuota shop/q: skipped: replaced by -, document 2\n"},
		{"with another limit", join(newQuota("q", "{hard: {pods: 2}}"), newQuota("q", "{hard: {pods: 1}}")), "", 0, []string{"shop/q"}, "kubemath: -: document 1: ResourceQuota shop/q: skipped: replaced by -, document 2\n"},
		{"by name", join(quotaWith("b", "{}", "{}"), quotaWith("a", "{}", "{}")), "", 0, []string{"shop/a", "shop/b"}, ""},
		{"in the namespace of -n", strings.Replace(join(quota, quota), "namespace: shop, ", "", 1), "mine", 0, []string{"mine/q", "shop/q"}, ""},
		{"names to be generated", generated.Replace(join(quota, quota)), "", 0, []string{"shop/q-...", "shop/q-..."}, ""},
		{"no name", strings.Replace(quota, ", name: q", "", 1), "", 2, nil, "kubemath: -: document 1: ResourceQuota: metadata.name: Required value: name or generateName is required\n"},
		{"negative limits", newQuota("q", "{hard: {pods: -1, cpu: -500m}}"), "", 2, nil, "" +
			"kubemath: -: document 1: ResourceQuota shop/q: spec.hard[cpu]: Invalid value: \"-500m\": must be greater than or equal to 0\n" +
			"kubemath: -: document 1: ResourceQuota shop/q: spec.hard[pods]: Invalid value: \"-1\": must be greater than or equal to 0\n"},
		{"negative usage", quotaWith("q", "{pods: 2}", "{pods: -1}"), "", 2, nil, "kubemath: -: document 1: ResourceQuota shop/q: status.used[pods]: Invalid value: \"-1\": must be greater than or equal to 0\n"},
		{
			"a scope selector without a meaning", newQuota("q", "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Near}]}}"), "", 2, nil,
			"kubemath: -: document 1: ResourceQuota shop/q: spec.scopeSelector.matchExpressions.operator: Invalid value: \"Near\": not a valid selector operator\n",
		},
		{"a service without a name", "apiVersion: v1\nkind: Service\n", "", 2, nil, "kubemath: -: document 1: Service: metadata.name: missing\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"-f", "-", "-o", "json"}
			if test.args != "" {
				args = append(args, "-n", test.args)
			}
			got := runWith(test.manifests, args...)
			if got.Code != test.code || got.Stderr != test.stderr {
				t.Errorf("exit code %d, stderr %q, want %d, %q", got.Code, got.Stderr, test.code, test.stderr)
			}
			r := unmarshal(t, got.Stdout)
			var quotas []string
			for _, n := range r.Namespaces {
				for _, q := range n.ResourceQuotas {
					quotas = append(quotas, n.Name+"/"+q.Name)
				}
			}
			if diff := cmp.Diff(test.quotas, quotas); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
