package objects_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What is checked, where it stands, and what is said of it.
func TestWarnings(t *testing.T) {
	const (
		head  = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
		block = head + "spec:\n  containers:\n  - name: a\n  - name: app\n    resources:\n      %s\n"
	)
	amounts := func(text string) string { return fmt.Sprintf(block, "requests: {"+text+"}") }
	const at = "-: document 1, line 1: Pod web: warning: spec.containers[1].resources"
	const object = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "app", "name": "b",
		"resources": {"request": {"cpu": "1"}}}]}}`
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"nothing", amounts("cpu: 500m, memory: 512Mi, ephemeral-storage: 1G, example.com/a: 1"), nil},
		{"unknown field", fmt.Sprintf(block, "request: {cpu: 1}"), []string{".request: unknown field, ignored"}},
		{"unknown field like no other", fmt.Sprintf(block, "amounts: {cpu: 1}"), []string{".amounts: unknown field, ignored"}},
		{"another case", fmt.Sprintf(block, "Requests: {cpu: 1}"), []string{".Requests: unknown field, ignored"}},
		{"memory in m", amounts("memory: 512m"), []string{".requests[memory]: 512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"}},
		{"whole bytes in m", amounts("memory: 512000000m"), nil},
		{"memory without a suffix", amounts("memory: 512"), []string{".requests[memory]: 512 is a number of bytes: is a suffix such as Mi missing?"}},
		{"no memory", amounts("memory: 0"), nil},
		{"cpu in Gi", amounts("cpu: 4Gi"), []string{".requests[cpu]: 4Gi is a number of CPUs: suffixes such as Gi are for memory"}},
		{"very many CPUs", amounts("cpu: 2M"), []string{".requests[cpu]: 2M is a number of CPUs: suffixes such as Gi are for memory"}},
		{"fraction of a disk", amounts("ephemeral-storage: 1500m"), []string{".requests[ephemeral-storage]: 1500m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"}},
		{"JSON", object, []string{
			"-: document 1, line 1: Pod web: warning: spec.containers[0].name: duplicate field: the last one counts",
			"-: document 1, line 1: Pod web: warning: spec.containers[0].resources.request: unknown field, ignored",
		}},
		{"List of JSON", `{"apiVersion": "v1",` + "\n" + `"items": [` + "\n" + object + ",\n" + object + `], "kind": "List"}`, []string{
			"-: document 1, line 3: items[0]: Pod web: warning: spec.containers[0].name: duplicate field: the last one counts",
			"-: document 1, line 3: items[0]: Pod web: warning: spec.containers[0].resources.request: unknown field, ignored",
			"-: document 1, line 5: items[1]: Pod web: warning: spec.containers[0].name: duplicate field: the last one counts",
			"-: document 1, line 5: items[1]: Pod web: warning: spec.containers[0].resources.request: unknown field, ignored",
		}},
		{"List of YAML", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec: {containers: []}\n\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web\n  spec:\n    container: []\n", []string{
			"-: document 1, line 8: items[1]: Pod web: warning: spec.container: unknown field, ignored",
		}},
		{"List of YAML in brackets", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, spec: {container: []}}]\n", []string{
			"-: document 1, line 1: items[0]: Pod: warning: spec.container: unknown field, ignored",
		}},
		{"a name to be generated", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: web-}\nspecs: 1\n", []string{"-: document 1, line 1: Pod web-...: warning: specs: unknown field, ignored"}},
		{"second document", amounts("cpu: 1") + "---\n" + head + "spec:\n  container: []\n", []string{
			"-: document 2, line 11: Pod web: warning: spec.container: unknown field, ignored",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, want := range test.want {
				if strings.HasPrefix(want, ".") {
					test.want[i] = at + want
				}
			}
			for _, check := range []objects.Check{objects.Unchecked, objects.Warn, objects.Strict} {
				var got []string
				code := 0
				for o := range (objects.Reader{Kinds: kinds, Stdin: strings.NewReader(test.input), Check: check}).Files([]string{"-"}) {
					for _, p := range o.Problems {
						got = append(got, p.String())
						code = max(code, p.Code())
					}
					if (o.Typed == nil) != (check == objects.Strict && len(o.Problems) > 0) {
						t.Errorf("check %d: %v", check, o)
					}
				}
				want, wantCode := slices.Clone(test.want), 0
				switch {
				case check == objects.Unchecked:
					want = nil
				case check == objects.Strict && len(want) > 0:
					for i := range want {
						want[i] = strings.Replace(want[i], " warning:", "", 1)
					}
					wantCode = 2
				}
				if diff := cmp.Diff(want, got); diff != "" || code != wantCode {
					t.Errorf("check %d: code %d (-want +got):\n%s", check, code, diff)
				}
			}
		})
	}
}

// An object that is too large is not read; a list of objects is no object.
func TestMaxBytes(t *testing.T) {
	pod := func(name string, env int) string {
		return `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "` + name + `", "annotations": {"a": "` + strings.Repeat("a", env) + `"}}}`
	}
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + pod("a", 150) + "," + pod("b", 600) + "," + strings.ReplaceAll(pod("c", 150), " ", strings.Repeat("\n", 100)) + `]}`
	var got []string
	for o := range (objects.Reader{Kinds: kinds, MaxBytes: 500}).File("-", strings.NewReader(list)) {
		for _, p := range o.Problems {
			got = append(got, p.String())
		}
		got = append(got, fmt.Sprint(o.Named, " ", o.Typed != nil))
	}
	want := []string{"Pod a true", "-: document 1, line 1: items[1]: Pod b: 718 bytes, at most 500, of which metadata.annotations.a has 602", "Pod b false", "Pod c true"}
	testkit.NoDiff(t, got, want)
	for meta, want := range map[string]string{
		`"generateName": "web-", "namespace": "shop"`: "Pod shop/web-...: 748 bytes, at most 500, of which metadata.annotations.a has 602",
		`"name": "web", "namespace": "shop"`:          "Pod shop/web: 739 bytes, at most 500, of which metadata.annotations.a has 602",
		`"labels": {}`:                                "Pod: 707 bytes, at most 500, of which metadata.annotations.a has 602",
	} {
		text := `{"apiVersion": "v1", "kind": "Pod", "metadata": {` + meta + `, "annotations": {"a": "` + strings.Repeat("a", 600) + `"}}}`
		for o := range (objects.Reader{Kinds: kinds, MaxBytes: 500}).File("-", strings.NewReader(text)) {
			testkit.Equal(t, o.Problems[0].Message(), want, meta)
		}
	}
	for o := range (objects.Reader{Kinds: kinds}).File("-", strings.NewReader(pod("a", 4<<20))) { // more than a request may have
		testkit.Equal(t, fmt.Sprint(o.Typed != nil, o.Problems), "true []")
	}
}
