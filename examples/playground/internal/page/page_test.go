package page_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/page"
	"github.com/kubemath/kubemath/internal/testkit"
)

const testdata = "../../../kubemath/internal/podreport/testdata/"

// inputs are files that reports are made of.
var inputs = map[string][]string{
	"samples":  {"../../../kubemath/internal/podreport/samples"},
	"quotas":   {testdata + "quotas.yaml"},
	"rejected": {testdata + "rejected.yaml"},
	"unusual":  {testdata + "unusual.yaml"},
	"shop":     {testdata + "shop"},
	"cluster":  {testdata + "cluster.yaml"},
	"shared":   {"../../../kubemath/testdata/cases/cluster-quota-of-two-deployments-in-two-namespaces/manifests.yaml"},
	"unshared": {"../../../kubemath/testdata/cases/cluster-quota-without-its-namespaces/manifests.yaml"},
	"of a cluster": {
		"../../../kubemath/testdata/cases/global-quota-and-the-quotas-that-capsule-derives/dump.yaml",
		"../../../kubemath/testdata/cases/global-quota-and-the-quotas-that-capsule-derives/new.yaml",
	},
	"several": {testdata + "shop", testdata + "quotas.yaml", testdata + "rejected.yaml"},
}

// Each number of the page is in the report, with the value that is shown.
func TestNumbersAreThoseOfTheReport(t *testing.T) {
	for name, files := range inputs {
		t.Run(name, func(t *testing.T) {
			r := reportOn("", files...)
			if len(r.Workloads) == 0 {
				t.Fatal("no workloads")
			}
			checkDocument(t, page.Body(r), treeOf(t, r))
		})
	}
}

// unshown are numbers of the report that the page leaves out: how many pods there are, where it says so in words, or is
// one; places of objects; what is behind a sentence that it shows; limits of all pods of one; and classes of namespaces.
var unshown = regexp.MustCompile(`^/workloads/\d+/(pods|admitted)$|^/workloads/\d+/all/|^/namespaces/\d+/(podsByClass/|conflicts/|ambiguities/)|` +
	`/(index|wanted)$|/reasons/|/stops/|/defaults/|^/objects/\d+/(source/|line$)`)

// Each number of the report is on the page.
func TestNoNumberIsLost(t *testing.T) {
	amount := regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([numkKMGTPE]i?|e[0-9]+)?$`)
	for name, files := range inputs {
		t.Run(name, func(t *testing.T) {
			r := reportOn("", files...)
			j := treeOf(t, r)
			shown := checkDocument(t, page.Body(r), j)
			for path, text := range j.leaves {
				if amount.MatchString(text) && !shown[path] && !unshown.MatchString(path) {
					t.Errorf("%s: %s is not shown", path, text)
				}
			}
		})
	}
}

// A document runs no scripts and fetches nothing.
func TestDocumentIsSelfContained(t *testing.T) {
	if regexp.MustCompile(`url\(|@import|expression`).MatchString(page.Style()) {
		t.Error("the style fetches something")
	}
	for name, files := range inputs {
		checkHarmless(t, name, page.Body(reportOn("", files...)))
	}
}

// checkHarmless fails the test for what a document should not have.
func checkHarmless(t *testing.T, name, document string) {
	t.Helper()
	elements := strings.Fields("header main footer nav section article details summary " +
		"div span wbr p a h1 h2 h3 h4 ul li dl dt dd table caption thead tbody tr th td data abbr code strong")
	attributes := strings.Fields("href class id title style aria-hidden aria-label role tabindex scope colspan value data-path data-of")
	styles := regexp.MustCompile(`^width: [0-9.]+%$`)
	ids := map[string]bool{}
	var links []string
	parse(t, document).walk(func(e *element, _ []*element) {
		if e.name != "" && !slices.Contains(elements, e.name) {
			t.Errorf("%s: element %s", name, e.name)
		}
		for a, value := range e.attributes {
			switch {
			case !slices.Contains(attributes, a):
				t.Errorf("%s: attribute %s of %s", name, a, e.name)
			case a == "href" && e.name == "a":
				links = append(links, strings.TrimPrefix(value, "#"))
				if !strings.HasPrefix(value, "#") {
					t.Errorf("%s: leads to %s", name, value)
				}
			case a == "style" && !styles.MatchString(value):
				t.Errorf("%s: style %q", name, value)
			case a == "id":
				if ids[value] {
					t.Errorf("%s: two elements are %s", name, value)
				}
				ids[value] = true
			}
		}
	})
	for _, link := range links {
		if !ids[link] {
			t.Errorf("%s: a link leads to #%s, which is not there", name, link)
		}
	}
}

// Names are escaped and shown unchanged.
func TestHostileNames(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'> ' & {{.}} </style> javascript:alert(3)`
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(evil)
	names := map[string]string{"markup": quoted, "control characters": `a\u0000\u0001\u001b[31m\u202e\ufffe`, "pointer": "~1/~0/"}
	for name, hostile := range names {
		t.Run(name, func(t *testing.T) {
			pod := `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"namespace": "NAME", "name": "NAME", "uid": "1"}, "spec": {"replicas": 3, "template": {"spec": {"containers": [
				{"name": "NAME", "resources": {"requests": {"cpu": "1", "NAME": "3"}, "limits": {"NAME": "3"}}}]}}}}`
			node := `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "NAME", "uid": "2"}, "status": {"allocatable": {"cpu": "4", "memory": "1Gi", "pods": "2", "NAME": "7"}}}`
			r := reportOn(strings.ReplaceAll(pod+node, "NAME", hostile))
			if len(r.Workloads) != 1 || len(r.Nodes) != 1 {
				t.Fatalf("%d workloads, %d nodes", len(r.Workloads), len(r.Nodes))
			}
			document := page.Body(r)
			checkHarmless(t, name, document)
			checkDocument(t, document, treeOf(t, r))
		})
	}
}

func TestDocumentIsDeterministic(t *testing.T) {
	r := reportOn("", inputs["several"]...)
	first := page.Body(r)
	for range 10 {
		testkit.NoDiff(t, page.Body(r), first)
	}
}

// Tables have captions and headings for rows and columns; sections have headings.
func TestDocumentIsAccessible(t *testing.T) {
	root := parse(t, page.Body(reportOn("", inputs["several"]...)))
	for _, table := range root.all("table") {
		if len(table.all("caption")) != 1 || table.all("caption")[0].text() == "" {
			t.Error("a table without a caption")
		}
		for _, th := range table.all("th") {
			if th.attributes["scope"] == "" {
				t.Errorf("heading %q without a scope", th.text())
			}
		}
		for _, row := range table.all("tbody")[0].all("tr") {
			if first := row.children[0].(*element); first.name != "th" {
				t.Errorf("row %q has no heading", row.text())
			}
		}
	}
	for _, section := range root.all("section") {
		if len(section.all("h2")) != 1 {
			t.Errorf("section %s without a heading", section.attributes["id"])
		}
	}
	if skip := root.all("skip"); len(skip) != 1 || skip[0].attributes["href"] != "#report" {
		t.Error("no link that skips to the report")
	}
}

// Rejected objects come first.
func TestRejectedComesFirst(t *testing.T) {
	root := parse(t, page.Body(reportOn("", inputs["rejected"]...)))
	if first := root.all("section")[0]; first.attributes["id"] != "rejected" || len(first.all("verdict")) < 3 {
		t.Errorf("first comes %s", first.attributes["id"])
	}
}

// Nothing was read: the page says so without sections.
func TestEmptyReport(t *testing.T) {
	r := reportOn("")
	document := page.Body(r)
	checkHarmless(t, "empty", document)
	checkDocument(t, document, treeOf(t, r))
}
