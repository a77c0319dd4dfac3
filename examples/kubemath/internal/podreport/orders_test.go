package podreport_test

import (
	"strings"
	"testing"
)

// Pods that are rejected in some orders of LimitRanges are a finding of their own: a warning, or an error with -strict.
func TestPodsThatMayBeRejected(t *testing.T) {
	const refusal = "document 3: Deployment shop/web: warning: spec.template.spec: may be rejected (in 1 of 2 orders of LimitRanges): " +
		"container app: the default request cpu 3 from LimitRange shop/b is above the default limit 2 from LimitRange shop/a: set the cpu request of container app\n"
	a, b := limitRangeWith("a", "{type: Container, default: {cpu: 2}}"), limitRangeWith("b", "{type: Container, defaultRequest: {cpu: 3}}")
	for _, test := range []struct {
		name      string
		manifests string
		want      string // on standard error
	}{
		{"a default request above another default limit", join(a, b, deploymentWith("{}")), refusal},
		{"the request is set", join(a, b, deploymentWith("{requests: {cpu: 1}}")), ""},
		{"equal defaults", join(a, limitRangeWith("b", "{type: Container, default: {cpu: 2}}"), deploymentWith("{}")), ""},
		{"admitted in every order", join(a, limitRangeWith("b", "{type: Container, default: {cpu: 3}}"), deploymentWith("{}")), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-")
			if got.Code != 0 || !strings.HasSuffix(got.Stderr, test.want) || test.want == "" && strings.Contains(got.Stderr, "may be rejected") {
				t.Errorf("exit code %d, standard error:\n%s", got.Code, got.Stderr)
			}
			code := 0
			if test.want != "" {
				code = 2
			}
			if got := runWith(test.manifests, "-f", "-", "-strict"); got.Code != code {
				t.Errorf("exit code %d with -strict, want %d:\n%s", got.Code, code, got.Stderr)
			}
		})
	}
}
