package diff

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

const samples = "../../../internal/comparison/samples"

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata", 2, map[string][]string{
		"samples.txt": nil,
		"samples.md":  {"-o", "markdown"},
	})
}

// Without -on and -old, the cluster is that of kubectl, which -A reads as a whole.
func TestClusterOfKubectl(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	cluster, err := filepath.Abs(samples + "/cluster/cluster.yaml")
	testkit.OK(t, err)
	dir := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1\" = version ]; then echo '{\"serverVersion\": {\"gitVersion\": \"'$VERSION'\"}}'; exit; fi\n" +
		"case \"$2\" in *resourcequotas.*) echo \"error: the server doesn't have a resource type $2\" >&2; exit 1 ;; esac\n" +
		"echo \"$@\" >" + filepath.Join(dir, "asked") + "\ncat " + cluster + "\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	got := golden.Run(Run, "", "-f", samples+"/change", "-A", "--context", "test", "--as=jane", "--request-timeout=5s", "--kubeconfig", "c")
	testkit.Equal(t, got, golden.Run(Run, "", "-f", samples+"/change", "-on", samples+"/cluster"))
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if err != nil || !strings.Contains(string(asked), "--all-namespaces") || !strings.Contains(string(asked), "--context=test --as=jane --request-timeout=5s --kubeconfig=c") {
		t.Errorf("kubectl %s, %v", asked, err)
	}
	for _, kind := range []string{"namespaces", "nodes", "limitranges", "resourcequotas", "pods", "replicationcontrollers", "services", "persistentvolumeclaims", "deployments.apps",
		"replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch", "poddisruptionbudgets.policy", "priorityclasses.scheduling.k8s.io", "runtimeclasses.node.k8s.io"} {
		if !strings.Contains(string(asked), kind) {
			t.Errorf("kubectl is not asked for %s: %s", kind, asked)
		}
	}
	if strings.Contains(string(asked), "secrets") || strings.Contains(string(asked), "configmaps") {
		t.Errorf("kubectl is asked for what quotas may count, though the change has none: %s", asked)
	}
	// Its API server is asked for its version: that of 1.33 drops spec.resources, so that the quota wants a request.
	pod := files(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop}\n"+
		"spec: {resources: {requests: {cpu: 1m, memory: 1Mi}}, containers: [{name: app, image: x}]}\n")[0]
	for version, refused := range map[string]bool{"v1.33.4": true, "v1.37.2-gke.1": false} {
		t.Setenv("VERSION", version)
		got := golden.Run(Run, "", "-f", pod)
		if has := strings.Contains(got.Stdout, "must specify"); has != refused {
			t.Errorf("%s: %s", version, got.Stdout)
		}
	}
}

// Without -A, kubectl reads the namespaces of the manifests, and no nodes. A manifest without a namespace is for that of the
// context. What the user may not list is left out: a line of the answer says so, and -strict fails.
func TestNamespaceOfKubectl(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	script := `#!/bin/sh
echo "$@" >>` + dir + `/asked
case "$*" in
version*) exit ;;
"config view"*) echo shop; exit ;;
*" "*resourcequotas.*) echo "error: the server doesn't have a resource type $2" >&2; exit 1 ;;
*--namespace=shop*) cat ` + files(t, strings.ReplaceAll(team+strings.Replace(web, "replicas: 3", "replicas: 1", 1), "metadata: {name", "metadata: {namespace: shop, name"))[0] + ` ;;
*--namespace=data*) printf 'apiVersion: v1\nkind: List\nitems: []\n' ;;
*)
	printf 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 7\n'
	echo 'Error from server (Forbidden): namespaces is forbidden: User "jane" cannot list resource "namespaces" in API group "" at the cluster scope' >&2
	echo 'Error from server (Forbidden): storageclasses.storage.k8s.io is forbidden: User "jane" cannot list resource "storageclasses" in API group "storage.k8s.io" at the cluster scope' >&2
	exit 1 ;;
esac
`
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	change := files(t, strings.TrimPrefix(web, "---\n")+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: data, name: c}\n")[0]
	got := golden.Run(Run, "", "-f", change)
	const left = "you may not list namespaces, storageclasses, which are left out"
	want := golden.Result{Stderr: "kubemath: kubectl get: " + left + "\n",
		Stdout: `2 objects: 1 created, 1 updated; pods: 3 new

Not computed
  ` + left + `

Objects
  Deployment shop/web updated: 3 pods wanted, 3 created
  ConfigMap data/c created

  Quotas                    before       after  hard
    shop/team requests.cpu  0   0%  1500m  75%     2
`}
	testkit.NoDiff(t, got, want)
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	wantAsked := `config view --minify --output=jsonpath={..namespace}
get globalresourcequotas.capsule.clastix.io --output=json
get namespaces,priorityclasses.scheduling.k8s.io,runtimeclasses.node.k8s.io,storageclasses.storage.k8s.io --output=json
get appliedclusterresourcequotas.quota.openshift.io --output=json --namespace=data
get limitranges,resourcequotas,pods,replicationcontrollers,services,persistentvolumeclaims,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,jobs.batch,cronjobs.batch,poddisruptionbudgets.policy,configmaps --output=json --namespace=data
get appliedclusterresourcequotas.quota.openshift.io --output=json --namespace=shop
get limitranges,resourcequotas,pods,replicationcontrollers,services,persistentvolumeclaims,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,jobs.batch,cronjobs.batch,poddisruptionbudgets.policy,configmaps --output=json --namespace=shop
version --output=json
`
	if diff := cmp.Diff(wantAsked, string(asked)); diff != "" || err != nil {
		t.Errorf("kubectl was asked (-want +got):\n%s%v", diff, err)
	}
	if got := golden.Run(Run, "", "-f", change, "-strict"); got.Code != 2 {
		t.Errorf("-strict: %+v", got)
	}
	// A class may be there if not all could be listed.
	kata := files(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: data}\nspec: {runtimeClassName: kata, containers: [{name: app}]}\n")[0]
	if got := golden.Run(Run, "", "-f", kata); got.Code != 0 || !strings.Contains(got.Stdout, `RuntimeClass "kata"`) {
		t.Errorf("an unknown class: %+v", got)
	}
}

// files writes manifests, and returns their names.
func files(t *testing.T, texts ...string) (names []string) {
	t.Helper()
	for i, text := range texts {
		name := filepath.Join(t.TempDir(), string(rune('a'+i))+".yaml")
		testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
		names = append(names, name)
	}
	return names
}

func reportOf(t *testing.T, args ...string) *comparison.Report {
	t.Helper()
	got := golden.Run(Run, "", append(args, "-o", "json")...)
	if got.Code != 0 && got.Code != 2 {
		t.Fatalf("exit code %d: %s", got.Code, got.Stderr)
	}
	r := &comparison.Report{}
	if err := json.Unmarshal([]byte(got.Stdout), r); err != nil {
		t.Fatalf("%v\n%s", err, got.Stdout)
	}
	return r
}

const (
	node = "apiVersion: v1\nkind: Node\nmetadata: {name: node}\nstatus: {capacity: {cpu: 4, memory: 8Gi, pods: 10}}\n"
	team = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {requests.cpu: 2}}\n"
	web  = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n" +
		"  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: app, resources: {requests: {cpu: 500m}}}]}\n"
)

// What was applied before and is no longer among the manifests is deleted, and its part of a quota is free.
func TestOld(t *testing.T) {
	other := strings.ReplaceAll(web, "name: web", "name: api")
	names := files(t, node+team+web, node+team+other)
	r := reportOf(t, "-old", names[0], "-f", names[1])
	var got []string
	for _, o := range r.Objects {
		got = append(got, o.Kind+" "+o.Namespace+"/"+o.Name+" "+string(o.Action))
	}
	want := []string{"Node /node Unchanged", "ResourceQuota default/team Unchanged", "Deployment default/api Created", "Deployment default/web Deleted"}
	testkit.NoDiff(t, got, want)
	// One of the three did not fit beside the old ones, and is created when those are gone.
	if api := r.Objects[2]; api.Wanted != 3 {
		t.Errorf("%+v", api)
	}
	// The usage is 1500m before and afterwards: no row.
	if len(r.Quotas) != 0 {
		t.Errorf("quotas %+v", r.Quotas)
	}
	placed, gone := 0, 0
	for _, p := range r.Pods {
		if p.Gone {
			gone++
		} else if p.Node == "node" {
			placed++
		}
	}
	if placed != 3 || gone != 3 {
		t.Errorf("%d placed, %d gone", placed, gone)
	}
	// Objects that -l does not select are neither applied nor deleted.
	names = files(t, web+strings.Replace(web, "{name: web}", "{name: api, labels: {a: b}}", 1), node)
	if r := reportOf(t, "-old", names[0], "-f", names[1], "-l", "a=b"); len(r.Objects) != 1 || r.Objects[0].Name != "api" || r.Objects[0].Action != "Deleted" {
		t.Errorf("-l a=b: %+v", r.Objects)
	}
	// What was invalid before fails a change only if warnings do.
	names = files(t, web+"---\napiVersion: v1\nkind: Pod\nspec: {}\n", web+"---\napiVersion: v1\nkind: Pod\nspec: {}\n")
	for strict, code := range map[string]int{"-strict=false": 0, "-strict": 2} {
		if got := golden.Run(Run, "", strict, "-old", names[0], "-f", names[1]); got.Code != code {
			t.Errorf("%s: exit code %d, want %d: %s", strict, got.Code, code, got.Stderr)
		}
	}
}

// The change leaves some of each request, and has no amount without which all pods are admitted as well.
func TestFix(t *testing.T) {
	for name, test := range map[string]struct {
		on, change string
		want       []comparison.Change
	}{
		"quota":         {node + team, strings.Replace(web, "500m", "800m", 1), []comparison.Change{{Container: "container app", List: computeresources.Requests, Resource: "cpu", From: "800m", To: "650m"}}},
		"nothing left":  {node + strings.Replace(team, "cpu: 2", "cpu: 0", 1), web, nil},
		"of the change": {node, "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, min: {cpu: 600m}}]}\n" + web, []comparison.Change{{Container: "container app", List: computeresources.Requests, Resource: "cpu", From: "500m", To: "600m"}}},
		"replaced": {node + "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, min: {cpu: 1}}]}\n",
			"apiVersion: v1\nkind: LimitRange\nmetadata: {name: r}\nspec: {limits: [{type: Container, min: {cpu: 600m}}]}\n" + web, []comparison.Change{{Container: "container app", List: computeresources.Requests, Resource: "cpu", From: "500m", To: "600m"}}},
		"of a pod": {node + team, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: app, resources: {requests: {cpu: 3}, limits: {cpu: 6}}}]}\n",
			[]comparison.Change{{Container: "container app", List: computeresources.Requests, Resource: "cpu", From: "3", To: "2"}}},
		"not of a class": {node, "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: none, containers: [{name: app}]}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			names := files(t, test.on, test.change)
			r := reportOf(t, "-on", names[0], "-f", names[1])
			testkit.NoDiff(t, r.Objects[len(r.Objects)-1].Fix, test.want)
		})
	}
}

// Pods that are preempted are said to be, with their workload.
func TestPreempted(t *testing.T) {
	urgent := "---\napiVersion: v1\nkind: Pod\nmetadata: {name: urgent}\nspec: {priority: 9, containers: [{name: app, resources: {requests: {cpu: 3}}}]}\n"
	names := files(t, node+web, urgent)
	args := []string{"-old", names[0], "-f", names[0], "-f", names[1]}
	if r := reportOf(t, args...); r.Objects[1].Placed != 2 || r.Objects[1].Waiting[0].Pods != 1 || r.Objects[2].Waiting != nil {
		t.Errorf("%+v", r.Objects)
	}
	if got := golden.Run(Run, "", args...); got.Code != 2 || !strings.Contains(got.Stdout, "1 gone (1 preempted)\n") {
		t.Errorf("exit code %d\n%s", got.Code, got.Stdout)
	}
	if got := golden.Run(Run, "", append(args, "-o", "json")...); strings.Count(got.Stdout, `"preempted": true`) != 1 {
		t.Error(got.Stdout)
	}
	// Those of a StatefulSet are created again with their names, and wait.
	names = files(t, node+strings.Replace(web, "Deployment", "StatefulSet", 1), urgent)
	got := golden.Run(Run, "", "-old", names[0], "-f", names[0], "-f", names[1])
	if !strings.Contains(got.Stdout, "    1 preempted\n    1 pod: 0/1 nodes are available: 1 Insufficient cpu.\n") {
		t.Error(got.Stdout)
	}
}

// Without nodes, nothing is known of where pods go, and none is said to wait.
func TestWithoutNodes(t *testing.T) {
	names := files(t, team, web)
	got := golden.Run(Run, "", "-on", names[0], "-f", names[1])
	want := "1 object: 1 created; pods: 3 new\n\nObjects\n  Deployment default/web created: 3 pods wanted, 3 created\n\n" +
		"  Quotas                       before       after  hard\n    default/team requests.cpu  0   0%  1500m  75%     2\n"
	if got.Stdout != want || got.Code != 0 || got.Stderr != "" {
		t.Errorf("exit code %d, stderr %q:\n%s", got.Code, got.Stderr, got.Stdout)
	}
}

func TestErrors(t *testing.T) {
	names := files(t, "kind: ConfigMap\n", web, "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n", "apiVersion: v1\nkind: Pod\nspec: {}\n", "{")
	for name, test := range map[string]struct {
		args   []string
		code   int
		stderr string
	}{
		"no manifests":       {[]string{"-on", names[1]}, 1, "-f is missing: what is applied"},
		"of the cluster":     {[]string{"-A"}, 1, "-f is missing: what is applied"},
		"-old and a context": {[]string{"-old", names[1], "-f", names[1], "-context", "c"}, 1, "files are read instead of a cluster: -A, -kubeconfig, -context, -as and -request-timeout cannot be given"},
		"no name":            {[]string{"-on", names[1], "-f", names[3]}, 2, "metadata.name: missing"},
		"unreadable cluster": {[]string{"-on", names[4], "-f", names[1]}, 1, names[4] + ": document 1"},
		"invalid cluster":    {[]string{"-on", names[3], "-f", names[1]}, 1, "metadata.name: missing"},
		"no such cluster":    {[]string{"-on", "none.yaml", "-f", names[1]}, 1, "none.yaml: "},
	} {
		t.Run(name, func(t *testing.T) {
			got := golden.Run(Run, "", test.args...)
			if got.Code < test.code || got.Stdout != "" || !strings.Contains(got.Stderr, test.stderr) {
				t.Errorf("exit code %d, want %d: %q\n%s", got.Code, test.code, got.Stderr, got.Stdout)
			}
		})
	}
}

// Each line fits the screen, if the words do, and nothing is lost on narrow ones.
func TestWidths(t *testing.T) {
	r, err := comparison.ReportOf(read(&options{}, nil), comparison.Options{})
	testkit.OK(t, err)
	var words []string
	for _, columns := range []int{200, 80, 40} {
		text := written(pageOf(r, false), columns)
		for l := range strings.Lines(text) {
			if n := utf8.RuneCountInString(l) - 1; n > columns && len(strings.Fields(l)) > 1 && !strings.Contains(l, "shop/team requests") {
				t.Errorf("%d columns of %d: %s", n, columns, l)
			}
		}
		sorted := slices.Compact(slices.Sorted(slices.Values(strings.Fields(text))))
		if words == nil {
			words = sorted
		}
		testkit.NoDiff(t, sorted, words, columns, "columns")
	}
}

// A name of the input cannot become markup, a column or a mention.
func TestMarkdownOfHostileNames(t *testing.T) {
	hostile := "<img>|`@all`\n# *a* [b](c) _d_"
	text := markdown(&page{summary: hostile, sections: []section{{title: "T", items: []item{{hostile, []string{hostile}}}},
		{title: "T", table: &terminal.Table{Rows: []*terminal.Row{{Label: hostile, Cells: []string{hostile}}}}}}})
	for _, bad := range []string{"<", "@all", "| `", "[b]", " *a*", " _d_", "\n#  ", "\n# "} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in\n%s", bad, text)
		}
	}
}

// onSamples runs the subcommand on the cluster of the samples, if it has manifests.
func onSamples(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Contains(args, "-f") {
		args = append(slices.Clone(args), "-on", samples+"/cluster")
	}
	return Run(args, stdin, stdout, stderr)
}

func TestRobust(t *testing.T) {
	golden.Robust(t, onSamples,
		"apiVersion: v1\nkind: Pod\nmetadata: {name: web-%d}\nspec: {containers: [{name: app, resources: {requests: {cpu: 10m, memory: 1Mi}}}]}\n",
		golden.Files(t, samples+"/change/*.yaml"), []string{}, []string{"-o", "markdown"})
}
