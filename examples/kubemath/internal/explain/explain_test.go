package explain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

const aNode = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {capacity: {cpu: 2, memory: 10Gi, pods: 9}, allocatable: {cpu: 1, memory: 8Gi, pods: 9}}\n"

// aPod returns a pod of a cluster, on the node, with the resources of its container and further fields of its spec.
func aPod(name, resources, more string) string {
	return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: " + name + ", uid: " + name + ", labels: {app: " + name + "}}\n" +
		"spec: {nodeName: n1, containers: [{name: app, resources: {" + resources + "}}]" + more + "}\nstatus: {phase: Running}\n"
}

// explained returns the pods of -o json.
func explained(t *testing.T, code int, input string, args ...string) []Pod {
	t.Helper()
	got := golden.Run(Run, input, append([]string{"-f", "-", "-o", "json"}, args...)...)
	var r Report
	if err := json.Unmarshal([]byte(got.Stdout), &r); err != nil || got.Code != code {
		t.Fatalf("%v: %+v", err, got)
	}
	return r.Pods
}

// told is what a test compares of a pod.
func told(p *Pod) string {
	text := fmt.Sprintf("%s on %s: %s, requests cpu %s memory %s, limits cpu %s memory %s, binding cpu %s memory %s;", p.Name, p.Node, p.Class,
		p.Requests.Text("cpu"), p.Requests.Text("memory"), p.Limits.Text("cpu"), p.Limits.Text("memory"), p.Binding.Text("cpu"), p.Binding.Text("memory"))
	for _, c := range p.Containers {
		text += " " + c.Name
		if c.OOMScoreAdj != nil {
			text += fmt.Sprintf(" oom %d", *c.OOMScoreAdj)
		}
		if c.ExclusiveCPUs > 0 {
			text += fmt.Sprintf(" alone %d", c.ExclusiveCPUs)
		}
		text += " " + files(c.Cgroup)
	}
	return text + "; pod " + files(p.Cgroup)
}

// The expected values are by hand: 512 shares of 500m are weight 20 of a pod, by 1 + 510·9999/262142, and 59 of a container; the
// score of a burstable container is 1000 - 1000·request/10Gi.
func TestExplain(t *testing.T) {
	const (
		rest = ", memory.low 0, memory.max %s, memory.min 0, memory.oom.group 1, memory.swap.max 0"
		free = ", memory.low 0, memory.min 0, memory.oom.group 1, memory.swap.max 0"
	)
	for _, test := range []struct{ name, input, want string }{
		{"burstable", aNode + aPod("a", "requests: {cpu: 500m, memory: 1Gi}", ""),
			"a on n1: Burstable, requests cpu 500m memory 1Gi, limits cpu  memory , binding cpu  memory ; container app oom 900 cpu.max max 100000, cpu.weight 59" + free + "; pod cpu.weight 20"},
		{"guaranteed, with CPUs of its own", aNode + aPod("a", "limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}", ""),
			"a on n1: Guaranteed, requests cpu 1 memory 1Gi, limits cpu 1 memory 1Gi, binding cpu 1 memory 1Gi; container app oom -997 alone 1 cpu.max 100000 100000, cpu.weight 100" + fmt.Sprintf(rest, "1073741824") + "; pod cpu.max 100000 100000, cpu.weight 39, memory.max 1073741824"},
		{"best effort, on a node that is not known", aPod("a", "", ""),
			"a on n1: BestEffort, requests cpu  memory , limits cpu  memory , binding cpu  memory ; container app oom 1000 cpu.max max 100000, cpu.weight 1" + free + "; pod cpu.weight 1"},
		{"burstable, on a node that is not known", aPod("a", "requests: {cpu: 500m}", ""),
			"a on n1: Burstable, requests cpu 500m memory , limits cpu  memory , binding cpu  memory ; container app cpu.max max 100000, cpu.weight 59" + free + "; pod cpu.weight 20"},
		{"a template, with defaults of a LimitRange and of the server", "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: d}\nspec: {limits: [{type: Container, default: {memory: 1Gi}}]}\n---\n" +
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web, labels: {app: web}}\nspec: {template: {spec: {containers: [{name: app, resources: {limits: {cpu: 500m}}}]}}}\n",
			"web on : Guaranteed, requests cpu 500m memory 1Gi, limits cpu 500m memory 1Gi, binding cpu 500m memory 1Gi; container app oom -997 cpu.max 50000 100000, cpu.weight 59" + fmt.Sprintf(rest, "1073741824") + "; pod cpu.max 50000 100000, cpu.weight 20, memory.max 1073741824"},
	} {
		pods := explained(t, 0, test.input, "-l", "app in (a, web)")
		if diff := cmp.Diff(test.want, told(&pods[0])); diff != "" || len(pods) != 1 {
			t.Errorf("%s: %d pods (-want +got):\n%s", test.name, len(pods), diff)
		}
	}
}

func TestClassOfTheStatus(t *testing.T) {
	pods := explained(t, 0, strings.Replace(aPod("a", "requests: {cpu: 1}", ""), "phase: Running", "phase: Running, qosClass: BestEffort", 1))
	if p := pods[0]; p.Class != "BestEffort" || p.Reason != "set when the pod was created; by its spec it would be Burstable: container app has no cpu limit" {
		t.Errorf("%s, %s", p.Class, p.Reason)
	}
}

// What the kubelet has allocated to a pod that is to have less counts until then, and so do the limits in effect.
func TestResizedPod(t *testing.T) {
	p := explained(t, 0, strings.Replace(aPod("a", "requests: {cpu: 500m}, limits: {cpu: 1}", ""), "phase: Running",
		"phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 700m}, resources: {requests: {cpu: 700m}, limits: {cpu: 2}}}]", 1))[0]
	testkit.Equal(t, p.Requests.Text("cpu")+" "+p.Limits.Text("cpu")+", of the container "+p.Containers[0].Requests.Text("cpu"), "700m 2, of the container 500m")
}

// The node has 1 CPU: each of the pods is one too many beside the other.
func TestOutOfCPU(t *testing.T) {
	input := aNode + aPod("a", "requests: {cpu: 700m}", "") + aPod("b", "requests: {cpu: 600m}", "")
	pods := explained(t, 2, input)
	for i, want := range []string{"requested: 700, used: 600, capacity: 1000", "requested: 600, used: 700, capacity: 1000"} {
		if r := pods[i].Refused; r == nil || r.Reason != "OutOfcpu" || r.Message != "Node didn't have enough resource: cpu, "+want {
			t.Errorf("%+v", r)
		}
	}
	if got := golden.Run(Run, input, "-f", "-", "-l", "app=b").Stdout; strings.Contains(got, "shop/a") ||
		!strings.Contains(got, "\n  OutOfcpu: Node didn't have enough resource: cpu, requested: 600, used: 700, capacity: 1000\n") {
		t.Error(got)
	}
}

// The node has 1 CPU. Its kubelet starts the pods that it has not started yet in the order of their creation, and does not evict
// those that it refuses. Of equal pods, the name decides.
func TestRefusedPods(t *testing.T) {
	starts := func(pod, created, status string) string {
		return strings.NewReplacer("uid: ", "creationTimestamp: '2026-01-01T0"+created+":00:00Z', uid: ", "phase: Running", status).Replace(pod)
	}
	young, old := aPod("young", "requests: {cpu: 600m}", ""), aPod("old", "requests: {cpu: 500m}", "")
	running := aPod("running", "requests: {cpu: 400m}", "")
	const pending = "phase: Pending"
	for _, test := range []struct {
		name, input string
		code        int
		want        string
	}{
		{"the older one is started", aNode + starts(young, "2", pending) + starts(old, "1", pending) + starts(running, "0", "phase: Running"), 2,
			"young OutOfcpu used: 900, -; old 1 of 2; running 2 of 2"},
		{"one that is started already", aNode + starts(young, "2", pending+", startTime: '2026-01-01T02:00:01Z'") + starts(old, "1", pending) + starts(running, "3", "phase: Running"), 2,
			"young 2 of 2; old OutOfcpu used: 1000, -; running 1 of 2"},
		{"a smaller one is started after one that is refused", aNode + starts(strings.Replace(young, "600m", "601m", 1), "1", pending) + starts(old, "2", pending) + starts(running, "3", "phase: Running"), 2,
			"young OutOfcpu used: 400, -; old 1 of 2; running 2 of 2"},
		{"a node that is not known", starts(young, "2", pending) + starts(old, "1", pending), 0, "young 2 of 2; old 1 of 2"},
	} {
		var got []string
		for _, p := range explained(t, test.code, test.input) {
			text := p.Name
			if p.Refused != nil {
				_, message, _ := strings.Cut(p.Refused.Message, "used")
				used, _, _ := strings.Cut(message, " capacity")
				text += " " + p.Refused.Reason + " used" + used
			}
			if e := p.Eviction; e != nil {
				text += fmt.Sprintf(" %d of %d", e.Rank, e.Of)
			} else {
				text += " -"
			}
			got = append(got, text)
		}
		testkit.Equal(t, strings.Join(got, "; "), test.want, test.name)
	}
}

// Pods of unknown usage come first, then those above their request, by how much; critical and ended ones never.
func TestEviction(t *testing.T) {
	file := filepath.Join(t.TempDir(), "top.txt")
	usage := "NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop above 1m 1536Mi\nshop below 1m 512Mi\nshop far 1m 3Gi\n"
	testkit.OK(t, os.WriteFile(file, []byte(usage), 0o644))
	const request = "requests: {memory: 1Gi}"
	input := aNode + aPod("below", request, "") + aPod("above", request, "") + aPod("unknown", request, "") + aPod("far", request, "") +
		aPod("critical", request, ", priority: 2000000000") + strings.Replace(aPod("ended", request, ""), "Running", "Succeeded", 1)
	for name, want := range map[string]string{
		"unknown":  "under memory pressure, the kubelet evicts it as number 1 of 4 on its node: its usage is not known (-usage)",
		"far":      "under memory pressure, the kubelet evicts it as number 2 of 4 on its node: it uses 2Gi more than it requests",
		"above":    "under memory pressure, the kubelet evicts it as number 3 of 4 on its node: it uses 512Mi more than it requests",
		"below":    "under memory pressure, the kubelet evicts it as number 4 of 4 on its node: it uses 512Mi less than it requests",
		"critical": "the kubelet does not evict it under memory pressure: it is critical, or does not run there",
	} {
		got := golden.Run(Run, input, "-f", "-", "-usage", file, "-field-selector", "metadata.name="+name)
		if text := strings.Join(strings.Fields(got.Stdout), " "); !strings.Contains(text, want) || got.Code != 0 {
			t.Errorf("%s: no %q in\n%s%s", name, want, got.Stdout, got.Stderr)
		}
	}
	for _, args := range [][]string{{"-field-selector", "metadata.name=ended"}, {"-n", "other"}} {
		if got := golden.Run(Run, input, append([]string{"-f", "-"}, args...)...); got.Code != 1 || got.Stderr != "kubemath: there is no such pod in the input\n" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	ofNone := "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: c}]}\n"
	other := "---\n" + strings.Replace(ofNone, "name: x", "name: z, namespace: other", 1)
	for namespace, want := range map[string]string{"team": "Pod team/x: ", "other": "Pod other/x: "} {
		got := golden.Run(Run, ofNone+other, "-f", "-", "-n", namespace)
		if n := strings.Count(got.Stdout, "Pod "); !strings.Contains(got.Stdout, want) || n != map[string]int{"team": 1, "other": 2}[namespace] {
			t.Errorf("-n %s: %d pods, want %q: %+v", namespace, n, want, got)
		}
	}
	if got := golden.Run(Run, input, "-f", "-", "-usage", "missing"); got.Code != 1 || !strings.Contains(got.Stderr, "open missing: no such file") {
		t.Errorf("%+v", got)
	}
}

// Pods of one name in two namespaces have their own usage and place; one uses just what it requests.
func TestEvictionOfNamesakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "top.txt")
	if err := os.WriteFile(file, []byte("NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop web 1m 3Gi\nblog web 1m 1Gi\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const request = "requests: {memory: 1Gi}"
	input := aNode + strings.Replace(aPod("web", request, ""), "namespace: shop, name: web, uid: web", "namespace: blog, name: web, uid: other", 1) + aPod("web", request, "")
	for namespace, want := range map[string]string{
		"shop": "evicts it as number 1 of 2 on its node: it uses 2Gi more than it requests",
		"blog": "evicts it as number 2 of 2 on its node: it uses as much as it requests",
	} {
		for _, input := range []string{input, strings.NewReplacer(", uid: web", "", ", uid: other", "").Replace(input)} {
			got := golden.Run(Run, input, "-f", "-", "-usage", file, "-all")
			_, after, _ := strings.Cut(got.Stdout, "Pod "+namespace+"/web ")
			part, _, _ := strings.Cut(after, "\nPod ")
			if text := strings.Join(strings.Fields(part), " "); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s%s", namespace, want, got.Stdout, got.Stderr)
			}
		}
	}
}

// Usage is read from the cluster of a context although the pods are those of a file.
func TestUsageOfACluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in\n'top nodes --context=prod') ;;\n'top pods --all-namespaces --containers --context=prod') echo 'NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop a app 1m 3Gi' ;;\n*) exit 1 ;;\nesac\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
	got := golden.Run(Run, aNode+aPod("a", "requests: {memory: 1Gi}", ""), "-f", "-", "-usage", "top", "-context", "prod")
	if text := strings.Join(strings.Fields(got.Stdout), " "); !strings.Contains(text, "it uses 2Gi more than it requests") || got.Code != 0 {
		t.Errorf("%+v", got)
	}
}

// Values are rounded up to multiples of the divisor, by hand.
func TestDownward(t *testing.T) {
	list := func(cpu, memory string) corev1.ResourceList {
		l := corev1.ResourceList{}
		for name, text := range map[corev1.ResourceName]string{"cpu": cpu, "memory": memory} {
			if text != "" {
				l[name] = resource.MustParse(text)
			}
		}
		return l
	}
	node := corev1.ResourceList{"cpu": resource.MustParse("3920m"), "memory": resource.MustParse("14Gi"), "ephemeral-storage": resource.MustParse("90G")}
	c := corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: list("250m", "100M"), Limits: list("0", "1000000001")}}
	c.Resources.Limits["hugepages-2Mi"] = resource.MustParse("4Mi")
	pod := &corev1.Pod{Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("1500m", "")}}}
	for _, test := range []struct {
		field, divisor string
		pod            *corev1.Pod
		node           corev1.ResourceList
		value, from    string
	}{
		{"requests.cpu", "", &corev1.Pod{}, node, "1", ""},
		{"requests.cpu", "1m", &corev1.Pod{}, node, "250", ""},
		{"requests.cpu", "100m", &corev1.Pod{}, node, "3", ""},
		{"requests.memory", "1Mi", &corev1.Pod{}, node, "96", ""}, // 95.37
		{"requests.ephemeral-storage", "", &corev1.Pod{}, node, "0", ""},
		{"limits.memory", "", &corev1.Pod{}, node, "1000000001", ""},
		{"limits.memory", "1G", &corev1.Pod{}, node, "2", ""},
		{"limits.cpu", "", &corev1.Pod{}, node, "4", "the node"},
		{"limits.cpu", "1m", &corev1.Pod{}, node, "3920", "the node"},
		{"limits.ephemeral-storage", "1G", &corev1.Pod{}, node, "90", "the node"},
		{"limits.cpu", "", pod, node, "2", "the pod level"},
		{"limits.cpu", "", pod, nil, "2", "the pod level"},
		{"limits.ephemeral-storage", "1G", pod, node, "90", "the node"},
		{"limits.cpu", "", &corev1.Pod{}, nil, "", "the node"},
		{"limits.hugepages-2Mi", "1Mi", &corev1.Pod{}, node, "4", ""},
		{"limits.hugepages-1Gi", "", &corev1.Pod{}, node, "0", ""},
		{"requests.cpu", "-1", &corev1.Pod{}, node, "", ""},
	} {
		ref := &corev1.ResourceFieldSelector{Resource: test.field}
		if test.divisor != "" {
			ref.Divisor = resource.MustParse(test.divisor)
		}
		if d := valueOf("X", ref, test.pod.Spec.Resources, &c, test.node); d.Value != test.value || d.From != test.from {
			t.Errorf("%s, %s: %+v, want %s of %s", test.field, test.divisor, d, test.value, test.from)
		}
	}
}

// A container reads its environment, and the files that name it.
func TestWhatAContainerReads(t *testing.T) {
	field := func(of, resource string) *corev1.ResourceFieldSelector {
		return &corev1.ResourceFieldSelector{ContainerName: of, Resource: resource}
	}
	c := corev1.Container{Name: "app", Env: []corev1.EnvVar{{Name: "PLAIN"}, {Name: "OTHER", ValueFrom: &corev1.EnvVarSource{}},
		{Name: "CPU", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: field("", "requests.cpu")}}}}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Volumes: []corev1.Volume{{Name: "tmp"}, {Name: "info", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
		Items: []corev1.DownwardAPIVolumeFile{{Path: "labels"}, {Path: "mem", ResourceFieldRef: field("app", "limits.memory")}, {Path: "mem", ResourceFieldRef: field("other", "limits.memory")}}}}}}}}
	var got []string
	for _, d := range downwardOf(pod, &c, nil) {
		got = append(got, d.words())
	}
	want := []string{"CPU is 0 (requests.cpu)", "info/mem is not known (limits.memory of the node, because it has none)"}
	testkit.NoDiff(t, got, want)
}

// An environment may name another container; nothing stands for a limit that an init container does not have then. Files know no limits of the pod level: see CollectData of package downwardapi of the
// kubelet. A projected volume has files as well.
func TestWhereAContainerReads(t *testing.T) {
	field := func(of, resource string) *corev1.ResourceFieldSelector {
		return &corev1.ResourceFieldSelector{ContainerName: of, Resource: resource}
	}
	env := func(name string, ref *corev1.ResourceFieldSelector) corev1.EnvVar {
		return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: ref}}
	}
	has := func(cpu string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse(cpu)}}
	}
	files := []corev1.DownwardAPIVolumeFile{{Path: "labels"}, {Path: "cpu", ResourceFieldRef: field("app", "limits.cpu")},
		{Path: "proxy", ResourceFieldRef: field("proxy", "limits.cpu")}}
	limits := has("3")
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Resources:      &limits,
		InitContainers: []corev1.Container{{Name: "load", Resources: has("6")}},
		Containers: []corev1.Container{
			{Name: "app", Env: []corev1.EnvVar{env("OWN", field("app", "limits.cpu")), env("PROXY", field("proxy", "limits.cpu")),
				env("LOAD", field("load", "limits.cpu")), env("MEMORY", field("load", "limits.memory")), env("NONE", field("none", "limits.cpu"))}},
			{Name: "proxy", Resources: has("5")},
		},
		Volumes: []corev1.Volume{
			{Name: "info", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: files}}},
			{Name: "all", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{Secret: &corev1.SecretProjection{}}, {DownwardAPI: &corev1.DownwardAPIProjection{Items: files[:1]}},
				{DownwardAPI: &corev1.DownwardAPIProjection{Items: files[1:]}}}}}},
		},
	}}
	var got []string
	for _, d := range downwardOf(pod, &pod.Spec.Containers[0], corev1.ResourceList{"cpu": resource.MustParse("8")}) {
		got = append(got, d.words())
	}
	want := []string{"OWN is 3 (limits.cpu of the pod level, because it has none)", "PROXY is 5 (limits.cpu)", "LOAD is 6 (limits.cpu)", "MEMORY is 0 (limits.memory)",
		"NONE is not known (limits.cpu)", "info/cpu is 8 (limits.cpu of the node, because it has none)",
		"all/cpu is 8 (limits.cpu of the node, because it has none)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The reason why a pod does not start is red.
func TestColour(t *testing.T) {
	for _, refused := range []*noderesources.Admission{nil, {Reason: "OutOfcpu"}} {
		s, out := &command.Session{Text: &terminal.Text{Columns: 80, Coloured: true}}, &strings.Builder{}
		(&Pod{Refused: refused}).write(s)
		s.Pass(out, out)
		testkit.Equal(t, strings.Contains(out.String(), string(terminal.Red)), refused != nil, refused)
	}
}

func TestScreens(t *testing.T) {
	golden.Outputs(t, Run, "testdata", 0, map[string][]string{"samples.txt": nil})
	input := ""
	for i := range 5 {
		input += aPod(fmt.Sprintf("p%d", i), "requests: {cpu: 1m}", "")
	}
	if got := golden.Run(Run, input, "-f", "-").Stdout; !strings.HasSuffix(got, "\nand 2 other pods: -all explains all, and -field-selector metadata.name=NAME one\n") || strings.Contains(got, "p3") || !strings.Contains(got, "?") {
		t.Error(got)
	}
	half := strings.Replace(aPod("half", "limits: {cpu: 500m}", ""), "containers: [", "containers: [{name: free}, ", 1)
	if got := golden.Run(Run, half, "-f", "-").Stdout; !strings.Contains(got, "\n  the pod                -   500m       -      -\n  limits that bind it    -      -       -      -\n") {
		t.Error(got)
	}
	if pods := explained(t, 0, input); len(pods) != 5 {
		t.Errorf("%d pods as JSON", len(pods))
	}
	if got := golden.Run(Run, input, "-f", "-", "-all").Stdout; !strings.Contains(got, "Pod shop/p4 on n1") || strings.Contains(got, "other pods") {
		t.Error(got)
	}
}

// A pod without a node is placed, and one that is not stored counts once on its node.
func TestPodsThatAreNotStored(t *testing.T) {
	pending := strings.Replace(strings.Replace(aPod("a", "requests: {cpu: 600m}", ""), "nodeName: n1, ", "", 1), "phase: Running", "phase: Pending", 1)
	if pods := explained(t, 0, aNode+pending); pods[0].Node != "n1" || pods[0].Allocatable.Text("cpu") != "1" {
		t.Errorf("%+v", pods[0])
	}
	large := strings.NewReplacer("requests", "limits", "600m", "2", ", uid: a", "").Replace(pending) // requests 2 CPUs, too
	if pods := explained(t, 0, aNode+large); pods[0].Node != "" || pods[0].Refused != nil || len(pods[0].Defaults) != 1 {
		t.Errorf("%+v", pods[0])
	}
	manifest := strings.Replace(aPod("a", "requests: {cpu: 600m}, limits: {memory: 1Gi}", ""), ", uid: a", "", 1)
	const limits = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: d}\nspec: {limits: [{type: Container, default: {cpu: 1}}]}\n"
	if got := golden.Run(Run, aNode+manifest+limits, "-f", "-").Stdout; !strings.Contains(got, "\n  cpu limit 1 of container app is from LimitRange shop/d\n") {
		t.Error(got)
	}
	if p := explained(t, 0, pending+limits)[0]; len(p.Defaults) != 0 || p.Limits.Text("cpu") != "" {
		t.Errorf("one that is stored gets defaults: %+v", p)
	}
	pods := explained(t, 0, aNode+manifest)
	if p := pods[0]; p.Refused != nil || len(p.Defaults) != 1 || p.Eviction == nil || p.Eviction.Of != 1 {
		t.Errorf("%+v", p)
	}
	if got := golden.Run(Run, aNode+manifest, "-f", "-").Stdout; !strings.Contains(got, "\n  memory request 1Gi of container app is from the limit, or the containers\n") {
		t.Error(got)
	}
}

// The release decides: 1.33 has no resources at pod level, 1536 shares of which are weight 59, and no memory QoS. The server
// drops them, and completes them later on.
func TestRelease(t *testing.T) {
	file := filepath.Join(t.TempDir(), "top.txt")
	testkit.OK(t, os.WriteFile(file, []byte("NAMESPACE NAME CPU(cores) MEMORY(bytes)\nshop a 1m 1536Mi\n"), 0o644))
	one := "requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}"
	input := aNode + aPod("a", one, ", resources: {requests: {cpu: 1500m, memory: 2Gi}, limits: {cpu: 2, memory: 3Gi}}")
	manifest := strings.Replace(aPod("b", "limits: {memory: 1Gi}", ", resources: {limits: {cpu: 2}}"), "uid: b, ", "", 1)
	for release, want := range map[string]struct {
		code, defaults int
		told, evicted  string
	}{
		"1.33": {0, 1, "a on n1: Guaranteed, requests cpu 1 memory 1Gi, limits cpu 1 memory 1Gi, binding cpu 1 memory 1Gi; container app oom -997 alone 1 " +
			"cpu.max 100000 100000, cpu.weight 100, memory.max 1073741824, memory.oom.group 1, memory.swap.max 0; pod cpu.max 100000 100000, cpu.weight 39, memory.max 1073741824", "512Mi more"},
		"1.37": {2, 4, "a on n1: Burstable, requests cpu 1500m memory 2Gi, limits cpu 2 memory 3Gi, binding cpu 2 memory 3Gi; container app oom 800 " +
			"cpu.max 100000 100000, cpu.weight 100, memory.low 0, memory.max 1073741824, memory.min 0, memory.oom.group 1, memory.swap.max 0; pod cpu.max 200000 100000, cpu.weight 59, memory.max 3221225472", "512Mi less"},
	} {
		pods := explained(t, want.code, input, "-kubernetes", release, "-usage", file)
		testkit.Equal(t, told(&pods[0]), want.told, release)
		if e := pods[0].Eviction.words(); !strings.HasSuffix(e, "it uses "+want.evicted+" than it requests") || (pods[0].Refused == nil) != (want.code == 0) {
			t.Errorf("%s: %s, %+v", release, e, pods[0].Refused)
		}
		testkit.Equal(t, len(explained(t, 0, manifest, "-kubernetes", release)[0].Defaults), want.defaults, "defaults in", release)
	}
	golden.Refuses(t, Run, 1, `invalid value "csv" for flag -o: none of text, json, yaml`, "-o", "csv")
}

// A node to which very many pods are new, which no kubelet runs, takes no time.
func TestManyNewPods(t *testing.T) {
	var input strings.Builder
	input.WriteString(aNode)
	for i := range 8000 {
		fmt.Fprintf(&input, "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: p%d}\nspec: {nodeName: n1, containers: [{name: app}]}\n", i)
	}
	got := golden.Bounded(t, "new pods", Run, input.String(), "-f", "-")
	if got.Code != 2 || !strings.Contains(got.Stdout, "OutOfpods") || !strings.Contains(got.Stdout, " of 8000 on its node") {
		t.Errorf("exit code %d: %.900s", got.Code, got.Stdout)
	}
}
