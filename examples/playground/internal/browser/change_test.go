package browser_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/browser"
)

const maxChange = 200 // milliseconds from a key until it and the answer with 2,000 workloads are painted

// comparison is what is read of the output of kubemath diff.
type comparison struct {
	Objects []struct {
		Kind, Namespace, Name, Action, Error, Missing string
		Wanted, Pods, Placed                          int
	}
	Quotas []struct {
		Namespace, Name, Resource string
		Before, After             struct{ Used, Hard string }
	}
	Nodes []struct {
		Name          string
		Before, After map[string]struct{ Used, Hard string }
	}
	Pods []struct {
		Namespace, Name, Before, Node string
		Gone                          bool
	}
}

// diff returns what kubemath diff says of a change.
func (p *playground) diff(t *testing.T, change, cluster string) (c comparison) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"change.yaml": change, "cluster.yaml": cluster} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(p.program, "diff", "-f", "change.yaml", "-on", "cluster.yaml", "-o", "json")
	cmd.Dir = dir
	text, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 2 {
		t.Fatalf("exit code %d: %v", code, err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// state is a step as the page shows it.
type state struct {
	Now, Title string
	Heads      []string
	Quotas     map[string]string // by namespace and resource: "7 → 10 of 20"
	Nodes      map[string]string // by node and resource
	Pods       []string          // "+web-1 on a", "-web-1 on a"
	Waiting    int
}

func stateOf(t *testing.T, page *browser.Page) state {
	t.Helper()
	return eval[state](t, page, `(() => {
		const rows = root => Object.fromEntries([...root.querySelectorAll("section")].flatMap(s => [...s.querySelectorAll(".quota")].map(q =>
			[s.querySelector("h4").textContent + " " + q.querySelector(".what").textContent, q.querySelector(".numbers").textContent])));
		const pods = [...document.querySelectorAll("#nodes section")].flatMap(s => [...s.querySelectorAll(".pod.came, .pod.gone")].map(p =>
			(p.matches(".gone") ? "-" : "+") + p.title + " on " + s.querySelector("h4").textContent));
		return {Now: document.querySelector("#steps [aria-current]")?.textContent ?? "", Title: document.querySelector("#verdict h2")?.textContent ?? "",
			Heads: [...document.querySelectorAll("#verdict .head")].map(h => h.textContent), Quotas: rows(document.querySelector("#quotas")),
			Nodes: rows(document.querySelector("#nodes")), Pods: pods.sort(), Waiting: document.querySelectorAll("#pending li").length};
	})()`)
}

// text is how the page writes an amount of a limit before and after.
func text(before, after, hard string) string {
	if before != "" && before != after {
		after = before + " → " + after
	}
	return after + " of " + hard
}

func sampleOf(t *testing.T, page *browser.Page, i int) {
	t.Helper()
	change(t, page, func() {
		do(t, page, fmt.Sprintf(`document.querySelectorAll("#samples button")[%d].click()`, i))
	})
	await(t, page, `document.querySelector("#busy").textContent === "" && document.querySelector("#verdict h2")`)
}

func (p *playground) step(t *testing.T, page *browser.Page, button string) {
	t.Helper()
	change(t, page, func() { do(t, page, fmt.Sprintf(`document.querySelector(%q).click()`, button)) })
}

// A change is played object by object. In each step, the amounts are those of kubemath diff of the objects up to it, and in
// the last one all of it is as kubemath diff says.
func (p *playground) testChange(t *testing.T) {
	page := p.open(t, "")
	samples := p.samples(t)["change"]
	for i, sample := range samples {
		sampleOf(t, page, i)
		documents := strings.Split(sample.Text, "---\n")
		whole := p.diff(t, sample.Text, sample.Cluster)
		used := map[string]string{}
		for _, q := range whole.Quotas {
			used[q.Namespace+" "+q.Resource] = q.Before.Used
		}
		for eval[bool](t, page, `!document.querySelector("#back").disabled`) {
			p.step(t, page, "#back")
		}
		if got := stateOf(t, page); got.Now != "before" || len(got.Heads)+len(got.Pods) > 0 {
			t.Errorf("%s: before: %+v", sample.Name, got)
		}
		for n := range documents {
			p.step(t, page, "#forward")
			got, want := stateOf(t, page), p.diff(t, strings.Join(documents[:n+1], "---\n"), sample.Cluster)
			if o := want.Objects[n]; !strings.Contains(got.Heads[0], o.Kind+" "+strings.Trim(o.Namespace+"/"+o.Name, "/")+" "+strings.ToLower(o.Action)) || !strings.HasPrefix(got.Now, fmt.Sprint(n+1)) {
				t.Errorf("%s: step %d is %q, %q", sample.Name, n+1, got.Now, got.Heads)
			}
			for _, q := range want.Quotas {
				name := q.Namespace + " " + q.Resource
				if want := text(used[name], q.After.Used, q.After.Hard); got.Quotas[name] != want {
					t.Errorf("%s: step %d: %s is %q, want %q", sample.Name, n+1, name, got.Quotas[name], want)
				}
				used[name] = q.After.Used
			}
		}
		p.step(t, page, "#forward")
		p.checkWhole(t, page, &whole)
		if eval[bool](t, page, `!document.querySelector("#forward").disabled`) {
			t.Errorf("%s: there is a step after the last one", sample.Name)
		}
	}
}

// checkWhole compares the step of the whole change with kubemath diff.
func (p *playground) checkWhole(t *testing.T, page *browser.Page, want *comparison) {
	t.Helper()
	got := stateOf(t, page)
	if got.Title != "All together" {
		t.Fatalf("the step is %q", got.Title)
	}
	for _, q := range want.Quotas {
		if want := text(q.Before.Used, q.After.Used, q.After.Hard); got.Quotas[q.Namespace+" "+q.Resource] != want {
			t.Errorf("%s %s is %q, want %q", q.Namespace, q.Resource, got.Quotas[q.Namespace+" "+q.Resource], want)
		}
	}
	for _, n := range want.Nodes {
		for _, resource := range []string{"cpu", "memory"} {
			if want := text(n.Before[resource].Used, n.After[resource].Used, n.After[resource].Hard); got.Nodes[n.Name+" "+resource] != want {
				t.Errorf("%s of %s is %q, want %q", resource, n.Name, got.Nodes[n.Name+" "+resource], want)
			}
		}
	}
	var pods []string
	for _, pod := range want.Pods {
		if pod.Before != "" && (pod.Gone || pod.Node != pod.Before) {
			pods = append(pods, "-"+pod.Name+" on "+pod.Before)
		}
		if !pod.Gone && pod.Node != "" && pod.Node != pod.Before {
			pods = append(pods, "+"+pod.Name+" on "+pod.Node)
		}
	}
	slices.Sort(pods)
	if !slices.Equal(pods, got.Pods) {
		t.Errorf("pods %q, want %q", got.Pods, pods)
	}
	for i, o := range want.Objects {
		head := fmt.Sprintf("%s %s %s", o.Kind, strings.Trim(o.Namespace+"/"+o.Name, "/"), strings.ToLower(o.Action))
		if o.Wanted > 0 {
			head += fmt.Sprintf(": %d pod%s wanted, %d created, %d on nodes", o.Wanted, map[bool]string{true: "", false: "s"}[o.Wanted == 1], o.Pods, o.Placed)
		}
		if !strings.HasSuffix(got.Heads[i], head) {
			t.Errorf("%q, want %q", got.Heads[i], head)
		}
	}
}

// The first step that is shown is that of the first refusal. What is set there admits it, and can be undone at once.
func (p *playground) testFix(t *testing.T) {
	page := p.open(t, "")
	sample := p.samples(t)["change"][0]
	if got := stateOf(t, page); got.Title != "Step 2 of 3" || !strings.Contains(got.Heads[0], "Deployment shop/search created: 4 pods wanted, 3 created") {
		t.Fatalf("%+v", got)
	}
	if status := eval[string](t, page, `document.querySelector("#status").textContent`); status != "1 rejection" {
		t.Errorf("status %q", status)
	}
	change(t, page, func() { do(t, page, `document.querySelector(".fix").click()`) })
	fixed := textOf(t, page)
	want := strings.Replace(sample.Text, `{requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`, `{requests: {cpu: "850m", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`, 1)
	if fixed != want {
		t.Fatalf("the text is\n%s", fixed)
	}
	whole := p.diff(t, fixed, sample.Cluster)
	for _, o := range whole.Objects {
		if o.Error+o.Missing != "" {
			t.Errorf("kubemath diff still refuses %s: %s", o.Name, cmp.Or(o.Error, o.Missing))
		}
	}
	p.checkWhole(t, page, &whole)
	change(t, page, func() { do(t, page, `document.querySelector("#text").focus(), document.execCommand("undo")`) })
	if got := textOf(t, page); got != sample.Text {
		t.Errorf("undone once, the text is\n%s", got)
	}
	// The third sample has its amounts below each other, with a comment that stays.
	sampleOf(t, page, 2)
	do(t, page, `document.querySelector(".fix").click()`)
	await(t, page, `document.querySelector("#text").value.includes("            memory: 128Mi # as it always was\n")`)
	await(t, page, `document.querySelector("#verdict h2")?.textContent === "All together"`)
}

// What is played stops at the first refusal; arrow keys go further and back; what is said is told to screen readers.
func (p *playground) testPlay(t *testing.T) {
	page := p.open(t, "")
	p.step(t, page, "#play")
	if got := stateOf(t, page); got.Now != "before" {
		t.Errorf("it begins with %q", got.Now)
	}
	await(t, page, `document.querySelector("#play").textContent === "Play" && document.querySelector("#verdict h2").textContent === "Step 2 of 3"`)
	do(t, page, `document.querySelector("#steps [aria-current]").focus()`)
	for _, test := range []struct{ key, title string }{{"ArrowRight", "Step 3 of 3"}, {"ArrowRight", "All together"}, {"ArrowLeft", "Step 3 of 3"}, {"ArrowLeft", "Step 2 of 3"}} {
		change(t, page, func() { press(t, page, test.key) })
		if got := stateOf(t, page); got.Title != test.title {
			t.Errorf("%s leads to %q, want %q", test.key, got.Title, test.title)
		}
		if focus := eval[string](t, page, `document.activeElement.closest("#steps") ? document.activeElement.getAttribute("aria-current") : document.activeElement.localName`); focus != "step" {
			t.Errorf("after %s, the focus is on %q", test.key, focus)
		}
	}
	if live := eval[string](t, page, `document.querySelector("#verdict").ariaLive`); live != "polite" {
		t.Errorf("the verdict is %q", live)
	}
	if names := eval[[]string](t, page, `[...document.querySelectorAll("#change button, #change textarea, #change section")].filter(e => !(e.ariaLabel || e.textContent)).map(e => e.outerHTML)`); len(names) > 0 {
		t.Errorf("without a name: %q", names)
	}
}

// Back and Forward of the browser go through tabs, samples and steps, with the texts that were there.
func (p *playground) testHistory(t *testing.T) {
	page := p.open(t, "")
	samples := p.samples(t)
	place := func() string {
		tab := eval[string](t, page, `document.querySelector("[aria-selected=true]").id.slice(4)`)
		name := "?"
		for _, s := range samples[tab] {
			if s.Text == textOf(t, page) {
				name = s.Name
			}
		}
		if tab != "change" {
			return tab + " " + name
		}
		return tab + " " + name + " " + stateOf(t, page).Now
	}
	places := []string{place()}
	for _, click := range []string{"#forward", "#samples li:nth-child(2), #samples button:nth-child(2)", "#back", "#tab-node", "#samples button:nth-child(2)", "#tab-change"} {
		p.step(t, page, click)
		places = append(places, place())
	}
	if places[1] != "change a refusal 3 … StatefulSet data/postgres" || places[5] != "node three nodes" {
		t.Errorf("places %q", places)
	}
	for i := len(places) - 2; i >= 0; i-- {
		change(t, page, func() { do(t, page, `history.back()`) })
		if got := place(); got != places[i] {
			t.Errorf("back leads to %q, want %q", got, places[i])
		}
	}
	for i := 1; i < len(places); i++ {
		change(t, page, func() { do(t, page, `history.forward()`) })
		if got := place(); got != places[i] {
			t.Errorf("forward leads to %q, want %q", got, places[i])
		}
	}
	// A link holds the cluster, too.
	do(t, page, `document.querySelector("#copy").click()`)
	await(t, page, `location.hash.length > 1`)
	linked := p.open(t, eval[string](t, page, `location.hash`))
	if got, want := textOf(t, linked), textOf(t, page); got != want || eval[string](t, linked, `document.querySelector("#objects").textContent`) != "11 objects" {
		t.Errorf("the link leads to\n%s", got)
	}
}

// A cluster is dropped on its side of the page, and typed.
func (p *playground) testOwnCluster(t *testing.T) {
	page := p.open(t, "")
	before := textOf(t, page)
	file := filepath.Join(t.TempDir(), "dump.json")
	dump := `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "only"}, "status": {"allocatable": {"cpu": "64", "memory": "256Gi", "pods": "110"}}}]}`
	if err := os.WriteFile(file, []byte(dump), 0o644); err != nil {
		t.Fatal(err)
	}
	change(t, page, func() {
		if err := page.Drop(1000, 400, file); err != nil {
			t.Fatal(err)
		}
	})
	if got := stateOf(t, page); textOf(t, page) != before || got.Title != "All together" || got.Nodes["only cpu"] != "0 → 9500m of 64" {
		t.Errorf("%+v", got)
	}
	do(t, page, `document.querySelector("#source").open = true`)
	await(t, page, `document.querySelector("#cluster textarea").value.includes('"only"')`)
	do(t, page, `(() => { const text = document.querySelector("#cluster textarea"); text.focus(); text.select(); })()`)
	change(t, page, func() {
		if err := page.Type("apiVersion: v1\nkind: Node\nmetadata: {name: '" + evilName + "'}\nstatus: {allocatable: {cpu: 8, memory: 32Gi, pods: 110}}\n---\na: [\n"); err != nil {
			t.Fatal(err)
		}
	})
	if got := stateOf(t, page); got.Nodes[evilName+" cpu"] == "" {
		t.Errorf("%+v", got)
	}
	if problems := eval[string](t, page, `document.querySelector("#problems").textContent`); !strings.Contains(problems, "the cluster, line 6") {
		t.Errorf("problems %q", problems)
	}
	p.checkHarmless(t, page)
	write(t, page, "apiVersion: v1\nkind: Pod\nmetadata: {name: '"+evilName+"', namespace: '"+evilName+"'}\nspec: {nodeName: '"+evilName+"', containers: [{name: '"+evilName+"', resources: {requests: {cpu: 9, '"+evilName+"': 1}}}]}\n"+
		"---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: '"+evilName+"', namespace: '"+evilName+"'}\nspec: {hard: {pods: 1}}\n")
	if seen := eval[bool](t, page, `document.querySelector("#steps").textContent.includes("<img src=x") && document.querySelector("#verdict").textContent.includes("<img src=x")`); !seen {
		t.Error("the name is not shown")
	}
	p.checkHarmless(t, page)
}

const evilName = `<img src=x onerror=window.hacked=1><script>window.hacked=1</script>`

func (p *playground) checkHarmless(t *testing.T, page *browser.Page) {
	t.Helper()
	if eval[bool](t, page, `new Promise(done => setTimeout(() => done("hacked" in window || !!document.querySelector("img, #panel script")), 100))`) {
		t.Error("a name became markup")
	}
}

// A change of 2,000 workloads, in a cluster, is shown while it is computed, and a key waits for none of it.
func (p *playground) testManyObjects(t *testing.T) {
	page := p.open(t, "")
	var nodes strings.Builder
	for i := range 300 {
		fmt.Fprintf(&nodes, "apiVersion: v1\nkind: Node\nmetadata: {name: node-%03d}\nstatus: {allocatable: {cpu: 32, memory: 128Gi, pods: 110}}\n---\n", i)
	}
	for i := range 5 {
		fmt.Fprintf(&nodes, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop-%d, name: team}\nspec: {hard: {requests.cpu: 4000, pods: 5000}}\n---\n", i)
	}
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(nodes.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	change(t, page, func() {
		if err := page.Choose("#dump", file); err != nil {
			t.Fatal(err)
		}
	})
	began := eval[float64](t, page, `performance.now()`)
	p.choose(t, page, many(2000))
	t.Logf("2,000 objects: first answer after %.0f ms", eval[float64](t, page, `performance.getEntriesByName("report").at(-1).startTime`)-began)
	await(t, page, `document.querySelector("#verdict").textContent.includes("2000 objects: 2000 created")`)
	t.Logf("2,000 objects: all of it after %.0f ms", eval[float64](t, page, `performance.now()`)-began)
	p.keys(t, page, `document.querySelector("#verdict")`, "change of 2,000 workloads")
}

// choose opens a text as a file, and waits for the first report on it.
func (p *playground) choose(t *testing.T, page *browser.Page, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, page, `performance.clearMarks()`)
	if err := page.Choose("#files", file); err != nil {
		t.Fatal(err)
	}
	await(t, page, `performance.getEntriesByName("report").length`)
}

// keys types a digit into one of many workloads, and deletes it, twenty times, and checks the median time from the key
// until it is painted in the text, and in the target what is answered to it. The machine may be busy: one of two
// attempts is enough.
func (p *playground) keys(t *testing.T, page *browser.Page, target, what string) {
	t.Helper()
	find(t, page, "cpu: 225m")
	do(t, page, `document.querySelector("#editor .next").click()`)
	do(t, page, fmt.Sprintf(`(() => {
		const text = document.querySelector("#text"), at = text.value.indexOf("cpu: 225m") + "cpu: 225".length;
		text.focus();
		text.setSelectionRange(at, at);
		window.took = [];
		window.texts = [];
		let since = null;
		addEventListener("keydown", event => since = event.timeStamp, true);
		addEventListener("input", () => {
			const began = since;
			requestAnimationFrame(() => setTimeout(() => texts.push(performance.now() - began)));
		}, true);
		new MutationObserver(() => {
			// The mark says when the question was asked: the answer may be one to the key before.
			if (since === null || !(performance.getEntriesByName("report")[0]?.detail >= since)) return;
			const began = since;
			since = null;
			requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - began)));
		}).observe(%s, {subtree: true, childList: true, characterData: true, attributes: true});
	})()`, target))
	const keys, attempts = 20, 2
	least := math.Inf(1)
	for attempt := 0; attempt < attempts && least > maxChange; attempt++ {
		do(t, page, `took.length = texts.length = 0`)
		for i := range keys {
			key := "3"
			if i%2 == 1 {
				key = "Backspace"
			}
			press(t, page, key)
			await(t, page, fmt.Sprintf("took.length >= %d", i+1))
		}
		took, texts := eval[[]float64](t, page, "took"), eval[[]float64](t, page, "texts")
		slices.Sort(took)
		slices.Sort(texts)
		t.Logf("%s: a key is painted after %.0f ms, and the answer to it after %.0f ms (medians), from %.0f to %.0f", what, texts[len(texts)/2], took[keys/2], took[0], took[keys-1])
		least = min(least, took[keys/2])
	}
	if least > maxChange {
		t.Errorf("%s: a key takes %.0f ms, want at most %d", what, least, maxChange)
	}
}

// find writes what is to be found in a long text.
func find(t *testing.T, page *browser.Page, text string) {
	t.Helper()
	do(t, page, `document.querySelector("#editor [type=search]").focus(), document.querySelector("#editor [type=search]").select()`)
	if err := page.Type(text); err != nil {
		t.Fatal(err)
	}
}

// testManyWorkloads measures the tab Pod.
func (p *playground) testManyWorkloads(t *testing.T) {
	page := p.openPod(t)
	began := eval[float64](t, page, `performance.now()`)
	p.choose(t, page, many(2000))
	t.Logf("2,000 workloads: first report after %.0f ms", eval[float64](t, page, `performance.getEntriesByName("report").at(-1).startTime`)-began)
	p.keys(t, page, shown, "report of 2,000 workloads")
}
