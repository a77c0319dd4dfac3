package whatif_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// BenchmarkUpdateOneByOne updates large sets whose pods are replaced one after the other.
func BenchmarkUpdateOneByOne(b *testing.B) {
	for _, test := range []struct {
		name        string
		nodes, pods int
		set         func(cpu string) admit.APIObject
	}{
		{"StatefulSet of 1000", 100, 1000, func(cpu string) admit.APIObject { return statefulSet("db", 1000, cpu) }},
		{"StatefulSet of 4000", 100, 4000, func(cpu string) admit.APIObject { return statefulSet("db", 4000, cpu) }},
		{"DaemonSet of 1000", 1000, 1000, func(cpu string) admit.APIObject { return daemonSet("agent", cpu) }},
		{"DaemonSet of 4000", 4000, 4000, func(cpu string) admit.APIObject { return daemonSet("agent", cpu) }},
	} {
		b.Run(test.name, func(b *testing.B) {
			var nodes []admit.APIObject
			for i := range test.nodes {
				nodes = append(nodes, node(fmt.Sprintf("node-%04d", i), "99"))
			}
			c, err := whatif.Read(nodes, whatif.Options{})
			testkit.OK(b, err)
			_, c = c.Apply(test.set("1m"))
			for b.Loop() {
				if r, _ := c.Apply(test.set("2m")); r.Objects[0].Placed != int64(test.pods) {
					b.Fatal(r.Objects[0])
				}
			}
		})
	}
}
