package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
)

// Each name of the tables about Kubernetes in docs/from-upstream.md is declared in a package of its row, in the version of
// go.mod. The compiler checks the names in code.
func TestNamesAreDeclared(t *testing.T) {
	documented := names{}
	testkit.OK(t, documented.addRows("../../.."))
	if len(documented) < 100 {
		t.Fatalf("%d names", len(documented))
	}
	version, err := required()
	testkit.OK(t, err)
	current, err := fetch(version, documented.modules())
	testkit.OK(t, err)
	declared, missing := map[string]bool{}, map[string][]string{}
	for key, where := range documented {
		all, err := current.declarations(key.pkg)
		testkit.OK(t, err)
		at := where[0] + ": " + key.name
		if len(find(all, key.name)) > 0 {
			declared[at] = true
		} else {
			missing[at] = append(missing[at], key.pkg)
		}
	}
	for _, at := range sortedKeys(missing) {
		if !declared[at] {
			t.Errorf("%s is not declared in %s", at, strings.Join(missing[at], ", "))
		}
	}
}

func TestCompare(t *testing.T) {
	old := tree{"1.36", map[string]string{kubernetes: "testdata/old/" + kubernetes}}
	newer := tree{"1.37", map[string]string{kubernetes: "testdata/new/" + kubernetes}}
	a, b := kubernetes+"/pkg/a", kubernetes+"/pkg/b"
	list := names{
		{a, "Sum"}: {"code.go"}, {a, "Limit"}: {"x.go", "docs/d.md:2", "w.go", "v.go"}, {a, "Gone"}: {"docs/d.md:1"}, {b, "Gone"}: {"docs/d.md:1"},
		{a, "T"}: {"code.go"}, {a, "Missing"}: {"code.go"},
	}
	got, err := compare(old, newer, list, "the gate Named")
	testkit.OK(t, err)
	var out strings.Builder
	got.print(&out, false)
	const want = `
k8s.io/kubernetes/pkg/a
  gone     Gone (docs/d.md:1)
  changed  T.Twice (code.go)
  new      doubled (used by T.Twice)
  changed  most (used by Limit)

k8s.io/kubernetes/pkg/b
  new      Gone (docs/d.md:1)

feature gates
  Doubling: alpha, off, was absent
  Named: beta, on, was alpha, off

8 declarations in 2 packages are followed: 5 have changed; 2 gates
`
	testkit.NoDiff(t, out.String(), want)
	testkit.NoDiff(t, places(list[name{a, "Limit"}]), "docs/d.md:2, v.go, w.go, 1 more")
	out.Reset()
	got.print(&out, true)
	for _, part := range []string{"most = 10", "most = 20"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not printed:\n%s", part, out.String())
		}
	}
}

func TestInPackages(t *testing.T) {
	text := "`F`, `T.G` and another (since 1.37) (pkg/a, plugin/pkg/b), `H` (github.com/c/d), `I` (k8s.io/e), `K`, the text `a b`"
	got, unplaced := inPackages(text, "Them (v1.37)")
	want := []name{
		{kubernetes + "/pkg/a", "F"}, {kubernetes + "/pkg/a", "T.G"}, {kubernetes + "/plugin/pkg/b", "F"}, {kubernetes + "/plugin/pkg/b", "T.G"}, {"k8s.io/e", "I"},
	}
	testkit.NoDiff(t, got, want, cmp.AllowUnexported(name{}))
	testkit.NoDiff(t, unplaced, []string{"K"})
	if got, unplaced := inPackages("`K`", "k8s.io/e/f (v0.37)"); len(got) != 1 || got[0].pkg != "k8s.io/e/f" || unplaced != nil {
		t.Errorf("%v, %v", got, unplaced)
	}
}

func TestCode(t *testing.T) {
	got := names{}
	const code = `package p

import (
	. "fmt"
	upstream "k8s.io/kubernetes/pkg/a"
	"k8s.io/kubernetes/pkg/b"
	"k8s.io/klog/v2"
)

var x = upstream.F(b.T{}.Field, klog.Background())
`
	testkit.OK(t, got.addUses("x.go", []byte(code)))
	testkit.NoDiff(t, got, names{{kubernetes + "/pkg/a", "F"}: {"x.go"}, {kubernetes + "/pkg/b", "T"}: {"x.go"}}, cmp.AllowUnexported(name{}))
	all, err := followed("../../..")
	testkit.OK(t, err)
	for key, where := range map[name]string{
		{kubernetes + "/pkg/kubelet/cm", "hardEvictionReservation"}:                  "kubelet/allocatable.go", // by go:linkname
		{kubernetes + "/pkg/kubelet/cm", "qosContainerManagerImpl.setMemoryReserve"}: "an adapter of upstream",
		{kubernetes + "/plugin/pkg/admission/limitranger", "PodMutateLimitFunc"}:     "vectors/namespaces.go",
		{kubernetes + "/pkg/apis/core/validation", "ValidatePodResize"}:              "an adapter of upstream",
		{kubernetes + "/pkg/api/v1/resource", "GetResourceRequest"}:                  "docs/decisions/computeresources.md#overhead-always-counts",
	} {
		if !strings.Contains(strings.Join(all[key], " "), where) {
			t.Errorf("%v: named in %v, want %s", key, all[key], where)
		}
	}
}
