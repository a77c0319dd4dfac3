package arch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// opening matches the first word after the name of a package.
var opening = regexp.MustCompile(`^Package \w+ (\w+) `)

// badOpenings returns the package comments that begin as another one does, and those whose reader needs more than 15
// lines to the first heading.
func badOpenings(packages []documented) (found []string) {
	first := map[string]string{}
	for _, p := range packages {
		match := opening.FindStringSubmatch(p.Doc)
		if match == nil {
			found = append(found, p.path+": does not begin with Package "+p.Name+" and a verb")
			continue
		}
		if other, known := first[match[1]]; known {
			found = append(found, fmt.Sprintf("%s: begins with %q, as %s does", p.path, match[1], other))
		}
		first[match[1]] = p.path
		before, _, headed := strings.Cut(p.Doc, "\n# ")
		if lines := strings.Count(before, "\n"); headed && lines > 15 {
			found = append(found, fmt.Sprintf("%s: %d lines before the first heading", p.path, lines))
		}
	}
	return found
}

func TestOpenings(t *testing.T) {
	report(t, badOpenings(documentation(t)))
}

// facts returns numbers and versions by a name that documents have in braces: those of go.mod, of the rules of releases,
// of the measured tables and of the vectors.
func facts(t *testing.T, p *project) map[string]string {
	t.Helper()
	all := map[string]string{}
	find := func(name, file, pattern string) {
		match := regexp.MustCompile(pattern).FindStringSubmatch(p.read(t, file))
		if match == nil {
			t.Fatalf("%s: no %s", file, pattern)
		}
		all[name] = match[1]
	}
	find("go", "go.mod", `\ngo (\d+\.\d+)`)
	find("api", "go.mod", `k8s\.io/api v(0\.\d+)`)
	for i, name := range []string{"oldest", "default", "newest"} {
		find(name, "internal/release/release.go", `const oldest, usual, newest = `+strings.Repeat(`\d+, `, i)+`(\d+)`)
		all[name] = "1." + all[name]
	}
	for name, row := range map[string]string{
		"requests": "effective requests, fresh list", "replicas": "100 replicas onto 5000 nodes with 150000 pods",
		"spread": "100 replicas with spread and anti-affinity onto 5000 nodes with 150000 pods",
		"bytes":  "a cluster of 5000 nodes with 150000 pods",
	} {
		find(name, "docs/rivals.md", `\n\| `+row+` \| ([\d.]+( ns| µs| ms| s)?) `)
		find(name+" of the rival", "docs/rivals.md", `\n\| `+row+` \| [^|]* \| ([^|]*) `)
		all[name] = rounded(t, all[name])
	}
	cases := 0
	for _, name := range p.documents(t, "docs/vectors/*.json") {
		var file struct{ Cases []json.RawMessage }
		if err := json.Unmarshal([]byte(p.read(t, name)), &file); err != nil {
			t.Fatal(err)
		}
		cases += len(file.Cases)
	}
	all["vectors"] = fmt.Sprintf("%d,%d00", cases/1000, cases%1000/100)
	return all
}

// rounded returns a measured number as a whole one, with its unit.
func rounded(t *testing.T, measured string) string {
	t.Helper()
	number, unit, _ := strings.Cut(measured, " ")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprintf("%.0f %s", math.Round(value), unit))
}

// statements are what documents say of facts.
var statements = map[string][]string{
	"README.md": {
		"Go-{go}%2B", "Kubernetes-{oldest}%20to%20{newest}", "Kubernetes {default}, or of the release that the options name, {oldest} to {newest}",
		"`k8s.io/api` v{api}, or newer", "[{requests}; with component-helpers, {requests of the rival}]", "[{vectors} inputs",
	},
	"docs/from-upstream.md":          {"v{api} of `k8s.io/api`", "Go {go} or newer"},
	"docs/kubemath.md":               {"{oldest} to {newest}", "without nodes, {default}"},
	"docs/whatif.md":                 {"{bytes} bytes for each pod", "100 more replicas take {replicas}, and {spread} with spread"},
	"doc.go":                         {"a default cluster of {default}"},
	"computeresources/kubernetes.go": {"a default cluster of {default}"},
}

// ofKubernetes matches versions of Kubernetes among the sources of a package.
var ofKubernetes = regexp.MustCompile(`k8s\.io/kubernetes v(1\.\d+)`)

// A document says what is so: the words may be on several lines. The sources of packages are of the default release.
func TestStatements(t *testing.T) {
	p := load(t)
	of := facts(t, p)
	for _, pkg := range documentation(t) {
		for _, match := range ofKubernetes.FindAllStringSubmatch(pkg.Doc, -1) {
			if match[1] != of["default"] {
				t.Errorf("%s: the sources are of %s, and the answers of %s", pkg.path, match[1], of["default"])
			}
		}
	}
	names := regexp.MustCompile(`\{([^}]+)\}`)
	for name, sentences := range statements {
		text := strings.Join(strings.Fields(strings.ReplaceAll(p.read(t, name), "\n//", "\n")), " ")
		for _, sentence := range sentences {
			want := names.ReplaceAllStringFunc(sentence, func(braced string) string {
				fact, known := of[strings.Trim(braced, "{}")]
				if !known {
					t.Errorf("%s: no fact %s", name, braced)
				}
				return fact
			})
			if !strings.Contains(text, want) {
				t.Errorf("%s: should say %q", name, want)
			}
		}
	}
}

func TestStatementsNotice(t *testing.T) {
	var packages []documented
	for i, text := range []string{
		"Package a counts pods.", "Package b counts nodes.", "Has pods.",
		"Package d adds them.\n" + strings.Repeat("\n", 16) + "# Sums\n", "Package e adds.\n",
	} {
		packages = append(packages, documentationOf(t, string(rune('a'+i)), []*file{parsed(t, "a.go", "package "+string(rune('a'+i)))}))
		packages[i].Doc = text
	}
	expect(t, badOpenings(packages), `b: begins with "counts", as a does`, "c: does not begin with Package c and a verb",
		"d: 16 lines before the first heading", "e: does not begin with Package e and a verb")
}
