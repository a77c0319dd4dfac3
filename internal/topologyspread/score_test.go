package topologyspread_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// Scores of the feasible nodes. Those marked "upstream" are of its scoring_test.go, with other names; the others are
// worked out by hand.
func TestScores(t *testing.T) {
	db := func(c *corev1.TopologySpreadConstraint) {
		c.LabelSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "db"}}
	}
	web2, web3, web4 := "web web", "web web web", "web web web web"
	hosts := []string{"a: " + web2, "b: web", "c:", "d: " + web3}
	fourTwoOneThree := []string{"a zone=1: " + web4, "b zone=1: " + web2, "x zone=2: web", "y zone=2: " + web3}
	twoOneTwoFour := []string{"a zone=1: " + web2, "b zone=1: web", "x zone=2: " + web2, "y zone=2: " + web4}
	disks := []string{"a rack=1 disk=ssd: " + web2, "b rack=2 disk=ssd: web", "c rack=3: web"}
	tainted := []string{"a rack=1: " + web2, "b rack=2: web", "c rack=3 !gpu: web"}
	for _, test := range []struct {
		name     string
		pod      *corev1.Pod
		nodes    []string
		feasible []int
		want     string
	}{
		{"no pods", web(soft(host, 1)), []string{"a", "b"}, []int{0, 1}, "[100 100]"},                // upstream
		{"the only feasible node", web(soft(host, 1)), hosts, []int{0}, "[100]"},                     // upstream
		{"equal nodes", web(soft(host, 1)), []string{"a: web", "b: web"}, []int{0, 1}, "[100 100]"},  // upstream
		{"pods of nodes", web(soft(host, 1)), hosts, []int{0, 1, 2, 3}, "[20 60 100 0]"},             // upstream
		{"no selector", web(soft(host, 1, selecting(nil))), hosts, []int{0, 1}, "[100 100]"},         // upstream
		{"maxSkew of 2", web(soft(host, 2)), hosts, []int{0, 1, 2, 3}, "[33 66 100 16]"},             // upstream
		{"some nodes", web(soft(host, 1)), fourTwoOneThree, []int{0, 1, 2}, "[33 83 100]"},           // upstream
		{"some nodes by zone", web(soft(zone, 1)), fourTwoOneThree, []int{0, 1, 2}, "[75 75 100]"},   // upstream
		{"zone and node", web(soft(zone, 1), soft(host, 1)), twoOneTwoFour, []int{0, 2}, "[100 63]"}, // upstream
		{"in another order of nodes", web(soft(host, 1)), hosts, []int{3, 2, 1, 0}, "[0 100 60 20]"},
		{"a hard constraint only", web(hard(host, 1)), hosts, []int{0, 1}, "skipped"},
		{"no constraint", web(), hosts, []int{0, 1}, "skipped"},
		{"no feasible node", web(soft(host, 1)), hosts, nil, "[]"},
		{"affinity honored", onSSD(web(soft("rack", 1))), disks, []int{0, 1, 2}, "[0 33 100]"}, // upstream
		{"minDomains", web(soft("rack", 2, minDomains(10))), disks, []int{0, 1, 2}, "[75 100 100]"},
		{"taints ignored", web(soft("rack", 1)), tainted, []int{0, 1, 2}, "[66 100 100]"},                            // upstream
		{"another namespace", web(soft(host, 1)), []string{"a: web ops/web", "b: web web"}, []int{0, 1}, "[100 33]"}, // upstream
		{"being deleted", web(soft(host, 1)), []string{"a: web*", "b: web"}, []int{0, 1}, "[100 0]"},                 // upstream
		{"an empty selector", web(soft(host, 1, selecting(&metav1.LabelSelector{}))), hosts, []int{0, 1}, "[100 100]"},
		{"a missing label", web(soft(host, 1)), []string{"a: " + web4, "b host=-: " + web2, "x: web", "y: " + web3}, []int{0, 1, 2}, "[16 0 100]"}, // upstream
		{"nodes with the same hostname", web(soft(host, 1)), []string{"a host=x: web", "b host=x"}, []int{0, 1}, "[0 100]"},
		{"a node whose taints are honored", web(soft(host, 1, taintsPolicy(corev1.NodeInclusionPolicyHonor))), []string{"a", "b !gpu: web"}, []int{0, 1}, "[100 0]"},
		{"different selectors", web(soft(zone, 1), soft(host, 1, db)), // upstream
			[]string{"a zone=1: web", "b zone=1: web,tier=db", "x zone=2:", "y zone=2: web x,tier=db"}, []int{0, 1, 2, 3}, "[60 20 100 60]"},
		{"different selectors, some nodes", web(soft(zone, 1), soft(host, 1, db)), // upstream
			[]string{"a zone=1: web", "b zone=1: web,tier=db", "x zone=2:", "y zone=2: web x,tier=db"}, []int{0, 1, 2}, "[50 25 100]"},
		{"taints honored", web(soft("rack", 1, taintsPolicy(corev1.NodeInclusionPolicyHonor))), tainted, []int{0, 1, 2}, "[0 33 100]"},             // upstream
		{"affinity ignored", onSSD(web(soft("rack", 1, affinityPolicy(corev1.NodeInclusionPolicyIgnore)))), disks, []int{0, 1, 2}, "[66 100 100]"}, // upstream
	} {
		t.Run(test.name, func(t *testing.T) {
			c := clusterOf(test.nodes...)
			scores := make([]int64, len(test.feasible))
			got := "skipped"
			if c.spread(t, test.pod).Scores(test.feasible, scores) {
				got = fmt.Sprint(scores)
			}
			testkit.Equal(t, got, test.want)
		})
	}
}
