package origin_test

import (
	"io"
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

// TestRoots reads directories with charts and kustomizations below them. A file without text is a ConfigMap of its name.
func TestRoots(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []string // of origin.Objects; programs print what they are asked for
	}{
		{"nothing to render", map[string]string{"a.yaml": "", "sub/b.yml": "", "sub/c.json": "", "sub/d.txt": ""}, []string{"a", "b", "c"}},
		{"an overlay and its base", map[string]string{
			"base/kustomization.yaml": "resources: [a.yaml]", "base/a.yaml": "", "prod/kustomization.yml": "resources: [../base]", "prod/patch.yaml": "",
		}, []string{"kustomize [build] [prod]"}},
		{"bases, two overlays, and a manifest beside", map[string]string{
			"z.yaml": "", "base/Kustomization": "", "dev/kustomization.yaml": "bases: [../base]", "prod/kustomization.yaml": "bases: [../base/]",
		}, []string{"kustomize [build] [dev]", "kustomize [build] [prod]",
			"dev: 1 object of dev left out, because others of prod have the same names: -f one of these alone", "z"}},
		{"components and patches are parts", map[string]string{
			"ha/kustomization.yaml": "kind: Component", "ha/patch.yaml": "", "patches/p.yaml": "", "patches/q.yaml": "", "patches/own.yaml": "",
			"prod/kustomization.yaml": "components: [../ha]\npatches: [{path: ../patches/p.yaml}]\npatchesStrategicMerge: [../patches/q.yaml]",
		}, []string{"own", "kustomize [build] [prod]"}},
		{"a component that nothing uses", map[string]string{"ha/kustomization.yaml": "kind: Component", "a.yaml": ""}, []string{"a"}},
		{"remote resources are no parts", map[string]string{
			"a/kustomization.yaml": "resources: ['https://example.com/a?ref=v1', ns.yaml]",
		}, []string{"kustomize [build] [a]"}},
		{"a kustomization that cannot be read", map[string]string{"a/kustomization.yaml": "resources: ["}, []string{"kustomize [build] [a]"}},
		{"a chart and its own charts", map[string]string{
			"app/Chart.yaml": "", "app/values.yaml": "", "app/templates/a.yaml": "", "app/charts/db/Chart.yaml": "", "app/ci/kustomization.yaml": "",
		}, []string{"helm [template] [release] [app] [--kube-version=1.37]"}},
		{"a chart that is a kustomization as well", map[string]string{"app/Chart.yaml": "", "app/kustomization.yaml": ""}, []string{"helm [template] [release] [app] [--kube-version=1.37]"}},
		{"an overlay below its base", map[string]string{
			"app/kustomization.yaml": "resources: [a.yaml]", "app/a.yaml": "", "app/prod/kustomization.yaml": "resources: [..]", "app/prod/patch.yaml": "",
		}, []string{"kustomize [build] [app/prod]"}},
		{"a base below its overlay", map[string]string{"app/kustomization.yaml": "resources: [base]", "app/base/kustomization.yaml": ""}, []string{"kustomize [build] [app]"}},
		{"JSON beside, and the last name of a kustomization", map[string]string{
			"a.json": "", "b.JSON": "", "base/Kustomization": "resources: [c.json]", "base/c.json": "", "dev/kustomization.yaml": "resources: [../base]",
		}, []string{"a", "b", "kustomize [build] [dev]"}},
		{"a directory with the name of a chart file", map[string]string{"app/Chart.yaml/a.yaml": "", "b/Chart.yaml": "{}"}, []string{"a", "helm [template] [release] [b] [--kube-version=1.37]"}},
		{"a component without its kind", map[string]string{"ha/kustomization.yaml": "", "prod/kustomization.yaml": "components: [../ha]", "notes.txt": ""}, []string{"kustomize [build] [prod]"}},
		{"what is hidden beside a kustomization", map[string]string{".a.yaml": "", "sub/.b.yaml": "", "prod/kustomization.yaml": ""}, []string{"kustomize [build] [prod]"}},
		{"what is no object beside a kustomization", map[string]string{"prod/kustomization.yaml": "", "values.yaml": "a: 1", "a.yaml": ""},
			[]string{"a", "kustomize [build] [prod]", "values.yaml: document 1: skipped: not a Kubernetes object: it has neither apiVersion nor kind"}},
		{"what is hidden", map[string]string{".git/kustomization.yaml": "", "a/.b.yaml": "", "a.yaml": ""}, []string{"a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			programs := t.TempDir()
			install(t, programs, "helm", prints)
			install(t, programs, "kustomize", prints)
			dir := tree(t, test.files)
			got, _ := read(t, "-f", dir)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], dir+string(filepath.Separator), "")
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// A directory that is named is read, even if it is hidden; what is hidden in it is not.
func TestRootsOfAHiddenDirectory(t *testing.T) {
	programs := t.TempDir()
	install(t, programs, "kustomize", prints)
	dir := filepath.Join(tree(t, map[string]string{".deploy/prod/kustomization.yaml": "", ".deploy/.old/kustomization.yaml": "", ".deploy/a.yaml": ""}), ".deploy")
	got, _ := read(t, "-f", dir)
	want := []string{"a", "kustomize [build] [" + filepath.Join(dir, "prod") + "]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A directory may have a long way around to it.
func TestRootsOfALongName(t *testing.T) {
	programs := t.TempDir()
	install(t, programs, "helm", prints)
	t.Chdir(tree(t, map[string]string{"d/app/Chart.yaml": "{}", "d/app/templates/b.yaml": "", "d/a.yaml": ""}))
	want := []string{"a", "helm [template] [release] [d/app] [--kube-version=1.37]"}
	for _, dir := range []string{"d", "d/", "./d", "././././././././././d", "d/app/../../d/app/../../d"} {
		got, _ := read(t, "-f", dir)
		testkit.NoDiff(t, got, want, dir)
	}
}

// A kustomization is rendered as it is, whatever is below it. The working directory is a directory like others.
func TestRootsOfAKustomization(t *testing.T) {
	programs := t.TempDir()
	install(t, programs, "kustomize", prints)
	dir := tree(t, map[string]string{"kustomization.yaml": "", "other/kustomization.yaml": "", "a.yaml": ""})
	got, _ := read(t, "-f", dir)
	testkit.NoDiff(t, got, []string{"kustomize [build] [" + dir + "]"})
	t.Chdir(tree(t, map[string]string{"prod/kustomization.yaml": "", "sub/a.yaml": "", "sub/b.yaml": ""}))
	got, _ = read(t, "-f", ".")
	testkit.NoDiff(t, got, []string{"kustomize [build] [prod]", "a", "b"})
}

// tree writes files.
func tree(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		testkit.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
		if text == "" {
			base, _, _ := strings.Cut(filepath.Base(name), ".")
			text = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"" + base + "\"}}"
		}
		testkit.OK(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir
}

// Without helm, a chart below a directory is left out, and as it was with -no-render, all is read.
func TestRootsWithoutHelm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	t.Setenv("PATH", t.TempDir())
	dir := tree(t, map[string]string{"app/Chart.yaml": "{}", "app/templates/b.yaml": "", "a.yaml": ""})
	chart := filepath.Join(dir, "app")
	got, _ := read(t, "-f", dir)
	want := []string{chart + ": the chart " + chart + " is left out, because helm is not installed", "a"}
	testkit.NoDiff(t, got, want)
	for o := range origin.Files(objects.Reader{}, &command.Common{Strict: true}, []string{dir}) {
		testkit.Equal(t, o.Problems[0].Code(), command.Rejected, "exit code with -strict")
		break
	}
	got, _ = read(t, "-no-render", "-f", dir)
	if len(got) != 3 || got[0] != "a" || got[2] != "b" {
		t.Errorf("with -no-render: %q", got)
	}
}

// A reader that has enough after the first chart that is left out gets no more.
func TestEnoughOfChartsWithoutHelm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	t.Setenv("PATH", t.TempDir())
	dir := tree(t, map[string]string{"a/Chart.yaml": "{}", "b/Chart.yaml": "{}", "c.yaml": ""})
	n := 0
	for range origin.Files(objects.Reader{}, &command.Common{}, []string{dir}) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d objects, want 1", n)
	}
}

// The turns of objects go on after what a program prints.
func TestTurns(t *testing.T) {
	programs := t.TempDir()
	install(t, programs, "kustomize", prints)
	dir := tree(t, map[string]string{"a.yaml": "", "b.yaml": "", "c/kustomization.yaml": "", "d.yaml": "", "e/kustomization.yaml": ""})
	r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
	var turns []int
	var c command.Common
	command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	testkit.OK(t, c.Parse(nil, nil))
	for o := range origin.Files(r, &c, []string{dir}) {
		if o.Typed != nil {
			turns = append(turns, o.Turn)
		}
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4, 5}, turns); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
