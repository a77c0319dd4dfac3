package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

const podHead = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n"

// Texts that only look like anchors and aliases do not count.
func TestNoAliases(t *testing.T) {
	crontab := podHead + "  annotations:\n    crontab: |\n" + strings.Repeat("      */5 * * * * a && b & c\n      0 0 * * 0 *x &x\n", 40)
	for name, text := range map[string]string{
		"comment":   "apiVersion: v1\nkind: Pod\nmetadata: # minutes & hours\n  name: web\n  annotations:\n    crontab: |\n" + strings.Repeat("      0 * * * * a\n", 7),
		"crontab":   "# minutes & hours\n" + crontab,
		"C":         podHead + "  annotations:\n    a: |\n" + strings.Repeat("      int *p = &p; x = { &p, *p, \"\n", 60),
		"one item":  podHead + "  finalizers:\n  - &a x\n" + strings.Repeat("  - *a\n", 60),
		"embedded":  podHead + "  annotations:\n    a: |\n" + strings.Repeat("      - &a [\n      - *a\n", 60),
		"quotes":    podHead + "  annotations:\n    a: \"" + strings.Repeat("- &a - *a ", 100) + "\"\n",
		"an anchor": podHead + "  labels: &l {a: b}\n  annotations: *l\n" + strings.Repeat("# - &a\n# - *a\n", 10),
	} {
		if diff := cmp.Diff([]string{"-"}, lines(objects.Reader{Kinds: kinds, Stdin: strings.NewReader(text), Check: objects.Warn}.Files([]string{"-"}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A large document may have a few aliases.
func TestAliasesOfALargeDocument(t *testing.T) {
	text := podHead + "  labels: &l {a: b}\n  annotations:\n    <<: *l\n    large: " + strings.Repeat("x", 40<<20) + "\n"
	if got := lines(readAll([]string{"-"}, kinds, strings.NewReader(text))); len(got) != 1 || got[0] != "-" {
		t.Errorf("%.200q", got)
	}
}

// What kubectl decodes is what counts: keys override those that are merged, and the last of equal keys counts, with a
// warning.
func TestKeys(t *testing.T) {
	const base = "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations: &base {a: '1', b: '2'}\n  labels:\n"
	for _, test := range []struct {
		name, text string
		warnings   []string
	}{
		{"merge", base + "    <<: *base\n    c: '3'\n", nil},
		{"merge with an override", base + "    <<: *base\n    a: '3'\n", nil},
		{"override before the merge", base + "    a: '3'\n    <<: *base\n", nil},
		{"several merged", base + "    <<: [*base, {b: '4', c: '5'}]\n    a: '3'\n", nil},
		{"duplicate", podHead + "  name: db\n", []string{`-: document 1, line 5: Pod db: warning: duplicate field "name": the last one counts`}},
		{"duplicate below a comment", "# a\n---\n# b\n" + podHead + "  name: db\n  namespace: a\n  namespace: b\n", []string{
			`-: document 1, line 8: Pod b/db: warning: duplicate field "name": the last one counts`,
			`-: document 1, line 10: Pod b/db: warning: duplicate field "namespace": the last one counts`,
		}},
		{"duplicate and override", base + "    <<: *base\n    a: '3'\n    c: '4'\n    c: '5'\n", []string{`-: document 1, line 9: Pod: warning: duplicate field "c": the last one counts`}},
		{"duplicate mapping", podHead + "metadata: {name: db}\n", []string{`-: document 1, line 5: Pod db: warning: duplicate field "metadata": the last one counts`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want corev1.Pod
			if err := yaml.Unmarshal([]byte(test.text[strings.Index(test.text, "apiVersion"):]), &want); err != nil {
				t.Fatal(err)
			}
			var warnings []string
			var got []corev1.Pod
			for o := range (objects.Reader{Kinds: kinds, Stdin: strings.NewReader(test.text), Check: objects.Warn}).Files([]string{"-"}) {
				for _, p := range o.Problems {
					warnings = append(warnings, p.String())
				}
				if o.Typed != nil {
					got = append(got, *o.Typed.(*corev1.Pod))
				}
			}
			if diff := cmp.Diff([]corev1.Pod{want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// In a list, a duplicate is a warning of its item. With Strict, it is an error, and only that item is not read.
func TestDuplicateKeysInLists(t *testing.T) {
	const item = "- apiVersion: v1\n  kind: Pod\n  metadata: {name: %s}\n"
	list := "apiVersion: v1\nkind: List\nitems:\n" + fmt.Sprintf(item, "a") + fmt.Sprintf(item, "b") + "  metadata: {name: c}\n" + fmt.Sprintf(item, "d")
	for _, test := range []struct {
		check objects.Check
		want  []string
	}{
		{objects.Unchecked, []string{"-", "-", "-"}},
		{objects.Warn, []string{"-", "-", "-", `-: document 1, line 10: items[1]: Pod c: warning: duplicate field "metadata": the last one counts`}},
		{objects.Strict, []string{"-", "-", `-: document 1, line 10: items[1]: Pod c: duplicate field "metadata": the last one counts`}},
	} {
		got := lines(objects.Reader{Kinds: kinds, Stdin: strings.NewReader(list), Check: test.check}.Files([]string{"-"}))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.check, diff)
		}
	}
}

// Aliases must not add more text than fits into memory, however they are written.
func TestBombs(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	for name, text := range map[string]string{
		"behind a tag":     "a: !!str &a \"" + long + "\"\nb: [" + strings.Repeat("*a,", 10<<10) + "]\n",
		"before a tag":     "a: &a !!str \"" + long + "\"\nb: [" + strings.Repeat("*a,", 10<<10) + "]\n",
		"on lines":         "a: &a " + long + "\nb:\n" + strings.Repeat("- *a\n", 10<<10),
		"in mappings":      "a: &a " + long + "\nb: {" + strings.Repeat("?a : *a,", 10<<10) + "}\n",
		"as values":        "a: &a " + long + "\nb:\n" + strings.Repeat("- c: *a\n", 10<<10),
		"in quotes":        `? "a"` + "\n: &a '" + long + "'\n" + `? "b"` + "\n: [" + strings.Repeat("*a,", 10<<10) + "]\n",
		"beside stars":     "# &a * *a\na: &a " + long + "\nb:\n" + strings.Repeat("- *a # & *\n", 10<<10),
		"merged":           "a: &a {k: " + long + "}\nb:\n" + strings.Repeat("- {<<: *a}\n", 10<<10),
		"sequence":         "a: &a\n- " + long + "\nb:\n" + strings.Repeat("- *a\n", 10<<10),
		"on the next line": "a:\n  &a\n  " + long + "\nb:\n" + strings.Repeat("-\n  *a\n", 10<<10),
	} {
		if got := lines(readAll([]string{"-"}, kinds, strings.NewReader(text))); len(got) != 1 || !strings.Contains(got[0], "its aliases expand to too much text") {
			t.Errorf("%s: %.300q", name, got)
		}
	}
}
