package arch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// facts returns numbers and versions by a name that documents have in braces: those of go.mod, of the rules of releases,
// of the measured tables and of the vectors.
func facts(t *testing.T, p *project) map[string]string {
	t.Helper()
	all := map[string]string{}
	find := func(name, file, pattern string) {
		match := regexp.MustCompile(pattern).FindStringSubmatch(p.read(file))
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
		all[name] = rounded(all[name])
	}
	cases := 0
	for _, name := range p.documents("docs/vectors/*.json") {
		var file struct{ Cases []json.RawMessage }
		if err := json.Unmarshal([]byte(p.read(name)), &file); err != nil {
			t.Fatal(err)
		}
		cases += len(file.Cases)
	}
	all["vectors"] = fmt.Sprintf("%d,%d00", cases/1000, cases%1000/100)
	return all
}

// rounded returns a measured number as a whole one, with its unit.
func rounded(measured string) string {
	number, unit, _ := strings.Cut(measured, " ")
	value, err := strconv.ParseFloat(number, 64)
	must(err)
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

	"examples/internal/origin/cluster.go": {`const usual = "{default}"`},
}

// ofKubernetes matches versions of Kubernetes among the sources of a package.
var ofKubernetes = regexp.MustCompile(`k8s\.io/kubernetes v(1\.\d+)`)

// A document says what is so: the words may be on several lines. The sources of packages are of the default release.
func TestStatements(t *testing.T) {
	p := ours()
	of := facts(t, p)
	for _, pkg := range p.documentation() {
		for _, match := range ofKubernetes.FindAllStringSubmatch(pkg.Doc, -1) {
			if match[1] != of["default"] {
				t.Errorf("%s: the sources are of %s, and the answers of %s", pkg.path, match[1], of["default"])
			}
		}
	}
	names := regexp.MustCompile(`\{([^}]+)\}`)
	for name, sentences := range statements {
		text := strings.Join(strings.Fields(strings.ReplaceAll(p.read(name), "\n//", "\n")), " ")
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

// indexed is a row of an index: the words, and what answers.
var indexed = regexp.MustCompile(`(?m)^\|([^|\n]+)\|([^|\n]+)\|$`)

// indexViolations returns the rows of the index that are not in order, the words that stand twice, and the commands of
// the program that its page has no section for.
func indexViolations(p *project) (found []string) {
	text, program := p.read("docs/words.md"), p.read("docs/kubemath.md")
	seen, last := map[string]bool{}, ""
	for _, row := range indexed.FindAllStringSubmatch(text, -1) {
		if row[1] == "words" || row[1] == "---" {
			continue
		}
		if strings.ToLower(row[0]) < strings.ToLower(last) {
			found = append(found, row[1]+": is not in order")
		}
		last = row[0]
		for word := range strings.SplitSeq(row[1], ", ") {
			if seen[word] {
				found = append(found, word+": stands twice")
			}
			seen[word] = true
		}
		for _, command := range regexp.MustCompile("`kubemath ([a-z]+)").FindAllStringSubmatch(row[2], -1) {
			if !slices.Contains(anchors(program), command[1]) {
				found = append(found, row[1]+": there is no kubemath "+command[1])
			}
		}
	}
	return found
}
