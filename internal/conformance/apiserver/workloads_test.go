package main

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// A quota for two pods admits two pods of a workload, and refuses the third with what is used then.
func TestForeseen(t *testing.T) {
	in, err := admit.Compile(nil, []*corev1.ResourceQuota{hard("q", "2", "0")}, admitOptions)
	testkit.OK(t, err)
	deployment := &appsv1.Deployment{ObjectMeta: named("web")}
	deployment.Spec.Template.Spec = minimalPod().Spec
	decisions := []admit.Decision{in.Create(deployment, admit.Attributes{PodName: "web-0"})}
	pod := minimalPod()
	pod.Status.QOSClass = corev1.PodQOSBestEffort
	yes := answer{Code: 200, Stored: facts(pod)}
	no := answer{Code: 403, Reason: "Forbidden", Message: `pods "web-0" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2`}
	early := no
	early.Message = `pods "web-0" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=2`
	guaranteed := minimalPod()
	guaranteed.Status.QOSClass = corev1.PodQOSGuaranteed
	tests := []struct {
		name   string
		made   int
		server answer
		want   bool
	}{
		{"the first", 0, yes, true},
		{"the first, stored otherwise", 0, answer{Code: 200, Stored: facts(guaranteed)}, false},
		{"the second", 1, yes, true},
		{"the third is refused", 2, no, true},
		{"the third is stored", 2, yes, false},
		{"the second is refused", 1, no, false},
		{"another message", 2, early, false},
	}
	n := &namespace{}
	for _, test := range tests {
		testkit.Equal(t, n.foreseen(test.made, test.server, decisions), test.want, test.name)
	}
}
