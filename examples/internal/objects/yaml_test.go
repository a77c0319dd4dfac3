package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

const podHead = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n"

// Texts that only look like anchors and aliases do not count, and aliases of little text do not matter.
func TestNoAliases(t *testing.T) {
	long := "x: " + strings.Repeat("x", 1<<20) + "\n"
	anchors := ""
	for i := range 12 {
		anchors += fmt.Sprintf("    a%[1]d: &a%[1]d x\n    b%[1]d: *a%[1]d\n", i)
	}
	for name, text := range map[string]string{
		"crontab":     podHead + "  annotations:\n    crontab: |\n      " + long + strings.Repeat("      */5 * * * * &x && b & c\n      0 0 * * 0 *x &x\n", 40),
		"C":           podHead + "  annotations:\n    a: |\n      " + long + strings.Repeat("      int *p = &p; x = { &p, *p, \"\n", 60),
		"embedded":    podHead + "  annotations:\n    a: |\n      - &a " + long + strings.Repeat("      - *a\n", 1000),
		"quotes":      podHead + "  annotations:\n    a: \"" + long[:len(long)-1] + strings.Repeat("- &a - *a ", 100) + "\"\n",
		"one item":    podHead + "  finalizers:\n  - &a x\n" + strings.Repeat("  - *a\n", 60),
		"many":        podHead + "  annotations:\n" + anchors,
		"long":        podHead + "  labels: &l {a: " + strings.Repeat("x", 1<<10) + "}\n  annotations: {" + strings.Repeat("<<: *l,", 1000) + "}\n",
		"large":       podHead + "  labels: &l {a: b}\n  annotations:\n    <<: *l\n    large: " + strings.Repeat("x", 16<<20) + "\n",
		"none at all": podHead + "  annotations:\n    large: '& *" + strings.Repeat("x", 33<<20) + "'\n",
	} {
		if diff := cmp.Diff([]string{"-"}, lines(objects.Reader{Kinds: kinds, Stdin: strings.NewReader(text), Check: objects.Warn}.Files([]string{"-"}))); diff != "" {
			t.Errorf("%s (-want +got):\n%.500s", name, diff)
		}
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
		{"merge twice", base + "    <<: *base\n    <<: {c: '2'}\n    a: '3'\n", nil},
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
			testkit.OK(t, yaml.Unmarshal([]byte(test.text[strings.Index(test.text, "apiVersion"):]), &want))
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
			testkit.NoDiff(t, got, []corev1.Pod{want})
			testkit.NoDiff(t, warnings, test.warnings)
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
		testkit.NoDiff(t, got, test.want, test.check)
	}
}

// Aliases must not add more text than fits into memory, however they are written.
func TestBombs(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	use, chain := "b: ["+strings.Repeat("*a,", 1500)+"]\n", ""
	for i := range 5 {
		chain += fmt.Sprintf("b%d: &b [*a, *a]\na%d: &a [*b, *b]\n", i, i)
	}
	for name, text := range map[string]string{
		"plain":                   "a: &a " + long + "\nb:\n" + strings.Repeat("- *a\n", 1500),
		"behind a tag":            "a: !<tag:yaml.org,2002:str> &a \"" + long + "\"\n" + use,
		"before a tag":            "a: &a !!str \"" + long + "\"\n" + use,
		"as keys":                 "a: &a " + long + "\nb: {" + strings.Repeat("?a : *a,", 1500) + "}\n",
		"behind tabs":             "a:\t&a \"" + long + "\"\n" + use,
		"behind other line ends":  "a:\r &a \"" + long + "\"\nb: \n" + strings.Repeat("- c:\u0085   *a\n", 1500),
		"beside stars":            "# &a * *a\na: &a " + long + "\nb:\n" + strings.Repeat("- *a # & *\n", 1500),
		"merged":                  "a: &a {k: " + long + "}\nb:\n" + strings.Repeat("- {<<: *a}\n", 1500),
		"over lines":              "a: &a [\n\"" + long + "\"\n]\n" + use,
		"in quotes over lines":    "a: &a \"" + strings.Repeat(long[:100]+"\n\n", 1000) + "\"\n" + use,
		"again under the name":    "a: &a x\nb: |\n" + "c: &a \"" + long + "\"\n" + use,
		"of aliases":              "a: &a " + long + "\nb: &b [" + strings.Repeat("*a,", 50) + "]\nc: [" + strings.Repeat("*b,", 50) + "]\n",
		"of names that alternate": "0: &a " + long + "\n" + chain,
	} {
		if got := lines(readAll([]string{"-"}, kinds, strings.NewReader(text))); len(got) != 1 || !strings.Contains(got[0], "its aliases expand to too much text") {
			t.Errorf("%s: %.300q", name, got)
		}
	}
}
