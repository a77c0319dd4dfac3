package nodetree_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/internal/testkit"
)

var drivers = []cgroupname.Driver{cgroupname.Cgroupfs, cgroupname.Systemd}

// runtimes are those whose prefixes differ by driver, and another one.
var runtimes = []string{"containerd", "cri-o", "docker"}

// nodes draws pods, and a node for them.
func nodes(t *rapid.T) ([]*corev1.Pod, nodetree.Options) {
	pods := rapid.SliceOfN(rapid.OneOf(testkit.PodWith(testkit.Ordinary()), testkit.LimitedPod()), 0, 3).Draw(t, "pods")
	demands := map[types.UID]map[string]int64{}
	for i, pod := range pods {
		pod.Status.ContainerStatuses = nil
		for _, c := range pod.Spec.Containers {
			id := rapid.SampledFrom(runtimes).Draw(t, "runtime") + "://" + fmt.Sprintf("%08d", i)
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, ContainerID: id})
		}
		pod.Name, pod.UID = fmt.Sprintf("p%d", i), types.UID(fmt.Sprintf("u%d", i))
		if rapid.Bool().Draw(t, "demand") {
			demands[pod.UID] = map[string]int64{}
			for i := range pod.Spec.Containers {
				demands[pod.UID][pod.Spec.Containers[i].Name] = rapid.SampledFrom([]int64{-1, 0, 1, 5, 100, 700, 3000}).Draw(t, "milli-CPU")
			}
		}
	}
	return pods, nodetree.Options{
		MilliCPU: rapid.Int64Range(0, 10000).Draw(t, "node"),
		Driver:   rapid.SampledFrom(drivers).Draw(t, "driver"),
		Kubelet:  cgroupconfig.Options{Period: rapid.SampledFrom([]int64{0, 5000, 33333}).Draw(t, "period")},
		Demands:  demands,
	}
}

// For any pods, the amounts at each level add up to the amount of the level above, no cgroup exceeds its
// quota, and the order of the pods does not matter.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods, opts := nodes(t)
		testkit.Contract(t, func() any {
			root, err := nodetree.Build(pods, opts)
			return []any{&root, err}
		}, pods, opts)
		root := build(t, pods, opts)
		for _, g := range root.All() {
			if id, err := cgroupname.Parse(g.Path); g.Path != "" && (err != nil || id.Kind() != g.Level || id.Class != g.Class || id.Driver != opts.Driver) {
				t.Fatalf("%s of %s: %+v, %v", g.Path, g.Title, id, err)
			}
		}
		testkit.Contract(t, func() any {
			var titles []string
			for depth, g := range root.All() {
				titles = append(titles, fmt.Sprint(depth, " ", g.Title))
			}
			return titles
		}, &root)
		if len(pods) > 0 {
			twice := append(slices.Clip(pods), pods[0])
			testkit.Contract(t, func() any {
				_, err := nodetree.Build(twice, opts)
				return fmt.Sprint(err) // nil if it has ended
			}, twice, opts)
		}
		for _, of := range []func(*nodetree.Tree) *big.Rat{
			func(tree *nodetree.Tree) *big.Rat { return tree.CPU.Shares.Rat() }, func(tree *nodetree.Tree) *big.Rat { return tree.CPU.Linear.Rat() },
			func(tree *nodetree.Tree) *big.Rat { return tree.CPU.Mixed.Rat() },
		} {
			for _, g := range root.All() {
				checkTree(t, g, of)
			}
		}
		reversed := make([]*corev1.Pod, len(pods))
		for i, pod := range pods {
			reversed[len(pods)-1-i] = pod
		}
		again := build(t, reversed, opts)
		testkit.NoDiff(t, testkit.Fingerprint(again), testkit.Fingerprint(root), "in the other order")
	})
}

func checkTree(t *rapid.T, g *nodetree.Tree, of func(*nodetree.Tree) *big.Rat) {
	if q := g.Config.Quota; q.Set {
		limit := big.NewRat(q.Amount, g.Config.Period.Amount)
		if limit.Mul(limit, big.NewRat(1000, 1)).Cmp(of(g)) < 0 {
			t.Fatalf("%s gets %v of a quota of %v", g.Title, of(g), q)
		}
	}
	sum := new(big.Rat)
	for i := range g.Children {
		sum.Add(sum, of(&g.Children[i]))
	}
	if len(g.Children) > 0 && sum.Cmp(of(g)) != 0 {
		t.Fatalf("%s gives %v of %v", g.Title, sum, of(g))
	}
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.PodWith(testkit.Ordinary()), 0, 2).Draw(t, "pods")
		for i, pod := range pods {
			pod.Name, pod.UID = fmt.Sprintf("p%d", i), types.UID(fmt.Sprintf("u%d", i))
		}
		type input struct {
			Pods []*corev1.Pod
			Node nodetree.Options
		}
		testkit.EmptyIsNil(t, input{pods, nodetree.Options{MilliCPU: 4000}}, func(in input) any {
			root, err := nodetree.Build(in.Pods, in.Node)
			return []string{testkit.Fingerprint(testkit.WithNil(root)), fmt.Sprint(err)}
		})
	})
}
