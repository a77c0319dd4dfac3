package objects_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Where documents and items begin and end, and what is said of those that are no objects.
func TestDocuments(t *testing.T) {
	const (
		a      = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}`
		b      = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}}`
		none   = "not a Kubernetes object: it has neither apiVersion nor kind"
		nested = `{"apiVersion": "v1", "kind": "List", "items": [%s]}`
		widget = "- apiVersion: example.com/v1\n  kind: Widget\n  x: 1\n  x: 2\n"
		item   = "- apiVersion: v1\n  kind: Pod\n  metadata: {name: b}\n"
		list   = "apiVersion: v1\nkind: List\nitems:\n"
	)
	deep := func(n int) string {
		return strings.Repeat(`{"apiVersion": "v1", "kind": "List", "items": [`, n) + a + strings.Repeat("]}", n)
	}
	yamlA, yamlB := "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"markers", yamlA + "---\n" + yamlB, []string{"1, line 1: a", "2, line 5: b"}},
		{"a marker at the end", yamlA + "---", []string{"1, line 1: a"}},
		{"a marker without a line break is the end of a document", "---\n" + yamlA + "---\n---\n---\n" + yamlB + "---", []string{"1, line 2: a", "4, line 8: b"}},
		{"an end", yamlA + "...\n" + yamlB, []string{"1, line 1: a", "2, line 5: b"}},
		{"ends count nothing", yamlA + "...\n...\n# b\n---\n" + yamlB, []string{"1, line 1: a", "2, line 8: b"}},
		{"a comment and a directive", "# a\n%YAML 1.1\n---\n" + yamlA, []string{"1, line 4: a"}},
		{"what only begins like a marker", yamlA + "----: x\n", []string{"1, line 1: a", "problem: document 1, line 1: Pod a: warning: ----: unknown field, ignored"}},
		{"an object beside a marker", "--- " + a + "\n---\t" + b + "\n", []string{"1, line 1: a", "2, line 2: b"}},
		{"objects in a row", a + b + "\n" + a, []string{"1, line 1: a", "2, line 1: b", "3, line 2: a"}},
		{"objects and documents", a + "\n---\n\n" + yamlB + "---\n" + a, []string{"1, line 1: a", "2, line 4: b", "3, line 8: a"}},
		{"a marker before an object", "---\n" + a + "\n---\n# none\n---\n" + b, []string{"1, line 2: a", "3, line 6: b"}},
		{"text behind an object", a + "\ndone\n---\n" + b, []string{"1, line 1: a", "problem: document 2: " + none, "3, line 4: b"}},
		{"a comma before an object", "," + a, []string{"problem: document 1: invalid YAML: did not find expected node content"}},
		{"an object behind a list", fmt.Sprintf(nested, a) + "\n" + b, []string{"1, items[0], line 1: a", "2, line 2: b"}},
		{"YAML behind a list", fmt.Sprintf(nested, a) + "\n---\n" + yamlB, []string{"1, items[0], line 1: a", "2, line 3: b"}},
		{"a list on lines", "{\"apiVersion\": \"v1\",\n \"items\": [\n\n" + a + ",\n\n" + b + "\n],\n\"kind\": \"List\"}\n" + a,
			[]string{"1, items[0], line 4: a", "1, items[1], line 6: b", "2, line 9: a"}},
		{"a list that breaks off", `{"apiVersion": "v1", "kind": "List", "items": [` + a + `, {"a"` + "\n---\n" + b,
			[]string{"1, items[0], line 1: a", "problem: document 1: items[1]: invalid JSON: invalid character '-' after object key", "2, line 3: b"}},
		{"a list with a comma too many", fmt.Sprintf(nested, a+",") + "\n---\n" + yamlB,
			[]string{"1, items[0], line 1: a", "problem: document 1: items[1]: invalid JSON: invalid character ']' looking for beginning of value", "2, line 3: b"}},
		{"other values in a list", fmt.Sprintf(nested, `null, 1, "a", [], `+a), []string{
			"problem: document 1: items[0]: " + none, "problem: document 1: items[1]: " + none, "problem: document 1: items[2]: " + none,
			"problem: document 1: items[3]: " + none, "1, items[4], line 1: a",
		}},
		{"the first item says what it is", `{"apiVersion": "v1", "items": [` + a + `], "kind": "Pod"}`, []string{"1, items[0], line 1: a", "problem: document 1: Pod is not a list, but its items were read as those of a List"}},
		{"only the second item says what it is", `{"apiVersion": "v1", "items": [{"a": 1}, ` + a + `], "kind": "Pod", "metadata": {"name": "b"}}`, []string{"1, line 1: b", "problem: document 1, line 1: Pod b: warning: items: unknown field, ignored"}},
		{"a PodList that says so last", `{"apiVersion": "v1", "items": [{"metadata": {"name": "a"}}], "kind": "PodList"}`, []string{"1, items[0], line 1: a"}},
		{"a PodList", `{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}`, []string{"1, items[0], line 1: a", "1, items[1], line 1: b"}},
		{"a List of a PodList", fmt.Sprintf(nested, `{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}]}`), []string{"1, items[0].items[0], line 1: a"}},
		{"a list of another kind", `{"apiVersion": "v1", "kind": "NodeList", "items": [{}]}`, []string{"problem: document 1: NodeList: skipped: NodeList of v1 is not a kind that is reported"}},
		{"a PodList without items", `{"apiVersion": "v1", "kind": "PodList"}`, nil},
		{"two kinds, of which the last one counts", `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "kind": "Pod"}`, []string{"1, line 1: a", "problem: document 1, line 1: Pod a: warning: kind: duplicate field: the last one counts"}},
		{"items given twice", `{"items": [` + a + `], "items": [{}], "apiVersion": "v1", "kind": "List"}`, []string{"1, items[0], line 1: a"}},
		{"items that are no list", `{"apiVersion": "v1", "kind": "List", "items": {}}`, []string{"problem: document 1: List: items: not a list"}},
		{"null", "null\n---\n" + yamlB, []string{"2, line 3: b"}},
		{"flow YAML", "{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n" + b, []string{"1, line 1: a", "2, line 3: b"}},
		{"flow YAML behind an object", fmt.Sprintf(nested, a) + "\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n", []string{"1, items[0], line 1: a", "2, line 2: b"}},
		{"JSON that YAML understands", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": 'a'},}\n", []string{"1, line 1: a"}},
		{"lists in lists", deep(10), []string{"1, " + strings.TrimSuffix(strings.Repeat("items[0].", 10), ".") + ", line 1: a"}},
		{"lists in lists, too deep", deep(11), []string{"problem: document 1: " + strings.Repeat("items[0].", 9) + "items[0]: List: lists nested more than 10 deep"}},
		{"no apiVersion", "kind: Pod\nmetadata: {name: a}\n", []string{"problem: document 1: Pod a: apiVersion: missing, or not a string"}},
		{"a version that is no text", "apiVersion: 1\nmetadata: {name: a}\n", []string{"problem: document 1: a: kind: missing, or not a string"}},
		{"an item of a PodList that is no object", `{"apiVersion": "v1", "kind": "PodList", "items": [1, {"metadata": {"name": "a"}}]}`, []string{"problem: document 1: items[0]: " + none, "1, items[1], line 1: a"}},
		{"null of JSON", `{"apiVersion": "v1", "kind": "Pod", "metadata": null}` + "\nnull\n", []string{"1, line 1: "}},
		{"a name in another case", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "Name": "b"}}`, []string{"1, line 1: a", "problem: document 1, line 1: Pod a: warning: metadata.Name: unknown field, ignored"}},
		{"of duplicate fields of a suspicious object, the last counts", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "name": "b", "labels": {"a": "-1"}}}`, []string{"1, line 1: b"}},
		{"no kind", "apiVersion: v1\nmetadata: {name: a}\n", []string{"problem: document 1: a: kind: missing, or not a string"}},
		{"an item without a kind", fmt.Sprintf(nested, `{"apiVersion": "v1"}`), []string{"problem: document 1: items[0]: kind: missing, or not a string"}},
		{"an item of a PodList that says something", `{"apiVersion": "v1", "kind": "PodList", "items": [{"apiVersion": "v2"}]}`, []string{"problem: document 1: items[0]: kind: missing, or not a string"}},
		{"invalid YAML on a later line", yamlA + "---\na: b: c\n", []string{"1, line 1: a", "problem: document 2: invalid YAML: line 5: mapping values are not allowed in this context"}},
		{"duplicate keys of what is not read", list + widget + item, []string{
			"problem: document 1: items[0]: Widget: skipped: Widget of example.com/v1 is not a kind that is reported", "1, items[1], line 8: b",
		}},
		{"a duplicate key on the last line of an item", list + item + "  kind: Pod\n" + item, []string{
			"1, items[0], line 4: b", `problem: document 1, line 7: items[0]: Pod b: warning: duplicate field "kind": the last one counts`, "1, items[1], line 8: b",
		}},
		{"a duplicate key of an item on a line", list + "- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n- {apiVersion: v1, kind: Pod, kind: Pod, metadata: {name: b}}\n", []string{
			"1, items[0], line 4: a", "1, items[1], line 5: b", `problem: document 1, line 5: items[1]: Pod b: warning: duplicate field "kind": the last one counts`,
		}},
		{"an item says the version of what is no list", `{"apiVersion": "v1", "items": [{"apiVersion": "v1"}], "kind": "Pod", "metadata": {"name": "a"}}`, []string{"1, line 1: a", "problem: document 1, line 1: Pod a: warning: items: unknown field, ignored"}},
		{"items between others", list + item + "others:\n- a\n- b\n", []string{"1, items[0], line 1: b"}},
		{"a number in an object that is suspicious", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "generation": 9007199254740993, "labels": {"a": "-1"}}}`, []string{"1, line 1: a, generation 9007199254740993"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, places(objects.Reader{Kinds: kinds, Check: objects.Warn}, strings.NewReader(test.text)), test.want)
		})
	}
}

// places returns where objects are, and the problems.
func places(r objects.Reader, from io.Reader) (places []string) {
	for o := range r.File("f", from) {
		if pod, is := o.Typed.(*corev1.Pod); is {
			place := strings.Replace(fmt.Sprintf("%d, %s, line %d: %s", o.Source.Document, o.Source.Item, o.Line, pod.Name), ", , ", ", ", 1)
			if pod.Generation != 0 {
				place += fmt.Sprintf(", generation %d", pod.Generation)
			}
			places = append(places, place)
		}
		for _, p := range o.Problems {
			places = append(places, "problem: "+strings.TrimPrefix(p.String(), "f: "))
		}
	}
	return places
}

// Errors of YAML name their line also apart from the text.
func TestLinesOfErrors(t *testing.T) {
	for text, want := range map[string]int{"a: b\n---\na: b: c\n": 3, "a: b\n---\n\na: {{ b }}\n": 4, "a: b\n---\n" + pod + "kind: Pod\n": 7} {
		for o := range (objects.Reader{Kinds: kinds, Check: objects.Warn}).File("f", strings.NewReader(text)) {
			if line := o.Problems[0].Begins(); o.Source.Document == 2 && line != want {
				t.Errorf("%q: line %d, want %d", text, line, want)
			}
		}
	}
}

// In a directory, a document that is no object is skipped, because a chart has values beside its manifests. An item is not.
func TestWhatIsFound(t *testing.T) {
	files := fstest.MapFS{"a.yaml": {Data: []byte("apiVersion: v1\nkind: List\nitems: [1]\n---\n1\n")}, "b.yaml": {Data: []byte("apiVersion: v2\nname: a\n")}}
	want := []string{
		"a.yaml: document 1: items[0]: not a Kubernetes object: it has neither apiVersion nor kind",
		"a.yaml: document 2: skipped: not a Kubernetes object: it has neither apiVersion nor kind",
		"b.yaml: document 1: kind: skipped: missing, or not a string",
	}
	testkit.NoDiff(t, lines(readFS(files, kinds)), want)
}

// An object of another kind is known by its names. Neither it nor what is no object is a problem in a directory.
func TestUnknown(t *testing.T) {
	var got []string
	text := "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: b, generateName: c, uid: d}\n---\na: 1\n---\nkind: Pod\napiVersion: v1\nspec: 1\n"
	for o := range readFS(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, kinds) {
		got = append(got, fmt.Sprint(o.APIVersion, o.Kind, o.Identity, o.Unknown(), o.Problems[0].Code()))
	}
	onlyKind := objects.Object{Kind: "Pod", Problems: objects.Problems(objects.Place{}, objects.Skipped, objects.Fault{})}
	testkit.Equal(t, onlyKind.Unknown(), true)
	if want := "[v1Service{b a c d} true 0 {   } false 0 v1Pod{   } false 1]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// An object has its place, its turn, its kind and its names, also if it is not read; those of one that is read are in the typed one.
func TestObjectsWhole(t *testing.T) {
	const head, meta = "apiVersion: v1\nkind: Pod\n", "metadata: {name: a, namespace: b, generateName: c, uid: d}\n"
	files := fstest.MapFS{
		"a.yaml": {Data: []byte(head + meta + "---\n" + head + meta + "spec: []\n---\n" + head + meta + "x: 1\n---\nkind: Pod\n" + meta + "---\napiVersion: v1\n" + meta)},
		"b.yaml": {Data: []byte("# c\napiVersion: apps/v1\nkind: Pod\n" + meta + "---\napiVersion: a/v1\nkind: B\n" + meta + "---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, " +
			meta[:len(meta)-1] + "}\n- {apiVersion: tekton.dev/v1, kind: TaskRun, " + meta[:len(meta)-1] + "}\n- null\n---\n1\n")},
	}
	want := []string{
		"1 a.yaml 1 1 Pod b/a| v1 Pod {   } true []",
		"2 a.yaml 2 5 Pod b/a| v1 Pod {b a c d} false [a.yaml: document 2, line 5: Pod b/a: spec: want a mapping, not a list]",
		"3 a.yaml 3 10 Pod b/a| v1 Pod {   } true [a.yaml: document 3, line 10: Pod b/a: warning: x: unknown field, ignored]",
		"4 a.yaml 4 15 Pod b/a|   {b a c d} false [a.yaml: document 4: Pod b/a: apiVersion: missing, or not a string]",
		"5 a.yaml 5 18 b/a|   {b a c d} false [a.yaml: document 5: b/a: kind: skipped: missing, or not a string]",
		"6 b.yaml 1 2 Pod b/a|   {b a c d} false [b.yaml: document 1, line 2: Pod b/a: no matches for kind \"Pod\" in version \"apps/v1\"]",
		"7 b.yaml 2 6 B b/a| a/v1 B {b a c d} false [b.yaml: document 2: B b/a: skipped: B of a/v1 is not a kind that is reported]",
		"8 b.yaml 3 items[0] 13 Pod b/a| v1 Pod {   } true []",
		"9 b.yaml 3 items[1] 14 TaskRun b/a| tekton.dev/v1 TaskRun {b a c d} false [b.yaml: document 3: items[1]: TaskRun b/a: it has pods, which are not computed]",
		"10 b.yaml 3 items[2] 15 |   {   } false [b.yaml: document 3: items[2]: not a Kubernetes object: it has neither apiVersion nor kind]",
		"11 b.yaml 4 17 |   {   } false [b.yaml: document 4: skipped: not a Kubernetes object: it has neither apiVersion nor kind]",
	}
	var got []string
	for o := range (objects.Reader{Kinds: kinds, Check: objects.Warn, Matters: true}).FS(files) {
		at := strings.ReplaceAll(fmt.Sprintf("%s %d %s %d %s|", o.Source.File, o.Source.Document, o.Source.Item, o.Line, o.Named), "  ", " ")
		got = append(got, fmt.Sprintf("%d %s %s %s %v %t %v", o.Turn, at, o.APIVersion, o.Kind, o.Identity, o.Typed != nil, o.Problems))
	}
	testkit.NoDiff(t, got, want)
}

// What cannot be read at all is not empty, and a reader that never reads anything does not hang.
func TestNothingIsRead(t *testing.T) {
	for name, test := range map[string]struct {
		from io.Reader
		want string
	}{
		"error":       {iotest.ErrReader(io.ErrClosedPipe), "-: io: read/write on closed pipe"},
		"no progress": {never{}, "-: " + io.ErrNoProgress.Error()},
		"an end":      {iotest.ErrReader(fmt.Errorf("wrapped: %w", io.EOF)), "-: cannot read: empty input"},
	} {
		testkit.Equal(t, strings.Join(lines(objects.Reader{Kinds: kinds}.File("-", test.from)), "\n"), test.want, name)
	}
}

// never is a reader that reads nothing.
type never struct{}

func (never) Read([]byte) (int, error) { return 0, nil }

// Objects are returned in their order, and as they are in the file, although others are read while they are decoded.
func TestOrder(t *testing.T) {
	var want []string
	list, stream := `{"apiVersion": "v1", "kind": "List", "items": [`, ""
	for i := range 3000 {
		name := fmt.Sprintf("p%d-%s", i, strings.Repeat("x", i%500))
		pod := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q}}`, name)
		want = append(want, name)
		stream += pod + "\n"
		list += pod + ","
	}
	for _, text := range []string{stream, strings.TrimSuffix(list, ",") + "]}"} {
		var got []string
		for o := range (objects.Reader{Kinds: kinds}).File("f", strings.NewReader(text)) {
			got = append(got, strings.TrimPrefix(o.Named, "Pod "))
			if o.Turn != len(got) || o.Typed == nil {
				t.Fatalf("object %d: turn %d, %v", len(got), o.Turn, o.Problems)
			}
		}
		testkit.NoDiff(t, got, want)
	}
}
