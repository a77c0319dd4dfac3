package arch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
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

// indexed is a row of an index: the words, and what answers.
var indexed = regexp.MustCompile(`(?m)^\|([^|\n]+)\|([^|\n]+)\|$`)

// indexFaults returns the rows of an index that are not in order, the words that stand twice, and the commands of the
// program that its page has no section for.
func indexFaults(text, program string) (found []string) {
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

// anchors returns the names that GitHub gives to the headings of a page.
func anchors(text string) (names []string) {
	prose := fence.ReplaceAllString(text, "")
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(prose, -1) {
		name := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// anchored is a link to a heading, of this page or of another one.
var anchored = regexp.MustCompile(`\]\(([^):#]*)#([^)]+)\)`)

// TestDocuments looks for the functions and the pages that the index names.
func TestIndex(t *testing.T) {
	p := load(t)
	report(t, indexFaults(p.read(t, "docs/words.md"), p.read(t, "docs/kubemath.md")))
	for _, name := range p.documents(t, "*.md", "docs/*.md", "docs/decisions/*.md") {
		for _, link := range anchored.FindAllStringSubmatch(p.read(t, name), -1) {
			to := path.Join(path.Dir(name), link[1])
			if link[1] == "" {
				to = name
			}
			if strings.HasSuffix(to, ".md") && !slices.Contains(anchors(p.read(t, to)), link[2]) {
				t.Errorf("%s: %s has no heading %s", name, to, link[2])
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
	const index = "|words|answer|\n|---|---|\n|b, c|`kubemath room`|\n|A|`kubemath rooms -a`|\n|d, b|`qos.Class`|\n"
	expect(t, indexFaults(index, "# P\n\n## room\n"), "A: is not in order", "A: there is no kubemath rooms", "b: stands twice")
	expect(t, anchors("# Who is `it`, a-b?\n```sh\n# no\n```\n## c (v1.3)\n"), "who-is-it-a-b", "c-v13")
}
