package page_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/internal/testkit"
)

// element is an element of a document, with what is in it.
type element struct {
	name       string
	attributes map[string]string
	children   []any // elements, and strings
}

// parse reads a document as XML.
func parse(t *testing.T, document string) *element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(document))
	root := &element{}
	open := []*element{root}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return root
		}
		testkit.OK(t, err)
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			top.children, open = append(top.children, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.children = append(top.children, string(token))
		}
	}
}

// walk visits all elements with their ancestors.
func (e *element) walk(visit func(e *element, in []*element), in ...*element) {
	visit(e, in)
	for _, c := range e.children {
		if child, is := c.(*element); is {
			child.walk(visit, append(slices.Clone(in), e)...)
		}
	}
}

// all returns the elements that have a class, or, for "data", are of a name.
func (e *element) all(what string) (list []*element) {
	e.walk(func(e *element, _ []*element) {
		if e.name == what || slices.Contains(strings.Fields(e.attributes["class"]), what) {
			list = append(list, e)
		}
	})
	return list
}

func (e *element) text() string {
	var b strings.Builder
	for _, c := range e.children {
		switch c := c.(type) {
		case string:
			b.WriteString(c)
		case *element:
			b.WriteString(c.text())
		}
	}
	return b.String()
}

// reportOn returns the report on the standard input, or on files.
func reportOn(stdin string, files ...string) *report.Report {
	if len(files) == 0 {
		files = []string{"-"}
	}
	in := manifest.Of(objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(stdin)}.Files(files), manifest.Options{Home: "default"})
	cpu := resource.MustParse("8")
	return report.Of(in, report.Options{Size: report.Size{CPU: &cpu}})
}

// tree is the report as JSON.
type tree struct {
	root   any
	leaves map[string]string // texts and numbers, by pointer
	keys   map[string]bool   // and texts
}

func treeOf(t *testing.T, r *report.Report) *tree {
	t.Helper()
	text, err := json.Marshal(r)
	testkit.OK(t, err)
	j := &tree{leaves: map[string]string{}, keys: map[string]bool{}}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	testkit.OK(t, d.Decode(&j.root))
	j.collect("", j.root)
	return j
}

func (j *tree) collect(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			j.keys[key] = true
			j.collect(path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), v)
		}
	case []any:
		for i, v := range value {
			j.collect(path+"/"+strconv.Itoa(i), v)
		}
	case string:
		j.keys[value], j.leaves[path] = true, value
	case json.Number:
		j.leaves[path] = value.String()
	}
}

// below returns what stands at a path and below it, as one text.
func (j *tree) below(path string) string {
	var all []string
	for at, text := range j.leaves {
		if at == path || strings.HasPrefix(at, path+"/") {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

var (
	digit    = regexp.MustCompile(`[0-9]`)
	numerals = regexp.MustCompile(`[0-9]+`)
)

// checkDocument fails the test for each number and each text of a document that is not as the report
// as JSON has it, and returns the pointers that the document shows.
func checkDocument(t *testing.T, document string, j *tree) map[string]bool {
	t.Helper()
	shown := map[string]bool{}
	root := parse(t, document)
	root.walk(func(e *element, _ []*element) {
		path, of := e.attributes["data-path"], e.attributes["data-of"]
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
		want, has := j.leaves[path]
		switch {
		case path != "" && !has:
			t.Errorf("%s: the report has no such value", path)
		case e.name == "data":
			shown[path] = true
			checkNumber(t, e, want)
		case path != "":
			testkit.Equal(t, e.text(), wording.Printable(want), path, "shows")
		case of != "":
			below := j.below(of)
			for _, n := range numerals.FindAllString(e.text(), -1) {
				if !strings.Contains(below, n) {
					t.Errorf("%s: %q has %s, which is not there", of, e.text(), n)
				}
			}
		case e.attributes["class"] == "resource":
			if !slices.ContainsFunc(keysOf(j), func(key string) bool { return wording.Printable(key) == e.text() }) {
				t.Errorf("%q is no resource of the report", e.text())
			}
		default:
			for _, c := range e.children {
				if text, is := c.(string); is && digit.MatchString(text) {
					t.Errorf("%q of %s is not of the report", text, e.name)
				}
			}
		}
	})
	return shown
}

func keysOf(j *tree) (keys []string) {
	for key := range j.keys {
		keys = append(keys, key)
	}
	return keys
}

// checkNumber compares a number with the report.
func checkNumber(t *testing.T, e *element, want string) {
	t.Helper()
	path, value, text := e.attributes["data-path"], e.attributes["value"], e.text()
	testkit.Equal(t, value, want, path, "value")
	exact, err := resource.ParseQuantity(value)
	switch {
	case err != nil:
		t.Errorf("%s: %q is no number", path, value)
	default:
		q, err := resource.ParseQuantity(text)
		if err != nil {
			t.Errorf("%s: shows %q for %s", path, text, value)
			return
		}
		equal := q.Cmp(exact) == 0
		if equal != (e.attributes["title"] == "") || !equal && e.attributes["title"] != value {
			t.Errorf("%s: shows %s for %s, with the title %q", path, text, value, e.attributes["title"])
		}
		if off := q.AsApproximateFloat64()/exact.AsApproximateFloat64() - 1; !equal && (off > 0.051 || off < -0.051) {
			t.Errorf("%s: shows %s for %s", path, text, value)
		}
	}
}

// width returns how long a segment of a bar is, in percent.
func width(t *testing.T, segment *element) (percent float64) {
	t.Helper()
	if _, err := fmt.Sscanf(segment.attributes["style"], "width: %f%%", &percent); err != nil {
		t.Fatalf("%v: %v", segment.attributes, err)
	}
	return percent
}
