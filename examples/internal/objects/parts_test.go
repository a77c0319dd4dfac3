package objects_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A large list of YAML is decoded in parts: its items have their names, numbers and lines, however long they are, and
// what is wrong with one is said of it.
func TestLargeLists(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct{ name, head, item, below, tail string }{
		{"kubectl", "apiVersion: v1\nitems:\n", "- apiVersion: v1\n  kind: Pod\n", "  ", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"},
		{"indented", "# a comment\napiVersion: v1\nkind: List\nitems: # all\n\n  # the first\n", "  -   kind: Pod\n      apiVersion: v1\n", "      ", ""},
		{"dashes alone", "apiVersion: v1\nkind: List\nitems:\n", "-\n  kind: Pod\n  apiVersion: v1\n", "  ", "metadata: {}\n"},
		{"PodList", "apiVersion: v1\nkind: PodList\nitems:\n", "- spec: {}\n", "  ", "metadata: {}\n"},
		{"line breaks of Windows", "apiVersion: v1\r\nitems:\r\n", "- apiVersion: v1\r\n  kind: Pod\r\n", "  ", "kind: List\r\n"},
		{"PodList that says so last", "apiVersion: v1\nitems:\n", "- spec: {}\n", "  ", "kind: PodList\n"},
		{"List that says everything last", "items:\n", "- kind: Pod\n  apiVersion: v1\n", "  ", "kind: List\napiVersion: v1\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var text strings.Builder
			var want []string
			text.WriteString("---\n" + test.head)
			lines := 1 + strings.Count(test.head, "\n")
			for i := range 400 {
				pad := random.IntN(5000)
				if random.IntN(100) == 0 {
					pad = 400 << 10
				}
				item := fmt.Sprintf("%[2]s%[1]smetadata:\n%[1]s  name: p%[3]d\n%[1]s  labels:\n%[1]s  - not: a mapping\n%[1]s  annotations:\n%[1]s    a: |\n", test.below, test.item, i)
				if i%50 != 49 {
					item = strings.Replace(item, test.below+"  labels:\n"+test.below+"  - not: a mapping\n", "", 1)
				}
				item += strings.Repeat(test.below+"      - kind: "+strings.Repeat("x", 50)+"\n", pad/60+1)
				want = append(want, fmt.Sprintf("items[%d], line %d, Pod p%d, %t", i, lines+1, i, i%50 != 49))
				text.WriteString(item)
				lines += strings.Count(item, "\n")
			}
			if test.name == "kubectl" {
				text.WriteString("- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: nested}}]}\n")
				lines++
				want = append(want, fmt.Sprintf("items[400].items[0], line %d, Pod nested, true", lines))
			}
			text.WriteString(test.tail + "---\n" + pod)
			var got []string
			for o := range (objects.Reader{Kinds: kinds, Check: objects.Warn}).File("a.yaml", strings.NewReader(text.String())) {
				if o.Source.Document == 2 {
					if o.Line != lines+strings.Count(test.tail, "\n")+2 || o.Typed == nil {
						t.Errorf("the next document: %v", o.Problems)
					}
					continue
				}
				got = append(got, fmt.Sprintf("%s, line %d, %s, %t", o.Source.Item, o.Line, o.Named, o.Typed != nil))
			}
			testkit.NoDiff(t, got, want)
		})
	}
}

// What is repeated in the head of a large list is a warning of its first item, once.
func TestDuplicateInTheHead(t *testing.T) {
	text := "apiVersion: v1\napiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- kind: Pod\n  apiVersion: v1\n", 20_000) + "- {kind: Pod, kind: Pod, apiVersion: v1}\n"
	const last = `: Pod: warning: duplicate field %q: the last one counts`
	want := []string{fmt.Sprintf("a.yaml: document 1, line 2: items[0]"+last, "apiVersion"), fmt.Sprintf("a.yaml: document 1, line 40005: items[20000]"+last, "kind")}
	got := lines(objects.Reader{Kinds: kinds, Check: objects.Warn}.File("a.yaml", strings.NewReader(text)))
	testkit.NoDiff(t, got[20_001:], want)
}

// A large object that is no list is not divided, even if it has items.
func TestLargeObjectWithItems(t *testing.T) {
	text := "apiVersion: example.com/v1\nkind: Set\nitems:\n" + strings.Repeat("- kind: Pod\n  apiVersion: v1\n", 50_000)
	want := []string{"a.yaml: document 1: Set: skipped: Set of example.com/v1 is not a kind that is reported"}
	testkit.NoDiff(t, lines(objects.Reader{Kinds: kinds}.File("a.yaml", strings.NewReader(text))), want)
	text = "apiVersion: v1\nitems:\n" + strings.Repeat("- kind: Pod\n  apiVersion: v1\n", 20_000) + "kind: Pod\n"
	got := lines(objects.Reader{Kinds: kinds}.File("a.yaml", strings.NewReader(text)))
	testkit.Equal(t, got[len(got)-1], "a.yaml: document 1: Pod is not a list, but its items were read as those of a List")
}

// What is read does not depend on how much of it comes at a time.
func TestPieces(t *testing.T) {
	inputs := golden.Broken()
	inputs = append(inputs, golden.Input{Name: "many", Text: podStream(t, 20)})
	for _, in := range inputs {
		if len(in.Text) > 1<<18 {
			continue
		}
		read := func(from io.Reader) (all []objects.Object) {
			for o := range (objects.Reader{Kinds: kinds, Check: objects.Warn}).File("f", from) {
				all = append(all, o)
			}
			return all
		}
		want := read(strings.NewReader(in.Text))
		for name, from := range map[string]io.Reader{
			"byte by byte": iotest.OneByteReader(strings.NewReader(in.Text)), "with the error": iotest.DataErrReader(strings.NewReader(in.Text)),
		} {
			testkit.NoDiff(t, read(from), want, cmpopts.EquateEmpty(), in.Name, name)
		}
	}
}

// Of a file that cannot be read to its end, the documents are read that are whole.
func TestBrokenOff(t *testing.T) {
	item := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}`
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"YAML":         {pod + "---\n" + pod + "--", []string{"f", "f: broken"}},
		"JSON":         {item + item[:30], []string{"f", "f: broken"}},
		"list of JSON": {`{"apiVersion": "v1", "kind": "List", "items": [` + item + "," + item[:30], []string{"f", "f: broken"}},
	} {
		got := lines(objects.Reader{Kinds: kinds}.File("f", io.MultiReader(strings.NewReader(test.text), iotest.ErrReader(errors.New("broken")))))
		testkit.NoDiff(t, got, test.want, name)
	}
}
