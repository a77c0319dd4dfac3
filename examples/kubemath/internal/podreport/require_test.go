package podreport_test

import (
	"strings"
	"testing"
)

// What containers have to set is that of a quota that limits it: with defaults, in init containers too, and not if the
// pod sets it.
func TestRequire(t *testing.T) {
	const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {
  initContainers: [{name: load, resources: {requests: {cpu: 0}}}],
  containers: [{name: app, resources: {limits: {cpu: 1}}}, {name: proxy}]}}}
`
	const defaults = `---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: shop}
spec: {limits: [{type: Container, default: {memory: 1Gi}}]}
`
	podLevel := strings.Replace(deployment, "spec: {\n", "spec: {resources: {requests: {cpu: 1}},\n", 1)
	cpu := `kubemath: -: document 1, line 1: Deployment shop/web: %sspec.template.spec: sets no requests.cpu for: proxy`
	memory := `kubemath: -: document 1, line 1: Deployment shop/web: %sspec.template.spec: sets no limits.memory for: app,load,proxy`
	for _, test := range []struct {
		name, manifests, amounts string
		want                     []string
	}{
		{"all containers", deployment, "requests.cpu,limits.memory", []string{memory, cpu}},
		{"with defaults", deployment + defaults, "requests.cpu,limits.memory,requests.memory", []string{cpu}},
		{"at pod level", podLevel, "requests.cpu,limits.memory", nil},
		{"nothing", deployment, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, strictly := range []bool{false, true} {
				args, mark, code := []string{"-f", "-", "-q"}, "warning: ", 0
				if test.amounts != "" {
					args = append(args, "-require", test.amounts)
				}
				if strictly {
					args, mark = append(args, "-strict"), ""
					code = 2 * min(1, len(test.want))
				}
				var want strings.Builder
				for _, line := range test.want {
					want.WriteString(strings.Replace(line, "%s", mark, 1) + "\n")
				}
				if got := runWith(test.manifests, args...); got.Code != code || got.Stderr != want.String() {
					t.Errorf("strictly %t: exit code %d, want %d, and\n%swant\n%s", strictly, got.Code, code, got.Stderr, want.String())
				}
			}
		})
	}
	got := runWith(deployment, "-f", "-", "-require", "requests.cpu,pods")
	if got.Code != 1 || !strings.Contains(got.Stderr, `"pods" is not an amount that a quota requires`) {
		t.Errorf("exit code %d, %s", got.Code, got.Stderr)
	}
}
