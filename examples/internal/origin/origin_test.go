package origin_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/internal/testkit"
)

// install puts a program on the path, which prints a ConfigMap whose name is its own, with its arguments; or fails.
func install(t *testing.T, dir, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	text := "#!/bin/sh\n" + script + "\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	t.Setenv("PATH", dir)
}

const prints = `for a in "$@"; do all="$all [$a]"; done
echo "{apiVersion: v1, kind: ConfigMap, metadata: {name: ${0##*/}}, data: {args: \"$all\"}}"`

// read returns "name args" of the ConfigMaps, or problems, and what is said.
func read(t *testing.T, args ...string) (read []string, said string) {
	t.Helper()
	var c command.Common
	var out bytes.Buffer
	command.NewFlags(&c, "test", "", "", "", io.Discard, &out, "text")
	testkit.OK(t, c.Parse(args, nil))
	r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap](), {"v1", "Secret"}: reflect.TypeFor[corev1.Secret]()}}
	for o := range origin.Objects(r, &c, os.DirFS("testdata"), "pods", "nodes") {
		for _, p := range o.Problems {
			read = append(read, p.String())
		}
		if m, ok := o.Typed.(*corev1.ConfigMap); ok {
			read = append(read, m.Name+m.Data["args"])
		}
	}
	return read, out.String()
}

func TestCluster(t *testing.T) {
	install(t, t.TempDir(), "kubectl", prints)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-cluster"}, "kubectl [get] [pods,nodes] [--output=json]"},
		{[]string{"-A"}, "kubectl [get] [pods,nodes] [--output=json] [--all-namespaces]"},
		{[]string{"-n", "shop"}, "kubectl [get] [pods,nodes] [--output=json] [--namespace=shop]"},
		{[]string{"-context", "a b; $(c)"}, "kubectl [get] [pods,nodes] [--output=json] [--context=a b; $(c)]"},
	} {
		if got, _ := read(t, test.args...); !cmp.Equal(got, []string{test.want}) {
			t.Errorf("%q: %q", test.args, got)
		}
	}
}

// What was printed before a program failed is read, and the failure is a problem.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "kubectl", prints+"\necho 'error: forbidden' >&2; exit 1")
	got, _ := read(t, "-A")
	want := []string{"kubectl [get] [pods,nodes] [--output=json] [--all-namespaces]", "kubectl get --all-namespaces: error: forbidden"}
	testkit.NoDiff(t, got, want)
	install(t, dir, "kubectl", "exit 3")
	got, _ = read(t, "-A")
	testkit.NoDiff(t, got, []string{"kubectl get --all-namespaces: exit status 3"})
	testkit.OK(t, os.Remove(filepath.Join(dir, "kubectl")))
	if got, _ := read(t, "-A"); len(got) != 1 || !strings.Contains(got[0], "executable file not found") {
		t.Errorf("%q", got)
	}
}

// What the user may not list is left out, if there is anything else. Any other complaint is a failure.
func TestForbidden(t *testing.T) {
	no := func(resource string) string {
		return "echo 'Error from server (Forbidden): " + resource + ".x is forbidden: User \"j\" cannot list resource \"" + resource + "\" in API group \"x\" at the cluster scope' >&2\n"
	}
	const name = "kubectl get --all-namespaces: "
	for _, test := range []struct {
		script, want string
		grade        objects.Grade
	}{
		{prints + "\n" + no("nodes") + no("pods"), "you may not list nodes, pods, which are left out", objects.Uncomputed},
		{no("nodes"), "you may not list nodes, which are left out", objects.Uncomputed},
		{no("nodes") + no("pods"), "you may not list nodes, pods", objects.Unreadable},
		{prints + "\n" + no("nodes") + "echo 'error: no connection' >&2\n", "Error from server (Forbidden): nodes.x is forbidden: User \"j\" cannot list resource \"nodes\" in API group \"x\" at the cluster scope; error: no connection", objects.Unreadable},
	} {
		install(t, t.TempDir(), "kubectl", test.script+"exit 1")
		for _, strict := range []bool{false, true} {
			c := &command.Common{}
			command.NewFlags(c, "test", "", "", "", io.Discard, io.Discard, "text")
			c.All, c.Cluster, c.Strict = true, true, strict
			var problems []objects.Problem
			for o := range origin.Objects(objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}, c, nil, "pods", "nodes") {
				problems = append(problems, o.Problems...)
			}
			if len(problems) != 1 || problems[0].String() != name+test.want || problems[0].Grade != test.grade || problems[0].Strict != (strict && test.grade == objects.Uncomputed) {
				t.Errorf("%q: %+v", test.script, problems)
			}
		}
	}
}

// allowed lets kubectl list the pods of a namespace, with nothing of the cluster.
const allowed = `no() { echo "Error from server (Forbidden): $1 is forbidden: User \"j\" cannot list resource \"$1\" in API group \"\"" >&2; }
case "$*" in
*--all-namespaces*) no nodes; no pods; exit 1 ;;
*namespaces,*) no namespaces; no priorityclasses; no runtimeclasses; no storageclasses; exit 1 ;;
*quotas.*) echo "error: the server doesn't have a resource type" >&2; exit 1 ;;
*pods*) echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}'; no nodes; exit 1 ;;
esac
`

// Who may list one namespace gets what is there, and a line for what is not.
func TestOneNamespace(t *testing.T) {
	install(t, t.TempDir(), "kubectl", allowed)
	r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
	code := command.OK
	texts := func(all iter.Seq[objects.Object]) (texts []string) {
		for o := range all {
			if o.Typed != nil {
				texts = append(texts, o.Named)
			}
			for _, p := range o.Problems {
				testkit.Equal(t, p.Code(), code, p, "exit code")
				texts = append(texts, p.Text)
			}
		}
		return texts
	}
	c := &command.Common{Namespace: "shop", Cluster: true}
	for _, test := range []struct {
		name string
		got  []string
		want []string
	}{
		{"a subcommand that needs all", texts(origin.Objects(r, c.WholeCluster(), nil, "nodes", "pods")), []string{
			"you may not list all namespaces, so that only one is read", "ConfigMap a", "you may not list nodes, which are left out"}},
		{"a change", texts(origin.Cluster(r, &command.Common{Cluster: true}, []string{"shop"})), []string{
			"you may not list namespaces, priorityclasses, runtimeclasses, storageclasses, which are left out", "ConfigMap a",
			"you may not list nodes, which are left out"}},
	} {
		testkit.NoDiff(t, test.got, test.want, test.name)
	}
	c.Strict, code = true, command.Rejected
	for _, all := range []iter.Seq[objects.Object]{origin.Objects(r, c.WholeCluster(), nil, "nodes", "pods"), origin.Cluster(r, c, []string{"shop"})} {
		testkit.Equal(t, len(texts(all)), 3, "texts with -strict")
	}
}

// Quotas that several namespaces share are read where the cluster has them. Of one that the user may not list, a line says so.
func TestSharedQuotas(t *testing.T) {
	const only = "case \"$2\" in *resourcequotas.*) ;; *) exit ;; esac\n"
	missing, forbidden := "echo \"error: the server doesn't have a resource type $2\" >&2; exit 1",
		"echo \"Error from server (Forbidden): x is forbidden: User j cannot list resource \\\"x\\\" in API group y\" >&2; exit 1"
	for _, test := range []struct {
		script string
		all    bool
		want   []string
	}{
		{prints, false, []string{"kubectl [get] [globalresourcequotas.capsule.clastix.io] [--output=json]",
			"kubectl [get] [appliedclusterresourcequotas.quota.openshift.io] [--output=json] [--namespace=a]", "kubectl [get] [appliedclusterresourcequotas.quota.openshift.io] [--output=json] [--namespace=b]"}},
		{prints, true, []string{"kubectl [get] [globalresourcequotas.capsule.clastix.io] [--output=json] [--all-namespaces]", "kubectl [get] [clusterresourcequotas.quota.openshift.io] [--output=json] [--all-namespaces]"}},
		{missing, true, nil},
		{forbidden, true, []string{"kubectl get --all-namespaces: you may not list x, which are left out",
			"kubectl get --all-namespaces: you may not list x, which are left out"}},
		{"echo 'Unable to connect to the server: EOF' >&2; exit 1", true, []string{"kubectl get --all-namespaces: Unable to connect to the server: EOF"}},
		{"echo 'error: You must be logged in to the server (Unauthorized)' >&2; exit 1", false, []string{"kubectl get: error: You must be logged in to the server (Unauthorized)"}},
		{"echo 'error: no connection' >&2; exit 1", true, []string{"kubectl get --all-namespaces: error: no connection",
			"kubectl get --all-namespaces: error: no connection"}},
	} {
		install(t, t.TempDir(), "kubectl", only+test.script)
		c := &command.Common{}
		command.NewFlags(c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.All = test.all
		var got []string
		r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
		for o := range origin.Cluster(r, c, []string{"a", "b"}, "secrets") {
			for _, p := range o.Problems {
				if !strings.Contains(p.Text, "empty") {
					got = append(got, p.String())
				}
			}
			if m, ok := o.Typed.(*corev1.ConfigMap); ok {
				got = append(got, m.Name+m.Data["args"])
			}
		}
		testkit.NoDiff(t, got, test.want, test.script)
	}
}

// Those of one namespace are read of it, with the cluster of the flags.
func TestSharedQuotasOfOneNamespace(t *testing.T) {
	install(t, t.TempDir(), "kubectl", prints)
	var got []string
	r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
	for o := range origin.SharedQuotas(r, &command.Common{Cluster: true, Namespace: "a", Kubectl: []string{"--context=c"}}) {
		got = append(got, o.Typed.(*corev1.ConfigMap).Data["args"])
	}
	testkit.NoDiff(t, got, []string{" [get] [globalresourcequotas.capsule.clastix.io] [--output=json] [--namespace=a] [--context=c]",
		" [get] [appliedclusterresourcequotas.quota.openshift.io] [--output=json] [--namespace=a] [--context=c]"})
}

// What kubectl prints is returned, with why it failed: what it said, or its exit code.
func TestKubectl(t *testing.T) {
	for script, want := range map[string]string{
		"echo a; echo 'warning' >&2":                      "a\n, <nil>",
		"echo a; echo 'error: no connection' >&2; exit 1": "a\n, error: no connection",
		"exit 2": ", exit status 2",
		`echo 'E1128 14:19:01.123456   12345 run.go:72] "command failed" err="no such file"' >&2; exit 1`: `, "no such file"`,
	} {
		install(t, t.TempDir(), "kubectl", script)
		text, err := origin.Kubectl(&command.Common{}, "get")
		testkit.Equal(t, fmt.Sprintf("%s, %v", text, err), want, script)
	}
}

// The namespace of the context is that which kubectl prints, if it is one.
func TestCurrentNamespace(t *testing.T) {
	for printed, want := range map[string]string{"shop": "shop", "shop\n": "shop", "": "", "no namespace": ""} {
		install(t, t.TempDir(), "kubectl", "[ \"$*\" = 'config view --minify --output=jsonpath={..namespace} --context=c' ] && printf '"+printed+"'")
		testkit.Equal(t, origin.CurrentNamespace(&command.Common{Kubectl: []string{"--context=c"}}), want, printed)
	}
}

// Of what a program logs on the way to its failure, nothing is said.
func TestLogOfFailures(t *testing.T) {
	log := "E1128 14:19:01.123456   12345 memcache.go:265] \"Unhandled Error\" err=\"dial tcp 127.0.0.1:8080: connect: connection refused\"\n"
	for said, want := range map[string]string{
		strings.Repeat(log, 5) + "The connection to the server localhost:8080 was refused\n": "The connection to the server localhost:8080 was refused",
		strings.Repeat(log, 99) + "Unable to connect to the server: EOF\n":                   "Unable to connect to the server: EOF",
		log: `"Unhandled Error" err="dial tcp 127.0.0.1:8080: connect: connection refused"`,
		"# Warning: 'bases' is deprecated.\n" + `E1128 14:19:01.123456   12345 run.go:72] "command failed" err="no such file"` + "\n": `"no such file"`,
	} {
		install(t, t.TempDir(), "kubectl", "cat >&2 <<'EOF'\n"+said+"EOF\nexit 1")
		t.Setenv("PATH", os.Getenv("PATH")+":/usr/bin:/bin")
		if got, _ := read(t, "-A"); len(got) != 1 || !strings.HasSuffix(got[0], "--all-namespaces: "+want) {
			t.Errorf("%q", got)
		}
	}
}

// With -n, the objects of other namespaces are left out, and those without one stay.
func TestWithin(t *testing.T) {
	t.Chdir(t.TempDir())
	text := ""
	for _, name := range []string{"a, namespace: shop", "b, namespace: data", "c", "d, namespace: shop"} {
		text += "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n---\n"
	}
	testkit.OK(t, os.WriteFile("all.yaml", []byte(text+"apiVersion: example.com/v1\nkind: A\nmetadata: {name: e, namespace: ci}\n"), 0o600))
	got, said := read(t, "-f", "all.yaml", "-n", "shop")
	if want := []string{"a", "c", "d"}; !cmp.Equal(got, want) || said != "kubemath: -n shop leaves out the objects of ci, data\n" {
		t.Errorf("%q, said %q", got, said)
	}
	one := "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: \"d\\e\"}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n"
	testkit.OK(t, os.WriteFile("one.yaml", []byte(one), 0o600))
	if got, said := read(t, "-f", "one.yaml", "-n", "shop"); !cmp.Equal(got, []string{"b"}) || said != "kubemath: -n shop leaves out the objects of d\\x1b\n" {
		t.Errorf("%q, said %q", got, said)
	}
	faulty := ""
	for _, namespace := range []string{"shop", "bad"} {
		at := "metadata: {name: x, namespace: " + namespace + "}"
		faulty += "---\n{apiVersion: v1, kind: ConfigMap, " + at + ", data: 1}\n---\n{apiVersion: v1, kind: Deployment, " + at + "}\n---\n{kind: A, " + at + "}\n---\n{apiVersion: v1, " + at + "}\n"
	}
	testkit.OK(t, os.WriteFile("faulty.yaml", []byte(faulty+"---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: z}, data: 1}\n"), 0o600))
	want := []string{
		"faulty.yaml: document 1, line 2: ConfigMap shop/x: data: want a mapping, not a number",
		`faulty.yaml: document 2, line 4: Deployment shop/x: no matches for kind "Deployment" in version "v1"`,
		"faulty.yaml: document 3: A shop/x: apiVersion: missing, or not a string",
		"faulty.yaml: document 4: shop/x: kind: missing, or not a string",
		"faulty.yaml: document 9, line 18: ConfigMap z: data: want a mapping, not a number",
	}
	got, said = read(t, "-f", "faulty.yaml", "-n", "shop")
	testkit.NoDiff(t, got, want, "what is wrong in the namespace")
	testkit.Equal(t, said, "kubemath: -n shop leaves out the objects of bad\n")
	for range origin.Files(objects.Reader{}, &command.Common{}, []string{"one.yaml", "all.yaml"}) {
		break // a reader that has enough gets no more
	}
	if got, said := read(t, "-f", "all.yaml"); len(got) != 5 || said != "" {
		t.Errorf("without -n: %q, said %q", got, said)
	}
	if _, said := read(t); said != "kubemath: these are samples: -f FILE reads manifests, and -cluster a cluster\n" {
		t.Errorf("without -f, it says %q", said)
	}
}

// Directories with a chart or a kustomization are rendered by what is installed, in their place among the files.
func TestRender(t *testing.T) {
	work := t.TempDir()
	t.Chdir(work)
	for name, text := range map[string]string{
		"-chart/Chart.yaml": "name: web\n", "-chart/templates/web.yaml": "{{ .Values }}\n",
		"overlay/kustomization.yaml": "resources: []\n",
		"a.yaml":                     "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n",
	} {
		testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o700))
		testkit.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	bin := t.TempDir()
	install(t, bin, "helm", prints)
	install(t, bin, "kubectl", prints)
	all := []string{"-f", "a.yaml", "-f", "-chart", "-f", "overlay", "-f", "a.yaml"}
	got, said := read(t, all...)
	testkit.NoDiff(t, got, []string{"a", "helm [template] [release] [./-chart] [--kube-version=1.37]", "kubectl [kustomize] [overlay]", "a"})
	testkit.Equal(t, said, "kubemath: running helm template release ./-chart --kube-version=1.37\nkubemath: running kubectl kustomize overlay\n", "said")
	install(t, bin, "kustomize", prints)
	if got, _ := read(t, "-f", "overlay"); !cmp.Equal(got, []string{"kustomize [build] [overlay]"}) {
		t.Errorf("%q", got)
	}
	if got, said := read(t, "-no-render", "-f", "overlay"); strings.Contains(strings.Join(got, ""), "build") || said != "" {
		t.Errorf("-no-render: %q, said %q", got, said)
	}
	t.Setenv("PATH", work)
	got, said = read(t, "-f", "-chart")
	if len(got) == 0 || !strings.HasPrefix(said, "kubemath: -chart is read as it is, because helm is not installed\n") {
		t.Errorf("not installed: %q, said %q", got, said)
	}
	testkit.OK(t, os.Rename("-chart", "c\x1b"))
	if _, said = read(t, "-f", "c\x1b"); !strings.HasPrefix(said, "kubemath: c\\x1b is read as it is, because helm") {
		t.Errorf("said %q", said)
	}
}

// The release is that of the flag, of the API server, of the newest kubelet as a guess, or none.
func TestKubernetes(t *testing.T) {
	server := `if [ "$1" = version ]; then echo '{"clientVersion": {"gitVersion": "v1.38.0"}, "serverVersion": {"gitVersion": "%s"}}'; fi`
	old := []string{"v1.9.1", "", "x", "v1.34.6-eks-1", "v1.34.10"}
	for _, test := range []struct {
		server   string // "" if there is none
		kubelets []string
		args     []string
		want     string
		said     string // the beginning
	}{
		{"v1.36.3-gke.100", old, []string{"-A"}, "1.36", ""},
		{"v1.36.3", old, []string{"-A", "-kubernetes", "v1.35.1"}, "1.35", ""},
		{"v1.36.3", old, []string{"-f", "x"}, "1.34", "the answers are those of Kubernetes 1.34, as a guess: it is the newest version of a kubelet"},
		{"", old, []string{"-A"}, "1.34", "the answers are those of Kubernetes 1.34, as a guess"},
		{"v1.31.2", old, []string{"-A"}, "1.31", "the answers are those of the release next to 1.31, which is the version of the API server: unknown release"},
		{"", []string{"v1.41.0"}, []string{"-f", "x"}, "1.41", "the answers are those of the release next to 1.41, which is the newest version of a kubelet"},
		{"", []string{"", "unknown"}, []string{"-f", "x"}, "", ""},
		{"", nil, []string{"-A"}, "", ""},
	} {
		script := "exit 1"
		if test.server != "" {
			script = strings.Replace(server, "%s", test.server, 1)
		}
		install(t, t.TempDir(), "kubectl", script)
		var c command.Common
		command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		testkit.OK(t, c.Parse(test.args, nil))
		said := ""
		got := origin.Kubernetes(&c, test.kubelets, func(text string) { said += text })
		if got.Release != test.want || !strings.HasPrefix(said, test.said) || (said == "") != (test.said == "") {
			t.Errorf("%q, %q %q: %q, said %q", test.server, test.kubelets, test.args, got.Release, said)
		}
	}
}

// Only shared quotas may be missing in the cluster.
func TestMissingResource(t *testing.T) {
	install(t, t.TempDir(), "kubectl", prints+"\necho \"error: the server doesn't have a resource type 'nodes'\" >&2; exit 1")
	got, _ := read(t, "-cluster")
	want := []string{"kubectl [get] [pods,nodes] [--output=json]", "kubectl get: error: the server doesn't have a resource type 'nodes'"}
	testkit.NoDiff(t, got, want)
}

// Objects that kubectl prints before it fails are read, even if the last document is not an object.
func TestSomeOfForbiddenResources(t *testing.T) {
	no := "echo 'Error from server (Forbidden): x is forbidden: User j cannot list resource \"x\" in API group y' >&2\n"
	install(t, t.TempDir(), "kubectl", prints+"\necho ---\necho '{a: b}'\n"+no+no+"exit 1")
	got, _ := read(t, "-cluster")
	if len(got) != 3 || got[0] != "kubectl [get] [pods,nodes] [--output=json]" || got[2] != "kubectl get: you may not list x, x, which are left out" {
		t.Errorf("%q", got)
	}
}

// A long warning of a program that succeeds is no failure, and of that of one that fails the beginning is said.
func TestLongComplaints(t *testing.T) {
	long := "x=warning\nfor i in 1 2 3 4 5 6 7 8 9 10 11; do x=\"$x$x\"; done\necho \"$x\" >&2; echo \"$x\" >&2\n"
	install(t, t.TempDir(), "kubectl", prints+"\n"+long)
	if got, _ := read(t, "-cluster"); !cmp.Equal(got, []string{"kubectl [get] [pods,nodes] [--output=json]"}) {
		t.Errorf("%.300q", got)
	}
	install(t, t.TempDir(), "kubectl", long+"exit 1")
	want := "kubectl get: " + strings.Repeat("warning", 585) + "w" // 4096 bytes
	if got, _ := read(t, "-cluster"); len(got) != 1 || got[0] != want {
		t.Errorf("%d texts of %d bytes, want %d: %.300q", len(got), len(strings.Join(got, "")), len(want), got)
	}
}

// With -A, one call reads what decides on places, and more resources of all namespaces. A shared quota that may not be listed
// fails with -strict, and a field that is not known does not, because it is stored already.
func TestClusterOfAll(t *testing.T) {
	const script = "case \"$2\" in *quotas.*) echo \"Error from server (Forbidden): x is forbidden: User j cannot list resource \\\"x\\\" in API group y\" >&2; exit 1;; esac\n"
	install(t, t.TempDir(), "kubectl", script+strings.Replace(prints, ", data:", ", unknown: 1, data:", 1))
	c := &command.Common{}
	command.NewFlags(c, "test", "", "", "", io.Discard, io.Discard, "text")
	c.All, c.Strict = true, true
	var got []string
	r := objects.Reader{Check: objects.Strict, Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
	for o := range origin.Cluster(r, c, nil, "secrets") {
		for _, p := range o.Problems {
			if !p.Strict {
				t.Errorf("%v is not strict", p)
			}
			got = append(got, p.String())
		}
		if m, ok := o.Typed.(*corev1.ConfigMap); ok {
			got = append(got, m.Name+m.Data["args"])
		}
	}
	want := []string{
		"kubectl get --all-namespaces: you may not list x, which are left out",
		"kubectl get --all-namespaces: you may not list x, which are left out",
		"kubectl [get] [namespaces,priorityclasses.scheduling.k8s.io,runtimeclasses.node.k8s.io,storageclasses.storage.k8s.io," +
			"nodes,persistentvolumes,csinodes.storage.k8s.io,csidrivers.storage.k8s.io,csistoragecapacities.storage.k8s.io," +
			"limitranges,resourcequotas,pods,replicationcontrollers,services,persistentvolumeclaims,deployments.apps,replicasets.apps," +
			"statefulsets.apps,daemonsets.apps,jobs.batch,cronjobs.batch,poddisruptionbudgets.policy,secrets] [--output=json] [--all-namespaces]",
	}
	testkit.NoDiff(t, got, want)
}
