package nodes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// outcomesOf returns where each pending pod is placed, or why not.
func outcomesOf(t *testing.T, input string, args ...string) map[string]string {
	t.Helper()
	got := runWith(input, append([]string{"-f", "-", "-o", "json"}, args...)...)
	if got.Stderr != "" {
		t.Fatalf("stderr %q", got.Stderr)
	}
	outcomes := map[string]string{}
	for _, p := range reportOf(t, got.Stdout).Pending {
		outcomes[p.Name] = p.Node + p.Message
	}
	return outcomes
}

const (
	forB      = "  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}\n"
	cordonedB = "apiVersion: v1\nkind: Node\nmetadata: {name: b}\nspec: {unschedulable: true}\nstatus: {allocatable: {cpu: 2, memory: 4Gi}}\n"
)

// resized is a pod whose containers request 2Gi of memory together, now as before, and each of them 2Gi at one time.
const resized = `apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: resized}
spec:
  nodeName: a
  containers:
  - {name: grows, resources: {requests: {memory: 2Gi}}}
  - {name: shrinks, resources: {requests: {memory: 0}}}
status:
  containerStatuses:
  - {name: grows, allocatedResources: {memory: 0}, resources: {requests: {memory: 0}}}
  - {name: shrinks, allocatedResources: {memory: 2Gi}, resources: {requests: {memory: 2Gi}}}
`

const deviceClass = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {extendedResourceName: example.com/gpu}\n"

type texts map[corev1.ResourceName]string

func amounts(of texts) report.Amounts {
	list := report.Amounts{}
	for name, text := range of {
		list[name] = resource.MustParse(text)
	}
	return list
}

func TestPlacement(t *testing.T) {
	small, large := aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 8, memory: 16Gi}")
	two := manifests(small, large)
	older := func(pod, time string) string {
		return strings.Replace(pod, "name: ", `creationTimestamp: "`+time+`", name: `, 1)
	}
	for _, test := range []struct {
		name, input string
		args        []string
		want        map[string]string
	}{
		{"the best by the default profile", manifests(two, aPod("web", "{cpu: 1}", "")), nil, map[string]string{"web": "b"}},
		{"by priority", manifests(small, aPod("x", "{cpu: 2}", ""), aPod("z", "{cpu: 2}", "  priority: 1\n")), nil,
			map[string]string{"x": "0/1 nodes are available: 1 Insufficient cpu.", "z": "a"}},
		{"the older first", manifests(small, older(aPod("x", "{cpu: 2}", ""), "2026-01-02T00:00:00Z"), older(aPod("z", "{cpu: 2}", ""), "2026-01-01T00:00:00Z")), nil,
			map[string]string{"x": "0/1 nodes are available: 1 Insufficient cpu.", "z": "a"}},
		{"nothing on a cordoned node", manifests(small, cordonedB, aPod("x", "{cpu: 2}", ""), aPod("z", "{cpu: 1, memory: 5Gi}", "")), nil,
			map[string]string{"x": "a", "z": "0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) were unschedulable."}},
		{"number of pods", manifests(aNode("a", "{cpu: 2, memory: 4Gi, pods: 1}"), aPod("x", "{}", on("a")), aPod("z", "{}", "")), nil,
			map[string]string{"z": "0/1 nodes are available: 1 Too many pods."}},
		{"a node without amounts", manifests("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", aPod("x", "{}", "")), nil, map[string]string{"x": "0/1 nodes are available: 1 Too many pods."}},
		{"gated", manifests(small, aPod("x", "{}", "  schedulingGates: [{name: example.com/quota}]\n")), nil,
			map[string]string{"x": "Scheduling is blocked due to non-empty scheduling gates"}},
		{"gated, without nodes", manifests(aPod("x", "{}", "  schedulingGates: [{name: example.com/quota}]\n"), aPod("z", "{}", "")), nil,
			map[string]string{"x": "Scheduling is blocked due to non-empty scheduling gates", "z": "the input has no Node"}},
		{"requests that follow from limits", manifests(small, strings.Replace(aPod("x", "{cpu: 3}", ""), "requests", "limits", 1)), nil,
			map[string]string{"x": "0/1 nodes are available: 1 Insufficient cpu."}},
		{"devices of a class, where the node lists none", manifests(small, deviceClass, aPod("x", "{example.com/gpu: 1}", "")), nil, map[string]string{"x": "a"}},
		{"devices without a class", manifests(small, aPod("x", "{example.com/gpu: 1}", "")), nil, map[string]string{"x": "0/1 nodes are available: 1 Insufficient example.com/gpu."}},
		{"beside a pod that is being resized", manifests(small, resized, aPod("x", "{memory: 2Gi}", "")), nil, map[string]string{"x": "a"}},
		{"beside a pod that is being resized, in 1.36", manifests(small, resized, aPod("x", "{memory: 2Gi}", "")), []string{"-kubernetes", "1.36"},
			map[string]string{"x": "0/1 nodes are available: 1 Insufficient memory."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, outcomesOf(t, test.input, test.args...), test.want)
		})
	}
}

// Pods whose names the server is to complete are several.
func TestGeneratedNames(t *testing.T) {
	pod := strings.Replace(aPod("x", "{cpu: 1}", on("a")), "name: x", "generateName: build-", 1)
	got := runWith(manifests(aNode("a", "{cpu: 4, memory: 4Gi}"), pod, pod), "-f", "-", "-o", "json")
	if r := reportOf(t, got.Stdout); r.Nodes[0].Requests.Text("cpu") != "2" || r.Nodes[0].Requests.Text("pods") != "2" {
		t.Errorf("%v", r.Nodes[0].Requests)
	}
}

func TestLoads(t *testing.T) {
	const ended = "status: {phase: Succeeded}\n"
	input := manifests(
		aNode("a", "{cpu: 4, memory: 8Gi, pods: 10, example.com/gpu: 2}"), aNode("b", "{cpu: 1, memory: 1Gi, pods: 10}"),
		strings.Replace(aPod("x", "{cpu: 1500m, memory: 2Gi}", on("a")), "requests", "limits: {cpu: 3, example.com/gpu: 1}, requests", 1), aPod("z", "{cpu: 2}", on("b")),
		aPod("done", "{cpu: 4}", on("a")+ended), aPod("elsewhere", "{cpu: 4}", on("c")),
		aPod("new", "{cpu: 500m}", ""),
	)
	got := runWith(input, "-f", "-", "-o", "json")
	type percents = map[corev1.ResourceName]int64
	want := Report{
		Nodes: []Node{{
			Name: "a",
			Load: Load{
				Allocatable:     amounts(texts{"cpu": "4", "memory": "8Gi", "pods": "10", "example.com/gpu": "2"}),
				Requests:        amounts(texts{"cpu": "1500m", "memory": "2Gi", "pods": "1", "example.com/gpu": "1"}),
				Limits:          amounts(texts{"cpu": "3", "memory": "0", "example.com/gpu": "1"}),
				Free:            amounts(texts{"cpu": "2500m", "memory": "6Gi", "pods": "9", "example.com/gpu": "1"}),
				RequestsPercent: percents{"cpu": 37, "memory": 25, "pods": 10, "example.com/gpu": 50},
			},
		}, {
			Name: "b",
			Load: Load{
				Allocatable:     amounts(texts{"cpu": "1", "memory": "1Gi", "pods": "10"}),
				Requests:        amounts(texts{"cpu": "2", "memory": "0", "pods": "1"}),
				Limits:          amounts(texts{"cpu": "0", "memory": "0"}),
				Free:            amounts(texts{"cpu": "-1", "memory": "1Gi", "pods": "9"}),
				RequestsPercent: percents{"cpu": 200, "memory": 0, "pods": 10},
			},
		}},
		Total: Load{
			Allocatable:     amounts(texts{"cpu": "5", "memory": "9Gi", "pods": "20", "example.com/gpu": "2"}),
			Requests:        amounts(texts{"cpu": "3500m", "memory": "2Gi", "pods": "2", "example.com/gpu": "1"}),
			Limits:          amounts(texts{"cpu": "3", "memory": "0", "example.com/gpu": "1"}),
			Free:            amounts(texts{"cpu": "1500m", "memory": "7Gi", "pods": "18", "example.com/gpu": "1"}),
			RequestsPercent: percents{"cpu": 70, "memory": 22, "pods": 10, "example.com/gpu": 50},
		},
		Pending:   []Pending{{Namespace: "shop", Name: "new", Requests: amounts(texts{"cpu": "500m"}), Node: "a"}},
		Ended:     1,
		Elsewhere: map[string]int{"c": 1},
	}
	testkit.NoDiff(t, reportOf(t, got.Stdout), want)
}

// What pods lack is exact, and the nodes that lack the least come first.
func TestNearest(t *testing.T) {
	input := manifests(
		aNode("a", "{cpu: 1, memory: 16Gi}"), aNode("b", "{cpu: 4, memory: 4Gi}"), aNode("c", "{cpu: 4, memory: 15Gi}"), aNode("d", "{cpu: 100m, memory: 1Gi}"),
		aPod("x", "{cpu: 2}", on("c")), aPod("new", "{cpu: 3, memory: 16Gi, example.com/gpu: 1}", ""), aPod("web", "{cpu: 3, memory: 8Gi}", ""),
	)
	got := runWith(input, "-f", "-", "-o", "json")
	r := reportOf(t, got.Stdout)
	want := [][]Nearest{{
		{Node: "a", Lacks: amounts(texts{"cpu": "2", "example.com/gpu": "1"})},
		{Node: "b", Lacks: amounts(texts{"memory": "12Gi", "example.com/gpu": "1"})},
		{Node: "c", Lacks: amounts(texts{"cpu": "1", "memory": "1Gi", "example.com/gpu": "1"})},
	}, {
		{Node: "c", Lacks: amounts(texts{"cpu": "1"})},
		{Node: "b", Lacks: amounts(texts{"memory": "4Gi"})},
		{Node: "a", Lacks: amounts(texts{"cpu": "2"})},
	}}
	testkit.NoDiff(t, [][]Nearest{r.Pending[0].Nearest, r.Pending[1].Nearest}, want)
	// Of pods that are alike but for their tolerations, node selector or affinity, each has its own.
	tainted := strings.NewReplacer("metadata: {", "metadata: {labels: {disk: ssd}, ", "spec: {", "spec: {taints: [{key: k, effect: NoSchedule}]").Replace(aNode("a", "{cpu: 3, memory: 4Gi}"))
	const exists = "  tolerations: [{operator: Exists}]\n"
	r = reportOf(t, runWith(manifests(tainted, aNode("b", "{cpu: 1, memory: 4Gi}"), aPod("p", "{cpu: 4}", ""), aPod("q", "{cpu: 4}", exists),
		aPod("r", "{cpu: 4}", exists+"  nodeSelector: {disk: ssd}\n"), aPod("s", "{cpu: 4}", exists+forB)), "-f", "-", "-o", "json").Stdout)
	a, b := Nearest{Node: "a", Lacks: amounts(texts{"cpu": "1"})}, Nearest{Node: "b", Lacks: amounts(texts{"cpu": "3"})}
	for i, want := range [][]Nearest{{b}, {a, b}, {a}, {b}} {
		testkit.NoDiff(t, r.Pending[i].Nearest, want, r.Pending[i].Name)
	}
}

// Taints, selectors and spread decide, and what the scheduler also reads is named.
func TestTaintsAndSelectors(t *testing.T) {
	control := strings.Replace(aNode("a", "{cpu: 4, memory: 4Gi}"), "spec: {", "spec: {taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]", 1)
	spread := "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]\n"
	claims := "  resourceClaims: [{name: gpu}]\n"
	input := manifests(control, aNode("b", "{cpu: 1, memory: 4Gi}"), aPod("web", "{cpu: 2}", ""), aPod("cp", "{cpu: 2}", "  tolerations: [{operator: Exists}]\n"),
		aPod("disk", "{}", "  nodeSelector: {disk: ssd}\n"), aPod("spread", "{}", spread), aPod("gpu", "{}", claims))
	want := map[string]string{
		"web":    "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).",
		"cp":     "a",
		"disk":   "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
		"spread": "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) had untolerated taint(s).",
		"gpu":    "b",
	}
	testkit.NoDiff(t, outcomesOf(t, input), want)
	got := runWith(input, "-f", "-")
	for _, line := range []string{"Taints of a: node-role.kubernetes.io/control-plane:NoSchedule\n", "Not considered: spec.resourceClaims of 1 pending pod.\n"} {
		if !strings.Contains(got.Stdout, line) {
			t.Errorf("no %q in\n%s", line, got.Stdout)
		}
	}
}

// A pod of a higher priority preempts others, on nodes that it tolerates.
func TestPreemption(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), cordonedB, aPod("low", "{cpu: 1}", on("a")), aPod("mid", "{cpu: 1}", "  priority: 5\n"+on("a")), aPod("new", "{cpu: 1}", "  priority: 9\n"),
		aPod("none", "{cpu: 1}", "  priority: -1\n"))
	r := reportOf(t, runWith(input, "-f", "-", "-o", "json").Stdout)
	if diff := cmp.Diff(&Preemption{Node: "a", Victims: []string{"shop/low"}}, r.Pending[0].Preempts); diff != "" || r.Pending[1].Preempts != nil {
		t.Errorf("(-want +got):\n%s\n%v", diff, r.Pending[1].Preempts)
	}
}

// The pods on each node of a shape: the DaemonSet pods of the node that has the shape, or one of
// each DaemonSet. Mirrors of static pods are not moved.
func TestPackings(t *testing.T) {
	owned := func(pod, kind, name string) string {
		return strings.Replace(pod, "name: ", "ownerReferences: [{apiVersion: apps/v1, kind: "+kind+", name: "+name+", uid: u, controller: true}], name: ", 1)
	}
	input := manifests(
		aNode("a", "{cpu: 4, memory: 8Gi, ephemeral-storage: 39Gi}"), aNode("b", "{cpu: 4, memory: 8593985Ki, ephemeral-storage: 40893985Ki}"), aNode("c", "{cpu: 8, memory: 8Gi}"),
		owned(aPod("logs-a", "{cpu: 1}", on("a")), "DaemonSet", "logs"), owned(aPod("logs-b", "{cpu: 1}", on("b")), "DaemonSet", "logs"), owned(aPod("logs-c", "{cpu: 1}", on("c")), "DaemonSet", "logs"),
		owned(aPod("gpu-c", "{cpu: 1}", on("c")), "DaemonSet", "gpu"),
		strings.Replace(aPod("proxy-a", "{cpu: 3}", on("a")), "name: ", "annotations: {kubernetes.io/config.mirror: x}, name: ", 1),
		owned(aPod("web-1", "{cpu: 2}", on("a")), "ReplicaSet", "web"), owned(aPod("web-2", "{cpu: 2}", on("b")), "ReplicaSet", "web"), aPod("web-3", "{cpu: 2}", ""), aPod("big", "{cpu: 4}", on("d")),
	)
	type numbers struct {
		Like                        string
		PerNode, Pods, Nodes, Least int
		TooLarge                    string
	}
	numbersOf := func(args ...string) (all []numbers) {
		got := runWith(input, append([]string{"-f", "-", "-o", "json"}, args...)...)
		r := reportOf(t, got.Stdout)
		for i := range r.Packings {
			p := &r.Packings[i]
			n := numbers{strings.Join(p.Like, " "), p.PerNode, p.Pods, p.Nodes, p.LowerBound, ""}
			for _, large := range p.TooLarge {
				n.TooLarge += large.Name + ": " + large.Message
			}
			all = append(all, n)
		}
		return all
	}
	tooLarge := "big: Insufficient cpu"
	testkit.NoDiff(t, numbersOf("-pack"), []numbers{{"a b", 1, 3, 3, 2, tooLarge}, {"c", 2, 4, 2, 2, ""}}, "shapes of nodes")
	if diff := cmp.Diff([]numbers{{"b", 1, 3, 3, 2, tooLarge}, {"", 2, 4, 1, 1, ""}}, numbersOf("-shape", "b", "-shape", "cpu=12,memory=1Gi")); diff != "" {
		t.Errorf("given shapes (-want +got):\n%s", diff)
	}
	counted := reportOf(t, runWith(aNode("a", "{cpu: 4, memory: 8Gi, storage: 39Gi}"), "-f", "-", "-pack", "-o", "json").Stdout).Packings[0].Allocatable
	testkit.Equal(t, inWords(counted), "cpu 4, memory 8Gi, pods 110")
	if got := numbersOf(); got != nil {
		t.Errorf("without -pack: %v", got)
	}
}

// Pods go to the shapes that their selectors and tolerations allow, daemons are on those that theirs allow, and the pods of
// workloads are packed if they are not in the input.
func TestPackingsByTaintsAndSelectors(t *testing.T) {
	labelled := func(node, labels string) string {
		return strings.Replace(node, "metadata: {", "metadata: {labels: {"+labels+"}, ", 1)
	}
	owned := func(pod, name string) string {
		return strings.Replace(pod, "name: ", "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: "+name+", uid: u, controller: true}], name: ", 1)
	}
	const pinned = "  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [gpu]}]}]}}}\n"
	workload := func(kind, name, spec, pod string) string {
		return "apiVersion: apps/v1\nkind: " + kind + "\nmetadata: {namespace: shop, name: " + name + "}\nspec: {" + spec + "template: {spec: {" + pod + "containers: [{name: app, resources: {requests: {cpu: 1}}}]}}}\n"
	}
	gpu := strings.Replace(labelled(aNode("gpu", "{cpu: 4, memory: 8Gi}"), "pool: gpu"), "spec: {", "spec: {taints: [{key: gpu, effect: NoSchedule}]", 1)
	web := labelled(aNode("web", "{cpu: 4, memory: 8Gi}"), "pool: web, kubernetes.io/hostname: web")
	cordoned := strings.Replace(labelled(aNode("web-2", "{cpu: 4, memory: 8Gi}"), "pool: web, kubernetes.io/hostname: web-2"), "spec: {", "spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]", 1)
	const tolerates = "tolerations: [{key: gpu, operator: Exists}], "
	const port = "{cpu: 1}}, ports: [{containerPort: 80, hostPort: 80}], securityContext: {privileged: false"
	for _, test := range []struct {
		name, input string
		args        []string
		want        []string // like: pods on nodes, daemons, those that are refused
	}{
		{"a taint", manifests(gpu, web, aPod("a", "{cpu: 3}", ""), aPod("b", "{cpu: 3}", "  "+strings.TrimSuffix(tolerates, ", ")+"\n")), []string{"-pack"}, []string{"gpu: 1 on 1, 0, a", "web: 2 on 2, 0, "}},
		{"two taints", manifests(gpu, strings.NewReplacer("name: gpu", "name: gpu-2", "key: gpu", "key: fpga").Replace(gpu), aPod("b", "{cpu: 3}", "  "+strings.TrimSuffix(tolerates, ", ")+"\n")), []string{"-pack"}, []string{"gpu: 1 on 1, 0, ", "gpu-2: 0 on 0, 0, b"}},
		{"a taint of another domain", manifests(strings.Replace(gpu, "key: gpu", "key: node.example.com/gpu", 1), aPod("a", "{cpu: 1}", "")), []string{"-pack"}, []string{"gpu: 0 on 0, 0, a"}},
		{"a taint of the condition of a node, which a new one does not have", manifests(strings.Replace(gpu, "key: gpu", "key: node.kubernetes.io/memory-pressure", 1), aPod("a", "{cpu: 1}", "")), []string{"-pack"}, []string{"gpu: 1 on 1, 0, "}},
		{"a gated pod", manifests(web, aPod("a", "{cpu: 3}", "  schedulingGates: [{name: g}]\n"), aPod("b", "{cpu: 3}", "")), []string{"-pack"}, []string{"web: 2 on 2, 0, "}},
		{"a selector", manifests(gpu, web, aPod("a", "{cpu: 1}", "  nodeSelector: {pool: web}\n")), []string{"-pack"}, []string{"gpu: 0 on 0, 0, a", "web: 1 on 1, 0, "}},
		{"a selector of one of two pools", manifests(labelled(aNode("db", "{cpu: 4, memory: 8Gi}"), "pool: db"), web, aPod("a", "{cpu: 1}", "  nodeSelector: {pool: web}\n")), []string{"-pack"}, []string{"db: 0 on 0, 0, a", "web: 1 on 1, 0, "}},
		{"an affinity for one of two pools", manifests(labelled(aNode("db", "{cpu: 4, memory: 8Gi}"), "pool: db"), web, aPod("a", "{cpu: 1}", strings.NewReplacer("matchFields", "matchExpressions", "metadata.name", "pool", "gpu", "web").Replace(pinned)), aPod("b", "{cpu: 1}", "")),
			[]string{"-pack"}, []string{"db: 1 on 1, 0, a", "web: 2 on 1, 0, "}},
		{"daemons of one name in two namespaces", manifests(workload("DaemonSet", "d", "", ""), strings.Replace(workload("DaemonSet", "d", "", ""), "shop", "db", 1), aPod("a", "{cpu: 2}", "")), []string{"-shape", "cpu=4,memory=1Gi"}, []string{": 1 on 1, 2, "}},
		{"daemons whose affinity does not allow the node", manifests(gpu, owned(aPod("d", "{cpu: 2}", pinned+on("gpu")), "d"), workload("DaemonSet", "d", "", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [gpu]}]}]}}}, "), aPod("a", "{cpu: 2}", "")),
			[]string{"-shape", "cpu=4,memory=1Gi"}, []string{": 1 on 1, 0, "}},
		{"a name", manifests(web, aPod("a", "{cpu: 1}", "  nodeSelector: {kubernetes.io/hostname: web}\n")), []string{"-pack"}, []string{"web: 0 on 0, 0, a"}},
		{"nodes that differ in their names, and one that is cordoned", manifests(web, cordoned, aPod("a", "{cpu: 3}", "")), []string{"-pack"}, []string{"web web-2: 1 on 1, 0, "}},
		{"daemons of another pool", manifests(gpu, web, owned(aPod("d", "{cpu: 2}", "  tolerations: [{operator: Exists}]\n  nodeSelector: {pool: gpu}\n"+pinned+on("gpu")), "d"), aPod("a", "{cpu: 3}", "")),
			[]string{"-shape", "cpu=4,memory=1Gi", "-shape", "gpu"}, []string{": 1 on 1, 0, ", "gpu: 0 on 0, 1, a"}},
		{"daemons of all pools", manifests(gpu, owned(aPod("d", "{cpu: 2}", "  tolerations: [{operator: Exists}]\n"+pinned+on("gpu")), "d"), workload("DaemonSet", "d", "", "tolerations: [{operator: Exists}], "), aPod("a", "{cpu: 2}", "")),
			[]string{"-shape", "cpu=4,memory=1Gi"}, []string{": 1 on 1, 1, "}},
		{"daemons that are pending", manifests(web, aPod("x", "{cpu: 4}", on("web")), owned(aPod("d", "{cpu: 2}", ""), "d"), aPod("a", "{cpu: 2}", "")), []string{"-shape", "cpu=8,memory=1Gi"}, []string{": 2 on 1, 1, "}},
		{"a DaemonSet without pods, of one of two pools", manifests(labelled(aNode("db", "{cpu: 4, memory: 8Gi}"), "pool: db"), web, workload("DaemonSet", "d", "", "nodeSelector: {pool: web}, "), aPod("a", "{cpu: 4}", "")),
			[]string{"-pack"}, []string{"db: 1 on 1, 0, ", "web: 0 on 0, 1, "}},
		{"workloads", manifests(gpu, web, workload("Deployment", "a", "replicas: 5, ", ""), workload("StatefulSet", "s", "", "nodeSelector: {pool: gpu}, "+tolerates), workload("DaemonSet", "d", "", "")), []string{"-pack"},
			[]string{"gpu: 1 on 1, 0, a-0 a-1 a-2 a-3 a-4", "web: 5 on 2, 1, s-0"}},
		{"workloads without nodes", workload("Deployment", "a", "replicas: 5, ", "nodeSelector: {kubernetes.io/os: linux}, "), []string{"-shape", "cpu=2,memory=1Gi"}, []string{": 5 on 3, 0, "}},
		{"workloads whose pods keep apart", strings.Replace(workload("Deployment", "a", "replicas: 3, ", "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}]}}, "),
			"template: {spec", "template: {metadata: {labels: {app: a}}, spec", 1), []string{"-shape", "cpu=4,memory=8Gi"}, []string{": 3 on 3, 0, "}},
		{"pods with the same port of the host", manifests(web, aPod("a", port, on("web")), aPod("b", port, "")), []string{"-pack"}, []string{"web: 2 on 2, 0, "}},
		{"pods that are spread, one of a zone that the node does not have", manifests(web, aPod("a", "{cpu: 1}", "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]\n"), aPod("b", "{cpu: 1}", "")), []string{"-pack"}, []string{"web: 1 on 1, 0, a"}},
		{"defaults of LimitRanges", manifests(web, strings.Replace(workload("Deployment", "a", "replicas: 2, ", ""), "requests: {cpu: 1}", "requests: {memory: 1Gi}", 1),
			"apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: l}\nspec: {limits: [{type: Container, defaultRequest: {cpu: 3, memory: 1Gi}}]}\n"), []string{"-pack"}, []string{"web: 2 on 2, 0, "}},
		{"defaults of LimitRanges of a pod", manifests(web, strings.Replace(aPod("a", "{cpu: 1}", ""), "requests: {cpu: 1}", "limits: {memory: 1Gi}", 1), aPod("b", "{cpu: 2}", ""),
			"apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: l}\nspec: {limits: [{type: Container, max: {cpu: 3}}]}\n"), []string{"-pack"}, []string{"web: 2 on 2, 0, "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.input, append([]string{"-f", "-", "-o", "json"}, test.args...)...)
			var all []string
			for _, p := range reportOf(t, got.Stdout).Packings {
				var refused []string
				for i := range p.Refused {
					refused = append(refused, p.Refused[i].Name)
				}
				all = append(all, fmt.Sprintf("%s: %d on %d, %d, %s", strings.Join(p.Like, " "), p.Pods, p.Nodes, p.PerNode, strings.Join(refused, " ")))
			}
			if diff := cmp.Diff(test.want, all); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, got.Stderr)
			}
		})
	}
}

// The exit code of a drain is that of what becomes of the pods.
func TestDrain(t *testing.T) {
	two := manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 2, memory: 4Gi}"))
	set := func(pod string) string {
		return strings.Replace(pod, "name: ", "labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r, controller: true}], name: ", 1)
	}
	const web = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: shop, name: web, uid: r}\nspec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, resources: {requests: {cpu: 2}}}]}}}\n"
	const claims = "resourceClaims: [{name: c, resourceClaimName: c}]"
	budget := func(allowed, label string) string {
		return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: shop, name: keep}\nspec: {minAvailable: 1, selector: {matchLabels: {app: " + label + "}}}\nstatus: {disruptionsAllowed: " + allowed + "}\n"
	}
	replaced := manifests(two, web, set(aPod("web-1", "{cpu: 2}", on("a"))))
	for _, test := range []struct {
		name, input string
		code        int
		want        string
	}{
		{"replaced", replaced, 0, "Draining a evicts 1 pod, and leaves no pod waiting.\n  shop/web: 1 pod on b\n"},
		{"waiting", manifests(replaced, aPod("x", "{cpu: 1}", on("b"))), 2, "Draining a evicts 1 pod, and leaves 1 pod waiting.\n  shop/web: 1 pod waiting: 0/2"},
		{"without a controller", manifests(two, aPod("x", "{cpu: 1}", on("a"))), 2, "Draining a evicts 1 pod, and leaves no pod waiting.\n  1 pod without a controller, which kubectl drain deletes with --force only, and nothing replaces:\n    shop/x\n\n"},
		{"with an owner that is no controller", manifests(two, strings.Replace(set(aPod("x", "{cpu: 1}", on("a"))), ", controller: true", "", 1)), 2, "Draining a evicts 1 pod, and leaves no pod waiting.\n  1 pod without a controller, which"},
		{"with one that is not in the input", manifests(two, set(aPod("web-1", "{cpu: 2}", on("a")))), 0, "  the input has no controller of the others, which may replace them\n"},
		{"protected", manifests(replaced, budget("0", "web")), 2, "Draining a evicts 0 pods, and does not end.\n  1 pod may not be evicted, so that kubectl drain goes on trying:\n    shop/web-1: The disruption budget keep needs 1 healthy pods and has 1 currently\n"},
		{"protected, and another one is not replaced", manifests(two, budget("0", "keep"), strings.Replace(aPod("x", "{cpu: 1}", on("a")), "name: ", "labels: {app: keep}, name: ", 1), web, set(aPod("web-1", "{cpu: 1}", on("a"))),
			"apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: small}\nspec: {limits: [{type: Container, max: {cpu: 500m}}]}\n"), 2, "and some are not replaced.\n  1 pod may not be evicted, so that kubectl drain goes on trying:\n    shop/x:"},
		{"a budget that allows it", manifests(replaced, budget("1", "web")), 0, "leaves no pod waiting"},
		{"a budget of other pods", manifests(replaced, budget("0", "db")), 0, "leaves no pod waiting"},
		{"a field that is not considered", manifests(two, strings.Replace(web, "containers:", claims+", containers:", 1), set(aPod("web-1", "{cpu: 2}", "  "+claims+"\n"+on("a")))), 0, "\nNot considered: spec.resourceClaims of 1 pod of the drain.\n"},
		{"a pending pod, which is placed on another node", manifests(two, aPod("x", "{cpu: 2}", "")), 0, "Draining a evicts 0 pods, and leaves no pod waiting.\n  shop/x: 1 pod on b\n\n"},
		{"a pending pod, which another node has no room for", manifests(two, aPod("x", "{cpu: 2}", ""), aPod("z", "{cpu: 2}", on("b"))), 2, "Draining a evicts 0 pods, and leaves 1 pod waiting.\n  shop/x: 1 pod waiting: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable."},
		{"a pending pod that takes the node of another one", manifests(two, aPod("x", "{cpu: 2}", ""), aPod("z", "{cpu: 2}", "")), 2, "Draining a evicts 0 pods, and leaves 1 pod waiting.\n  shop/x: 1 pod on b\n  shop/z: 1 pod waiting: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable."},
		{"a pending pod, next to one that waits anyway", manifests(two, web, set(aPod("web-1", "{cpu: 2}", on("b"))), aPod("x", "{cpu: 2}", ""), aPod("z", "{cpu: 1}", "")), 2, "Draining a evicts 0 pods, and leaves 1 pod waiting.\n  shop/x: 1 pod waiting: 0/2"},
		{"nothing to evict", two, 0, "Draining a evicts 0 pods, and leaves no pod waiting.\n\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.input, "-f", "-", "-drain", "a")
			if got.Code != test.code || !strings.Contains(got.Stdout, test.want) || !strings.HasPrefix(got.Stdout, "Draining a") || strings.Contains(got.Stdout, "Cordoned") {
				t.Errorf("exit code %d\n%s%s", got.Code, got.Stdout, got.Stderr)
			}
			if again := runWith(test.input, "-f", "-", "-drain", "a", "-o", "json"); again.Code != test.code {
				t.Errorf("JSON: exit code %d", again.Code)
			}
		})
	}
}

// A pod that is created instead of an evicted one requests what its template does, and the defaults.
func TestRequestsOfDrainedPods(t *testing.T) {
	const web = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: shop, name: web, uid: r}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {memory: 1Gi}}}]}}}\n"
	pod := strings.Replace(aPod("web-1", "{cpu: 1}", on("a")), "name: ", "labels: {a: b}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r, controller: true}], name: ", 1)
	r := reportOf(t, runWith(manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 2, memory: 4Gi}"), web, pod), "-f", "-", "-drain", "a", "-o", "json").Stdout)
	testkit.Equal(t, inWords(r.Drain.Pods[0].Requests), "cpu 2, memory 1Gi")
}

// The victims of preemption violate as few budgets as possible.
func TestBudgets(t *testing.T) {
	labelled := func(pod, app string) string {
		return strings.Replace(pod, "name: ", "labels: {app: "+app+"}, name: ", 1)
	}
	input := manifests(aNode("a", "{cpu: 1, memory: 4Gi}"), aNode("b", "{cpu: 1, memory: 4Gi}"), labelled(aPod("pa", "{cpu: 1}", on("a")), "kept"), labelled(aPod("pb", "{cpu: 1}", on("b")), "other"),
		"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: shop, name: keep}\nspec: {selector: {matchLabels: {app: kept}}}\n", aPod("new", "{cpu: 1}", "  priority: 9\n"))
	if r := reportOf(t, runWith(input, "-f", "-", "-o", "json").Stdout); r.Pending[0].Node != "" || r.Pending[0].Preempts == nil || r.Pending[0].Preempts.Node != "b" {
		t.Errorf("%+v", r.Pending[0])
	}
	all := strings.NewReplacer("{matchLabels: {app: kept}}", "{}", "namespace: shop, labels: {app: other}", "namespace: other").Replace(input)
	for release, want := range map[string]string{"1.37": "a", "1.38": "b"} { // an empty selector selects all since 1.38
		got := reportOf(t, runWith(all, "-f", "-", "-o", "json", "-kubernetes", release).Stdout).Pending[0].Preempts
		testkit.Equal(t, got.Node, want, release)
	}
}

// Pods that lack the same for the same reasons are one kind, also if they say so in fields behind pointers.
func TestKinds(t *testing.T) {
	var l inventory.List
	affinity := "  preemptionPolicy: Never\n" + forB
	l.Read(objects.Reader{Kinds: inventory.Kinds}.File("a", strings.NewReader(manifests(aNode("b", "{cpu: 1, memory: 4Gi}"), aPod("x", "{cpu: 2}", affinity), aPod("xx", "{cpu: 2}", affinity), aPod("z", "{cpu: 2}", forB), aPod("nominated", "{cpu: 2}", forB+"status: {nominatedNodeName: b}\n")))))
	c, err := clusterOf(&l, whatif.Options{})
	testkit.OK(t, err)
	if x, y, z := c.pending[0].kind(), c.pending[1].kind(), c.pending[2].kind(); x != y || x == z || z == c.pending[3].kind() {
		t.Errorf("%s\n%s\n%s", x, y, z)
	}
}
