package interpodaffinity_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// large is a cluster of 5,000 nodes in three zones with 150,000 pods of 3,000 Deployments in 300 namespaces. A third of the
// pods have required anti-affinity on nodes and preferred anti-affinity in zones. As in a dump, no two pods share memory.
func large() (nodes []*corev1.Node, podsOn func(i int) []*corev1.Pod) {
	pods := make([][]*corev1.Pod, 5000)
	for i := range pods {
		nodes = append(nodes, node(fmt.Sprint("node-", i), map[string]string{corev1.LabelHostname: fmt.Sprint("node-", i), "zone": fmt.Sprint(i % 3)}))
		for k := range 30 {
			pods[i] = append(pods[i], deploymentPod((i*30+k)%3000))
		}
	}
	return nodes, func(i int) []*corev1.Pod { return pods[i] }
}

// deploymentPod returns a pod of a Deployment. Those whose number is divisible by three have anti-affinity.
func deploymentPod(number int) *corev1.Pod {
	app := fmt.Sprint("app-", number)
	p := pod(map[string]string{"app": app, "pod-template-hash": fmt.Sprint(number), "tier": "front", "version": "1"})
	p.Namespace = fmt.Sprint("namespace-", number%300)
	if number%3 == 0 {
		repel(corev1.LabelHostname, app)(p)
		shun(100, "zone", app)(p)
	}
	return p
}

// The index of all pods, made once.
func BenchmarkNewIndex(b *testing.B) {
	nodes, podsOn := large()
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(interpodaffinity.NewIndex(nodes, podsOn))
	}
}

func BenchmarkClone(b *testing.B) {
	index := interpodaffinity.NewIndex(large())
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(index.Clone())
	}
}

// The state of one pod: without terms, and with anti-affinity.
func BenchmarkOn(b *testing.B) {
	nodes, podsOn := large()
	for name, number := range map[string]int{"plain": 1, "anti-affinity": 3} {
		incoming := interpodaffinity.Of(deploymentPod(number), nil, interpodaffinity.Options{})
		index := interpodaffinity.NewIndex(nodes, podsOn)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(incoming.On(index))
			}
		})
	}
}

// The reasons and scores of all nodes.
func BenchmarkNodes(b *testing.B) {
	nodes, podsOn := large()
	state := interpodaffinity.Of(deploymentPod(3), nil, interpodaffinity.Options{}).On(interpodaffinity.NewIndex(nodes, podsOn))
	feasible, scores := make([]int, 0, len(nodes)), make([]int64, len(nodes))
	b.ReportAllocs()
	for b.Loop() {
		feasible = feasible[:0]
		for i := range nodes {
			if reason, _ := state.Refusal(i); reason == "" {
				feasible = append(feasible, i)
			}
		}
		state.Scores(feasible, scores)
	}
}

// A pod comes and goes again.
func BenchmarkAdd(b *testing.B) {
	nodes, podsOn := large()
	index := interpodaffinity.NewIndex(nodes, podsOn)
	other := deploymentPod(3)
	state := interpodaffinity.Of(other, nil, interpodaffinity.Options{}).On(index)
	b.ReportAllocs()
	for b.Loop() {
		index.Add(7, other)
		state.Add(7, other)
		index.Remove(7, other)
		state.Remove(7, other)
	}
}

// Neither the reason nor the score of a node allocates memory.
func TestNoGarbage(t *testing.T) {
	c := cluster{nodes: []*corev1.Node{zoned("a", "1"), zoned("b", "2")}, pods: []*corev1.Pod{
		on("a", pod(web, repel("zone", "web"))), on("b", pod(db, repel("zone", "db"))),
	}}
	state := c.state(pod(db, attract("zone", "web"), repel("zone", "db"), prefer(3, "zone", "web")), interpodaffinity.Options{})
	feasible, scores := []int{0, 1}, make([]int64, 2)
	testkit.Equal(t, testing.AllocsPerRun(10, func() {
		for i := range c.nodes {
			testkit.Keep(second(state.Refusal(i)))
		}
		testkit.Keep(state.Scores(feasible, scores))
	}), 0, "allocations")
}

func second(_ string, b bool) bool { return b }
