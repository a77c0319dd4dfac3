package podreport_test

import (
	"strings"
	"testing"
)

// TestRejectedPodsDoNotCount: rejected pods do not run.
func TestRejectedPodsDoNotCount(t *testing.T) {
	manifests := join(deploymentWith("{requests: {cpu: 2}, limits: {cpu: 1}}"), deploymentWith("{requests: {cpu: 4}}"),
		strings.Replace(deploymentWith("{requests: {cpu: 9}, limits: {cpu: -1}}"), "Deployment", "DaemonSet", 1))
	totals := reportWith(t, 2, manifests).Totals
	if totals.Workloads != 1 || totals.Rejected != 2 || totals.Pods != 1 || totals.Requests.Text("cpu") != "4" || totals.PerNode || totals.PodsByClass["Burstable"] != 1 {
		t.Errorf("totals %+v", totals)
	}
	const want = "\nTotal: 1 workload, 1 pod, not counting the 2 that would be rejected\n"
	if got := runWith(manifests, "-f", "-").Stdout; !strings.Contains(got, want) {
		t.Errorf("output lacks %q:\n%s", want, got)
	}
}
