package cgroupname_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

const (
	guaranteed = corev1.PodQOSGuaranteed
	burstable  = corev1.PodQOSBurstable
	bestEffort = corev1.PodQOSBestEffort
)

func mustNew(components ...string) cgroupname.Name {
	name, err := cgroupname.New(components...)
	if err != nil {
		panic(err)
	}
	return name
}

// The first is the example of "Pod level resource management".
func TestName(t *testing.T) {
	for _, test := range []struct {
		components              []string
		cgroupfs, systemd, unit string
	}{
		{[]string{"burstable", "pod123-456"}, "/burstable/pod123-456", "/burstable.slice/burstable-pod123_456.slice", "burstable-pod123_456.slice"},
		{nil, "/", "/", "-.slice"},
		{[]string{"kubepods"}, "/kubepods", "/kubepods.slice", "kubepods.slice"},
		{
			[]string{"kubepods", "burstable", "pod123-456"}, "/kubepods/burstable/pod123-456",
			"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice", "kubepods-burstable-pod123_456.slice",
		},
		{[]string{"a-b-c", "D.e:9"}, "/a-b-c/D.e:9", "/a_b_c.slice/a_b_c-D.e:9.slice", "a_b_c-D.e:9.slice"},
		{[]string{"a", "b", "c", "d"}, "/a/b/c/d", "/a.slice/a-b.slice/a-b-c.slice/a-b-c-d.slice", "a-b-c-d.slice"},
	} {
		name, err := cgroupname.New(test.components...)
		if err != nil {
			t.Errorf("%q: %v", test.components, err)
			continue
		}
		if got := slices.Collect(name.Components()); !slices.Equal(got, test.components) {
			t.Errorf("%q: components %q", test.components, got)
		}
		got := []string{name.String(), name.Cgroupfs(), name.Systemd(), name.Unit()}
		if diff := cmp.Diff([]string{test.cgroupfs, test.cgroupfs, test.systemd, test.unit}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.components, diff)
		}
		for spelling, parse := range map[string]func() (cgroupname.Name, error){
			"cgroupfs": func() (cgroupname.Name, error) { return cgroupname.ParseCgroupfs(test.cgroupfs) },
			"systemd":  func() (cgroupname.Name, error) { return cgroupname.ParseSystemd(test.systemd) },
			"unit":     func() (cgroupname.Name, error) { return cgroupname.ParseUnit(test.unit) },
		} {
			if got, err := parse(); err != nil || got != name {
				t.Errorf("%q, read from %s: %v, %v", test.components, spelling, got, err)
			}
		}
	}
}

func TestComponentsStopsWhenAsked(t *testing.T) {
	for c := range mustNew("a", "b").Components() {
		if c != "a" {
			t.Fatalf("component %q after the loop has ended", c)
		}
		break
	}
}

func TestJoin(t *testing.T) {
	base := mustNew("kubepods")
	below, err := base.Join("burstable", "pod1")
	if err != nil || below != mustNew("kubepods", "burstable", "pod1") {
		t.Errorf("Join = %v, %v", below, err)
	}
	if same, err := base.Join(); err != nil || same != base {
		t.Errorf("Join of nothing = %v, %v", same, err)
	}
	if got, err := base.Join("a", ""); err == nil || got != (cgroupname.Name{}) {
		t.Errorf("Join of an empty component = %v, %v", got, err)
	}
}

func TestInvalidComponents(t *testing.T) {
	const (
		begin = "a component begins with a letter or a digit"
		end   = "a component ends with a letter or a digit"
	)
	for component, reason := range map[string]string{
		"":        "a component is empty",
		"a/b":     `"/" cannot be part of a component`,
		"/":       `"/" cannot be part of a component`,
		"a_b":     `"_" cannot be part of a component`,
		"a b":     `" " cannot be part of a component`,
		"a\x00":   `"\x00" cannot be part of a component`,
		"a\nb":    `"\n" cannot be part of a component`,
		"é":       `"\xc3" cannot be part of a component`,
		"a\\x2db": `"\\" cannot be part of a component`,
		"a@b":     `"@" cannot be part of a component`,
		"a[b":     `"[" cannot be part of a component`,
		"a`b":     "\"`\" cannot be part of a component",
		"a{b":     `"{" cannot be part of a component`,
		"a;b":     `";" cannot be part of a component`,
		"-":       begin,
		"-a":      begin,
		".":       begin,
		"..":      begin,
		":a":      begin,
		"a-":      end,
		"a.":      end,
		"a--b":    `a component has no "-" beside another`,
		"1---2":   `a component has no "-" beside another`,
	} {
		for _, components := range [][]string{{component}, {"kubepods", component}, {component, "pod1"}} {
			got, err := cgroupname.New(components...)
			if got != (cgroupname.Name{}) || !isInvalid(err, component, reason) {
				t.Errorf("New(%q) = %v, %v, want the error %q", components, got, err, reason)
			}
		}
	}
	for _, component := range []string{"a", "0", "A-z", "z.9", "a:b", "9", "Z", "a-b-c", "a..b"} {
		if _, err := cgroupname.New(component); err != nil {
			t.Errorf("New(%q): %v", component, err)
		}
	}
}

// isInvalid reports whether err is an InvalidNameError with these fields.
func isInvalid(err error, name, reason string) bool {
	var invalid *cgroupname.InvalidNameError
	return errors.As(err, &invalid) && invalid.Name == name && invalid.Detail == reason && invalid.Cause != ""
}

func TestLongNames(t *testing.T) {
	const tooLong = "it is longer than a file name may be"
	fits := strings.Repeat("a", 249) // with ".slice", 255
	if _, err := cgroupname.New(fits); err != nil {
		t.Errorf("249 letters: %v", err)
	}
	if _, err := cgroupname.New(fits + "a"); !isInvalid(err, fits+"a.slice", tooLong) {
		t.Errorf("250 letters: %v", err)
	}
	if _, err := cgroupname.New(fits[:247], "a"); err != nil {
		t.Errorf("247 and 1: %v", err)
	}
	if _, err := cgroupname.New(fits[:248], "a"); !isInvalid(err, fits[:248]+"-a.slice", tooLong) {
		t.Errorf("248 and 1: %v", err)
	}
}

func TestErrorText(t *testing.T) {
	_, err := cgroupname.New("a_b")
	if got, want := err.Error(), `invalid cgroup name "a_b": "_" cannot be part of a component`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for length, more := range map[int]string{510: "", 511: "..."} {
		long := strings.Repeat("x", length)
		_, err := cgroupname.Parse(long)
		want := `invalid cgroup name "` + long[:510] + `"` + more + ": it is not a clean absolute path"
		if err == nil || err.Error() != want {
			t.Errorf("%d letters: %v", length, err)
		}
	}
}

func TestInvalidSpellings(t *testing.T) {
	cgroupfs, systemd, unit := cgroupname.ParseCgroupfs, cgroupname.ParseSystemd, cgroupname.ParseUnit
	for _, test := range []struct {
		parse              func(string) (cgroupname.Name, error)
		text, name, reason string
	}{
		{cgroupfs, "", "", `a path begins with "/"`},
		{cgroupfs, "a", "a", `a path begins with "/"`},
		{cgroupfs, "//", "", "a component is empty"},
		{cgroupfs, "/a/", "", "a component is empty"},
		{cgroupfs, "/a//b", "", "a component is empty"},
		{cgroupfs, "/a/../b", "..", "a component begins with a letter or a digit"},
		{cgroupfs, "/a_b", "a_b", `"_" cannot be part of a component`},
		{systemd, "", "", `a slice ends with ".slice"`},
		{systemd, "/a", "a", `a slice ends with ".slice"`},
		{systemd, "/a.slice/", "", `a slice ends with ".slice"`},
		{systemd, "a.slice", "a.slice", "the path of a.slice is /a.slice"},
		{systemd, "/-.slice", "/-.slice", "the path of -.slice is /"},
		{systemd, "/a-b.slice", "/a-b.slice", "the path of a-b.slice is /a.slice/a-b.slice"},
		{systemd, "/a.slice/b.slice", "/a.slice/b.slice", "the path of b.slice is /b.slice"},
		{systemd, "/x.slice/a-b.slice", "/x.slice/a-b.slice", "the path of a-b.slice is /a.slice/a-b.slice"},
		{unit, "", "", `a slice ends with ".slice"`},
		{unit, "a.scope", "a.scope", `a slice ends with ".slice"`},
		{unit, ".slice", "", "a component is empty"},
		{unit, "a--b.slice", "", "a component is empty"},
		{unit, "-a.slice", "", "a component is empty"},
		{unit, "a-.slice", "", "a component is empty"},
		{unit, "--.slice", "", "a component is empty"},
		{unit, "_a.slice", "-a", "a component begins with a letter or a digit"},
		{unit, "a__b.slice", "a--b", `a component has no "-" beside another`},
		{unit, "a/b.slice", "a/b", `"/" cannot be part of a component`},
	} {
		if got, err := test.parse(test.text); got != (cgroupname.Name{}) || !isInvalid(err, test.name, test.reason) {
			t.Errorf("%q: %v, %v, want %q and %q", test.text, got, err, test.name, test.reason)
		}
	}
}
