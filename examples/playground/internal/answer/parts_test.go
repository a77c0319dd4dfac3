package answer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/resourcepool"
	"github.com/kubemath/kubemath/examples/playground/internal/coschedule"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// words returns the text of HTML, without its tags.
func words(html string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, " ")), " ")
}

// balanced reports whether each section, list and table of HTML ends.
func balanced(html string) bool {
	for _, tag := range []string{"section", "ul", "dl", "table", "main", "footer", "article", "header", "p", "li"} {
		if strings.Count(html, "<"+tag+">")+strings.Count(html, "<"+tag+" ") != strings.Count(html, "</"+tag+">") {
			return false
		}
	}
	return true
}

// A document is kept as long as each text has it.
func TestCacheKeeps(t *testing.T) {
	var c cache
	if _, found := c.Load("a"); found {
		t.Error("found in an empty cache")
	}
	c.Store("a", json.RawMessage("1"))
	c.Store("b", json.RawMessage("2"))
	for range 3 {
		for range 2 {
			if raw, found := c.Load("a"); !found || string(raw) != "1" {
				t.Errorf("a is %s, %t", raw, found)
			}
		}
		c.turn()
	}
	if _, found := c.Load("b"); found {
		t.Error("b is kept, although it was not read")
	}
}

func TestDocumentEnd(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n---\nb: 2\n": "a: 1\n", "a: 1\n---": "a: 1\n", "a: 1\n--- b": "a: 1\n", "a: 1\n---\tb": "a: 1\n", "a: 1\n---\r\nb": "a: 1\n",
		"a: 1\n---b\n--- \n": "a: 1\n---b\n", "a: 1\n ---\n": "a: 1\n ---\n", "": "", "---\na": "---\na", "a": "a",
	} {
		testkit.Equal(t, text[:documentEnd(text)], want, text)
	}
}

// What is wrong with a text has its level, line, object and field. Errors come first.
func TestDocumentsList(t *testing.T) {
	var d documents
	d.set("apiVersion: v1\nkind: Pod\nmetadata: {name: odd}\nspec:\n  containers:\n  - name: a\n    resources: {requests: {memory: 5m}}\n---\n" +
		"apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: q}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: bad}\nspec: 1\n---\n" +
		"apiVersion: v1\nkind: Event\nmetadata: {name: e}\n")
	l, problems := d.list()
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %d %s|%s", p.Level, p.Line, p.Object, p.Field))
	}
	want := []string{"error 13 Pod bad|spec", "warning 7 Pod odd|spec.containers[0].resources.requests[memory]", "warning 9 ClusterQueue q|"}
	testkit.NoDiff(t, got, want)
	if len(l.Objects) != 1 || l.Skipped["Event of v1"] != 1 {
		t.Errorf("%d objects, skipped %v", len(l.Objects), l.Skipped)
	}
}

func TestFieldLineOfYAML(t *testing.T) {
	const file = `metadata:
  name: a
spec:
  list:
  -
    name: first
  - - inner: 1
    - inner: 2
  - # comment: no
    name: third
  "quoted key": 1
  url: http://x:80
  deep:
    deeper:
      deepest: 1
  after: 1
status:
other: 1
`
	for field, want := range map[string]int{
		"metadata.name": 2, "spec.list[0]": 5, "spec.list[0].name": 6, "spec.list[1]": 7, "spec.list[1][1].inner": 8, "spec.list[2].name": 10,
		"spec.list[2].comment": 9, "spec.quoted key": 11, "spec.url": 12, "spec.url.http": 12, "spec.deep.deeper.deepest": 15, "spec.after": 16,
		"spec.deep.after": 13, "spec.deepest": 3, "metadata.spec": 1, "status": 17, "status.other": 17, "other": 18, "other.x": 18, "spec.list[3]": 4,
	} {
		testkit.Equal(t, fieldLine(file, 1, field), want, field, "line")
	}
}

func TestSpecPath(t *testing.T) {
	for want, object := range map[string]admit.APIObject{
		"spec": &corev1.Pod{}, "spec.template.spec": &appsv1.Deployment{}, "spec.jobTemplate.spec.template.spec": &batchv1.CronJob{},
	} {
		testkit.Equal(t, specPath(object).String(), want, object)
	}
	testkit.Equal(t, specPath(&batchv1.Job{}).String(), "spec.template.spec", "Job")
}

// A change or a text is large beyond the number of objects that an overview lists.
func TestLarge(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: app}]}\n---\n"
	for n, want := range map[int]bool{200: false, 201: true} {
		text := ""
		for i := range n {
			text += fmt.Sprintf(pod, i)
		}
		var c Change
		testkit.OK(t, c.Set(text, ""))
		if c.IsLarge() != want {
			t.Errorf("%d objects: %t", n, !want)
		}
		if q := (Question{Program: "podreport", Text: text}); q.IsLarge() != want {
			t.Errorf("%d documents: %t", n, !want)
		}
	}
}

// A change is played in parts, whose time is limited; the overview says how far it is, and what is not considered.
func TestContinue(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: app}]}\n---\n"
	var c Change
	c.SetCluster("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n---\nspec: [\n")
	testkit.OK(t, c.Set(fmt.Sprintf(pod+pod+pod, 1, 2, 3)+"apiVersion: v1\nkind: Event\nmetadata: {name: e}\n---\nspec: {\n", ""))
	if !c.Continue(0) || c.Overview().Played != 1 || c.Overview().Summary != "" {
		t.Errorf("without time: %+v", c.Overview())
	}
	for step := range 4 {
		if _, err := c.Step(step); (err != nil) != (step > 1) {
			t.Errorf("step %d after one is played: %v", step, err)
		}
	}
	if c.Continue(time.Second) {
		t.Error("there is more to play")
	}
	o := c.Overview()
	if o.Played != 3 || o.Steps != 3 || o.Objects != 1 || o.Ignored != 1 || len(o.Problems) != 1 || len(o.Cluster) != 1 || o.Summary == "" {
		t.Errorf("%+v", o)
	}
	for step := range 5 {
		if _, err := c.Fixed(step); err == nil || !strings.Contains(err.Error(), "there is nothing to set") {
			t.Errorf("step %d: %v", step, err)
		}
	}
}

// The page of a plan has all parts of its runs.
func TestPlan(t *testing.T) {
	for n, title := range []string{"No PipelineRun is planned", "Where the pods of a PipelineRun run", "Where the pods of 2 PipelineRuns run"} {
		var w writer
		a := coschedule.Answer{Problems: []coschedule.Remark{{Text: "wrong"}}, Notes: []coschedule.Remark{{Text: "a note"}}, Manifests: "kind: Pod"}
		a.Behavior, a.ToMove = "disabled", []string{"delete it"}
		for range n {
			a.Runs = append(a.Runs, coschedule.ExplainedRun{Title: "Run", Notes: []string{"unknown"}, Podless: []string{"t1", "t2"}, Deleted: []string{"a claim"},
				Workspaces: []coschedule.ExplainedWorkspace{{Name: "src", Claim: "claim c"}},
				Groups: []coschedule.Group{{Tasks: "t3", Demand: peak.Demand{Peaks: []peak.Peak{{Resource: "cpu", Tasks: []string{"t3", "t4"}}}}}, {Placeholder: "aa", Tasks: "t5", Nodes: []coschedule.GroupCandidate{
					{Node: "one", Room: "has room"}, {Node: "two", Room: "has none", Shortages: []string{"cpu is short"}, Scheduler: "the scheduler may"}}}}})
		}
		w.plan(&a)
		run := " Run unknown On any nodes t3 Requested at once requested at once amount by cpu 0 t3, t4 On the node of aa t5 Node one has room Node two has none cpu is short the scheduler may Workspaces workspace claim src claim c Without a pod t1, t2 Deleted when it is completed a claim"
		want := title + " Behavior of the affinity assistant: disabled Errors wrong" + strings.Repeat(run, n) +
			" Placeholders to move delete it What has to be created YAML kind: Pod a note Computed from the manifests alone: no cluster is asked. TEP-0135 describes how Tekton keeps the pods of a run on one node."
		if got := words(w.String()); got != want || !balanced(w.String()) {
			t.Errorf("%d runs:\n got %s\nwant %s\n%s", n, got, want, w.String())
		}
	}
	var w writer
	w.fact("name", nil)
	w.table("title", []string{"column"}, nil)
	w.findings("odd", nil)
	w.list("title", "bad", nil)
	w.others(0, "node")
	testkit.Equal(t, w.String(), "", "of nothing")
}

// The page of pools has its tables, plans and manifests, and ends.
func TestPools(t *testing.T) {
	var w writer
	w.pools(&resourcepool.Answer{Notes: []string{"a note"}, Tables: []resourcepool.Table{{Title: "Pools", Columns: []string{"name"}, Rows: [][]string{{"p"}}}},
		Plans: []resourcepool.Plan{{Pool: "p", First: "c", Lines: []string{"raise it"}}, {Pool: "q"}}, Migration: "kind: ResourcePool"})
	const want = "Which claims on the pools hold what they request a note Pools Pools name p What has to change p c waits first raise it q no claim waits " +
		"What has to be created kind: ResourcePool Computed from the manifests alone: no cluster is asked. Ages are those when the youngest object is two seconds old."
	if got := words(w.String()); got != want || !balanced(w.String()) {
		t.Errorf("\n got %s\nwant %s\n%s", got, want, w.String())
	}
	a, err := resourcepoolOf(Question{Text: "apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: oil}\nspec: {resourceQuotas: {scope: Tenant, items: [{hard: {pods: 3}}]}}\n" +
		"---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: capsule-oil-0, namespace: oil-dev}\nspec: {hard: {pods: 3, secrets: 1}}\n"})
	if err != nil || len(a.Problems) != 1 || a.Problems[0].Text != `migrate: pool "oil-size" has no secrets, which quota "oil-dev/capsule-oil-0" limits` || a.Problems[0].Level != Error {
		t.Errorf("%+v, %v", a.Problems, err)
	}
	a, err = resourcepoolOf(Question{Text: "a: ["})
	if err != nil || len(a.Problems) == 0 || a.Problems[0].Level != Error {
		t.Errorf("%+v, %v", a.Problems, err)
	}
}

// A step says how many objects, namespaces and nodes it does not show.
func TestOthers(t *testing.T) {
	percent := int64(150)
	usage := map[corev1.ResourceName]comparison.Usage{"cpu": {Used: "3", Hard: "2", Percent: &percent}, "memory": {Used: "0", Hard: "1Gi"}, "pods": {Used: "2", Hard: "9"}, "example.com/a": {Used: "0", Hard: "1"}}
	s := stepOf(&play.Step{
		Objects: []play.Told{{}}, OtherObjects: 1, OtherNamespaces: 2,
		Namespaces: []play.NamespaceState{{Name: "shop", Quotas: []play.QuotaState{{Quota: comparison.Quota{Name: "new", Resource: "pods", After: comparison.Usage{Used: "0", Hard: "9"}}}}}},
		Nodes:      []play.NodeState{{Node: comparison.Node{Name: "one", Before: usage, After: usage}}}, OtherNodes: 3,
	})
	if len(s.Objects) != 1 || s.OtherObjects != 1 {
		t.Errorf("%d objects and %d others", len(s.Objects), s.OtherObjects)
	}
	for got, want := range map[string]string{
		s.Quotas: "Namespaces and their quotas shop pods 0 of 9 and 2 other namespaces",
		s.Nodes:  "Nodes and their pods one cpu 3 of 2 memory 0 of 1Gi and 3 other nodes",
	} {
		if words(got) != want || !balanced(got) {
			t.Errorf("%s, want %s: %s", words(got), want, got)
		}
	}
	const full = `<span class="amount full" aria-hidden="true" style="--limit: 66.67%"><span class="used" style="--share: 100.00%"></span></span>`
	const empty = `<span class="amount" aria-hidden="true" style="--limit: 100.00%"></span>`
	if !strings.Contains(s.Nodes, full) || !strings.Contains(s.Nodes, empty) {
		t.Errorf("bars of %s", s.Nodes)
	}
}

// Names of users are written without control characters.
func TestProblem(t *testing.T) {
	want := Problem{Error, 3, `a\x1b`, `b\x1b`, `c\x1b`}
	testkit.NoDiff(t, problem(Error, 3, "a\x1b", "b\x1b", "c\x1b"), want)
	testkit.Equal(t, new(Session).Account(0), "", "an account before the first overview")
}

// The last pods have squares: those that came and went, and then those that stay.
func TestSquares(t *testing.T) {
	var stay, came []string
	for i := range 5 {
		stay = append(stay, fmt.Sprintf("stay%d", i))
	}
	for i := range 28 {
		came = append(came, fmt.Sprintf("came%d", i))
	}
	var w writer
	w.owner(&play.OwnerPods{Owner: "web", Stay: stay, Came: came, Gone: []string{"gone0"}})
	html := w.String()
	if strings.Count(html, "<span class=\"pod") != 31 || strings.Contains(html, "stay3") || !strings.Contains(html, `<span class="pod" title="stay4">`) ||
		!strings.Contains(html, `<span class="pod came" title="came0">`) || !strings.Contains(html, `<span class="pod gone" title="gone0">`) || words(html) != "web 33 (+28 −1)" {
		t.Errorf("%s", html)
	}
}

// A fix is not written into a text with amounts elsewhere: those of an anchor are not in the container.
func TestFixOfAnchors(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    resources: &r\n      requests: {cpu: 3}\n  - name: b\n    resources: *r\n"
	const limits = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    resources:\n      requests: &r\n        cpu: 5\n      limits: *r\n"
	for _, text := range []string{pod, limits} {
		var c Change
		c.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 4}}\n")
		testkit.OK(t, c.Set(text, ""))
		c.Continue(time.Second)
		if text, err := c.Fixed(1); err == nil || err.Error() != "these amounts cannot be written into this text: please set them yourself" {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// Of two documents with one text, the last one counts, and is the one to fix. If their names are generated, both count.
func TestFixOfEqualDocuments(t *testing.T) {
	const pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    resources:\n      requests:\n        cpu: 3\n"
	var c Change
	c.SetCluster("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 2}}\n")
	for range 2 { // the documents have been read before
		testkit.OK(t, c.Set(pod+pod, ""))
	}
	c.Continue(time.Second)
	got, err := c.Fixed(1)
	testkit.OK(t, err)
	testkit.Equal(t, got, pod+strings.Replace(pod, "cpu: 3", "cpu: 2", 1))
	unnamed := strings.Replace(pod, "name: a", "generateName: a-", 1)
	testkit.OK(t, c.Set(unnamed+unnamed, ""))
	c.Continue(time.Second)
	got, err = c.Fixed(2)
	testkit.OK(t, err)
	testkit.Equal(t, got, unnamed+strings.Replace(unnamed, "cpu: 3", "cpu: 2", 1))
}

// A first answer is about up to 20 documents that have changed.
func TestFirstOfMany(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d-%d}\nspec: {containers: [{name: app}]}\n---\n"
	for changed, want := range map[int]bool{0: false, 1: true, 20: true, 21: false} {
		var s Session
		text := func(version int) (all string) {
			for i := range 30 {
				if i >= changed {
					version = 0
				}
				all += fmt.Sprintf(pod, i, version)
			}
			return all
		}
		for version := range 2 {
			a, err := s.First(Question{Program: "podreport", Text: text(version)})
			if err != nil || (a.HTML != "") != (want && version == 1) {
				t.Errorf("%d changed, version %d: %d bytes, %v", changed, version, len(a.HTML), err)
			}
		}
	}
}

// Only a colon before a space or the end of the line ends a key.
func TestColons(t *testing.T) {
	for _, test := range []struct {
		text, field string
		want        int
	}{{"spec:\n  d: |\n    a:b\n", "spec.d.a", 2}, {"a: 1\nspec:", "spec", 2}, {"spec:\n  d: |\n    a: b\n", "spec.d.a", 3},
		{"spec:\n# a note: this\n  c: 1\n", "spec.c", 3}, {"spec:\n  b:\n#\t: \n    c: 1\n", "spec.b.c", 4}} {
		testkit.Equal(t, fieldLine(test.text, 1, test.field), test.want, test.field, "of", test.text, "line")
	}
}

// One percent has a bar. The cpu and memory of a node are always there, and other resources if they are used.
func TestBars(t *testing.T) {
	var w writer
	w.bar(0, 1, 2)
	const want = `<span class="amount" aria-hidden="true" style="--limit: 100.00%"><span class="added" style="--share: 1.00%"></span><span class="over" style="--share: 1.00%"></span></span>`
	testkit.Equal(t, w.String(), want)
	usage := map[corev1.ResourceName]comparison.Usage{"cpu": {Used: "0", Hard: "2"}, "memory": {Used: "0", Hard: "1Gi"}, "example.com/b": {Used: "1", Hard: "1"}}
	s := stepOf(&play.Step{Nodes: []play.NodeState{{Node: comparison.Node{Name: "one", Before: usage, After: usage}}}})
	testkit.Equal(t, words(s.Nodes), "Nodes and their pods one cpu 0 of 2 example.com/b 1 of 1 memory 0 of 1Gi")
}
