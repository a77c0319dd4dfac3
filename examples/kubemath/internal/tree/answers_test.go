package tree

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
)

// The whole output of each question is compared: what is in it was read by hand.
func TestAnswers(t *testing.T) {
	node := func(name, labels, amounts string) string {
		return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {" + labels + "}}\nstatus: {" + amounts + "}\n"
	}
	pod := func(name, node, resources string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {nodeName: " + node + ", containers: [{name: app, resources: {" + resources + "}}]}\n"
	}
	const level = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: level}\nspec: {resources: {requests: {cpu: 1}, limits: {cpu: 2}}, containers: [{name: app}]}\n"
	workload := func(name string, replicas, containers int) string {
		return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + "}\nspec: {replicas: " + fmt.Sprint(replicas) + ", template: {spec: {containers: [" + strings.Repeat("{name: a}, ", containers) + "]}}}\n"
	}
	two := node("n1", "pool: blue", "allocatable: {cpu: 4, memory: 8Gi}") + node("n2", "pool: red", "allocatable: {cpu: 2, memory: 4Gi}, capacity: {memory: 5Gi}") +
		pod("x", "n1", "requests: {cpu: 1}") + pod("z", "n2", "limits: {cpu: 1, memory: 1Gi}") + pod("w", "''", "") + pod("v", "''", "")
	named := pod("x", "n1", "requests: {cpu: 1, memory: 1Gi}") + pod("z", "n2", "")
	golden.Answers(t, Run, "testdata/answers.txt", [][3]string{
		{"two nodes", two, "-f -"},
		{"one of a label", two, "-f - -l pool=red -o csv"},
		{"none of a label", two, "-f - -l pool=none -o json"},
		{"files of none", two, "-f - -l pool=none -files v1"},
		{"properties of one", two, "-f - -node n2 -files systemd"},
		{"properties of one by its driver", two, "-f - -node n1 -files systemd -driver systemd"},
		{"files of one of a label by systemd", two, "-f - -l pool=blue -files v2 -driver systemd"},
		{"a label, without nodes", pod("x", "''", ""), "-f - -l a=b"},
		{"a name, without nodes", pod("x", "''", ""), "-f - -field-selector metadata.name=x"},
		{"no such node", two, "-f - -node n\u001b"},
		{"files without the CPU", named, "-f - -node n1 -files v2 -memory 1Gi"},
		{"files without the memory", named, "-f - -node n1 -files v2 -cpu 1"},
		{"files of an unprintable node", strings.ReplaceAll(named, "n1", `"n\n"`), "-f - -files v2 -l kubernetes.io/hostname!=x -field-selector metadata.name!=n2"},
		{"CPU only", named, "-f - -node n1 -cpu 4 -o csv"},
		{"memory only", named, "-f - -node n1 -memory 4Gi -o csv"},
		{"the least amounts", node("n1", "", "allocatable: {cpu: 1m, memory: 1}, capacity: {memory: 2}"), "-f - -o json"},
		{"no amounts", node("n1", "", ""), "-f - -o json"},
		{"one node and the least of a flag", node("n1", "", ""), "-f - -memory 1"},
		{"one node and a CPU", node("n1", "", ""), "-f - -cpu 1m"},
		{"least amounts of flags", named, "-f - -node n2 -memory 1 -cpu 1m -o json"},
		{"a namespace", pod("x", "n1", "") + strings.Replace(pod("z", "n1", ""), "{name", "{namespace: shop, name", 1), "-f - -n shop -o csv"},
		{"a typo", strings.Replace(pod("x", "n1", ""), "resources", "resource", 1), "-f - -strict -o csv"},
		{"the pod level", level, "-f - -o csv"},
		{"limits of the pod level, in 1.37", strings.Replace(level, "requests: {cpu: 1}, ", "", 1), "-f - -o csv -kubernetes 1.37"},
		{"the pod level, in 1.33", level, "-f - -o csv -kubernetes 1.33"},
		{"UIDs of names", pod("a.b", "n1", "") + pod("a-b", "n1", "") + strings.Replace(pod("a-b", "n1", ""), "{name", "{namespace: a, name", 1) + strings.Replace(pod("b", "n1", ""), "{name", "{namespace: a, name", 1), "-f - -files v2 -cpu 1 -memory 1Gi"},
		{"too many replicas of one of two", workload("web", 1001, 1) + workload("db", 2, 1), "-f - -o csv -no-headers"},
		{"an argument", "", "-reserve -2"},
		{"nothing", "", "-f -"},
		{"no format", "", "-o name"},
	})
}

// A node has at most so many pods and containers, all of one pod included. Those of other nodes do not count.
func TestMostContainers(t *testing.T) {
	pod := func() *corev1.Pod {
		p := &corev1.Pod{Spec: corev1.PodSpec{Containers: make([]corev1.Container, 2), InitContainers: make([]corev1.Container, 3)}}
		p.Name, p.Spec.NodeName = "a", "n1"
		return p
	}
	for before, want := range map[int]bool{maxContainers - 6: true, maxContainers - 5: false} {
		in := &input{defaults: &inventory.Defaults{}, pods: map[string][]*corev1.Pod{}, uids: map[types.UID]bool{}, count: map[string]int{"": maxContainers, "n1": before}}
		if in.add(objects.Place{}, pod()) != want || (len(in.pods["n1"]) == 1) != want || (len(in.Problems) == 0) != want {
			t.Errorf("after %d: %v", before, in.Problems)
		}
	}
}
