package tree

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(Run, stdin, args...) }

// output returns what is written for manifests on the standard input, which must be
// without fault.
func output(t *testing.T, manifests string, args ...string) string {
	t.Helper()
	got := runWith(manifests, append([]string{"-f", "-"}, args...)...)
	if got.Code != 0 || got.Stderr != "" {
		t.Fatalf("exit code %d, stderr:\n%s", got.Code, got.Stderr)
	}
	return got.Stdout
}

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata", 0, map[string][]string{
		"document.txt":         nil,
		"document-v1.txt":      {"-files", "v1"},
		"document-v2.txt":      {"-files", "v2", "-reserve", "100"},
		"document-systemd.txt": {"-files", "systemd"},
		"workloads.txt":        {"-f", "testdata/workloads.yaml", "-cpu", "2", "-driver", "systemd", "-memory", "8Gi"},
	})
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"unknown files", []string{"-files", "v3"}, 1, `invalid value "v3" for flag -files: none of [v1 v2 systemd]`},
		{"unknown driver", []string{"-driver", "docker"}, 1, `invalid value "docker" for flag -driver: none of [cgroupfs systemd]`},
		{"properties without systemd", []string{"-files", "systemd", "-driver", "cgroupfs"}, 1, `kubemath: -files systemd has no properties under -driver cgroupfs`},
		{"too much reserved", []string{"-reserve", "101"}, 1, `kubemath: -reserve 101: want 0 to 100`},
		{"no quantity", []string{"-cpu", "4GB"}, 1, `invalid value "4GB" for flag -cpu: "4GB" is not a quantity such as 500m or 2Gi`},
		{"no CPU", []string{"-cpu", "0"}, 1, `invalid value "0" for flag -cpu: must be positive`},
		{"more CPU than counts", []string{"-cpu", "1E"}, 1, `invalid value "1E" for flag -cpu: too large for a node`},
		{"absurd CPU", []string{"-cpu", "1e-1000000000"}, 1, `invalid value "1e-1000000000" for flag -cpu: "1e-1000000000" is out of range`},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, Run, test.code, test.stderr, test.args...) })
	}
}

const podHead = "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\n"

func TestDefaults(t *testing.T) {
	const pod = podHead + "spec: {containers: [{name: app, resources: {limits: {cpu: 100m, memory: 1Gi}}}]}\n"
	if got := output(t, pod); !strings.Contains(got, "Guaranteed") {
		t.Errorf("requests are not filled in:\n%s", got)
	}
	if got := output(t, pod, "-as-written"); !strings.Contains(got, "Burstable") {
		t.Errorf("requests are filled in:\n%s", got)
	}
	const ranges = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: a}\nspec: {limits: [{type: Container, max: {cpu: 100m, memory: 1Gi}}]}\n"
	bare := podHead + "spec: {containers: [{name: app}]}\n" + ranges
	if got := output(t, bare); !strings.Contains(got, "Guaranteed") {
		t.Errorf("the defaults of a LimitRange are missing:\n%s", got)
	}
	if got := output(t, bare, "-as-written"); !strings.Contains(got, "BestEffort") {
		t.Errorf("a LimitRange counts:\n%s", got)
	}
}

func TestFaults(t *testing.T) {
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
	const template = "template: {spec: {containers: [{name: app}]}}}"
	for _, test := range []struct {
		name, manifests string
		code            int
		want            string
	}{
		{"bad quantity", podHead + "spec: {containers: [{resources: {limits: {memory: 2Gii}}}]}", 1, `-: document 1, line 1: Pod shop/web: spec.containers[0].resources.limits[memory]: "2Gii" is not a quantity such as 500m or 2Gi`},
		{"no template", deployment + "spec: {replicas: 2}", 2, "-: document 1: Deployment web: spec.template.spec.containers: no containers"},
		{"too many replicas", deployment + "spec: {replicas: 1001, " + template, 1, "-: document 1: Deployment web: spec.replicas: 1001 on one node: at most 1000 are shown"},
		{"too many pods", deployment + "spec: {replicas: 1000, template: {spec: {containers: [" + strings.Repeat("{name: a},", 20) + "]}}}", 1, "-: document 1: Deployment web: omitted: more than 20000 pods and containers are too many for one node"},
		{"too many init containers", deployment + "spec: {replicas: 1000, template: {spec: {containers: [{name: app}], initContainers: [" + strings.Repeat("{name: a},", 20) + "]}}}", 1, "-: document 1: Deployment web: omitted: more than 20000 pods and containers are too many for one node"},
		{"fewer than none", deployment + "spec: {replicas: -1, " + template, 2, "-: document 1: Deployment web: spec.replicas: -1 is negative"},
		{"no name", "apiVersion: v1\nkind: Pod", 2, "-: document 1: Pod: metadata.name: missing"},
		{"bad UID", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, uid: a/b}", 2, `-: document 1: Pod web: metadata.uid: invalid cgroup name "a/b": "/" cannot be part of a component`},
		{"one hash of two static pods", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, uid: a, annotations: {kubernetes.io/config.hash: h, kubernetes.io/config.mirror: h}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: db, uid: b, annotations: {kubernetes.io/config.hash: h, kubernetes.io/config.mirror: h}}\n", 2, `-: document 2: Pod db: metadata.uid: "h" is the UID of another pod`},
		{"one UID of two pods", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, uid: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: db, uid: a}\n", 2, `-: document 2: Pod db: metadata.uid: "a" is the UID of another pod`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-")
			if got.Code != test.code || !strings.HasPrefix(got.Stderr, "kubemath: "+test.want) || strings.Count(got.Stderr, "\n") > 1 {
				t.Errorf("exit code %d, stderr %q, want %d and %q", got.Code, got.Stderr, test.code, test.want)
			}
		})
	}
}

// What is not of a pod is skipped, and the rest is shown.
func TestOtherKinds(t *testing.T) {
	service := "---\napiVersion: v1\nkind: Event\nmetadata: {name: web}\n"
	got := runWith(service+"---\n"+podHead+service+"---\napiVersion: example.com/v1\nkind: A\n", "-f", "-")
	if want := "kubemath: skipped, because nothing is computed from them: 1 A of example.com/v1, 2 Event of v1\n"; got.Code != 0 || got.Stderr != want || !strings.Contains(got.Stdout, "shop/web") {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", got.Code, got.Stderr, got.Stdout)
	}
}

// A dump of a cluster has objects and what they own.
func TestOwners(t *testing.T) {
	const (
		template   = "template: {spec: {containers: [{name: app}]}}}\n"
		deployment = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, uid: d}\nspec: {replicas: 2, " + template
		set        = "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-1, uid: s, ownerReferences: [{kind: Deployment, name: web, uid: d, controller: true}]}\nspec: {replicas: 2, " + template
		other      = "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-0, ownerReferences: [{kind: Deployment, name: web, uid: d, controller: true}]}\nspec: {replicas: 0, " + template
		job        = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: once}\nspec: {parallelism: 3, completions: 2, " + template
	)
	pod := func(name, owner, status string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", ownerReferences: [{" + owner + ", controller: true}]}\nspec: {containers: [{name: app}]}\nstatus: {" + status + "}\n"
	}
	byName, byUID := "kind: ReplicaSet, name: web-1", "kind: ReplicaSet, name: other, uid: s"
	for _, test := range []struct{ name, manifests, want string }{
		{"Deployment alone", deployment, "web-0 web-1"},
		{"and its ReplicaSet", deployment + set, "web-1-0 web-1-1"},
		{"and an old one", deployment + other + set, "web-1-0 web-1-1"},
		{"and its pods", deployment + set + pod("a", byName, "phase: Running") + pod("b", byName, ""), "a b"},
		{"by UID", set + pod("a", byUID, "phase: Running"), "a"},
		{"pods first", pod("a", byName, "") + set + deployment, "a"},
		{"an ended pod", set + pod("a", byName, "phase: Failed") + pod("b", byName, ""), "b"},
		{"a pod of nobody that has ended", strings.Replace(pod("a", "x: y", "phase: Succeeded"), ", ownerReferences: [{x: y, controller: true}]", "", 1) + pod("b", byName, ""), "b"},
		{"twice", set + deployment + deployment + set, "web-1-0 web-1-1"},
		{"Job", job, "once-0 once-1"},
		{"DaemonSet", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: logs, namespace: ns}\nspec: {" + template, "ns/logs"},
		{"no replicas", strings.Replace(deployment, "replicas: 2", "replicas: 0", 1), ""},
		{"one replica", strings.Replace(deployment, "replicas: 2, ", "", 1), "web"},
		{"Job that has finished", job + "status: {conditions: [{type: Complete, status: 'True'}]}\n", ""},
		{"Job that is suspended", strings.Replace(job, "completions: 2", "suspend: true", 1), ""},
		{"names to complete", strings.Repeat("---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\nspec: {containers: [{name: app}]}\n", 2), "a-00001 a-00002"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-")
			var pods []string
			for line := range strings.Lines(got.Stdout) {
				if f := strings.Fields(line); len(f) > 1 && f[1] == "BestEffort" {
					pods = append(pods, f[0])
				}
			}
			if strings.Join(pods, " ") != test.want || got.Code != 0 {
				t.Errorf("exit code %d, pods %q, want %q; stderr %q", got.Code, pods, test.want, got.Stderr)
			}
		})
	}
}

const twoNodes = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {capacity: {cpu: 8, memory: 32Gi}, allocatable: {cpu: 7910m, memory: 29Gi}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: 4, memory: 8Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: a, uid: a}
spec: {nodeName: n1, containers: [{name: app, resources: {requests: {cpu: 6, memory: 8Gi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: b, uid: b}
spec: {nodeName: n2, containers: [{name: app, resources: {requests: {cpu: 2, memory: 1Gi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: c, uid: c}
spec: {containers: [{name: app}]}
`

// Each node has its own tree, with its amounts. Pods without a node are in none.
func TestNodes(t *testing.T) {
	_, pods, _ := strings.Cut(twoNodes, "memory: 8Gi}}\n---\n")
	none := func(word string) string { return strings.Join(strings.Fields(word), " ") }
	for _, test := range []struct {
		name, manifests string
		args            []string
		want, never     []string
	}{
		{"both", twoNodes, nil, []string{"Node n1: cpu 7910m, memory 29Gi of 32Gi", "app 6144 421 - - 750 7910 7910 7910", "Node n2: cpu 4, memory 8Gi", "app 2048 174 - - 875 4000 4000 4000", "Without a node, and so without cgroups: 1 pod: c"}, []string{"BestEffort"}},
		{"one", twoNodes, []string{"-node", "n2"}, []string{"Node n2", "875", "1 pod: c"}, []string{"n1", "750"}},
		{"a pod of a namespace", strings.Replace(twoNodes, "{name: c, uid: c}", "{namespace: shop, name: c, uid: c}", 1), nil, []string{"Without a node, and so without cgroups: 1 pod: shop/c"}, nil},
		{"pods without a node, one of which has ended", twoNodes + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: b-2}\nspec: {containers: [{name: app}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: ended}\nspec: {containers: [{name: app}]}\nstatus: {phase: Failed}\n", []string{"-o", "json"},
			[]string{`"unplaced": [ "b-2", "c" ]`}, nil},
		{"files of one", twoNodes, []string{"-node", "n2", "-files", "v1"}, []string{"kubepods/cpu.shares 4096"}, []string{"6144"}},
		{"unknown", pods, nil, []string{"Node n1, which is not in the input: cpu unknown, memory unknown", "kubepods ? ? - -", "burstable 6144 235 - -", "Node n2, which"}, []string{"7910", "750"}},
		{"scores without the memory of the node", strings.Replace(pods, "{name: app, resources: {requests: {cpu: 6, memory: 8Gi}}}", "{name: app}", 1), []string{"-o", "json", "-node", "n1"}, []string{`"name": "n1"`, `"title": "besteffort"`, `"title": "app", "shares": "2", "weight": "1", "oom": "1000"`}, nil},
		{"of the flags", pods, []string{"-cpu", "4", "-memory", "8Gi", "-node", "n2"}, []string{"Node n2, which is not in the input: cpu 4, memory 8Gi", "app 2048 174 - - 875 4000 4000 4000"}, []string{"n1"}},
		{"pods on nodes that are not in the input, beside one that is", strings.Replace(twoNodes, "apiVersion: v1\nkind: Node\nmetadata: {name: n2}\nstatus: {allocatable: {cpu: 4, memory: 8Gi}}\n---\n", "", 1), nil, []string{"Node n1: cpu 7910m, memory 29Gi of 32Gi"}, []string{"Node n2"}},
		{"nothing allocatable", strings.Replace(twoNodes, "allocatable: {cpu: 7910m, memory: 29Gi}", "allocatable: {cpu: 0, memory: 0}", 1), []string{"-node", "n1"}, []string{"Node n1: cpu 0, memory 0 of 32Gi", "kubepods 2 1 - - 0 0 0", "app 6144 421 - - 750 0 0 0"}, []string{"unknown", "?"}},
		{"no memory, and no CPU that is known", strings.Replace(twoNodes, "allocatable: {cpu: 4, memory: 8Gi}", "capacity: {memory: 0}", 1), []string{"-node", "n2"}, []string{"Node n2: cpu unknown, memory 0 class", "kubepods ? ? - -", "app 2048 174 - - besteffort"}, []string{"memory 0 of"}},
		{"fractions, which are rounded up", strings.Replace(twoNodes, "allocatable: {cpu: 4, memory: 8Gi}", "allocatable: {cpu: 3999500u, memory: 8589934591500m}", 1), []string{"-o", "json", "-node", "n2"}, []string{`"cpu": "4", "memory": "8Gi"`}, nil},
		{"JSON", twoNodes, []string{"-o", "json"}, []string{`"name": "n1", "cpu": "7910m", "memory": "29Gi", "capacity": "32Gi"`, `"depth": 3, "title": "app", "shares": "6144", "weight": "421", "oom": "750", "v1": "7910", "v2Old": "7910"`, `"name": "n2"`, `"unplaced": [ "c" ]`}, nil},
		{"JSON of what is unknown", pods, []string{"-o", "json", "-node", "n1"}, []string{`"name": "n1", "groups": [ { "depth": 0, "title": "kubepods" }, { "depth": 1, "title": "burstable", "shares": "6144"`}, []string{"oom", "v1\"", "n2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := none(output(t, test.manifests, test.args...))
			rest := got
			for _, want := range test.want {
				_, after, found := strings.Cut(rest, want)
				rest = after
				if !found {
					t.Fatalf("no %q, or not in this order:\n%s", want, got)
				}
			}
			for _, never := range test.never {
				if strings.Contains(got, never) {
					t.Errorf("%q:\n%s", never, got)
				}
			}
		})
	}
	if got := runWith(twoNodes, "-f", "-", "-memory", "8Gi"); got.Code != 1 || !strings.HasPrefix(got.Stderr, "kubemath: -cpu and -memory are for nodes") {
		t.Errorf("exit code %d, %q", got.Code, got.Stderr)
	}
	for why, args := range map[string][]string{
		"-node n3: the input has no node of this name":                                {"-node", "n3"},
		"-cpu and -memory are for nodes that are not in the input, which has 2 Nodes": {"-cpu", "4", "-node", "n1"},
		"n1 is not in the input: its files need -cpu and -memory":                     {"-files", "v2", "-node", "n1"},
		"n2 is not in the input: its files need -cpu and -memory":                     {"-files", "v2", "-node", "n2", "-cpu", "4"},
		"-files is about one of 2 nodes: choose it with -node":                        {"-files", "v1"},
		"n2 has no cpu or no memory in status.allocatable: its files need both":       {"-files", "v2", "-node", "n2"},
	} {
		manifests := twoNodes
		if strings.HasPrefix(why, "n2 has") {
			manifests = strings.Replace(twoNodes, "cpu: 4, ", "", 1)
		}
		if strings.HasPrefix(why, "n1 is") || strings.HasPrefix(why, "n2 is") {
			manifests = pods
		}
		if got := runWith(manifests, append([]string{"-f", "-"}, args...)...); got.Code != 1 || !strings.HasPrefix(got.Stderr, "kubemath: "+why) || got.Stdout != "" {
			t.Errorf("%q: exit code %d, %q", args, got.Code, got.Stderr)
		}
	}
}

// The name of a node that pods name is printable.
func TestFilesOfAnOddName(t *testing.T) {
	got := runWith("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: \"a\\e\", containers: [{name: c}]}\n", "-f", "-", "-files", "v2")
	testkit.Equal(t, got.Stderr, "kubemath: a\\x1b is not in the input: its files need -cpu and -memory\n")
	got = runWith("apiVersion: v1\nkind: Node\nmetadata: {name: \"a\\e\"}\n", "-f", "-", "-files", "v2")
	testkit.Equal(t, got.Stderr, "kubemath: a\\x1b has no cpu or no memory in status.allocatable: its files need both\n")
}

// Files have a format of their own, whatever else is asked for.
func TestFilesInAFormat(t *testing.T) {
	for _, format := range []string{"wide", "json", "yaml", "csv"} {
		golden.Refuses(t, Run, 1, "kubemath: -files and -o cannot be given together", "-files", "v2", "-o", format)
	}
}

func TestUnprintableTitles(t *testing.T) {
	got := output(t, "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a\\nb\", \"uid\": \"1\"}, \"spec\": {\"containers\": [{\"name\": \"<x>&\\u0007\"}]}}", "-files", "v1")
	if !strings.Contains(got, "/<<x>&\\a>/") {
		t.Errorf("%q", got)
	}
}

// Pods without a UID get one of their names, and those whose names cannot be part of a cgroup get numbers.
func TestMadeUIDs(t *testing.T) {
	pod := func(name string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: '" + name + "'}\nspec: {containers: [{name: app}]}\n"
	}
	got := output(t, pod("a_b")+pod("a-b")+pod("__")+pod("_"), "-files", "v2")
	for _, want := range []string{"/poda-b/", "/poda-b.2/", "/podpod.2/", "/podpod.3/"} {
		if strings.Count(got, want+"cpu.weight") != 1 {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// The CPU of a node is counted in milli-units and its memory in bytes, up to what is too large for one.
func TestAmountsOfNodes(t *testing.T) {
	pods := podHead + "spec: {nodeName: one, containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}}}]}\n"
	got := output(t, pods, "-cpu", "1500m", "-memory", "3Gi", "-o", "json")
	if !strings.Contains(got, `"cpu": "1500m"`) || !strings.Contains(got, `"memory": "3Gi"`) || !strings.Contains(got, `"capacity": "3Gi"`) {
		t.Error(got)
	}
	if got := output(t, pods, "-cpu", "1500100u", "-memory", "3Gi", "-o", "json"); !strings.Contains(got, `"cpu": "1501m"`) {
		t.Error(got)
	}
	for amount, code := range map[string]int{"9007199254740992": 0, "9007199254740993": 1} {
		if got := runWith(pods, "-f", "-", "-memory", amount); got.Code != code {
			t.Errorf("%s: exit code %d: %s", amount, got.Code, got.Stderr)
		}
	}
}

// What Guaranteed pods request, 1Gi of 7.5Gi, is kept from other classes by so many percent. None is another thing than 0.
func TestReserve(t *testing.T) {
	pods := podHead + "spec: {nodeName: one, containers: [{name: app, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}]}\n"
	for reserve, want := range map[string]string{"": "", "0": "kubepods/burstable/memory.max 8053063680\n", "50": "kubepods/burstable/memory.max 7516192768\n", "100": "kubepods/burstable/memory.max 6979321856\n"} {
		args := []string{"-cpu", "4", "-memory", "7680Mi", "-files", "v2"}
		if reserve != "" {
			args = append(args, "-reserve", reserve)
		}
		got := output(t, pods, args...)
		if want == "" && strings.Contains(got, "burstable/memory.max") || !strings.Contains(got, want) {
			t.Errorf("-reserve %q:\n%s", reserve, got)
		}
	}
}

// A row has the path of its cgroup, and the cells of the table.
func TestRows(t *testing.T) {
	got := golden.Run(Run, "", "-o", "csv").Stdout
	for _, want := range []string{"NODE,CGROUP,CLASS,SHARES,WEIGHT,QUOTA,MEMORY,OOM,V1,V2-OLD,V2,MOVE\n", "\n,kubepods/pod1,Guaranteed,112,5,110,3Gi,,110,110,110,\n", "\n,kubepods/burstable/pod3/foo,,20,6,50,2Gi,938,7.5,5.3,7,-7%\n"} {
		if !strings.Contains("\n"+got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if help := golden.Run(Run, "", "-h").Stderr; !strings.HasPrefix(help, "The cgroups of each node") {
		t.Error(help)
	}
}

// A gain or loss is rounded to whole percent, and left out below half of one.
func TestMove(t *testing.T) {
	for after, want := range map[resourcelist.Rational]string{"1006": "+1%", "1004": "", "996": "", "994": "-1%", "0": "-100%", "2500": "+150%"} {
		g := nodetree.Tree{}
		g.CPU.Shares, g.CPU.Mixed = "1000", after
		if got := move(&g); got != want {
			t.Errorf("1000 and then %s: %q, want %q", after, got, want)
		}
	}
}

// Nodes that only pods name are chosen by their names.
func TestSelectedNodes(t *testing.T) {
	pod := func(name, node string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {nodeName: " + node + ", containers: [{name: app}]}\n"
	}
	got := golden.Run(Run, pod("a", "n1")+pod("b", "n2"), "-f", "-", "-field-selector", "metadata.name=n2").Stdout
	if !strings.Contains(got, "Node n2") || strings.Contains(got, "Node n1") {
		t.Error(got)
	}
	for _, args := range [][]string{{"-l", "zone=a"}, {"-l", "zone=a", "-node", "n2"}} {
		testkit.Equal(t, output(t, twoNodes, args...), "no nodes\n\nWithout a node, and so without cgroups: 1 pod: c\n\n", args)
	}
}

// Of a cluster that cannot be read, nothing is said but that.
func TestNoCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\necho 'The connection to the server x was refused' >&2\nexit 1\n"), 0o700))
	t.Setenv("PATH", dir)
	testkit.NoDiff(t, golden.Run(Run, "", "-A"), golden.Result{Code: 1, Stderr: "kubemath: kubectl get --all-namespaces: The connection to the server x was refused\n"})
}
