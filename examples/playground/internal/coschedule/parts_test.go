package coschedule

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// runOf returns the text of the answer about a run.
func runOf(t *testing.T, metadata, spec, others string) string {
	t.Helper()
	return textOf(answerOf(t, "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {"+metadata+"}\nspec: "+spec+"\n"+others, "workspaces"))
}

// Workspaces that steps use without binding them are those of the run, wherever Tekton looks for them.
func TestPropagatedWorkspaces(t *testing.T) {
	const run = "{workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}], pipelineSpec: {tasks: [{name: t, %}]}}"
	for task, kept := range map[string]bool{
		"taskSpec: {steps: [{name: s, script: 'ls $(workspaces.a.path)'}]}":                     true,
		"taskSpec: {steps: [{name: s, workingDir: '$(workspaces.a.path)'}]}":                    true,
		"taskSpec: {steps: [{name: s, command: ['$(workspaces.a.path)']}]}":                     true,
		"taskSpec: {steps: [{name: s, args: [x, '$(workspaces[\"a\"].path)']}]}":                true,
		"taskSpec: {steps: [{name: s, env: [{name: E, value: '$(workspaces.a.path)'}]}]}":       true,
		"taskSpec: {steps: [{name: s, params: [{name: p, value: '$(workspaces.a.path)'}]}]}":    true,
		"taskSpec: {sidecars: [{name: s, script: '$(workspaces.a.path)'}], steps: [{name: s}]}": true,
		"taskSpec: {stepTemplate: {workingDir: '$(workspaces.a.path)'}, steps: [{name: s}]}":    true,
		"taskSpec: {steps: [{name: s, script: 'ls'}]}":                                          false,
		"taskSpec: {steps: [{name: s, script: '$(params.a)'}]}":                                 false,
		"taskRef: {name: x}": false,
		"taskSpec: {workspaces: [{name: a, optional: true}], steps: [{name: s, script: '$(workspaces.a.path)'}]}":                        true,
		"workspaces: [{name: a, workspace: a}], taskSpec: {workspaces: [{name: a}], steps: [{name: s, script: '$(workspaces.a.path)'}]}": true,
	} {
		text := runOf(t, "name: r, uid: u", strings.Replace(run, "%", task, 1), "")
		if got := strings.Contains(text, "on the node of affinity-assistant-") && !strings.Contains(text, "on any nodes: t"); got != kept {
			t.Errorf("%s: %t, want %t:\n%s", task, got, kept, text)
		}
	}
}

// A task runs without an optional workspace that its run does not have, and not without another.
func TestOptionalWorkspaces(t *testing.T) {
	for task, want := range map[string][]string{
		"workspaces: [{name: b, optional: true}], steps: [{name: s, script: '$(workspaces.b.path)'}]": nil,
		"workspaces: [{name: b}], steps: [{name: s, script: '$(workspaces.b.path)'}]":                 {`PipelineRun r: tasks[0].workspaces[0]: Not found: "b"`},
		"workspaces: [{name: a, optional: true}], steps: [{name: s, script: '$(workspaces.b.path)'}]": {`PipelineRun r: tasks[0].workspaces[0]: Not found: "b"`},
	} {
		a := answerOf(t, small("r", "{workspaces: [{name: a, emptyDir: {}}], pipelineSpec: {tasks: [{name: t, taskSpec: {"+task+"}}]}}"), "workspaces")
		var got []string
		for _, p := range a.Problems {
			got = append(got, p.Text)
		}
		testkit.NoDiff(t, got, want, task)
	}
}

// The fields of either version of the API are read, and those of the newer one count.
func TestTemplates(t *testing.T) {
	for spec, want := range map[string]string{
		"{serviceAccountName: old}":                                                                         "serviceAccountName: old\n",
		"{taskRunTemplate: {serviceAccountName: new}}":                                                      "serviceAccountName: new\n",
		"{serviceAccountName: old, taskRunTemplate: {serviceAccountName: new}}":                             "serviceAccountName: new\n",
		"{podTemplate: {priorityClassName: old}}":                                                           "priorityClassName: old\n",
		"{podTemplate: {priorityClassName: old}, taskRunTemplate: {podTemplate: {priorityClassName: new}}}": "priorityClassName: new\n",
		"{podTemplate: {nodeSelector: {disk: ssd}}}":                                                        "disk: ssd\n",
	} {
		spec = strings.Replace(spec, "{", "{workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}], pipelineSpec: {tasks: [{name: t, workspaces: [{name: a}], taskSpec: {}}]}, ", 1)
		if text := runOf(t, "name: r, uid: u", spec, ""); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", spec, want, text)
		}
	}
}

// A result that a task uses makes it run after the one that has it, so their requests do not add up.
func TestResultsAreDependencies(t *testing.T) {
	const task = "{name: %, taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: 1}}}]}"
	for use, want := range map[string]string{"": "cpu at once: 2, by a, b\n", ", params: [{name: p, value: '$(tasks.a.results.x)'}]": "cpu at once: 1, by a\n", ", runAfter: [a]": "cpu at once: 1, by a\n"} {
		tasks := strings.Replace(task, "%", "a", 1) + "}, " + strings.Replace(task, "%", "b", 1) + use + "}"
		if text := runOf(t, "name: r, uid: u", "{pipelineSpec: {tasks: ["+tasks+"]}}", ""); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", use, want, text)
		}
	}
}

// A task runs after each task whose result it uses, and after those that it names.
func TestAllResultsAreDependencies(t *testing.T) {
	task := func(name, cpu, use string) string {
		return "{name: " + name + ", taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: " + cpu + "}}}]}" + use + "}, "
	}
	const uses = ", runAfter: [d], params: [{name: p, value: '$(tasks.a.results.x) $(tasks.b.results.y)'}]"
	text := runOf(t, "name: r, uid: u", "{pipelineSpec: {tasks: ["+task("a", "1", "")+task("b", "1", "")+task("d", "1", "")+task("c", "5", uses)+"]}}", "")
	if !strings.Contains(text, "cpu at once: 5, by c\n") {
		t.Error(text)
	}
}

// Each object that is replaced has a note, which is no problem, and comes after earlier ones.
func TestReplacedAgain(t *testing.T) {
	const task = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: x}\nspec: {steps: []}\n---\n"
	other := strings.Replace(task, "name: x", "name: x, namespace: other", 1)
	pipeline := strings.NewReplacer("kind: Task", "kind: Pipeline", "steps: []", "tasks: []").Replace(task)
	a := answerOf(t, task+task+task+other+strings.Replace(task, "name: x", "name: z", 1)+pipeline+"a: [\n---\n"+small("r", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}"), "workspaces")
	want := []Remark{
		{1, "Task x: skipped: replaced by the one of -: document 2, which has the same name"},
		{6, "Task x: skipped: replaced by the one of -: document 3, which has the same name"},
	}
	if diff := cmp.Diff(want, a.Notes); diff != "" || len(a.Problems) != 1 {
		t.Errorf("%v (-want +got):\n%s", a.Problems, diff)
	}
	const pod, node = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n---\n", "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n---\n"
	run := small("x", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}")
	unnamed := strings.ReplaceAll(pod+node+run, "name: x", "generateName: x")
	others := strings.Replace(run, "name: x", "name: x, namespace: other", 1) + "---\n" + strings.Replace(run, "name: x", "name: z", 1) + "---\n"
	a = answerOf(t, pod+node+run+"---\n"+others+node+pod+run+"---\n"+unnamed+"---\n"+unnamed, "workspaces")
	want = []Remark{
		{5, "Node x: skipped: replaced by the one of -: document 6, which has the same name"},
		{1, "Pod x: skipped: replaced by the one of -: document 7, which has the same name"},
		{9, "PipelineRun x: skipped: replaced by the one of -: document 8, which has the same name"},
	}
	if diff := cmp.Diff(want, a.Notes); diff != "" || len(a.Problems) > 0 {
		t.Errorf("%v (-want +got):\n%s", a.Problems, diff)
	}
	var titles []string
	for i := range a.Runs {
		titles = append(titles, a.Runs[i].Title)
	}
	testkit.NoDiff(t, titles, []string{"PipelineRun other/x", "PipelineRun z", "PipelineRun x", "PipelineRun xxxxxx", "PipelineRun xxxxxx"})
}

// Room on a node is what its pods leave, apart from those of the run: by name and namespace, and not those that have ended.
func TestRoom(t *testing.T) {
	const spec = `{workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}], pipelineSpec: {tasks: [{name: t, workspaces: [{name: a}],
 taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: 2}, limits: {cpu: 3}}}]}}]}}`
	const node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n"
	pod := func(namespace, run, spec, phase string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: " + namespace + ", labels: {tekton.dev/pipelineRun: " + run + "}}\n" +
			"spec: {" + spec + ", containers: [{name: c, resources: {requests: {cpu: 3}}}]}\nstatus: {phase: " + phase + "}\n"
	}
	const room, none = "node n1: has room for the run and the placeholder\n", "node n1: has no room for at least one task\n"
	for name, test := range map[string]struct{ others, want string }{
		"empty":                                {"", room},
		"what the run alone needs":             {strings.Replace(pod("x", "s", "nodeName: n1", "Running"), "cpu: 3", "cpu: 2", 1), none + "      Insufficient cpu: 2050m wanted at once by t, 2 free\n"},
		"a pod of another":                     {pod("x", "s", "nodeName: n1", "Running"), none},
		"one that sets a limit":                {strings.Replace(pod("x", "s", "nodeName: n1", "Running"), "requests:", "limits:", 1), none},
		"one that has moved, and its namesake": {pod("yy", "s", "nodeName: n1", "Running") + pod("x", "s", "nodeName: n2", "Running") + pod("x", "s", "nodeName: n2", "Running"), none},
		"one that has moved":                   {pod("x", "s", "nodeName: n1", "Running") + pod("x", "s", "nodeName: n2", "Running"), room},
		"one that has moved, and another":      {strings.Replace(pod("x", "s", "nodeName: n1", "Running"), "name: p", "name: o", 1) + pod("x", "s", "nodeName: n2", "Running") + pod("x", "s", "nodeName: n2", "Running"), none},
		"of another namespace":                 {pod("yy", "r", "nodeName: n1", "Running"), none},
		"its own":                              {pod("x", "r", "nodeName: n1", "Running"), room},
		"ended":                                {pod("x", "s", "nodeName: n1", "Succeeded"), room},
		"failed":                               {pod("x", "s", "nodeName: n1", "Failed"), room},
		"on another node":                      {pod("x", "s", "nodeName: n2", "Running"), room},
		"on none, with hostname":               {pod("x", "s", "hostname: n1", "Pending"), room},
	} {
		if text := runOf(t, "name: r, uid: u, namespace: x", spec, node+test.others); !strings.Contains(text, test.want) {
			t.Errorf("%s: no %q in\n%s", name, test.want, text)
		}
	}
	large := strings.Replace(spec, "requests: {cpu: 2}", "requests: {cpu: 2, memory: 5Gi}", 1)
	const both = none + "      Insufficient cpu: 2050m wanted at once by t, 1 free\n      Insufficient memory: 5220Mi wanted at once by t, 4Gi free\n"
	if text := runOf(t, "name: r, uid: u, namespace: x", large, node+strings.Replace(pod("x", "s", "nodeName: n1", "Running"), "cpu: 3", "cpu: 3, memory: 4Gi", 1)); !strings.Contains(text, both) {
		t.Errorf("two resources: no %q in\n%s", both, text)
	}
	second, cordoned := strings.Replace(node, "n1", "n2", 1), strings.Replace(node, "status:", "spec: {unschedulable: true}\nstatus:", 1)
	for name, nodes := range map[string]string{"cordoned": cordoned + second, "replaced by one that is cordoned": node + second + cordoned} {
		if text := runOf(t, "name: r, uid: u", spec, nodes); strings.Contains(text, "node n1:") || !strings.Contains(text, "node n2: has room") {
			t.Errorf("a node that is %s has room:\n%s", name, text)
		}
	}
}

// A placeholder has to move if its node has no room for a task that waits for it: pods on that node count, by its name.
func TestFullNodes(t *testing.T) {
	const run = "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}"
	const node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n"
	const placeholder = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: aa-0, namespace: x, labels: {app.kubernetes.io/component: affinity-assistant, app.kubernetes.io/instance: aa}}\nspec: {nodeName: n1, containers: [{name: c}]}\nstatus: {phase: Running}\n"
	waiting := "---\napiVersion: v1\nkind: Pod\nmetadata: {name: w, namespace: x, annotations: {pipeline.tekton.dev/affinity-assistant: aa}}\n" +
		"spec: {containers: [{name: c, resources: {requests: {cpu: 2}}}], affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app.kubernetes.io/component: affinity-assistant, app.kubernetes.io/instance: aa}}}]}}}\nstatus: {phase: Pending}\n"
	other := "---\napiVersion: v1\nkind: Pod\nmetadata: {name: o, namespace: yy}\nspec: {%, containers: [{name: c, resources: {requests: {cpu: 3}}}]}\nstatus: {phase: Running}\n"
	for at, full := range map[string]bool{"nodeName: n1": true, "nodeName: n2": false, "hostname: n1": false} {
		text := runOf(t, "name: r, uid: u", run, node+placeholder+waiting+strings.Replace(other, "%", at, 1))
		if got := strings.Contains(text, "placeholders to move\n  delete x/aa-0: n1: node is full, for x/w: Insufficient cpu\n"); got != full {
			t.Errorf("%s: %t, want %t:\n%s", at, got, full, text)
		}
	}
	elsewhere := strings.Replace(placeholder, "nodeName: n1", "nodeName: n2, hostname: n1", 1)
	if text := runOf(t, "name: r, uid: u", run, node+elsewhere); !strings.Contains(text, "placeholders to move\n  force-delete x/aa-0 if its node is gone: n2 is not in the input\n") {
		t.Errorf("a placeholder on another node:\n%s", text)
	}
	if text := runOf(t, "name: r, uid: u", run, placeholder); strings.Contains(text, "placeholders to move") {
		t.Errorf("a placeholder moves although no nodes are known:\n%s", text)
	}
	for _, phase := range []string{"Succeeded", "Failed"} {
		ended := strings.Replace(strings.Replace(other, "%", "nodeName: n1", 1), "phase: Running", "phase: "+phase, 1)
		if text := runOf(t, "name: r, uid: u", run, node+placeholder+waiting+ended); strings.Contains(text, "placeholders to move") {
			t.Errorf("a pod that has %s fills a node:\n%s", phase, text)
		}
	}
	cordoned := strings.Replace(node, "status:", "spec: {unschedulable: true}\nstatus:", 1)
	if text := runOf(t, "name: r, uid: u", run, cordoned+placeholder+waiting+strings.Replace(other, "%", "nodeName: n1", 1)); !strings.Contains(text, "delete x/aa-0: n1: node is cordoned\n") {
		t.Errorf("a full node that is cordoned:\n%s", text)
	}
}

// What cannot be written or planned is a problem of the run, and the next one is planned.
func TestFailures(t *testing.T) {
	run := small("r", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}")
	in := inputOf(objects.Reader{Kinds: Kinds()}.File("-", strings.NewReader(run)))
	all := planAll(&in, affinity.Disabled)
	for after := range 2 { // of a separator, and of an object
		if err := writeManifests(&limited{n: after}, all); err == nil || err.Error() != "full" {
			t.Errorf("after %d writes: error %v", after, err)
		}
	}
}

// limited accepts some writes.
type limited struct{ n int }

func (l *limited) Write(text []byte) (int, error) {
	if l.n--; l.n < 0 {
		return 0, errors.New("full")
	}
	return len(text), nil
}

// A task is found by its name in the namespace of the run.
func TestTaskOfNamespace(t *testing.T) {
	const spec = "{pipelineSpec: {tasks: [{name: t, taskRef: {name: x}}]}}"
	task := func(namespace, cpu string) string {
		return "---\napiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: x, namespace: " + namespace + "}\nspec: {steps: [{name: s, computeResources: {requests: {cpu: " + cpu + "}}}]}\n"
	}
	for name, test := range map[string]struct{ tasks, want string }{
		"its own": {task("ns1", "2") + task("ns2", "3"), "cpu at once: 2, by t\n"},
		"another": {task("ns2", "3"), "note: task t: Task x is not in the input: its requests are unknown\n"},
	} {
		if text := runOf(t, "name: r, uid: u, namespace: ns1", spec, test.tasks); !strings.Contains(text, test.want) {
			t.Errorf("%s: no %q in\n%s", name, test.want, text)
		}
	}
}

// Custom tasks have no pods, in finally neither.
func TestTasksWithoutPods(t *testing.T) {
	const custom = ", taskRef: {apiVersion: example.com/v1, kind: Wait, name: w}}"
	a := answerOf(t, small("r", "{pipelineSpec: {tasks: [{name: a, taskSpec: {}}, {name: b"+custom+"], finally: [{name: f, taskSpec: {}}, {name: g"+custom+"]}}"), "pipelineruns")
	if diff := cmp.Diff([]string{"b", "g"}, a.Runs[0].Podless); diff != "" || a.Runs[0].Groups[0].Tasks != "a, f" {
		t.Errorf("%+v (-want +got):\n%s", a.Runs[0].Groups, diff)
	}
	for name, want := range map[string]bool{"r-a-pod": true, "r-b-pod": false, "r-f-pod": true, "r-g-pod": false} {
		testkit.Equal(t, strings.Contains(a.Manifests, "name: "+name+"\n"), want, name)
	}
}

// Pods have the names that Tekton gives them: long ones are shortened, and that of a matrix is its first one.
func TestNamesOfPods(t *testing.T) {
	a := answerOf(t, small("mypipelinerun", "{pipelineSpec: {tasks: [{name: a, matrix: {params: [{name: x, value: [u, v]}]}, taskSpec: {}}, "+
		"{name: longtask-0123456789-0123456789-0123456789-0123456789-0123456789, taskSpec: {}}], "+
		"finally: [{name: f, matrix: {params: [{name: x, value: [u, v, w]}]}, taskSpec: {}}, {name: g, taskSpec: {}}]}}"), "pipelineruns")
	for _, name := range []string{"mypipelinerun-a-0-pod", "mypipelinerun-f-0-pod", "mypipelinerun-g-pod", "mypipelineruna56c4ee0aab148495fdbacf8360152f9847f6be0af0ab6-pod"} {
		testkit.Equal(t, strings.Contains(a.Manifests, "  name: "+name+"\n"), true, name)
	}
	testkit.Equal(t, strings.Count(a.Manifests, "kind: Pod\n"), 4, "pods")
}

// A claim that is made from a template is deleted if the annotation of its run says so, or with the run per node.
func TestCleanup(t *testing.T) {
	const spec = "{workspaces: [{name: a, volumeClaimTemplate: {spec: {}}}], pipelineSpec: {workspaces: [{name: a}], tasks: [{name: t, workspaces: [{name: a}], taskSpec: {}}]}}"
	for _, test := range []struct {
		annotations, coschedule string
		claims                  int
	}{
		{"", "workspaces", 0}, {"tekton.dev/auto-cleanup-pvc: 'true'", "workspaces", 1}, {"tekton.dev/auto-cleanup-pvc: 'false'", "workspaces", 0},
		{"tekton.dev/auto-cleanup-pvc: 'True'", "workspaces", 0}, {"tekton.dev/auto-cleanup-pvc: 'false'", "pipelineruns", 1},
	} {
		a := answerOf(t, small("r, annotations: {"+test.annotations+"}", spec), test.coschedule)
		testkit.Equal(t, len(a.Problems), 0, test, "problems")
		testkit.Equal(t, len(a.Runs[0].Deleted)-1, test.claims, test, "besides the StatefulSet") // of the placeholder
	}
}

// TaskRuns have no plan. They are read, because they say what a run has done.
func TestTaskRunsHaveNoPlan(t *testing.T) {
	for _, version := range []string{"v1", "v1beta1", "v1alpha1"} {
		run := small("r", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}")
		for spec, problems := range map[string]int{"{taskSpec: {steps: [{}]}}": 0, "1": 1} {
			a := answerOf(t, run+"---\nkind: TaskRun\napiVersion: tekton.dev/"+version+"\nmetadata: {name: t}\nspec: "+spec+"\n", "pipelineruns")
			if len(a.Problems) != problems || len(a.Notes) > 0 || len(a.Runs) != 1 {
				t.Errorf("%s, %s: %v", version, spec, a.Problems)
			}
		}
	}
}
