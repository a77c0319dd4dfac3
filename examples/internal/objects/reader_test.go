package objects_test

import (
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Files that are not manifests are reported with advice.
func TestWhatIsNoManifest(t *testing.T) {
	const template = "looks like a Helm template: render it first, with helm template"
	for _, test := range []struct{ name, input, want string }{
		{"template of YAML", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-web\n", "-: document 1: " + template},
		{"template that begins with a condition", "{{- if .Values.enabled }}\napiVersion: v1\nkind: Pod\n{{- end }}\n", "-: document 1: " + template},
		{"template of JSON", `{"apiVersion": "v1", "kind": {{ .Kind }}}`, "-: document 1: " + template},
		{"UTF-16", "\xff\xfek\x00", "-: is written in UTF-16: save it as UTF-8"},
		{"UTF-16 of the other order", "\xfe\xff\x00k", "-: is written in UTF-16: save it as UTF-8"},
		{"UTF-16 without a mark", "k\x00i\x00", "-: is written in UTF-16: save it as UTF-8"},
		{"a kind with controls", `{"apiVersion": "example.com/v1", "kind": "\u001b[31m\nx"}`, `-: document 1: \x1b[31m\nx: skipped: \x1b[31m; x of example.com/v1 is not a kind that is reported`},
		{"a kind that its group does not have", "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: web}\n", "-: document 1, line 1: Deploymnt web: no matches for kind \"Deploymnt\" in version \"apps/v1\""},
		{"a kind of another group", "apiVersion: v1\nkind: Deployment\n", "-: document 1, line 1: Deployment: no matches for kind \"Deployment\" in version \"v1\""},
		{"a version that its group had", "apiVersion: extensions/v1beta1\nkind: Deployment\n", "-: document 1, line 1: Deployment: no matches for kind \"Deployment\" in version \"extensions/v1beta1\""},
		{"a class of a version that is gone", "apiVersion: storage.k8s.io/v1beta1\nkind: StorageClass\nmetadata: {name: a}\n", "-: document 1, line 1: StorageClass a: no matches for kind \"StorageClass\" in version \"storage.k8s.io/v1beta1\""},
		{"a class of a version that some servers have", "apiVersion: storage.k8s.io/v1beta1\nkind: VolumeAttributesClass\n", "-: document 1: VolumeAttributesClass: skipped: VolumeAttributesClass of storage.k8s.io/v1beta1 is not a kind that is reported"},
		{"a role of a version that is gone", "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: Role\n", "-: document 1, line 1: Role: no matches for kind \"Role\" in version \"rbac.authorization.k8s.io/v1beta1\""},
		{"a role", "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n", "-: document 1: Role: skipped: Role of rbac.authorization.k8s.io/v1 is not a kind that is reported"},
		{"an item that its group does not have", "apiVersion: v1\nkind: List\nitems: [{apiVersion: batch/v1, kind: Jobb}]\n", "-: document 1, line 1: items[0]: Jobb: no matches for kind \"Jobb\" in version \"batch/v1\""},
		{"true or false for text", "apiVersion: v1\nkind: Pod\nspec: {restartPolicy: No}\n", "-: document 1, line 1: Pod: spec.restartPolicy: want text, not true or false"},
		{"a number for text", "apiVersion: v1\nkind: Pod\nspec: {containers: [{imagePullPolicy: 3}]}\n", "-: document 1, line 1: Pod: spec.containers.imagePullPolicy: want text, not a number"},
		{"true or false for a UID", "apiVersion: v1\nkind: Pod\nmetadata: {uid: n}\n", "-: document 1, line 1: Pod: metadata.uid: want text, not true or false"},
		{"a list for a mapping", "apiVersion: v1\nkind: Pod\nspec: []\n", "-: document 1, line 1: Pod: spec: want a mapping, not a list"},
		{"a number for a list", "apiVersion: v1\nkind: Pod\nspec: {containers: 1}\n", "-: document 1, line 1: Pod: spec.containers: want a list, not a number"},
		{"text for a number", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: web-}\nspec: {priority: a}\n", "-: document 1, line 1: Pod web-...: spec.priority: want a whole number, not text"},
		{"text for a volume", "apiVersion: v1\nkind: Pod\nspec: {volumes: [{emptyDir: a}]}\n", "-: document 1, line 1: Pod: spec.volumes.emptyDir: want a mapping, not text"},
		{"text for true or false", "apiVersion: v1\nkind: Pod\nspec: {hostNetwork: 'true'}\n", "-: document 1, line 1: Pod: spec.hostNetwork: want true or false, not text"},
		{"a list for labels", "apiVersion: v1\nkind: Pod\nmetadata: {labels: []}\n", "-: document 1, line 1: Pod: metadata.labels: want a mapping, not a list"},
		{"a mapping for a list", "apiVersion: v1\nkind: Pod\nmetadata: {finalizers: {}}\n", "-: document 1, line 1: Pod: metadata.finalizers: want a list, not a mapping"},
		{"a number for a secret", "apiVersion: v1\nkind: Pod\nspec: {imagePullSecrets: [{name: 1}]}\n", "-: document 1, line 1: Pod: spec.imagePullSecrets.name: want text, not a number"},
		{"a number for a ConfigMap", "apiVersion: v1\nkind: Pod\nspec: {volumes: [{configMap: {name: 1}}]}\n", "-: document 1, line 1: Pod: spec.volumes.configMap.name: want text, not a number"},
		{"a number for a probe", "apiVersion: v1\nkind: Pod\nspec: {containers: [{livenessProbe: {httpGet: 1}}]}\n", "-: document 1, line 1: Pod: spec.containers.livenessProbe.httpGet: want a mapping, not a number"},
		{"a number for an image", "apiVersion: v1\nkind: Pod\nspec: {ephemeralContainers: [{image: 1}]}\n", "-: document 1, line 1: Pod: spec.ephemeralContainers.image: want text, not a number"},
		{"a fraction", "apiVersion: v1\nkind: Pod\nspec: {priority: 1.5}\n", "-: document 1, line 1: Pod: spec.priority: want a whole number, not 1.5"},
		{"a number that is too large", "apiVersion: v1\nkind: Pod\nspec: {priority: -99999999999}\n", "-: document 1, line 1: Pod: spec.priority: -99999999999 is out of range"},
		{"no time", "apiVersion: v1\nkind: Pod\nmetadata: {creationTimestamp: today}\n", `-: document 1, line 1: Pod: parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"`},
		{"a bad amount before another error", "apiVersion: v1\nkind: Pod\nspec: {overhead: {cpu: a}, priority: b}\n", "-: document 1, line 1: Pod: spec.overhead[cpu]: \"a\" is not a quantity such as 500m or 2Gi"},
		{"two bad amounts", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {overhead: {cpu: a, memory: b}}\n",
			"-: document 1, line 1: Pod web: spec.overhead[cpu]: \"a\" is not a quantity such as 500m or 2Gi\n-: document 1, line 1: Pod web: spec.overhead[memory]: \"b\" is not a quantity such as 500m or 2Gi"},
		{"values", "replicas: 2\nresources: {limits: {cpu: 1}}\n", "-: document 1: not a Kubernetes object: it has neither apiVersion nor kind"},
		{"JSON that is cut off behind a value", `{"apiVersion": "v1"`, "-: document 1: invalid JSON: it ends inside an object or a list"},
		{"JSON that is cut off", `{"apiVersion": "v1", "kind": "Pod", "meta`, "-: document 1: invalid JSON: it ends inside an object or a list"},
		{"nothing", "", "-: cannot read: empty input"},
		{"nothing but space", "\uFEFF \r\n\n\t", "-: cannot read: empty input"},
		{"nothing but a comment", "# Source: web.yaml\n", ""},
		{"a kind that is not asked for", "apiVersion: v1\nkind: Service\n", "-: document 1: Service: skipped: Service of v1 is not a kind that is reported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, strings.Join(lines(readAll([]string{"-"}, kinds, strings.NewReader(test.input))), "\n"), test.want)
		})
	}
}

// An object of another kind matters if it limits others, or has the template of a pod with containers somewhere in its spec.
func TestMatters(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\n":                                                                                  objects.Limits,
		"apiVersion: example.com/v1\nkind: Queue\n":                                                                                                 "",
		"apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\n":                                                                               "",
		"apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\n":                                                                           objects.Limits,
		"apiVersion: quota.openshift.io/v1\nkind: AppliedClusterResourceQuota\n":                                                                    objects.Limits,
		"apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\n":                                                                       objects.Limits,
		"apiVersion: capsule.clastix.io/v1beta2\nkind: ResourcePool\n":                                                                              objects.Limits,
		"apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\n":                                                                                    objects.Limits,
		"apiVersion: hnc.x-k8s.io/v1alpha2\nkind: HierarchicalResourceQuota\n":                                                                      objects.Limits,
		"apiVersion: scheduling.sigs.k8s.io/v1alpha1\nkind: ElasticQuota\n":                                                                         objects.Limits,
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\n":                                                                                  objects.Limits,
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\n":                                                                                    objects.Limits,
		"apiVersion: kueue.x-k8s.io/v1alpha1\nkind: Cohort\n":                                                                                       objects.Limits,
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nspec: {podSets: [{template: {spec: {containers: [{}]}}}]}\n":                           objects.Limits,
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\n":                                                                                "",
		"apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\n":                                                                        objects.HasPods,
		"apiVersion: sparkoperator.k8s.io/v1beta2\nkind: ScheduledSparkApplication\n":                                                               objects.HasPods,
		"apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n":                                                                                        objects.HasPods,
		"apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\n":                                                                                    objects.HasPods,
		"apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\n":                                                                                "",
		"apiVersion: tekton.dev/v1beta1\nkind: TaskRun\n":                                                                                           objects.HasPods,
		"apiVersion: tekton.dev/v1\nkind: PipelineRun\n":                                                                                            objects.HasPods,
		"apiVersion: tekton.dev/v1\nkind: Task\n":                                                                                                   "",
		"apiVersion: kubevirt.io/v1\nkind: VirtualMachine\n":                                                                                        objects.HasPods,
		"apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\n":                                                                                objects.HasPods,
		"apiVersion: example.com/v1\nkind: A\nspec: [{template: {spec: {initContainers: [{}]}}}, {template: {spec: {containers: [{}]}}}]\n":         objects.HasPods,
		"apiVersion: example.com/v1\nkind: A\nspec: {template: {spec: {containers: [], b: {template: {spec: {containers: [{}]}}}}}}\n":              objects.HasPods,
		"apiVersion: example.com/v1\nkind: A\nspec: {template: {spec: {containers: [{name: a}]}}}\n":                                                objects.HasPods,
		"apiVersion: example.com/v1\nkind: A\nspec: {tasks: [{name: a}, {roles: {b: {template: {spec: {containers: [{}]}}}}}]}\n":                   objects.HasPods,
		"apiVersion: example.com/v1\nkind: A\nspec: {template: {spec: {containers: []}}}\n":                                                         "",
		"apiVersion: example.com/v1\nkind: A\nspec: {template: {spec: {containers: {a: b}}}}\n":                                                     "",
		"apiVersion: example.com/v1\nkind: A\nspec: {template: {containers: [{name: a}]}}\nstatus: {template: {spec: {containers: [{name: a}]}}}\n": "",
	} {
		for o := range (objects.Reader{Kinds: kinds, Matters: true}).File("f", strings.NewReader(text)) {
			for check, code := range map[objects.Check]int{objects.Unchecked: 0, objects.Warn: 0, objects.Strict: 2} {
				for again := range (objects.Reader{Kinds: kinds, Matters: true, Check: check}).File("f", strings.NewReader(text)) {
					if got := again.Problems[0].Code(); got != code && want != "" || got != 0 && want == "" {
						t.Errorf("%s, check %d: exit code %d", text, check, got)
					}
				}
			}
			for o := range (objects.Reader{Kinds: kinds, Check: objects.Strict}).File("f", strings.NewReader(text)) { // which does not ask
				if o.Matters() || o.Problems[0].Grade != objects.Skipped {
					t.Errorf("%s: %v", text, o.Problems)
				}
			}
			if got := o.Problems[0].Text; o.Matters() != (want != "") || want != "" && got != want || !o.Unknown() {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// What is said of a problem of each grade, after the exit code.
func TestGrades(t *testing.T) {
	at := objects.Place{Source: objects.Source{File: "f", Document: 2, Item: "items[0]"}, Named: "Pod a", Line: 3}
	for grade, want := range map[objects.Grade]string{
		objects.Unreadable: "1 f: document 2, line 4: items[0]: Pod a: spec: x; y", objects.Invalid: "2 f: document 2, line 4: items[0]: Pod a: spec: x; y",
		objects.Skipped: "0 f: document 2, line 4: items[0]: Pod a: spec: skipped: x; y", objects.Warning: "0 f: document 2, line 4: items[0]: Pod a: warning: spec: x; y",
		objects.Failed: "3 f: document 2, line 4: items[0]: Pod a: spec: x; y",
	} {
		p := objects.Problems(at, grade, objects.Fault{Field: "spec", Text: "x\ny", Line: 4})[0]
		if got := fmt.Sprint(p.Code(), " ", p); got != want || p.Begins() != 4 {
			t.Errorf("grade %d, line %d: %s, want %s", grade, p.Begins(), got, want)
		}
	}
	if got := fmt.Sprint(at.Source, "; ", at, "; ", objects.Unread("f", "x").Problems[0].Code(), objects.Checked(true), objects.Checked(false)); got != "f, document 2, items[0]; f: document 2: items[0]; 1 2 1" {
		t.Error(got)
	}
}

// A caller may stop early, in files and in a list.
func TestBreak(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), pod+"---\n"+pod)
	write(t, filepath.Join(dir, "b.yaml"), pod)
	var list strings.Builder
	golden.WritePods(&list, 500)
	for name, all := range map[string]iter.Seq[objects.Object]{
		"files": readAll([]string{dir, dir}, kinds, nil), "list": readAll([]string{"-"}, kinds, strings.NewReader(list.String())),
	} {
		n := 0
		for range all {
			n++
			if n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%s: %d objects", name, n)
		}
	}
}
