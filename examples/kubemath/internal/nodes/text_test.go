package nodes

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

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// What a packing says, in words.
func TestPackingInWords(t *testing.T) {
	large := amounts(texts{"cpu": "4", "memory": "8Gi"})
	for _, test := range []struct {
		packing       Packing
		title, answer string
	}{
		{Packing{Allocatable: large, Pods: 2, Nodes: 1, LowerBound: 1}, "of cpu 4, memory 8Gi", "1 node is enough for 2 pods; at least 1 is needed"},
		{Packing{Like: []string{"a"}, Allocatable: large, Pods: 1, Nodes: 3, LowerBound: 2, PerNode: 1}, "like a: cpu 4, memory 8Gi",
			"3 nodes are enough for 1 pod, in addition to 1 pod of DaemonSets on each; at least 2 are needed"},
		{Packing{Like: []string{"a", "b"}, Allocatable: large, Pods: 7, Nodes: 2, LowerBound: 1, PerNode: 2}, "like a, of which there are 2: cpu 4, memory 8Gi",
			"2 nodes are enough for 7 pods, in addition to 2 pods of DaemonSets on each; at least 1 is needed"},
		{Packing{PerNode: 2}, "of nothing", "no pod goes to such a node, but 2 pods of DaemonSets on each"},
		{Packing{}, "of nothing", "no pod goes to such a node"},
	} {
		testkit.Equal(t, test.packing.title(), test.title)
		testkit.Equal(t, test.packing.answer(), test.answer)
	}
}

// Amounts in the order of the tables.
func TestAmountsInWords(t *testing.T) {
	all := amounts(texts{"pods": "3", "example.com/b": "2", "ephemeral-storage": "1Gi", "cpu": "1500m", "memory": "0", "a": "1"})
	testkit.Equal(t, inWords(all), "cpu 1500m, memory -, pods 3, ephemeral-storage 1Gi, a 1, example.com/b 2")
}

// screen returns the whole output of an input.
func screen(t *testing.T, code int, input string, args ...string) string {
	t.Helper()
	got := runWith(input, append([]string{"-f", "-"}, args...)...)
	if got.Code != code || got.Stderr != "" {
		t.Errorf("exit code %d, want %d; %s", got.Code, code, got.Stderr)
	}
	return strings.TrimSpace(got.Stdout)
}

// compare compares a screen with lines that a test has indented.
func compare(t *testing.T, want, got string) {
	t.Helper()
	testkit.NoDiff(t, got, strings.ReplaceAll(strings.TrimSpace(want), "\n\t\t", "\n"))
}

// Pods of one owner that wait for the same are one paragraph.
func TestPendingInWords(t *testing.T) {
	owned := func(pod string) string {
		return strings.Replace(pod, "name: ", "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}], name: ", 1)
	}
	got := screen(t, 2, manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), owned(aPod("web-1", "{cpu: 1}", "")), owned(aPod("web-2", "{cpu: 1}", "")),
		owned(aPod("web-3", "{cpu: 1}", "")), aPod("big", "{cpu: 3, memory: 5Gi}", "  priority: 9\n"), aPod("gated", "{cpu: 1}", "  schedulingGates: [{name: g}]\n")))
	compare(t, `
		5 pending pods: 2 fit, 3 wait

		  shop/big: cpu 3, memory 5Gi
		    0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
		      a lacks 3 of cpu and 1Gi of memory
		  shop/web: cpu 1
		    0/1 nodes are available: 1 Insufficient cpu.
		      a lacks 1 of cpu
		  shop/gated: cpu 1
		    Scheduling is blocked due to non-empty scheduling gates
		  shop/web, 2 pods: cpu 1 each
		    placed on a (2)

		         pods                      cpu                   memory
		  node         alloc  requests  limits  alloc  requests  limits
		  a     0/110      2    -       -         4Gi    -       -`, got)
}

// Pods are one group if they have the owner, the namespace, the requests and the message in common; a pod without an owner is its own.
func TestGroupsOfPods(t *testing.T) {
	small, large := amounts(texts{"cpu": "1"}), amounts(texts{"cpu": "2"})
	var got []string
	for _, g := range groupsOf([]Pending{
		{Namespace: "shop", Name: "web-1", Owner: "web", Requests: small, Node: "a"}, {Namespace: "shop", Name: "web-2", Owner: "web", Requests: large, Node: "b"},
		{Namespace: "shop", Name: "web-3", Owner: "web", Requests: small, Node: "c"}, {Namespace: "shop", Name: "web-4", Owner: "web", Requests: small, Message: "m"},
		{Namespace: "db", Name: "web-5", Owner: "web", Requests: small, Node: "d"}, {Namespace: "shop", Name: "web-6", Requests: small, Node: "e"},
		{Namespace: "shop", Name: "web-7", Owner: "web", Requests: small, Message: "n"}, {Namespace: "shop", Name: "web-8", Owner: "web", Requests: small, Message: "m"},
	}) {
		got = append(got, fmt.Sprint(g.title, ": ", g.requests, " ", g.nodes, " ", len(g.waiting)))
	}
	testkit.NoDiff(t, got, []string{"shop/web: cpu 1 [a c] 0", "shop/web: cpu 2 [b] 0", "shop/web: cpu 1 [] 2", "db/web: cpu 1 [d] 0", "shop/web-6: cpu 1 [e] 0", "shop/web: cpu 1 [] 1"})
	got = nil
	for _, g := range merged(groupsOf([]Pending{{Namespace: "shop", Name: "a", Requests: small, Message: "m"}, {Namespace: "shop", Name: "b", Requests: large, Message: "m"},
		{Namespace: "shop", Name: "c", Requests: small, Message: "m"}, {Namespace: "shop", Name: "d", Requests: small, Message: "n"}, {Namespace: "shop", Name: "e", Requests: small, Node: "n1"}})) {
		got = append(got, fmt.Sprint(g.title, ": ", g.requests, " ", len(g.waiting)))
	}
	testkit.NoDiff(t, got, []string{"shop/a, shop/c: cpu 1 2", "shop/b: cpu 2 1", "shop/d: cpu 1 1", "shop/e: cpu 1 0"})
}

// Where pods go when their node is drained.
func TestDrainInWords(t *testing.T) {
	set := func(pod string) string {
		return strings.Replace(pod, "name: ", "labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r, controller: true}], name: ", 1)
	}
	web := func(cpu string) string {
		return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: shop, name: web, uid: r}\nspec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, resources: {requests: {cpu: " + cpu + "}}}]}}}\n"
	}
	two := manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 1, memory: 4Gi}"))
	pods := manifests(set(aPod("web-1", "{cpu: 1}", on("a"))), set(aPod("web-2", "{cpu: 1}", on("a"))))
	const limits = "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: small}\nspec: {limits: [{type: Container, max: {cpu: 500m}}]}\n"
	for _, test := range []struct {
		name, input string
		code        int
		want        string
	}{
		{"one waits", manifests(two, web("1"), pods), 2, `
		Draining a evicts 2 pods, and leaves 1 pod waiting.
		  shop/web: 1 pod on b
		  shop/web: 1 pod waiting: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were
		    unschedulable.`},
		{"none is created", manifests(two, web("1"), limits, pods), 2, `
		Draining a evicts 2 pods, and some are not replaced.
		  ReplicaSet shop/web: Pod "web-1" is invalid: spec.containers[0].resources.requests: Invalid value:
		    "1": must be less than or equal to cpu limit of 500m`},
		{"one waited", manifests(two, web("1"), set(aPod("web-1", "{cpu: 1}", on("a"))), aPod("x", "{cpu: 1}", on("a")), aPod("high", "{cpu: 1}", "  priority: 5\n"), aPod("low", "{cpu: 1}", on("b"))), 2, `
		Draining a evicts 2 pods, and leaves 2 pods waiting.
		  1 pod without a controller, which kubectl drain deletes with --force only, and nothing replaces:
		    shop/x
		  1 pod preempted for others: shop/low
		  shop/web: 2 pods waiting: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were
		    unschedulable.
		  shop/high: 1 pod on b`},
		{"an emptyDir, and other volumes, of which the template has none", manifests(two, web("500m"), set(aPod("web-1", "{cpu: 1}", "  volumes: [{name: a, emptyDir: {}}]\n"+on("a"))), set(aPod("web-2", "{cpu: 1}", "  volumes: [{name: a, configMap: {name: a}}, {name: t, projected: {sources: []}}, {name: h, hostPath: {path: /h}}, {name: e, ephemeral: {volumeClaimTemplate: {spec: {}}}}]\n"+on("a")))), 0, `
		Draining a evicts 2 pods, and leaves no pod waiting.
		  1 pod with an emptyDir, which kubectl drain deletes with --delete-emptydir-data only, and the data
		    with them: shop/web-1
		  shop/web: 2 pods on b (2)`},
		{"volumes whose data stays", manifests(two, web("500m"), set(aPod("web-1", "{cpu: 1}", "  volumes: [{name: a, hostPath: {path: /a}}, {name: b, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]\n"+on("a")))), 0, `
		Draining a evicts 1 pod, and leaves no pod waiting.
		  shop/web: 2 pods on b (2)`},
		{"none of two is created", manifests(two, web("1"), strings.NewReplacer("name: web", "name: api", "uid: r", "uid: s", "app: web", "app: api", "replicas: 2", "replicas: 1").Replace(web("1")), limits, set(aPod("web-1", "{cpu: 1}", on("a"))),
			strings.NewReplacer("name: web", "name: api", "uid: r", "uid: s", "app: web", "app: api").Replace(set(aPod("web-1", "{cpu: 1}", on("a"))))), 2, `
		Draining a evicts 2 pods, and some are not replaced.
		  ReplicaSet shop/api: Pod "api-1" is invalid: spec.containers[0].resources.requests: Invalid value:
		    "1": must be less than or equal to cpu limit of 500m
		  ReplicaSet shop/web: Pod "web-1" is invalid: spec.containers[0].resources.requests: Invalid value:
		    "1": must be less than or equal to cpu limit of 500m`},
		{"an emptyDir in memory", manifests(two, web("500m"), set(aPod("web-1", "{cpu: 1}", "  volumes: [{name: a, emptyDir: {medium: Memory}}]\n"+on("a")))), 0, `
		Draining a evicts 1 pod, and leaves no pod waiting.
		  1 pod with an emptyDir, which kubectl drain deletes with --delete-emptydir-data only, and the data
		    with them: shop/web-1
		  shop/web: 2 pods on b (2)`},
		{"one is preempted", manifests(two, strings.Replace(web("1"), "replicas: 2", "replicas: 1", 1), strings.Replace(set(aPod("web-1", "{cpu: 1}", on("a"))), "spec:", "spec:\n  priority: 5", 1), aPod("low", "{cpu: 1}", "  priority: -5\n"+on("b"))), 2, `
		Draining a evicts 1 pod, and leaves no pod waiting.
		  1 pod preempted for others: shop/low
		  shop/web: 1 pod on b`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, _ := strings.Cut(screen(t, test.code, test.input, "-drain", "a"), "\n\n")
			compare(t, test.want, got)
		})
	}
}

// The verdict of a drain is red if it fails, as the exit code says.
func TestColourOfDrain(t *testing.T) {
	pods := []string{"shop/x"}
	for _, test := range []struct {
		drain Drain
		fails bool
	}{
		{Drain{}, false}, {Drain{Evicted: pods, Local: pods, Pods: []Pending{{Node: "b"}}}, false}, {Drain{Evicted: pods, Bare: pods}, true}, {Drain{Preempted: pods}, true},
		{Drain{Missing: pods}, true}, {Drain{Protected: []Protected{{Pod: "shop/x"}}}, true}, {Drain{Pods: []Pending{{}}}, true},
	} {
		var text strings.Builder
		s := &sheet{&command.Session{Text: &terminal.Text{Columns: 80, Coloured: true}}, &options{}}
		s.drained(&test.drain)
		s.Pass(&text, &text)
		if red := strings.HasPrefix(text.String(), "\x1b["); red != test.fails || (&Report{Drain: &test.drain}).fits() == test.fails {
			t.Errorf("red %v, fails %v: %q", red, test.fails, text.String())
		}
	}
}

// Names of the input are printed without control characters.
func TestPrintableNames(t *testing.T) {
	name := func(document, name string) string {
		return strings.Replace(document, "name: "+name, `name: "`+name+`\u001b"`, 1)
	}
	input := manifests(name(strings.Replace(aNode("a", "{cpu: 1, memory: 1Gi}"), "spec: {", `spec: {unschedulable: true, taints: [{key: "k\u001b", effect: NoExecute}]`, 1), "a"), name(aNode("b", "{cpu: 3, memory: 1Gi}"), "b"),
		name(aPod("x", "{cpu: 1}", "  nodeName: \"b\\u001b\"\n"), "x"), name(aPod("low", "{cpu: 1}", "  nodeName: \"b\\u001b\"\n"), "low"), name(aPod("y1", "{cpu: 5}", "  priority: 3\n"), "y1"), name(aPod("z", "{cpu: 1}", "  priority: 4\n"), "z"))
	for _, args := range [][]string{nil, {"-pods", "-containers"}, {"-pack"}, {"-drain", "b\x1b"}} {
		got := runWith(input, append([]string{"-f", "-"}, args...)...)
		if strings.ContainsRune(got.Stdout+got.Stderr, '\x1b') || !strings.Contains(got.Stdout, `a\x1b`) || args == nil && (!strings.Contains(got.Stdout, `placed on b\x1b`) || !strings.Contains(got.Stdout, `Cordoned: a\x1b`)) {
			t.Errorf("%q:\n%q\n%s", args, got.Stdout, got.Stderr)
		}
	}
}

// Which rows and columns the flags ask for.
func TestRowsAndColumns(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aPod("x", "{cpu: 500m}", on("a")))
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `
		pods                       cpu                   memory
		  node         alloc   requests  limits  alloc  requests  limits
		  a     1/110      2  500m  25%  -         4Gi    -       -`},
		{[]string{"-pods"}, `
		pods                       cpu                   memory
		  node             alloc   requests  limits  alloc  requests  limits
		  a         1/110      2  500m  25%  -         4Gi    -       -
		    shop/x             -  500m  25%  -           -    -       -`},
		{[]string{"-containers"}, `
		pods                       cpu                   memory
		  node                      alloc   requests  limits  alloc  requests  limits
		  a                  1/110      2  500m  25%  -         4Gi    -       -
		    shop/x                      -  500m  25%  -           -    -       -
		      container app             -  500m  25%  -           -    -       -`},
	} {
		compare(t, test.want, screen(t, 0, input, test.args...))
	}
}

// A file with what kubectl top does not print is refused, and its name and line are told.
func TestUsageOfFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "top.txt")
	testkit.OK(t, os.WriteFile(file, []byte("error: Metrics API not available\n"), 0o644))
	got := runWith(aNode("a", "{cpu: 1, memory: 1Gi}"), "-f", "-", "-usage", file)
	want := "kubemath: -usage: " + file + ", line 1: not a table of kubectl top nodes or kubectl top pods -A\n"
	if got.Stderr != want || got.Code != 1 {
		t.Errorf("exit code %d, stderr %q, want %q", got.Code, got.Stderr, want)
	}
	testkit.OK(t, os.WriteFile(file, []byte("NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop x app 40m 30Mi\nshop x proxy 2m 5Mi\n"), 0o644))
	pod := strings.Replace(aPod("x", "{cpu: 1}", on("a")), "[{name: app", "[{name: proxy}, {name: app", 1)
	p := reportOf(t, runWith(manifests(aNode("a", "{cpu: 1, memory: 1Gi}"), pod), "-f", "-", "-usage", file, "-containers", "-o", "json").Stdout).Nodes[0].Pods[0]
	testkit.NoDiff(t, []string{inWords(p.Usage), inWords(p.Containers[0].Usage), inWords(p.Containers[1].Usage)}, []string{"cpu 42m, memory 35Mi", "cpu 2m, memory 5Mi", "cpu 40m, memory 30Mi"})
}

// Quotas limit no nodes, and kinds with pods that are not computed are told if pods are packed.
func TestNotComputed(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 1, memory: 1Gi}"), "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: app}]}}}\n",
		"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1}}\n")
	for _, test := range []struct {
		args []string
		want []string
	}{{[]string{"-pack"}, []string{"Rollout r: it has pods, which are not computed"}}, {nil, nil}} {
		got := runWith(input, append([]string{"-f", "-", "-o", "json"}, test.args...)...)
		if diff := cmp.Diff(test.want, reportOf(t, got.Stdout).NotComputed); diff != "" || got.Code != 0 {
			t.Errorf("%q (-want +got):\n%s\n%s", test.args, diff, got.Stderr)
		}
	}
}

// A daemon that is yet to be placed on a node is on each like it.
func TestPendingDaemons(t *testing.T) {
	daemon := strings.Replace(aPod("d", "{cpu: 1}", forB), "name: ", "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}], name: ", 1)
	got := runWith(manifests(aNode("a", "{cpu: 4, memory: 1Gi}"), aNode("b", "{cpu: 4, memory: 1Gi}"), daemon), "-f", "-", "-o", "json", "-shape", "a", "-shape", "b")
	r := reportOf(t, got.Stdout)
	if len(r.Packings) != 2 || r.Packings[0].PerNode != 0 || r.Packings[1].PerNode != 1 {
		t.Errorf("%+v", r.Packings)
	}
	got = runWith(manifests(aNode("a", "{cpu: 4, memory: 1Gi}"), aNode("b", "{cpu: 4, memory: 1Gi}"), aPod("x", "{cpu: 4}", on("b")), daemon), "-f", "-", "-o", "json", "-shape", "a", "-shape", "b")
	if r := reportOf(t, got.Stdout); len(r.Packings) != 2 || r.Packings[0].PerNode != 0 || r.Packings[1].PerNode != 1 {
		t.Errorf("of a node that is full: %+v", r.Packings)
	}
}

// Nodes whose memory differs by less than half a GiB are of one shape.
func TestShapesOfNodes(t *testing.T) {
	got := runWith(manifests(aNode("a", "{cpu: 4, memory: 16383Mi}"), aNode("b", "{cpu: 4, memory: 16385Mi}"), aNode("c", "{cpu: 4, memory: 17Gi}"), aNode("d", "{cpu: 4, memory: 16Gi, example.com/gpu: 1}"),
		aNode("e", "{cpu: 4, memory: 16Gi, ephemeral-storage: 40Gi}"), aNode("f", "{cpu: 4, memory: 16Gi, hugepages-2Mi: 100Mi}"), aNode("g", "{cpu: 4, memory: 16Gi, pods: 250}"),
		aPod("x", "{cpu: 1}", "")), "-f", "-", "-o", "json", "-pack")
	var likes []string
	for _, p := range reportOf(t, got.Stdout).Packings {
		likes = append(likes, strings.Join(p.Like, " "))
	}
	testkit.NoDiff(t, likes, []string{"a b", "c", "d", "e", "f", "g"})
}

// No more pods of workloads are packed than a cluster may have, those before included.
func TestMostPodless(t *testing.T) {
	deployment := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 2, template: {spec: {containers: [{name: app}]}}}\n"
	for _, test := range []struct{ before, want, problems int }{{maxPodless - 2, maxPodless, 0}, {maxPodless - 1, maxPodless - 1, 1}} {
		var l inventory.List
		l.Read(objects.Reader{Kinds: inventory.Kinds}.File("a", strings.NewReader(deployment)))
		all := appendPodless(make([]*pod, test.before), &l, computeresources.Kubernetes{})
		if len(all) != test.want || len(l.Problems) != test.problems {
			t.Errorf("after %d: %d pods, %v", test.before, len(all), l.Problems)
		}
	}
}

// The scheduler's profile may switch preemption off; a pod preempts those that are placed beside it, too.
func TestProfilePreempts(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aPod("runs", "{cpu: 1}", on("a")), aPod("new", "{cpu: 2}", "  priority: 9\n"), aPod("placed", "{cpu: 1}", ""))
	for _, test := range []struct {
		name    string
		profile *whatif.Profile
		want    *Preemption
	}{
		{"default", nil, &Preemption{"a", []string{"shop/placed", "shop/runs"}}},
		{"a profile", &whatif.Profile{}, &Preemption{"a", []string{"shop/placed", "shop/runs"}}},
		{"without preemption", &whatif.Profile{NoPreemption: true}, nil},
	} {
		l := inventory.List{Check: checked}
		l.Read(objects.Reader{Kinds: inventory.Kinds}.File("a", strings.NewReader(input)))
		c, err := clusterOf(&l, whatif.Options{Profile: test.profile})
		testkit.OK(t, err)
		testkit.NoDiff(t, c.describe(func(*pod) bool { return true })[0].Preempts, test.want, test.name)
	}
}

// Taints that only make a node less preferred keep no pods away.
func TestTaintsThatKeepAway(t *testing.T) {
	n := &corev1.Node{}
	testkit.OK(t, json.Unmarshal([]byte(`{"spec": {"taints": [{"key": "a", "value": "v", "effect": "NoSchedule"}, {"key": "b", "effect": "PreferNoSchedule"}, {"key": "c", "effect": "NoExecute"}, {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]}}`), n))
	testkit.NoDiff(t, taints(n), []string{"a=v:NoSchedule", "c:NoExecute"})
}

// pendingOf returns the pending pods of an input.
func pendingOf(t *testing.T, documents ...string) []Pending {
	t.Helper()
	return reportOf(t, runWith(manifests(documents...), "-f", "-", "-o", "json").Stdout).Pending
}

// Pending pods are told in the order in which the scheduler places them; those that are deleted before are not told.
func TestOrderOfPending(t *testing.T) {
	at := func(pod, time string) string {
		return strings.Replace(pod, "name: ", `creationTimestamp: "2026-01-0`+time+`T00:00:00Z", name: `, 1)
	}
	var got []string
	for _, p := range pendingOf(t, aNode("a", "{cpu: 1, memory: 1Gi}"), at(aPod("w", "{}", ""), "3"), at(aPod("x", "{}", ""), "1"), at(aPod("z", "{}", ""), "2"), at(aPod("low", "{}", "  priority: -1\n"), "1"), at(aPod("high", "{}", "  priority: 1\n"), "4"),
		strings.Replace(aPod("gone", "{}", ""), "name: ", `deletionTimestamp: "2026-01-01T00:00:00Z", name: `, 1)) {
		got = append(got, p.Name)
	}
	testkit.NoDiff(t, got, []string{"high", "x", "z", "w", "low"})
}

// The largest lack decides which node is nearest, not their sum.
func TestLargestLack(t *testing.T) {
	nearest := pendingOf(t, aNode("a", "{cpu: 10, memory: 10Gi}"), aNode("b", "{cpu: 9, memory: 16Gi}"), aPod("x", "{cpu: 15, memory: 15Gi}", ""))[0].Nearest
	if len(nearest) != 2 || nearest[0].Node != "a" || nearest[1].Node != "b" {
		t.Errorf("%+v", nearest)
	}
}

// A pod whose policy is Never preempts none.
func TestNeverPreempts(t *testing.T) {
	for policy, want := range map[string]bool{"Never": false, "PreemptLowerPriority": true} {
		p := pendingOf(t, aNode("a", "{cpu: 1, memory: 1Gi}"), aPod("low", "{cpu: 1}", on("a")), aPod("x", "{cpu: 1}", "  priority: 5\n  preemptionPolicy: "+policy+"\n"))[0]
		if got := p.Preempts != nil; got != want || p.Node != "" {
			t.Errorf("%s: %+v", policy, p)
		}
	}
}

// A pod that is resized requests what is allocated to it.
func TestResizedPod(t *testing.T) {
	pod := aPod("x", "{cpu: 1}", on("a")) + "status: {containerStatuses: [{name: app, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]}\n"
	r := reportOf(t, runWith(manifests(aNode("a", "{cpu: 4, memory: 1Gi}"), pod), "-f", "-", "-o", "json").Stdout)
	testkit.Equal(t, r.Nodes[0].Requests.Text("cpu"), "2", "the node has requests of")
}

// Pods of one owner are equal: it matters not which of them is on which node.
func TestEqualNodes(t *testing.T) {
	two := manifests(aNode("a", "{cpu: 1, memory: 1Gi}"), aNode("b", "{cpu: 1, memory: 1Gi}"))
	owned := func(pod string) string {
		return strings.Replace(pod, "name: ", "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}], name: ", 1)
	}
	const equal = "1 pod on one of 2 equal nodes"
	if got := screen(t, 0, manifests(two, owned(aPod("web-1", "{cpu: 1}", "")), owned(aPod("web-2", "{cpu: 1}", "")))); strings.Contains(got, equal) {
		t.Error(got)
	}
	if got := screen(t, 0, manifests(two, aPod("web-1", "{cpu: 1}", ""), aPod("web-2", "{cpu: 1}", ""))); !strings.Contains(got, equal) {
		t.Error(got)
	}
}

// The names of nodes do not make shapes, and a pod that names one is on no new node.
func TestNamesAreNoShapes(t *testing.T) {
	labelled := func(name string) string {
		return strings.Replace(aNode(name, "{cpu: 1, memory: 1Gi}"), "metadata: {", "metadata: {labels: {kubernetes.io/hostname: "+name+"}, ", 1)
	}
	got := runWith(manifests(labelled("a"), labelled("b"), aPod("x", "{}", "  nodeSelector: {kubernetes.io/hostname: a}\n")), "-f", "-", "-o", "json", "-pack")
	r := reportOf(t, got.Stdout)
	if len(r.Packings) != 1 || len(r.Packings[0].Like) != 2 || len(r.Packings[0].Refused) != 1 || got.Code != 2 {
		t.Errorf("exit code %d, %+v", got.Code, r.Packings)
	}
}

// The help says what the subcommand is for.
func TestHelp(t *testing.T) {
	if got := runWith("", "-h"); got.Code != 0 || !strings.Contains(got.Stderr, "What is requested of nodes, where pending pods go, and how many are needed.") || !strings.Contains(got.Stderr, "kubemath nodes ") {
		t.Errorf("exit code %d\n%s", got.Code, got.Stdout)
	}
}

// Owners whose pods request the same and wait for the same are one paragraph, and of many paragraphs the first are written.
func TestManyPendingInWords(t *testing.T) {
	input := aNode("a", "{cpu: 2, memory: 4Gi}")
	for i := range 3 {
		input = manifests(input, aPod(fmt.Sprintf("big-%d", i), "{cpu: 3}", ""))
	}
	got := screen(t, 2, manifests(input, aPod("fits", "{cpu: 1}", "")))
	want := "4 pending pods: 1 fit, 3 wait\n\n  shop/big-0, shop/big-1, shop/big-2, 3 pods: cpu 3 each\n    0/1 nodes are available: 1 Insufficient cpu.\n      a lacks 2 of cpu\n  shop/fits: cpu 1\n    placed on a\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for i := range 7 {
		input = manifests(input, aPod(fmt.Sprintf("p-%d", i), fmt.Sprintf("{cpu: %d}", 4+i), ""))
	}
	if got := screen(t, 2, input); !strings.Contains(got, "\n  and 3 more groups: -all shows them\n") || strings.Contains(got, "p-4") {
		t.Errorf("not the first ones:\n%s", got)
	}
	if got := screen(t, 2, input, "-all"); strings.Contains(got, "more groups") || !strings.Contains(got, "p-6") {
		t.Errorf("not all:\n%s", got)
	}
}

// Of many nodes, the fullest have rows.
func TestManyNodesInWords(t *testing.T) {
	input := aPod("x", "{cpu: 500m}", on("n24"))
	for i := range 25 {
		input = manifests(input, aNode(fmt.Sprintf("n%02d", i), "{cpu: 2, memory: 4Gi}"))
	}
	got := screen(t, 0, input)
	if rows := strings.Split(got, "\n"); len(rows) != 2+2+20+1 || !strings.HasPrefix(rows[4], "  n24 ") || !strings.HasPrefix(rows[5], "  n00 ") || rows[24] != "  and 5 less full ones: -all shows all" {
		t.Errorf("%d rows:\n%s", len(rows), got)
	}
	if all := screen(t, 0, input, "-all"); strings.Count(all, "\n") != 28 || strings.Contains(all, "less full") {
		t.Errorf("not all:\n%s", all)
	}
}

// Rows of nodes, groups, pods and containers, with amounts that are exact.
func TestRows(t *testing.T) {
	input := manifests(strings.Replace(aNode("a", "{cpu: 2, memory: 4Gi}"), "{name: a}", "{name: a, labels: {pool: blue}}", 1), aPod("x", "{cpu: 500m}", on("a")), aPod("z", "{memory: 1Gi}", on("a")))
	const node, part = "PODS,PODS-ALLOC,CPU,CPU%,CPU-LIMITS,CPU-LIMITS%,CPU-ALLOC,CPU-FREE,MEMORY,MEMORY%,MEMORY-LIMITS,MEMORY-LIMITS%,MEMORY-ALLOC,MEMORY-FREE\n",
		"CPU,CPU%,CPU-LIMITS,CPU-LIMITS%,MEMORY,MEMORY%,MEMORY-LIMITS,MEMORY-LIMITS%\n"
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "NODE," + node + "a,2,110,500m,25,0,0,2,1500m,1Gi,25,0,0,4Gi,3Gi\n"},
		{[]string{"-group-by", "pool"}, "POOL,NODES," + node + "blue,1,2,110,500m,25,0,0,2,1500m,1Gi,25,0,0,4Gi,3Gi\n"},
		{[]string{"-pods"}, "NODE,NAMESPACE,POD," + part + "a,shop,x,500m,25,,,,,,\na,shop,z,,,,,1Gi,25,,\n"},
		{[]string{"-containers"}, "NODE,NAMESPACE,POD,CONTAINER," + part + "a,shop,x,container app,500m,25,,,,,,\na,shop,z,container app,,,,,1Gi,25,,\n"},
	} {
		testkit.NoDiff(t, screen(t, 0, input, append(test.args, "-o", "csv")...), strings.TrimSpace(test.want), test.args)
	}
	testkit.Equal(t, screen(t, 0, input, "-pods", "-o", "name"), "pod/x\npod/z")
	testkit.NoDiff(t, screen(t, 0, manifests(input, aNode("b", "{cpu: 2, memory: 4Gi}")), "-group-by", "pool", "-o", "csv", "-no-headers"),
		",1,0,110,0,0,0,0,2,2,0,0,0,0,4Gi,4Gi\nblue,1,2,110,500m,25,0,0,2,1500m,1Gi,25,0,0,4Gi,3Gi")
}

// Nodes are chosen by their taints: all of those that are named, and none of those behind a !. The sums are those of these nodes.
func TestTaints(t *testing.T) {
	node := func(name, taints string) string {
		return strings.Replace(aNode(name, "{cpu: 4, memory: 8Gi}"), "spec: {}", "spec: {taints: ["+taints+"]}", 1)
	}
	const gpu, spot, cordoned = "{key: dedicated, value: gpu, effect: NoSchedule}", "{key: spot, effect: PreferNoSchedule}",
		"{key: node.kubernetes.io/unschedulable, effect: NoSchedule}"
	input := manifests(node("plain", ""), node("gpu", gpu), node("spot-gpu", gpu+", "+spot), node("cordoned", cordoned))
	for args, want := range map[string]string{
		"-no-taint":                                                "plain",
		"-no-taint -node-taints dedicated":                         "",
		"-node-taints dedicated":                                   "gpu spot-gpu",
		"-node-taints !dedicated":                                  "cordoned plain",
		"-node-taints *":                                           "cordoned gpu spot-gpu",
		"-node-taints dedicated=gpu":                               "gpu spot-gpu",
		"-node-taints dedicated=cpu":                               "",
		"-node-taints spot:PreferNoSchedule":                       "spot-gpu",
		"-node-taints spot:NoSchedule":                             "",
		"-node-taints spot=:PreferNoSchedule":                      "spot-gpu",
		"-node-taints dedicated=gpu:NoSchedule,!spot":              "gpu",
		"-node-taints dedicated:NoSchedule -node-taints spot":      "spot-gpu",
		"-node-taints !node.kubernetes.io/unschedulable -l none=x": "",
	} {
		got := runWith(input, append([]string{"-f", "-", "-o", "name"}, strings.Fields(args)...)...)
		if names := strings.Join(strings.Fields(strings.ReplaceAll(got.Stdout, "node/", "")), " "); names != want || got.Code != 0 {
			t.Errorf("%s: %q, want %q; %s", args, names, want, got.Stderr)
		}
	}
	if got := runWith(input, "-f", "-", "-no-taint"); !strings.Contains(got.Stdout, "plain ") || strings.Contains(got.Stdout, "gpu") {
		t.Error(got.Stdout)
	}
}

// Nodes are written below a drain and what is packed only if a flag is about their rows.
func TestNodesBelow(t *testing.T) {
	input := manifests(strings.Replace(aNode("a", "{cpu: 4, memory: 8Gi}"), "metadata: {", "metadata: {labels: {pool: blue}, ", 1), aNode("b", "{cpu: 4, memory: 8Gi}"))
	for flags, want := range map[string][]string{
		"":                                nil,
		"-all":                            {"\n  a ", "\n  b ", "memory"},
		"-pods":                           {"\n  a ", "\n  b ", "memory"},
		"-n shop":                         {"and 2 nodes without such pods"},
		"-usage testdata/top.txt":         {"\n  a ", "\n  b ", "used"},
		"-group-by pool":                  {"blue, 1 node ", "without pool, 1 node "},
		"-resources cpu":                  {"\n  a ", "\n  b ", "cpu"},
		"-l pool=blue":                    {"\n  a ", "memory"},
		"-field-selector metadata.name=b": {"\n  b ", "memory"},
		"-no-taint":                       {"\n  a ", "\n  b "},
	} {
		for _, mode := range []string{"-drain a", "-pack"} {
			got := runWith(input, append([]string{"-f", "-"}, strings.Fields(mode+" "+flags)...)...).Stdout
			if strings.Contains(got, "alloc") != (want != nil) {
				t.Errorf("%s %s:\n%s", mode, flags, got)
			}
			for _, text := range want {
				if !strings.Contains(got, text) {
					t.Errorf("%s %s: no %q in\n%s", mode, flags, text, got)
				}
			}
		}
	}
}

// Pending pods that are not shown count, but neither have lines nor decide the exit code.
func TestNarrowedPending(t *testing.T) {
	big := aPod("big", "{cpu: 5}", "")
	input := manifests(aNode("a", "{cpu: 4, memory: 8Gi}"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: api}}\n", big,
		strings.Replace(aPod("small", "{cpu: 1}", ""), "namespace: shop, ", "labels: {app: web}, ", 1))
	for args, want := range map[string]string{
		"-n blog":                   "1 pending pod: 1 fit, 0 wait blog/small: cpu 1",
		"-n shop":                   "2 pending pods: 1 fit, 1 wait shop/big: cpu 5",
		"-pod-labels app=web":       "1 pending pod: 1 fit, 0 wait default/small: cpu 1",
		"-namespace-labels team":    "1 pending pod: 0 fit, 1 wait shop/big: cpu 5",
		"-pods -l pool=of-no-nodes": "2 pending pods: 1 fit, 1 wait shop/big: cpu 5",
	} {
		got := runWith(input, append([]string{"-f", "-"}, strings.Fields(args)...)...)
		if text := strings.Join(strings.Fields(got.Stdout), " "); !strings.HasPrefix(text, want) || (got.Code == 2) != strings.Contains(want, "1 wait") {
			t.Errorf("%s: exit code %d, want %q:\n%s", args, got.Code, want, got.Stdout)
		}
	}
}

// Some pods have rows, and a sum, of which the percentages are those of all nodes; the nodes count with all pods. Some resources
// have columns.
func TestNarrowed(t *testing.T) {
	label := func(object, labels string) string {
		return strings.Replace(object, "metadata: {", "metadata: {labels: {"+labels+"}, ", 1)
	}
	node := func(name string) string { return aNode(name, "{cpu: 4, memory: 8Gi, ephemeral-storage: 1Gi}") }
	input := manifests(node("a"), node("b"), node("c"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: api}}\n",
		label(aPod("web", "{cpu: 1}", on("a")), "app: web"), label(aPod("web-2", "{cpu: 1}", on("b")), "app: web"),
		aPod("db", "{cpu: 2}", on("b")), strings.Replace(aPod("other", "{cpu: 1}", on("b")), "shop", "blog", 1))
	for args, want := range map[string][]string{
		"-pod-labels app=web": {"all 3 nodes   4/330     12    5  41%  -        24Gi ", "2 pods below             -    2  16%  -",
			"shop/web  ", "shop/web-2 ", "and 1 node without such pods", "\n  b "},
		"-pod-labels app!=web -resources cpu":       {"2 pods below             -    3  25%  -\n", "blog/other ", "shop/db "},
		"-namespace-labels team=api -resources mem": {"3 pods below ", "  memory\n", "shop/db "},
		"-n blog": {"blog/other ", "and 2 nodes without such pods"},
		"-pods -n blog -l kubernetes.io/hostname!=x":      {"blog/other ", "and 2 nodes without such pods"},
		"-pods -n shop -namespace-labels team!=api":       {"0 pods below ", "and 3 nodes without such pods"},
		"-pod-labels app=web -n blog":                     {"0 pods below "},
		"-resources ephemeral":                            {"  ephemeral-storage\n"},
		"-namespace-labels team=api -o csv -no-headers":   {"a,shop,web,1,25,", "b,shop,web-2,1,25,", "b,shop,db,2,50,"},
		"-resources cpu,gpu -o csv --sort-by cpu":         {"NODE,PODS,PODS-ALLOC,CPU,CPU%,CPU-LIMITS,CPU-LIMITS%,CPU-ALLOC,CPU-FREE\nb,"},
		"-namespace-labels team=api -o json -pods":        {`"shown": {`, `"pods": 3,`, `"cpu": 33`},
		"-namespace-labels team=api -pod-labels x -o csv": {"NODE,NAMESPACE,POD,"},
	} {
		got := runWith(input, append([]string{"-f", "-"}, strings.Fields(args)...)...)
		for _, text := range want {
			if !strings.Contains(got.Stdout, text) || got.Code != 0 || strings.Contains(got.Stdout, "other ") && strings.Contains(args, "team=api") {
				t.Errorf("%s: no %q in\n%s%s", args, text, got.Stdout, got.Stderr)
			}
		}
	}
	if got := screen(t, 0, input, "-pods", "-n", "blog"); strings.Contains(got, " below ") {
		t.Errorf("one pod has a sum:\n%s", got)
	}
	golden.Refuses(t, Run, 1, "kubemath: -group-by and -pods, or what shows some pods, cannot be given together", "-group-by", "a", "-pod-labels", "b")
	if got := runWith(input, "-f", "-", "-resources", "gpu,x"); got.Code != 1 || got.Stderr != "kubemath: -resources gpu,x: no node or pod has one\n" {
		t.Errorf("%+v", got)
	}
}

// Kubectl is asked for namespaces only if their labels are, because many users may not list them.
func TestAsksForNamespaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	script := "#!/bin/sh\necho $1 $2 >>" + asked + "\necho '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}'\n"
	if err := os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for args, want := range map[string]bool{"-cluster -kubernetes 1.37": false, "-cluster -kubernetes 1.37 -l a=b": false,
		"-cluster -kubernetes 1.37 -namespace-labels team=api": true} {
		runWith("", strings.Fields(args)...)
		text, err := os.ReadFile(asked)
		if got := strings.Contains(string(text), ",namespaces"); err != nil || got != want || os.Remove(asked) != nil {
			t.Errorf("%s: asked for %s, %v", args, text, err)
		}
	}
}
