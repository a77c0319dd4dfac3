package room

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSamples(t *testing.T) {
	want := golden.Result{Stderr: "kubemath: these are samples: -f FILE reads manifests, and -cluster a cluster\n", Stdout: `Deployment shop/web: 6 more pods
  on worker-2 (4), worker-1 (2)
  the next: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.

StatefulSet shop/db: 4 more pods
  on database-1 (2), worker-1 (1), worker-2 (1)
  the next: pods "db-2147483647" is forbidden: exceeded quota: team, requested: requests.memory=4Gi,
            used: requests.memory=20Gi, limited: requests.memory=20Gi

`}
	testkit.NoDiff(t, golden.Run(Run, ""), want)
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.yaml")
	testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

const (
	node     = "apiVersion: v1\nkind: Node\nmetadata: {name: one}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 2000}}\n---\n"
	quota    = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 3}}\nstatus: {hard: {pods: 3}, used: {pods: 1}}\n---\n"
	template = "template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Always, containers: [{name: app, image: i, resources: {requests: {cpu: 1}}}]}}"
	web      = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2, selector: {matchLabels: {a: b}}, " + template + "}\n---\n"
	pod      = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, image: i, resources: {requests: {cpu: 1500m}}}]}\n---\n"
	running  = "apiVersion: v1\nkind: Pod\nmetadata: {name: r}\nspec: {nodeName: one, containers: [{name: app, image: i}]}\nstatus: {phase: Running}\n---\n"
	small    = "apiVersion: v1\nkind: Pod\nmetadata: {name: s}\nspec: {containers: [{name: app, image: i}]}\n---\n"
	job      = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: i, resources: {requests: {cpu: 1}}}]}}}\n---\n"
	none     = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n---\n"
	ghost    = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: g, namespace: gone}\nspec: {selector: {matchLabels: {a: b}}, " + template + "}\n---\n"
	home     = "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n---\n"
)

// What fits beside what is there: the replicas that a workload has stay, and those that it wants do not count.
func TestRoom(t *testing.T) {
	for _, test := range []struct {
		name, cluster, workloads string
		code                     int
		want                     string
	}{
		{"a new Deployment", node, web, 0, `[{"kind": "Deployment", "name": "web", "pods": 4, "on": {"one": 4}, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"a pod", node, pod, 0, `[{"kind": "Pod", "name": "p", "pods": 2, "on": {"one": 2}, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"several, each alone", node, pod + web, 0, `[{"kind": "Pod", "name": "p", "pods": 2, "on": {"one": 2}, "next": "0/1 nodes are available: 1 Insufficient cpu."},
			{"kind": "Deployment", "name": "web", "pods": 4, "on": {"one": 4}, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"without nodes", quota + running, pod, 0, `[{"kind": "Pod", "name": "p", "pods": 2, "next": "pods \"p\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3"}]`},
		{"without limits", running, pod, 0, `[{"kind": "Pod", "name": "p", "pods": null}]`},
		{"no room", node + quota, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, image: i, resources: {requests: {cpu: 5}}}]}\n", 2,
			`[{"kind": "Pod", "name": "p", "pods": 0, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"one has no room", node, pod + "apiVersion: v1\nkind: Pod\nmetadata: {name: l}\nspec: {containers: [{name: app, image: i, resources: {requests: {cpu: 5}}}]}\n", 2,
			`[{"kind": "Pod", "name": "p", "pods": 2, "on": {"one": 2}, "next": "0/1 nodes are available: 1 Insufficient cpu."}, {"kind": "Pod", "name": "l", "pods": 0, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"the first has no room", node, "apiVersion: v1\nkind: Pod\nmetadata: {name: l}\nspec: {containers: [{name: app, image: i, resources: {requests: {cpu: 5}}}]}\n---\n" + pod, 2,
			`[{"kind": "Pod", "name": "l", "pods": 0, "next": "0/1 nodes are available: 1 Insufficient cpu."}, {"kind": "Pod", "name": "p", "pods": 2, "on": {"one": 2}, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"more than are placed", node, small, 0, `[{"kind": "Pod", "name": "s", "pods": 2000, "next": "0/1 nodes are available: 1 Too many pods."}]`},
		{"a Job", node, job, 0, `[{"kind": "Job", "name": "j", "pods": 4, "next": "0/1 nodes are available: 1 Insufficient cpu."}]`},
		{"a namespace that is not there", node + home, ghost, 2, `[{"kind": "Deployment", "namespace": "gone", "name": "g", "pods": 0, "next": "namespaces \"gone\" not found"}]`},
		{"a field that is not considered", node, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {schedulerName: other, containers: [{name: app, image: i, resources: {requests: {cpu: 3}}}]}\n", 0,
			`[{"kind": "Pod", "name": "p", "pods": 1, "on": {"one": 1}, "next": "0/1 nodes are available: 1 Insufficient cpu.", "notConsidered": ["spec.schedulerName"]}]`},
	} {
		got := golden.Run(Run, "", "-on", file(t, test.cluster), "-f", file(t, test.workloads), "-o", "json")
		var r struct{ Workloads []map[string]any }
		if err := json.Unmarshal([]byte(got.Stdout), &r); err != nil {
			t.Errorf("%s: %v in %+v", test.name, err, got)
			continue
		}
		var want []map[string]any
		testkit.OK(t, json.Unmarshal([]byte(test.want), &want))
		for _, w := range want {
			if w["namespace"] == nil {
				w["namespace"] = "default"
			}
		}
		if diff := cmp.Diff(want, r.Workloads); diff != "" || got.Code != test.code {
			t.Errorf("%s: exit code %d (-want +got):\n%s", test.name, got.Code, diff)
		}
	}
}

// A Deployment with pods gets more of them: those that are there keep their place.
func TestRoomOfLiveDeployment(t *testing.T) {
	const live = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, uid: d}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, " + template + "}\n---\n" +
		"apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-1, uid: r, labels: {a: b, pod-template-hash: '1'}, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d, controller: true}]}\n" +
		"spec: {replicas: 1, selector: {matchLabels: {a: b, pod-template-hash: '1'}}, template: {metadata: {labels: {a: b, pod-template-hash: '1'}}, spec: {restartPolicy: Always, containers: [{name: app, image: i, resources: {requests: {cpu: 1}}}]}}}\n---\n" +
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-1-x, labels: {a: b, pod-template-hash: '1'}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: r, controller: true}]}\n" +
		"spec: {nodeName: one, restartPolicy: Always, containers: [{name: app, image: i, resources: {requests: {cpu: 1}}}]}\nstatus: {phase: Running}\n"
	got := golden.Run(Run, "", "-on", file(t, node+live), "-f", file(t, web))
	want := "Deployment default/web: 3 more pods\n  on one (3)\n  the next: 0/1 nodes are available: 1 Insufficient cpu.\n\n"
	if got.Code != 0 || got.Stdout != want {
		t.Errorf("%+v", got)
	}
	// Where the pods of another template are, which replace others, is not where there is room.
	got = golden.Run(Run, "", "-on", file(t, node+live), "-f", file(t, strings.Replace(web, "image: i", "image: j", 1)))
	if want := strings.Replace(want, "  on one (3)\n", "", 1); got.Code != 0 || got.Stdout != want {
		t.Errorf("with another template: %+v", got)
	}
}

// The workloads may be those of the standard input. -n is the namespace of those without one.
func TestRoomInNamespace(t *testing.T) {
	const shop = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\nspec: {hard: {pods: 1}}\nstatus: {hard: {pods: 1}, used: {pods: 0}}\n"
	for namespace, want := range map[string]string{
		"shop": "Pod shop/p: 1 more pod\n  the next: pods \"p\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited:\n            pods=1\n\n",
		"data": "Pod data/p: any number of pods: no nodes are known, and no quota limits them\n\n",
	} {
		if got := golden.Run(Run, pod, "-on", file(t, shop), "-f", "-", "-n", namespace); got.Code != 0 || got.Stdout != want {
			t.Errorf("%+v", got)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-on", "x"}, "kubemath: -f is missing: the workloads whose pods are to fit\n"},
		{[]string{"-A"}, "kubemath: -f is missing: the workloads whose pods are to fit\n"},
		{[]string{"-on", file(t, node), "-f", file(t, none)}, "kubemath: there is no workload in the input\n"},
	} {
		if got := golden.Run(Run, "", test.args...); got.Code != 1 || got.Stderr != test.want || got.Stdout != "" {
			t.Errorf("%v: %+v", test.args, got)
		}
	}
}

// The cluster has a release, and its scheduler a configuration: 1.33 has no pod level, and without a filter a tainted node is one
// as others.
func TestOptions(t *testing.T) {
	scheduler := file(t, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{plugins: {filter: {disabled: [{name: TaintToleration}]}}}]\n")
	tainted := strings.Replace(node, "status:", "spec: {taints: [{key: a, effect: NoSchedule}]}\nstatus:", 1)
	level := strings.Replace(pod, "spec: {", "spec: {resources: {requests: {cpu: 2500m}}, ", 1)
	for _, test := range []struct {
		cluster, workloads string
		args               []string
		want               string
	}{
		{node, level, []string{"-kubernetes", "1.33"}, "p: 2 more pods\n"},
		{node, level, []string{"-kubernetes", "1.37"}, "p: 1 more pod\n"},
		{tainted, pod, []string{"-scheduler", scheduler}, "p: 2 more pods\n"},
		{tainted, pod, nil, "p: 0 more pods\n"},
		{node, strings.Replace(pod, "1500m", "1500m, memory: 512m", 1), nil, "\nnote: Pod p: warning: "},
	} {
		got := golden.Run(Run, "", append(test.args, "-on", file(t, test.cluster), "-f", file(t, test.workloads))...)
		if !strings.Contains(got.Stdout, test.want) {
			t.Errorf("no %q in %+v", test.want, got)
		}
	}
}

// What is left out of the cluster is named below the answer.
func TestProblems(t *testing.T) {
	got := golden.Run(Run, "", "-on", file(t, node+"apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: l}\n---\napiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: r}\n---\napiVersion: v1\nkind: Event\nmetadata: {name: e}\n"), "-f", file(t, pod))
	want := "Pod default/p: 2 more pods\n  on one (2)\n  the next: 0/1 nodes are available: 1 Insufficient cpu.\n\nnote: LocalQueue l: it limits what others may use, which is not computed\n"
	if got.Code != 0 || got.Stdout != want {
		t.Errorf("%+v", got)
	}
}

// A ReplicaSet gets more pods beside one of a former template that waits. Its pods that are there count for how many are
// placed to say where they are.
func TestRoomOfLiveReplicaSet(t *testing.T) {
	set := "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: rs, uid: r}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, " + template + "}\n---\n"
	owned := "apiVersion: v1\nkind: Pod\nmetadata: {name: rs-x, labels: {a: b}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: r, controller: true}]}\n"
	waits := owned + "spec: {restartPolicy: Always, containers: [{name: app, image: i, resources: {requests: {cpu: 9}}}]}\n"
	runs := owned + "spec: {nodeName: one, restartPolicy: Always, containers: [{name: app, image: i}]}\nstatus: {phase: Running}\n"
	got := golden.Run(Run, "", "-on", file(t, node+set+waits), "-f", file(t, set))
	want := "ReplicaSet default/rs: 4 more pods\n  on one (4)\n  the next: 0/1 nodes are available: 1 Insufficient cpu.\n\n"
	if got.Code != 0 || got.Stdout != want {
		t.Errorf("%+v", got)
	}
	plain := strings.Replace(set, ", resources: {requests: {cpu: 1}}", "", 1)
	for pods, on := range map[string]string{"1000": "  on one (999)\n", "1001": ""} {
		many := strings.Replace(node, "pods: 2000", "pods: "+pods, 1)
		got := golden.Run(Run, "", "-on", file(t, many+plain+runs), "-f", file(t, plain))
		fit := map[string]string{"1000": "999", "1001": "1000"}[pods]
		want := "ReplicaSet default/rs: " + fit + " more pods\n" + on + "  the next: 0/1 nodes are available: 1 Too many pods.\n\n"
		if got.Code != 0 || got.Stdout != want {
			t.Errorf("%s pods: %+v", pods, got)
		}
	}
}

// Of many nodes, ten are named.
func TestRoomOnManyNodes(t *testing.T) {
	for n, more := range map[int]string{10: "", 11: ", and 1 more", 12: ", and 2 more"} {
		nodes := ""
		for i := range n {
			nodes += strings.NewReplacer("name: one", fmt.Sprintf("name: n%02d", i), "cpu: 4", "cpu: 1").Replace(node)
		}
		got := golden.Run(Run, "", "-on", file(t, nodes), "-f", file(t, web), "-o", "text")
		text := strings.Join(strings.Fields(got.Stdout), " ")
		want := fmt.Sprintf("Deployment default/web: %d more pods on n00 (1), n01 (1), n02 (1), n03 (1), n04 (1), n05 (1), n06 (1), n07 (1), n08 (1), n09 (1)%s the next: 0/%d nodes", n, more, n)
		if got.Code != 0 || !strings.HasPrefix(text, want) {
			t.Errorf("%d nodes: %+v", n, got)
		}
	}
}

// A class that the cluster of kubectl does not have refuses a pod, but not if the classes may not be listed.
func TestRoomOfClasses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	const empty = "echo '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}'; "
	urgent := strings.Replace(pod, "spec: {", "spec: {priorityClassName: high, ", 1)
	if got := golden.Run(Run, "", "-on", file(t, node), "-f", file(t, urgent)); !strings.HasPrefix(got.Stdout, "Pod default/p: 2 more pods\n") {
		t.Errorf("of files: %+v", got)
	}
	for script, want := range map[string]string{
		empty: "Pod default/p: 0 more pods\n  the next: pods \"p\" is forbidden: no PriorityClass with name high was found\n",
		"case $2 in namespaces,*) echo 'Error from server (Forbidden): x is forbidden: User j cannot list resource \"namespaces\"' >&2; exit 1;; esac; " + empty: "Pod default/p: any number of pods: ",
	} {
		dir := t.TempDir()
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\n"+script), 0o700))
		t.Setenv("PATH", dir)
		if got := golden.Run(Run, "", "-cluster", "-f", file(t, urgent)); !strings.HasPrefix(got.Stdout, want) {
			t.Errorf("no %q in %+v", want, got)
		}
	}
}

// Of a cluster that cannot be read, nothing is said but that.
func TestRoomOfNoCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\necho 'The connection to the server x was refused' >&2\nexit 1\n"), 0o700))
	t.Setenv("PATH", dir)
	testkit.NoDiff(t, golden.Run(Run, "", "-A", "-f", file(t, pod)),
		golden.Result{Code: 1, Stderr: "kubemath: kubectl get --all-namespaces: The connection to the server x was refused\n"})
	testkit.NoDiff(t, golden.Run(Run, "[", "-on", "-", "-f", file(t, pod)).Stdout, "")
}

// With the cluster of kubectl, -n comes before the namespace of its context.
func TestRoomOfContext(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	const script = "#!/bin/sh\nif [ \"$1\" = config ]; then printf ci; else echo '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}'; fi\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
	for name, args := range map[string][]string{"ci": nil, "data": {"-n", "data"}} {
		got := golden.Run(Run, "", append(args, "-cluster", "-f", file(t, pod))...)
		if want := "Pod " + name + "/p: any number of pods: no nodes are known, and no quota limits them\n"; !strings.HasPrefix(got.Stdout, want) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// No control character of the input is written, and the nodes with the most pods come first, others by name.
func TestControlCharacters(t *testing.T) {
	five := int64(5)
	s := &command.Session{Text: &terminal.Text{Columns: 120}}
	(&Report{Workloads: []Workload{{Kind: "Pod", Namespace: "a\x1b", Name: "b\x1b", Pods: &five, On: map[string]int64{"z\x1b": 3, "y": 1, "x": 1}, Next: "n\x1b", NotConsidered: []string{"f\x1b", "g"}, Depends: true}},
		Problems: []string{"p"}}).write(s)
	testkit.Equal(t, s.String(), `Pod a\x1b/b\x1b: 5 more pods
  on z\x1b (3), x (1), y (1)
  the next: n\x1b
  the API server may decide otherwise, because it uses LimitRanges in no fixed order
  not considered: f\x1b, g

note: p
`)
}

func TestFormats(t *testing.T) {
	testkit.Equal(t, golden.Run(Run, "", "-o", "name").Stdout, "deployment/web\nstatefulset/db\n")
	if got := golden.Run(Run, "", "-o", "csv").Stdout; !strings.HasPrefix(got, "NAMESPACE,KIND,NAME,ROOM,NODES,NEXT\nshop,Deployment,web,6,2,\"0/3 nodes") {
		t.Errorf("%q", got)
	}
	golden.Refuses(t, Run, 1, `invalid value "xml" for flag -o: none of text, wide, json, yaml, csv, name`, "-o", "xml")
}
