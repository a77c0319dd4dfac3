package resourcepool

import (
	"strings"
	"testing"
)

const threeClaims = `{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {team: sun}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: b, labels: {team: sun}}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: p}
spec:
  selectors: [{matchLabels: {team: sun}}]
  quota: {hard: {pods: 10, services: 4}}
---
{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePoolClaim, metadata: {name: first, namespace: a}, spec: {pool: p, claim: {pods: 6}}}
---
{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePoolClaim, metadata: {name: second, namespace: b}, spec: {pool: p, claim: {pods: 3}}}
---
{apiVersion: capsule.clastix.io/v1beta2, kind: ResourcePoolClaim, metadata: {name: third, namespace: b}, spec: {pool: p, claim: {pods: 5}}}
`

const usage = `---
apiVersion: v1
kind: ResourceQuota
metadata: {name: capsule-pool-p, namespace: a}
spec: {hard: {pods: 6}}
status: {hard: {pods: 6}, used: {pods: 2}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: capsule-pool-p, namespace: b}
spec: {hard: {pods: 3}}
status: {hard: {pods: 3}, used: {pods: 1}}
`

// What holds, what is in use and what waits are different numbers: claims for 9 of 10 hold, 3 are in use, and 5 wait.
func TestResources(t *testing.T) {
	for name, test := range map[string]struct{ input, want string }{
		"used":           {threeClaims + usage, "p pods 10 9 3 5"},
		"to be released": {strings.Replace(threeClaims, "metadata: {name: ", "metadata: {annotations: {projectcapsule.dev/release: \"true\"}, name: ", 9) + usage, "p pods 10 9 3 5"},
		"partly":         {threeClaims + usage[:strings.LastIndex(usage, "---")], "p pods 10 9 <unknown> 5"},
		"other":          {threeClaims + usage[strings.LastIndex(usage, "---"):], "p pods 10 9 <unknown> 5"},
		"unknown":        {strings.Replace(threeClaims, "{name: p}", "{name: p, uid: u}", 1), "p pods 10 9 <unknown> 5"},
		"new":            {threeClaims, "p pods 10 9 0 5"},
		"granted again": {`{apiVersion: v1, kind: Namespace, metadata: {name: b, labels: {team: sun}}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: p, uid: u}
spec: {selectors: [{matchLabels: {team: sun}}], quota: {hard: {services: 4}}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePoolClaim
metadata: {name: again, namespace: b, annotations: {projectcapsule.dev/release: "true"}}
spec: {pool: p, claim: {services: 1}}
status: {pool: {name: p, uid: u}, conditions: [{type: Exhausted, status: "False"}]}
`, "p services 4 1 <unknown> 0"},
		"being deleted": {strings.Replace(threeClaims, "{name: third,", "{name: third, deletionTimestamp: '2024-01-02T03:04:05Z', finalizers: [f],", 1), "p pods 10 9 0 5"},
		"none":          {threeClaims + usage, "p services 4 0 0 0"},
		"another":       {threeClaims + usage + strings.ReplaceAll(usage, "capsule-pool-p", "own"), "p pods 10 9 3 5"},
		"others":        {threeClaims + strings.ReplaceAll(usage, "capsule-pool-p", "own"), "p pods 10 9 0 5"},
	} {
		var lines []string
		result := runWith(test.input, "-f", "-")
		for line := range strings.Lines(result.Stdout) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, "\n"+test.want+"\n") || !strings.Contains(text, "POOL RESOURCE HARD HOLDS IN USE WAITS\n") {
			t.Errorf("%s: no line %q in\n%s%s", name, test.want, result.Stdout, result.Stderr)
		}
	}
}

// The quota of a pool is listed once, whether or not it is in the input; without its pool, as it is.
func TestQuotasOfPools(t *testing.T) {
	own := strings.ReplaceAll(usage, "capsule-pool-p", "own")
	for name, test := range map[string]struct {
		input string
		args  []string
		want  string
	}{
		"new":            {threeClaims, nil, "a capsule-pool-p, b capsule-pool-p"},
		"stored":         {threeClaims + usage + own, nil, "a capsule-pool-p, a own, b capsule-pool-p, b own"},
		"another pool's": {threeClaims + strings.ReplaceAll(usage, "capsule-pool-p", "capsule-pool-q"), nil, "a capsule-pool-p, a capsule-pool-q, b capsule-pool-p, b capsule-pool-q"},
		"not the pool":   {threeClaims + usage, []string{"-field-selector", "metadata.name=capsule-pool-p"}, "a capsule-pool-p, b capsule-pool-p"},
	} {
		var quotas []string
		_, table, _ := strings.Cut(runWith(test.input, append(test.args, "-f", "-")...).Stdout, "REQUEST")
		for line := range strings.Lines(table) {
			if f := strings.Fields(line); len(f) > 3 {
				quotas = append(quotas, f[0]+" "+f[1])
			}
		}
		if got := strings.Join(quotas, ", "); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
