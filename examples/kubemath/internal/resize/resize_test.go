package resize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// aPod returns a pod, and as one of a cluster if it has a node.
func aPod(name, resources, node string) string {
	meta, spec, status := "namespace: shop, name: "+name, "", ""
	if node != "" {
		meta += ", uid: " + name + `, resourceVersion: "1"`
		spec, status = "nodeName: "+node+", ", "status: {phase: Running}\n"
	}
	return "---\napiVersion: v1\nkind: Pod\nmetadata: {" + meta + "}\nspec: {" + spec + "containers: [{name: app, image: x, resources: {" + resources +
		"}}]}\n" + status
}

const (
	aNode  = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 9}}\n"
	aQuota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: q}\nspec: {hard: {requests.cpu: 1}}\nstatus: {hard: {requests.cpu: 1}, used: {requests.cpu: 500m}}\n"
	aRange = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: r}\nspec: {limits: [{type: Container, max: {memory: 1Gi}}]}\n"
	half   = "requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 1Gi}"
)

// asked returns what is answered if a change is applied to a cluster.
func asked(t *testing.T, change, cluster string, args ...string) golden.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	testkit.OK(t, os.WriteFile(file, []byte(cluster), 0o644))
	return golden.Run(Run, change, append([]string{"-f", "-", "-on", file}, args...)...)
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name, change, cluster string
		want                  string // -o csv without headings
		code                  int
	}{
		{"there is room", aPod("a", "requests: {cpu: 2, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1"), "shop,a,n1,resized,500m,2,1Gi,1Gi,\n", 0},
		{"nothing changes", aPod("a", half, ""), aNode + aPod("a", half, "n1"), "shop,a,n1,unchanged,500m,500m,1Gi,1Gi,\n", 0},
		{"less", aPod("a", "requests: {cpu: 100m, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1"), "shop,a,n1,resized,500m,500m,1Gi,1Gi,\n", 0}, // what is allocated counts until then
		{"no room beside the others", aPod("a", "requests: {cpu: 1600m, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1") + aPod("b", half, "n1"),
			"shop,a,n1,deferred,500m,1600m,1Gi,1Gi,\"Node didn't have enough resource: cpu, requested: 1600, used: 500, capacity: 2000\"\n", 2},
		{"others have ended, or are elsewhere", aPod("a", "requests: {cpu: 1600m, memory: 1Gi}, limits: {memory: 1Gi}", ""),
			aNode + aPod("a", half, "n1") + aPod("b", half, "n2") + strings.Replace(aPod("c", half, "n1"), "Running", "Succeeded", 1), "shop,a,n1,resized,500m,1600m,1Gi,1Gi,\n", 0},
		{"more than the node has in all", aPod("a", "requests: {cpu: 3, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1"),
			"shop,a,n1,refused,500m,3,1Gi,1Gi,\"pods \"\"a\"\" is forbidden: node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000\"\n", 2},
		{"a quota", aPod("a", "requests: {cpu: 1100m, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aQuota + aPod("a", half, "n1"),
			"shop,a,n1,refused,500m,1100m,1Gi,1Gi,\"pods \"\"a\"\" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=500m, limited: requests.cpu=1\"\n", 2},
		{"a quota has room for the increase, though not for all of the pod", aPod("a", "requests: {cpu: 900m, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aQuota + strings.Replace(aPod("a", half, "n1"), "resourceVersion: \"1\"", "generation: 1", 1),
			"shop,a,n1,resized,500m,900m,1Gi,1Gi,\n", 0},
		{"a LimitRange", aPod("a", "requests: {cpu: 500m, memory: 2Gi}, limits: {memory: 2Gi}", ""), aNode + aRange + aPod("a", half, "n1"),
			"shop,a,n1,refused,500m,500m,1Gi,2Gi,\"pods \"\"a\"\" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi\"\n", 2},
		{"a node that is not known", aPod("a", "requests: {cpu: 9, memory: 1Gi}, limits: {memory: 1Gi}", ""), aPod("a", half, "n1"), "shop,a,n1,accepted,500m,9,1Gi,1Gi,\n", 0},
		{"the allocated amounts of the status count", aPod("a", "requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}", ""),
			aNode + strings.Replace(aPod("a", half, "n1"), "phase: Running", "phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 1500m, memory: 1Gi}}]", 1), "shop,a,n1,resized,1500m,1500m,1Gi,1Gi,\n", 0},
		{"the actuated amounts of the status count", aPod("a", "requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}", ""),
			aNode + strings.Replace(aPod("a", half, "n1"), "phase: Running", "phase: Running, containerStatuses: [{name: app, resources: {requests: {cpu: 1500m, memory: 1Gi}}}]", 1), "shop,a,n1,resized,1500m,1500m,1Gi,1Gi,\n", 0},
	} {
		got := asked(t, test.change, test.cluster, "-o", "csv", "-no-headers")
		testkit.NoDiff(t, got, golden.Result{Code: test.code, Stdout: test.want}, test.name)
	}
}

// A workload stands for its pods, and init containers are resized as well.
func TestPodsOfAWorkload(t *testing.T) {
	const template = "spec: {replicas: 2, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {initContainers: [{name: side, image: x, restartPolicy: Always, resources: {requests: {cpu: SIDE}}}], containers: [{name: app, image: x}]}}}\n"
	set := "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db, uid: s}\n" + strings.Replace(template, "SIDE", "100m", 1)
	pod := func(name string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: " + name + ", uid: " + name + ", labels: {app: db}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s, controller: true}]}\n" +
			"spec: {nodeName: n1, initContainers: [{name: side, image: x, restartPolicy: Always, resources: {requests: {cpu: 100m}}}], containers: [{name: app, image: x}]}\nstatus: {phase: Running}\n"
	}
	change := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db}\n" + strings.Replace(template, "SIDE", "300m", 1)
	got := asked(t, change, aNode+set+pod("db-0")+pod("db-1"))
	want := ""
	for _, name := range []string{"db-0", "db-1"} {
		want += "Pod shop/" + name + ": resized\n  sidecar side: change the cpu request from 100m to 300m\n  server: accepts it\n  scheduler: counts cpu 100m, then cpu 300m\n  kubelet: begins it now\n\n"
	}
	testkit.NoDiff(t, got, golden.Result{Stdout: want})
	less := strings.Replace(change, "cpu: 300m", "cpu: 50m", 1) // what is allocated counts until then
	if got := asked(t, less, aNode+set+pod("db-0")+pod("db-1"), "-o", "csv", "-no-headers").Stdout; strings.Count(got, ",n1,resized,100m,100m,,,\n") != 2 {
		t.Error(got)
	}
	large := strings.Replace(change, "cpu: 300m", "cpu: 1950m", 1)
	if got := asked(t, large, aNode+set+pod("db-0")+pod("db-1")+aPod("db", "", "n1"), "-o", "csv", "-no-headers").Stdout; strings.Count(got, ",n1,deferred,100m,1950m,,,\"Node didn't have enough resource: cpu, requested: 1950, used: 100, capacity: 2000\"\n") != 2 {
		t.Error(got)
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		change, cluster string
		want            []string
	}{
		{aPod("a", "requests: {cpu: 500m, memory: 2Gi}, limits: {memory: 2Gi}", ""), aNode + aPod("a", half, "n1"), []string{"Pod shop/a: resized\n", "from 1Gi to 2Gi\n", "counts cpu 500m, memory 1Gi, then cpu 500m, memory 2Gi\n", "begins it now\n"}},
		{aPod("a", "requests: {cpu: 1600m, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1") + aPod("b", half, "n1"), []string{"Pod shop/a: deferred\n", "then cpu 1600m, memory 1Gi, which is cpu 100m more than n1 has", "kubelet: Deferred: Node didn't have"}},
		{aPod("a", half, ""), aNode + aPod("a", half, "n1"), []string{"Pod shop/a: unchanged\n  server: accepts it\n  scheduler: counts cpu 500m, memory 1Gi\n\n"}},
		{aPod("a", half, ""), aPod("a", "", "n1"), []string{"container app: set the cpu request to 500m\n", "refused"}}, // the class would change
		{aPod("a", "", ""), aNode + aPod("a", "requests: {cpu: 500m}", "n1"), []string{"Pod shop/a: refused\n  container app: remove the cpu request 500m\n", "requests: Forbidden: resource requests cannot be removed"}},
		{aPod("a", "requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}", ""), aNode + aPod("a", half, "n1") + strings.Replace(aPod("b", half, "n1"), "phase: Running", // which still has 1500m
			"phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 1500m, memory: 1Gi}, resources: {requests: {cpu: 1500m, memory: 1Gi}}}]", 1),
			[]string{"Pod shop/a: deferred\n", "then cpu 1, memory 1Gi, which is cpu 500m more than n1 has\n", "requested: 1000, used: 1500, capacity: 2000\n"}},
		{aPod("a", "", ""), aNode + aPod("a", "", "n1"), []string{"scheduler: counts nothing\n"}},
		{aPod("a", "requests: {cpu: 0}", ""), aNode + aPod("a", "requests: {cpu: 0}", "n1"), []string{"scheduler: counts nothing\n"}},
		{aPod("a", "requests: {cpu: 1}", ""), aPod("a", "requests: {cpu: 2}", "n1"), []string{"scheduler: counts cpu 2\n  kubelet: not known, because the input does not have its node\n"}},
	} {
		got := asked(t, test.change, test.cluster).Stdout
		for _, want := range test.want {
			if !strings.Contains(strings.ReplaceAll(got, "\n    ", " "), want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
}

// What fails is red, whoever refuses it.
func TestColour(t *testing.T) {
	for want, pods := range map[bool][]Pod{false: {{}, {Unknown: true}}, true: {{Refused: "no"}, {State: "Deferred"}}} {
		for i := range pods {
			s, out := &command.Session{Text: &terminal.Text{Columns: 80, Coloured: true}}, &strings.Builder{}
			(&Report{Pods: pods[i : i+1]}).write(s)
			s.Pass(out, out)
			testkit.Equal(t, strings.Contains(out.String(), "\x1b["), want, pods[i])
		}
	}
}

func TestWhatIsMissing(t *testing.T) {
	for _, test := range []struct{ name, change, want string }{
		{"no such pod", aPod("x", half, ""), "kubemath: Pod shop/x: the cluster has no pod of it\n"},
		{"nothing", "# nothing\n", "kubemath: there is nothing to resize\n"},
	} {
		if got := asked(t, test.change, aNode+aPod("a", half, "n1")); got.Code != 1 || got.Stderr != test.want {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	for _, flag := range []string{"-on=x", "-A"} {
		golden.Refuses(t, Run, 1, "kubemath: -f is missing: the pods, or the workload of the pods, with the new amounts", flag)
	}
	if got := asked(t, aPod("a", "requests: {memory: 512m}", ""), aNode+aPod("a", "requests: {memory: 1Gi}", "n1")).Stdout; !strings.Contains(got, "\nnote: Pod shop/a: warning: ") {
		t.Error(got)
	}
	if got := asked(t, aPod("a", half, "")+"---\napiVersion: v1\nkind: Service\nmetadata: {namespace: shop, name: s}\n", aNode+aPod("a", half, "n1"), "-o", "name"); got.Stdout != "pod/a\n" {
		t.Errorf("%+v", got)
	}
	golden.Outputs(t, Run, "testdata", 2, map[string][]string{"samples.txt": nil})
	golden.Refuses(t, Run, 1, `invalid value "xml" for flag -o: none of text, wide, json, yaml, csv, name`, "-o", "xml")
	invalid := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: q}\nspec: {hard: {pods: 1500m}}\n"
	if got := asked(t, aPod("a", half, ""), aNode+aPod("a", half, "n1")+invalid); got.Code != 1 || got.Stdout != "" || !strings.Contains(got.Stderr, "must be an integer") {
		t.Errorf("%+v", got)
	}
}

// What is taken away is a change, and the pending resize of another pod is no answer for this one.
func TestEachPodAlone(t *testing.T) {
	without := aPod("a", "requests: {cpu: 500m, memory: 1Gi}", "")
	got := asked(t, without, aNode+aPod("a", half, "n1"), "-o", "json").Stdout
	if !strings.Contains(got, `"resource": "memory"`) || !strings.Contains(got, `"from": "1Gi"`) || strings.Contains(got, `"to"`) {
		t.Errorf("a limit that is taken away: %s", got)
	}
	pending := strings.Replace(aPod("b", "requests: {cpu: 9, memory: 1Gi}, limits: {memory: 1Gi}", "n1"), "phase: Running",
		"phase: Running, containerStatuses: [{name: app, allocatedResources: {cpu: 100m, memory: 1Gi}, resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {memory: 1Gi}}}]", 1)
	change := aPod("a", "requests: {cpu: 600m, memory: 1Gi}, limits: {memory: 1Gi}", "")
	if got := asked(t, change, aNode+aPod("a", half, "n1")+pending, "-o", "csv", "-no-headers"); got.Stdout != "shop,a,n1,resized,500m,600m,1Gi,1Gi,\n" || got.Code != 0 {
		t.Errorf("next to a pending resize: %+v", got)
	}
	zero := corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": {}}}
	if changes := changesOf(computeresources.Ref{}, &zero, &corev1.ResourceRequirements{}); len(changes) != 1 || changes[0].From == nil || changes[0].To != nil {
		t.Errorf("a zero that is taken away: %v", changes)
	}
	pendingPod := aPod("c", "requests: {cpu: 1500m}", "")
	if got := asked(t, change, aNode+aPod("a", half, "n1")+pendingPod).Stdout; !strings.Contains(got, "a: resized\n") || strings.Contains(got, "more than n1 has") {
		t.Errorf("next to a pod that may be placed there: %s", got)
	}
	injected := strings.Replace(aPod("a", half, "n1"), "containers: [", "containers: [{name: mesh, image: x, resources: {requests: {cpu: 100m, memory: 1Mi}}}, ", 1)
	if got := asked(t, change, aNode+injected, "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,resized,600m,700m,1025Mi,1025Mi,\n" {
		t.Errorf("after a container that was added: %s", got)
	}
	if got := asked(t, aPod("a", half, ""), aPod("a", half, "n1"), "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,unchanged,500m,500m,1Gi,1Gi,\n" {
		t.Errorf("no change on a node that is not known: %s", got)
	}
}

// A pod of a workload that has no node yet is resized as well.
func TestPodWithoutANode(t *testing.T) {
	const template = "spec: {replicas: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: x, resources: {requests: {cpu: CPU}}}]}}}\n"
	set := "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: shop, name: db, uid: s}\n" + template
	pod := "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: db-0, uid: p, labels: {app: db}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s, controller: true}]}\n" +
		"spec: {containers: [{name: app, image: x, resources: {requests: {cpu: CPU}}}]}\nstatus: {phase: Pending}\n"
	cluster := strings.ReplaceAll(set+pod, "CPU", "100m")
	got := asked(t, strings.ReplaceAll(set, "CPU", "200m"), cluster, "-o", "csv", "-no-headers")
	if want := (golden.Result{Stdout: "shop,db-0,,accepted,100m,200m,,,\n"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The amounts of the pod level are resized on a node that declares the feature, and what is allocated counts until then.
func TestPodLevel(t *testing.T) {
	node := strings.Replace(aNode, "status: {", "status: {declaredFeatures: [InPlacePodLevelResourcesVerticalScaling], ", 1)
	with := func(pod, resources string) string {
		return strings.Replace(pod, "containers:", "resources: {"+resources+"}, containers:", 1)
	}
	const small, large = "requests: {cpu: 600m, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}", "requests: {cpu: 900m, memory: 1Gi}, limits: {cpu: 1500m, memory: 1Gi}"
	got := asked(t, with(aPod("a", half, ""), large), node+with(aPod("a", half, "n1"), small))
	want := "Pod shop/a: resized\n  pod: change the cpu request from 600m to 900m\n  pod: change the cpu limit from 1 to 1500m\n  server: accepts it\n" +
		"  scheduler: counts cpu 600m, memory 1Gi, then cpu 900m, memory 1Gi\n  kubelet: begins it now\n\n"
	if diff := cmp.Diff(golden.Result{Stdout: want}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = asked(t, with(aPod("a", half, ""), small), node+with(aPod("a", half, "n1"), large), "-o", "csv", "-no-headers")
	if diff := cmp.Diff(golden.Result{Stdout: "shop,a,n1,resized,900m,900m,1Gi,1Gi,\n"}, got); diff != "" {
		t.Errorf("less (-want +got):\n%s", diff)
	}
	got = asked(t, with(aPod("a", half, ""), large), node+with(aPod("a", half, "n1"), small)+aPod("b", "requests: {cpu: 1200m}", "n1"), "-o", "csv", "-no-headers")
	want = "shop,a,n1,deferred,600m,900m,1Gi,1Gi,\"Node didn't have enough resource: cpu, requested: 900, used: 1200, capacity: 2000\"\n"
	if diff := cmp.Diff(golden.Result{Code: 2, Stdout: want}, got); diff != "" {
		t.Errorf("no room (-want +got):\n%s", diff)
	}
	got = asked(t, aPod("a", strings.Replace(half, "500m", "1200m", 1), ""), node+aPod("a", half, "n1")+with(aPod("b", half, "n1"), large), "-kubernetes", "1.33") // has no pod level
	want = "Pod shop/a: resized\n  container app: change the cpu request from 500m to 1200m\n  server: accepts it\n  scheduler: counts cpu 500m, memory 1Gi, then cpu 1200m, memory 1Gi\n  kubelet: begins it now\n\n"
	testkit.NoDiff(t, got, golden.Result{Stdout: want}, "of an old release")
	got = asked(t, aPod("a", strings.Replace(half, "500m", "550m", 1), ""), node+with(aPod("a", half, "n1"), small))
	want = "Pod shop/a: resized\n  container app: change the cpu request from 500m to 550m\n  server: accepts it\n  scheduler: counts cpu 600m, memory 1Gi\n  kubelet: begins it now\n\n"
	testkit.NoDiff(t, got, golden.Result{Stdout: want}, "of a container, without the pod level")
	heavy := strings.Replace(with(aPod("a", half, "n1"), small), "spec: {", "spec: {overhead: {cpu: 100m}, ", 1)
	changed := strings.Replace(with(aPod("a", half, ""), large), "spec: {", "spec: {overhead: {cpu: 100m}, ", 1)
	if got := asked(t, changed, node+heavy, "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,resized,700m,1,1Gi,1Gi,\n" {
		t.Errorf("with overhead: %s", got)
	}
	unchanged := strings.Replace(with(aPod("a", half, ""), small), "spec: {", "spec: {overhead: {cpu: 100m}, ", 1)
	if got := asked(t, unchanged, node+heavy, "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,unchanged,700m,700m,1Gi,1Gi,\n" {
		t.Errorf("unchanged with overhead: %s", got)
	}
	said := strings.Replace(with(aPod("a", half, "n1"), small), "phase: Running",
		"phase: Running, allocatedResources: {cpu: 1200m, memory: 1Gi}, resources: {requests: {cpu: 1200m, memory: 1Gi}, limits: {cpu: 1300m, memory: 1Gi}}", 1)
	if got := asked(t, with(aPod("a", half, ""), large), node+said, "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,resized,1200m,1200m,1Gi,1Gi,\n" {
		t.Errorf("the allocated amounts of the status: %s", got)
	}
	actuated := strings.Replace(said, "allocatedResources: {cpu: 1200m, memory: 1Gi}, ", "", 1)
	if got := asked(t, with(aPod("a", half, ""), large), node+actuated, "-o", "csv", "-no-headers").Stdout; got != "shop,a,n1,resized,1200m,1200m,1Gi,1Gi,\n" {
		t.Errorf("the actuated amounts of the status: %s", got)
	}
	if got := asked(t, with(aPod("a", half, ""), small), node+aPod("a", half, "n1"), "-o", "json").Stdout; !strings.Contains(got, "\"kind\": \"pod\"") {
		t.Errorf("a pod level that is added: %s", got)
	}
}
