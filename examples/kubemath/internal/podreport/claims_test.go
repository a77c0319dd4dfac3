package podreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// claimWith returns a claim of so much storage.
func claimWith(storage string) string {
	return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: shop, name: data}\nspec: {resources: {requests: {storage: " + storage + "}}}\n"
}

var claimBounds = limitRangeWith("claims", "{type: PersistentVolumeClaim, min: {storage: 1Gi}, max: {storage: 10Gi}}")

func TestClaims(t *testing.T) {
	for _, test := range []struct {
		name, manifests string
		want            []string // what, remedy and path, and what the server says
	}{
		{"least", join(claimWith("1Gi"), claimBounds), nil},
		{"most", join(claimWith("10Gi"), claimBounds), nil},
		{"not bounded", claimWith("100Gi"), nil},
		{"bounded in another namespace", join(strings.Replace(claimWith("100Gi"), "namespace: shop, ", "", 1), claimBounds), nil},
		{"live", join(claimWith("100Gi")+"status: {phase: Bound}\n", claimBounds), nil},
		{"too little", join(claimWith("1023Mi"), claimBounds), []string{
			"claim data: request storage 1023Mi is below the minimum 1Gi of LimitRange shop/claims", "raise the request",
			"spec.resources.requests[storage]", "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1023Mi",
		}},
		{"too much", join(claimWith("11Gi"), claimBounds), []string{
			"claim data: request storage 11Gi is above the maximum 10Gi of LimitRange shop/claims", "lower the request",
			"spec.resources.requests[storage]", "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi",
		}},
		{"too much, where no namespace is stated", strings.ReplaceAll(join(claimWith("11Gi"), strings.Replace(claimBounds, "shop", "default", 1)), "namespace: shop, ", ""), []string{
			"claim data: request storage 11Gi is above the maximum 10Gi of LimitRange default/claims", "lower the request",
			"spec.resources.requests[storage]", "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi",
		}},
		{"nothing requested", join(strings.Replace(claimWith("1"), "storage", "cpu", 1), claimBounds), []string{
			"claim data: no storage request", "set a storage request above zero",
			"spec.resources.requests[storage]", "spec.resources[storage]: Required value",
			"claim data: no storage request, but LimitRange shop/claims has a minimum of 1Gi", "set a request of at least 1Gi",
			"spec.resources.requests[storage]", "minimum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified",
			"claim data: no storage request, but LimitRange shop/claims has a maximum of 10Gi", "set a request of at most 10Gi",
			"spec.resources.requests[storage]", "maximum storage usage per PersistentVolumeClaim is 10Gi.  No request is specified",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code := 0
			if test.want != nil {
				code = 2
			}
			c := reportWith(t, code, test.manifests).Claims[0]
			var got []string
			if c.Rejection != nil {
				for _, r := range c.Rejection.Reasons {
					got = append(got, r.What, r.Remedy, r.Path, r.Server)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestClaimsOfWorkloads(t *testing.T) {
	const (
		containers = "containers: [{name: app}]"
		storage    = "spec: {resources: {requests: {storage: 11Gi}}}"
		volumes    = "volumes: [{name: none, emptyDir: {}}, {name: tmp, ephemeral: {volumeClaimTemplate: {" + storage + "}}}, {name: bare, ephemeral: {}}]"
	)
	for _, test := range []struct {
		name, manifests string
		want            []string // what and path
	}{
		{"StatefulSet", "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db}\n" +
			"spec: {template: {spec: {" + containers + ", " + volumes + "}}, volumeClaimTemplates: [{metadata: {name: small}, spec: {resources: {requests: {storage: 5Gi}}}}, {metadata: {name: data}, " + storage + "}]}\n", []string{
			"claim data: request storage 11Gi is above the maximum 10Gi of LimitRange shop/claims", "spec.volumeClaimTemplates[1].spec.resources.requests[storage]",
			"claim tmp: request storage 11Gi is above the maximum 10Gi of LimitRange shop/claims", "spec.template.spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]",
		}},
		{"Pod", podSpec("{" + containers + ", " + volumes + "}"), []string{
			"claim tmp: request storage 11Gi is above the maximum 10Gi of LimitRange shop/claims", "spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := reportWith(t, 2, join(test.manifests, claimBounds)).Workloads[0]
			if !w.Rejection.Stored {
				t.Error("the workload itself is rejected")
			}
			var got []string
			for _, r := range w.Rejection.Reasons {
				got = append(got, r.What, r.Path)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			const heading = "\n  Stored, but the API server rejects objects that are created for it:\n"
			if text := runWith(join(test.manifests, claimBounds), "-f", "-").Stdout; !strings.Contains(text, heading) {
				t.Errorf("no heading in:\n%s", text)
			}
			reportWith(t, 0, test.manifests)
		})
	}
}
