package cgroupname_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	guaranteed = corev1.PodQOSGuaranteed
	burstable  = corev1.PodQOSBurstable
	bestEffort = corev1.PodQOSBestEffort
)

// rootPath returns the path of a root of all pods that is not called kubepods.
func rootPath(driver cgroupname.Driver, components ...string) (string, error) {
	root := "/" + strings.Join(components, "/")
	return cgroupname.Identity{Driver: driver, CgroupRoot: root, WithoutKubepods: true, Class: guaranteed}.Path()
}

// The first is the example of "Pod level resource management".
func TestNames(t *testing.T) {
	for _, test := range []struct {
		components        []string
		cgroupfs, systemd string
	}{
		{[]string{"burstable", "pod123-456"}, "/burstable/pod123-456", "/burstable.slice/burstable-pod123_456.slice"},
		{nil, "/", "/"},
		{[]string{"kubepods"}, "/kubepods", "/kubepods.slice"},
		{
			[]string{"kubepods", "burstable", "pod123-456"}, "/kubepods/burstable/pod123-456",
			"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice",
		},
		{[]string{"a-b-c", "D.e:9"}, "/a-b-c/D.e:9", "/a_b_c.slice/a_b_c-D.e:9.slice"},
		{[]string{"a", "b", "c", "d"}, "/a/b/c/d", "/a.slice/a-b.slice/a-b-c.slice/a-b-c-d.slice"},
	} {
		for driver, want := range map[cgroupname.Driver]string{cgroupname.Cgroupfs: test.cgroupfs, cgroupname.Systemd: test.systemd} {
			if got, err := rootPath(driver, test.components...); err != nil || got != want {
				t.Errorf("%q with %q: %s, %v, want %s", test.components, driver, got, err, want)
			}
		}
	}
	if got, err := (cgroupname.Identity{Class: guaranteed}).Path(); err != nil || got != "/kubepods" {
		t.Errorf("an empty CgroupRoot: %s, %v", got, err)
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
		"a--b":    `a component has no two adjacent "-"`,
		"1---2":   `a component has no two adjacent "-"`,
	} {
		if component != "" {
			got, err := cgroupname.Identity{Class: burstable, UID: types.UID(component)}.Path()
			if got != "" || !isInvalid(err, component, reason) {
				t.Errorf("UID %q: %s, %v, want the error %q", component, got, err, reason)
			}
		}
		if strings.Contains(component, "/") {
			continue
		}
		for _, components := range [][]string{{"kubepods", component}, {component, "pod1"}} {
			got, err := rootPath(cgroupname.Cgroupfs, components...)
			if got != "" || !isInvalid(err, component, reason) {
				t.Errorf("%q: %s, %v, want the error %q", components, got, err, reason)
			}
		}
	}
	for _, component := range []string{"a", "0", "A-z", "z.9", "a:b", "9", "Z", "a-b-c", "a..b"} {
		if _, err := rootPath(cgroupname.Cgroupfs, component); err != nil {
			t.Errorf("%q: %v", component, err)
		}
	}
}

// isInvalid reports whether err is that for a name, with a reason.
func isInvalid(err error, name, reason string) bool {
	return err != nil && err.Error() == fmt.Sprintf("invalid cgroup name %q: %s", name, reason)
}

func TestLongNames(t *testing.T) {
	const tooLong = "it is longer than a file name may be"
	fits := strings.Repeat("a", 249) // with ".slice", 255
	if _, err := rootPath(cgroupname.Cgroupfs, fits); err != nil {
		t.Errorf("249 letters: %v", err)
	}
	if _, err := rootPath(cgroupname.Cgroupfs, fits+"a"); !isInvalid(err, fits+"a.slice", tooLong) {
		t.Errorf("250 letters: %v", err)
	}
	if _, err := rootPath(cgroupname.Cgroupfs, fits[:247], "a"); err != nil {
		t.Errorf("247 and 1: %v", err)
	}
	if _, err := rootPath(cgroupname.Cgroupfs, fits[:248], "a"); !isInvalid(err, fits[:248]+"-a.slice", tooLong) {
		t.Errorf("248 and 1: %v", err)
	}
}

func TestErrorText(t *testing.T) {
	_, err := rootPath(cgroupname.Systemd, "a_b")
	testkit.Equal(t, err.Error(), `invalid cgroup name "a_b": "_" cannot be part of a component`)
	for length, more := range map[int]string{510: "", 511: "..."} {
		long := strings.Repeat("x", length)
		_, err := cgroupname.Parse(long)
		want := `invalid cgroup name "` + long[:510] + `"` + more + ": it is not a clean absolute path"
		if err == nil || err.Error() != want {
			t.Errorf("%d letters: %v", length, err)
		}
	}
}
