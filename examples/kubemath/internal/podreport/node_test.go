package podreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// nodeWith returns a Node with the given status.
func nodeWith(name, status string) string {
	return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nstatus: " + status + "\n"
}

func TestWhichNodeCounts(t *testing.T) {
	const small, room = "{allocatable: {cpu: 1, memory: 1Gi, pods: 3}}", "{allocatable: {cpu: 2, memory: 2Gi}, capacity: {cpu: 4, memory: 4Gi}}"
	second := at(2)
	first := at(1)
	for _, test := range []struct {
		name, manifests string
		args            []string
		memory          string // for OOM scores
		want            *report.Node
		stderr          string
		code            int
	}{
		{"none", "# nothing", nil, "16Gi", nil, "", 0},
		{"memory alone is none", "# nothing", []string{"-node-memory", "1Gi"}, "1Gi", nil, "", 0},
		{"by CPU", "# nothing", []string{"-node-cpu", "1500m"}, "16Gi", &report.Node{
			Allocatable: amounts(texts{"cpu": "1500m", "memory": "16Gi", "pods": "110"}), OnlyKnown: true,
		}, "", 0},
		{"by both", "# nothing", []string{"-node-cpu", "2", "-node-memory", "8Gi"}, "8Gi", &report.Node{
			Allocatable: amounts(texts{"cpu": "2", "memory": "8Gi", "pods": "110"}), OnlyKnown: true,
		}, "", 0},
		{"a Node", nodeWith("a", room), nil, "4Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "2", "memory": "2Gi", "pods": "110"}),
		}, "", 0},
		{"a Node with its capacity alone", nodeWith("a", "{capacity: {cpu: 2, memory: 2Gi, pods: 250}}"), nil, "2Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "2", "memory": "2Gi", "pods": "250"}),
		}, "", 0},
		{"a Node without its capacity", nodeWith("a", small), nil, "1Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "1", "memory": "1Gi", "pods": "3"}),
		}, "", 0},
		{"a Node with another CPU", nodeWith("a", room), []string{"-node-cpu", "3"}, "4Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "3", "memory": "2Gi", "pods": "110"}),
		}, "", 0},
		{"a Node with other memory", nodeWith("a", room), []string{"-node-memory", "3Gi"}, "3Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "2", "memory": "3Gi", "pods": "110"}),
		}, "", 0},
		{"the first of two", join(nodeWith("a", small), nodeWith("b", room)), nil, "1Gi", &report.Node{
			Source: &first, Name: "a", Allocatable: amounts(texts{"cpu": "1", "memory": "1Gi", "pods": "3"}),
		}, "", 0},
		{"the first of which something is known", join(nodeWith("a", "{allocatable: {cpu: 1}}"), nodeWith("b", small)), nil, "1Gi", &report.Node{
			Source: &second, Name: "b", Allocatable: amounts(texts{"cpu": "1", "memory": "1Gi", "pods": "3"}),
		}, "kubemath: -: document 1: Node a: skipped: no status.allocatable of cpu and memory: no pod fits on it\n", 0},
		{"without CPU", nodeWith("a", "{allocatable: {memory: 1Gi}}"), nil, "16Gi", nil,
			"kubemath: -: document 1: Node a: skipped: no status.allocatable of cpu and memory: no pod fits on it\n", 0},
		{"without a name", nodeWith(`""`, small), nil, "16Gi", nil, "kubemath: -: document 1: Node: metadata.name: missing\n", 2},
		{"of less than nothing", nodeWith("a", "{allocatable: {cpu: -1, memory: 1Gi}}"), nil, "16Gi", nil,
			"kubemath: -: document 1, line 1: Node a: status.allocatable[cpu]: -1 is negative\n", 1},
		{"of more CPU than counts", nodeWith("a", "{allocatable: {cpu: 1e16, memory: 1Gi}}"), nil, "16Gi", nil,
			"kubemath: -: document 1: Node a: status: too large: cpu, memory or pods\n", 1},
		{"of more memory than counts", nodeWith("a", "{capacity: {memory: 9E}, allocatable: {cpu: 1, memory: 10E}}"), nil, "16Gi", nil,
			"kubemath: -: document 1: Node a: status: too large: cpu, memory or pods\n", 1},
		{"of more pods than count", nodeWith("a", "{allocatable: {cpu: 1, memory: 1Gi, pods: 2147483648}}"), nil, "16Gi", nil,
			"kubemath: -: document 1: Node a: status: too large: cpu, memory or pods\n", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, append([]string{"-f", "-", "-o", "json"}, test.args...)...)
			r := unmarshal(t, got.Stdout)
			if got.Stderr != test.stderr || got.Code != test.code || r.NodeMemory != test.memory {
				t.Errorf("exit code %d, memory %s, stderr %q", got.Code, r.NodeMemory, got.Stderr)
			}
			if diff := cmp.Diff(test.want, firstNode(&r), cmpopts.IgnoreFields(report.Node{}, "Requested")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRoomOnTheNode(t *testing.T) {
	for _, test := range []struct {
		name, node, pod string
		fit             int64
		stops           report.Amounts
	}{
		{"exactly four", "{cpu: 1, memory: 1Gi}", "{requests: {cpu: 250m}}", 4, amounts(texts{"cpu": "250m"})},
		{"hardly three", "{cpu: 999m, memory: 1Gi}", "{requests: {cpu: 250m}}", 3, amounts(texts{"cpu": "1m"})},
		{"two at a time", "{cpu: 1, memory: 1Gi}", "{requests: {cpu: 500m, memory: 512Mi}}", 2, amounts(texts{"cpu": "500m", "memory": "512Mi"})},
		{"not one", "{cpu: 1, memory: 1Gi}", "{requests: {cpu: 2}}", 0, amounts(texts{"cpu": "1"})},
		{"pods", "{cpu: 1, memory: 1Gi, pods: 7}", "{}", 7, amounts(texts{"pods": "1"})},
		{"pods of a kubelet", "{cpu: 1, memory: 1Gi}", "{}", 110, amounts(texts{"pods": "1"})},
		{"no pods", "{cpu: 1, memory: 1Gi, pods: 0}", "{}", 0, amounts(texts{"pods": "1"})},
		{"very many pods", "{cpu: 1, memory: 1Gi, pods: 2147483647}", "{}", 2147483647, amounts(texts{"pods": "1"})},
		{"thousandths of a CPU", "{cpu: 3m, memory: 1Gi}", "{requests: {cpu: 100u}}", 3, amounts(texts{"cpu": "1m"})},
		{"bytes", "{cpu: 1, memory: 3}", "{requests: {memory: 500m}}", 3, amounts(texts{"memory": "1"})},
		{"what it has none of", "{cpu: 1, memory: 1Gi}", "{limits: {a.b/c: 2}}", 0, amounts(texts{"a.b/c": "2"})},
		{"more than any node has", "{cpu: 1, memory: 1Gi}", "{requests: {memory: 7E}}", 0, amounts(texts{"memory": "6835937498951424Ki"})},
		{"what it has some of", "{cpu: 1, memory: 1Gi, a.b/c: 5}", "{limits: {a.b/c: 2}}", 2, amounts(texts{"a.b/c": "1"})},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := nodeWith("a", "{allocatable: "+test.node+"}")
			got := reportFor(t, join(node, podWith("resources: "+test.pod))).Workloads[0].OnNode
			want := &report.OnNode{Fit: test.fit, Stops: test.stops}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(report.OnNode{}, "Cgroup")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of a node that arguments describe, only cpu, memory and pods are known to be scarce.
// A node that lists none of an extended resource leaves it to devices of a DeviceClass.
func TestDevicesOfAClass(t *testing.T) {
	const class = "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {extendedResourceName: example.com/gpu}\n"
	nodes := nodeWith("a", "{allocatable: {cpu: 4, memory: 8Gi}}") + "---\n" + nodeWith("b", "{allocatable: {cpu: 4, memory: 8Gi}}")
	pod := "---\n" + podSpec("{containers: [{name: app, resources: {limits: {cpu: 1, memory: 1Gi, example.com/gpu: 1}}}]}")
	with, without := reportFor(t, nodes+pod+class), reportFor(t, nodes+pod)
	if len(with.Unplaced) != 0 || len(with.Workloads[0].Nodes) != 1 || with.Workloads[0].OnNode.Fit != 4 {
		t.Errorf("with the class: unplaced %v, on %v, %d fit", with.Unplaced, with.Workloads[0].Nodes, with.Workloads[0].OnNode.Fit)
	}
	if len(without.Unplaced) != 1 || without.Unplaced[0].Message != "0/2 nodes are available: 2 Insufficient example.com/gpu." {
		t.Errorf("without: unplaced %v", without.Unplaced)
	}
}

func TestRoomByArguments(t *testing.T) {
	r := reportWith(t, 0, podWith("resources: {limits: {cpu: 1, a.b/c: 2}}"), "-node-cpu", "3")
	if got := r.Workloads[0].OnNode; got.Fit != 3 || !cmp.Equal(got.Stops, amounts(texts{"cpu": "1"})) {
		t.Errorf("%d fit, the next lacks %v", got.Fit, got.Stops)
	}
}

// The class of a running pod is the one in its status, which stays while its resources are
// resized: of 3 CPUs, one that started as BestEffort gets 2 shares of 1026, and a weight of 1
// of 40.
func TestContentionByTheClassOfTheStatus(t *testing.T) {
	burstable := podWith("resources: {requests: {cpu: 1}}")
	running := strings.Replace(burstable, "name: web", "name: running", 1) + "status: {phase: Running, qosClass: BestEffort}\n"
	r := reportWith(t, 0, join(burstable, running), "-node-cpu", "3")
	var got []string
	for _, w := range r.Workloads {
		got = append(got, w.OnNode.Cgroup.CPU.V1+" "+w.OnNode.Cgroup.CPU.V2)
	}
	if diff := cmp.Diff([]string{"2994m 2925m", "5m 75m"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func firstNode(r *report.Report) *report.Node {
	if len(r.Nodes) == 0 {
		return nil
	}
	return &r.Nodes[0]
}
