package topologyspread_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// large is a cluster of 5,000 nodes in three zones, each with 30 pods, one of which is of the app web.
func large() cluster {
	var lines []string
	for i := range 5000 {
		line := fmt.Sprintf("n-%d zone=%d rack=%d: web", i, i%3, i%100)
		for k := range 29 {
			line += fmt.Sprintf(" team-%d/web", (i+k)%50)
		}
		lines = append(lines, line)
	}
	return clusterOf(lines...)
}

func defaultsOf(t testing.TB, pod *corev1.Pod) *topologyspread.Constraints {
	constraints, err := topologyspread.Of(pod, labels.SelectorFromSet(labels.Set{"app": "web"}), topologyspread.Defaults{}, release.Rules{})
	testkit.OK(t, err)
	return constraints
}

// Nothing is allocated per node or pod.
func TestAllocations(t *testing.T) {
	c := large()
	pod := web(hard(zone, 1), hard("rack", 2), soft(host, 1), soft("rack", 1))
	s := defaultsOf(t, pod).On(c.nodes, c.podsOn)
	feasible, scores := all(c), make([]int64, len(c.nodes))
	for name, test := range map[string]struct {
		call func()
		max  float64
	}{
		"Add, Refusal, Remove": {func() { s.Add(7, pod); s.Refusal(8); s.Remove(7, pod) }, 0},
		"Evict, Reprieve":      {func() { s.Evict(7, pod); s.Reprieve(7, pod) }, 0},
		"Scores":               {func() { s.Scores(feasible, scores) }, 3},
	} {
		if got := testing.AllocsPerRun(10, test.call); got > test.max {
			t.Errorf("%s: %v allocations, want at most %v", name, got, test.max)
		}
	}
}

func BenchmarkOn(b *testing.B) {
	c := large()
	constraints := defaultsOf(b, podOf("web"))
	b.ReportAllocs()
	for b.Loop() {
		constraints.On(c.nodes, c.podsOn)
	}
}

// One pod is placed: each node is asked, the feasible ones are scored, and the pod is added.
func BenchmarkPlace(b *testing.B) {
	c := large()
	feasible, scores := all(c), make([]int64, len(c.nodes))
	for name, pod := range map[string]*corev1.Pod{
		"defaults": podOf("web"), "hard and soft": web(hard(zone, 1), hard("rack", 1), soft(host, 1)),
	} {
		b.Run(name, func(b *testing.B) {
			s := defaultsOf(b, pod).On(c.nodes, c.podsOn)
			b.ReportAllocs()
			for b.Loop() {
				for i := range c.nodes {
					s.Refusal(i)
				}
				s.Scores(feasible, scores)
				s.Add(0, pod)
				s.Remove(0, pod)
			}
		})
	}
}
