package origin_test

import (
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/internal/testkit"
)

// printsFile prints the file objects of the directory that is rendered.
const printsFile = `while read -r line || [ -n "$line" ]; do echo "$line"; done < "$2/objects"`

// configMap is one in a line, with data that read shows.
func configMap(name, args string) string {
	return "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {args: '" + args + "'}}\n"
}

// TestOverlays reads directories of which several make objects of the same name.
func TestOverlays(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string // of a directory each
		args  []string
		want  []string
	}{
		{"the same object is made twice", map[string]string{"dev": configMap("a", "1"), "prod": configMap("a", "1")}, nil, []string{"a1", "a1"}},
		{"other objects of the same names", map[string]string{
			"dev": configMap("a", "1") + configMap("b", "1") + configMap("c", "1"), "prod": configMap("b", "1") + configMap("c", "2") + configMap("a", "2"),
		}, nil, []string{"a1", "b1", "c1", "b1", "c2", "a2",
			"dev: 2 objects of dev left out, because others of prod have the same names: -f one of these alone"}},
		{"the last of three counts, and each before is named", map[string]string{
			"a": configMap("x", "1") + configMap("z", "1"), "b": configMap("x", "2"), "c": configMap("z", "3") + configMap("x", "3"),
		}, nil, []string{"x1", "z1", "x2", "a: 1 object of a left out, because others of b have the same names: -f one of these alone", "z3", "x3",
			"a: 1 object of a left out, because others of c have the same names: -f one of these alone",
			"b: 1 object of b left out, because others of c have the same names: -f one of these alone"}},
		{"of another kind", map[string]string{"dev": configMap("a", "1"), "prod": strings.Replace(configMap("a", "Mg=="), "kind: ConfigMap", "kind: Secret", 1)}, nil, []string{"a1"}},
		{"twice in one directory", map[string]string{"dev": configMap("a", "1") + configMap("a", "2")}, nil, []string{"a1", "a2"}},
		{"in two namespaces", map[string]string{
			"dev":  strings.ReplaceAll(configMap("a", "1"), "name: a", "name: a, namespace: x"),
			"prod": strings.ReplaceAll(configMap("a", "2"), "name: a", "name: a, namespace: z"),
		}, nil, []string{"a1", "a2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			install(t, t.TempDir(), "kustomize", printsFile)
			files := map[string]string{}
			for dir, text := range test.files {
				files[dir+"/kustomization.yaml"], files[dir+"/objects"] = "{}", text
			}
			dir := tree(t, files)
			got, _ := read(t, "-f", dir)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], dir+string(filepath.Separator), "")
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// What a reader does with an object does not change whether the next one is the same.
func TestOverlaysOfAReaderThatWrites(t *testing.T) {
	install(t, t.TempDir(), "kustomize", prints)
	dir := tree(t, map[string]string{"a/kustomization.yaml": "{}", "b/kustomization.yaml": "{}"})
	var c command.Common
	command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
	problems := 0
	for o := range origin.Files(r, &c, []string{dir}) {
		problems += len(o.Problems)
		if m, is := o.Typed.(*corev1.ConfigMap); is {
			m.Data["args"] = " [build] [" + filepath.Join(dir, "b") + "]"
		}
	}
	testkit.Equal(t, problems, 1, "problems")
}

// What is left out of an overlay fails if strict. A reader that has enough gets no more.
func TestStrictOverlays(t *testing.T) {
	install(t, t.TempDir(), "kustomize", prints)
	dir := tree(t, map[string]string{"a/kustomization.yaml": "{}", "b/kustomization.yaml": "{}", "c/kustomization.yaml": "{}"})
	for strict, want := range map[bool]int{false: command.OK, true: command.Rejected} {
		var c command.Common
		command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Strict = strict
		problems, r := 0, objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
		for o := range origin.Files(r, &c, []string{dir}) {
			for _, p := range o.Problems {
				problems++
				testkit.Equal(t, p.Code(), want, "strict:", strict)
			}
			if problems > 0 {
				break
			}
		}
		testkit.Equal(t, problems, 1, "problems")
	}
}

// A chart is rendered for the release of the answer and the namespace of -n.
func TestChartRelease(t *testing.T) {
	bin := t.TempDir()
	install(t, bin, "kubectl", `if [ "$1" = version ]; then echo '{"serverVersion": {"gitVersion": "v1.36.3-gke.1"}}'; fi`)
	install(t, bin, "helm", prints)
	dir := filepath.Join(tree(t, map[string]string{"web/Chart.yaml": "{}"}), "web")
	for want, args := range map[string][]string{
		"[--kube-version=1.37]":                    {"-on", "x", "-f", dir},
		"[--kube-version=v1.36.3-gke.1]":           {"-A", "-f", dir},
		"[--kube-version=1.35]":                    {"-A", "-kubernetes", "1.35", "-f", dir},
		"[--kube-version=1.37] [--namespace=shop]": {"-n", "shop", "-on", "x", "-f", dir},
	} {
		var c command.Common
		command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Apply("what is applied")
		testkit.OK(t, c.Parse(args, nil))
		r := objects.Reader{Kinds: objects.Kinds{{"v1", "ConfigMap"}: reflect.TypeFor[corev1.ConfigMap]()}}
		var got []string
		for o := range origin.Files(r, &c, c.Files) {
			got = append(got, o.Typed.(*corev1.ConfigMap).Data["args"])
		}
		testkit.NoDiff(t, got, []string{" [template] [release] [" + dir + "] " + want}, strings.Join(args, " "))
	}
}
