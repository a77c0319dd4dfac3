package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/browser"
)

// paste pastes a text where the focus is.
func paste(t *testing.T, page *browser.Page, text string) {
	t.Helper()
	change(t, page, func() {
		do(t, page, fmt.Sprintf(`(() => {
			const clipboardData = new DataTransfer();
			clipboardData.setData("text/plain", %q);
			document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
		})()`, text))
	})
}

// Of a long text, one document at a time is edited, and the report is about all of them.
func (p *playground) testLarge(t *testing.T) {
	page := p.openPod(t)
	const rejected = "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: '" + evilName + "', name: bad}\nspec: {containers: [{name: app, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n"
	text := many(300) + rejected
	if eval[bool](t, page, `document.querySelector("#editor").matches(".large")`) {
		t.Error("a sample is large")
	}
	do(t, page, `document.querySelector("#text").focus(), document.querySelector("#text").select()`)
	paste(t, page, text)
	check := func(what, line, title, text string) {
		t.Helper()
		if got := eval[string](t, page, `document.querySelector("#editor pre").textContent.split("\n")[0]`); got != line {
			t.Errorf("%s: the first line is %s, want %s", what, got, line)
		}
		if got := eval[string](t, page, `document.querySelector("#editor select").selectedOptions[0]?.text ?? ""`); got != title {
			t.Errorf("%s: the document is %q, want %q", what, got, title)
		}
		if got := textOf(t, page); !strings.Contains(got, text) || strings.Count(got, "kind:") != 1 {
			t.Errorf("%s: the text is\n%s", what, got)
		}
	}
	status := func(want string) {
		t.Helper()
		if got := eval[string](t, page, `document.querySelector("#editor [role=status]").textContent`); !strings.HasPrefix(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	lines := strings.Count(many(1), "\n")
	check("pasted", "1", "Deployment shop-0/web-0", "name: web-0\n")
	status(fmt.Sprintf("%s lines in 301 documents: choose the one to edit.", "10,506"))
	p.checkWholeReport(t, page, text)

	// The problem leads to its document and its line.
	do(t, page, `document.querySelector("#problems button").click()`)
	check("problem", fmt.Sprint(300*lines+1), "Pod "+evilName+"/bad", "name: bad")
	if got := eval[string](t, page, `document.activeElement.id + " " + getSelection()`); !strings.HasPrefix(got, "text spec: {containers:") {
		t.Errorf("selected: %q", got)
	}
	p.checkHarmless(t, page)
	if marks := eval[[]string](t, page, `[...document.querySelectorAll("#editor .marks span")].map(m => m.className + m.style.getPropertyValue("--line"))`); !slices.Equal(marks, []string{"rejected4"}) {
		t.Errorf("marks %q", marks)
	}

	// Find narrows the list; Enter goes through it.
	find(t, page, "CPU: 225m")
	status("Found in 3 of 301 documents.")
	for _, n := range []int{25, 125, 225, 25} {
		press(t, page, "Enter")
		check("found", fmt.Sprint(n*lines+1), fmt.Sprintf("Deployment shop-%d/web-%d", n%5, n), "cpu: 225m")
	}
	if marks := eval[[]string](t, page, `[...document.querySelectorAll("#editor .marks span")].map(m => m.className)`); !slices.Equal(marks, []string{"found"}) {
		t.Errorf("marks %q", marks)
	}

	// All of it is reached by keys, and has a name.
	var stops []string
	for range 7 {
		stops = append(stops, eval[string](t, page, `(e => e.ariaLabel || e.textContent)(document.activeElement)`))
		press(t, page, "Tab")
	}
	if want := []string{"Find in all documents", "Previous document", "Next document", "Documents", "Manifests, YAML or JSON"}; !slices.Equal(stops[:len(want)], want) {
		t.Errorf("the key Tab leads to %q", stops)
	}

	// A key changes its document alone, also in the list, and Ctrl+Z takes it back.
	do(t, page, `(t => { t.focus(); const at = t.value.indexOf("web-25") + "web-25".length; t.setSelectionRange(at, at); })(document.querySelector("#text"))`)
	change(t, page, func() { press(t, page, "7") })
	check("typed", fmt.Sprint(25*lines+1), "Deployment shop-0/web-257", "name: web-257\n")
	p.checkWholeReport(t, page, strings.Replace(text, "name: web-25\n", "name: web-257\n", 1))
	change(t, page, func() { do(t, page, `document.execCommand("undo")`) })
	check("undone", fmt.Sprint(25*lines+1), "Deployment shop-0/web-25", "name: web-25\n")
	p.checkWholeReport(t, page, text)

	// A line more moves the documents after it.
	change(t, page, func() { press(t, page, "Enter") })
	do(t, page, `document.querySelector("#problems button").click()`)
	find(t, page, "bad")
	check("a line more", fmt.Sprint(300*lines+2), "Pod "+evilName+"/bad", "name: bad")

	// An empty text is small, and the one before comes back.
	change(t, page, func() { do(t, page, `document.querySelector("#editor .clear").click()`) })
	if got := textOf(t, page); got != "" || eval[bool](t, page, `document.querySelector("#editor").matches(".large")`) {
		t.Errorf("cleared, the text is %q", got)
	}
	change(t, page, func() { do(t, page, `history.back()`) })
	check("back", "1", "Deployment shop-0/web-0", "name: web-0\n")
}

// checkWholeReport compares each number of the report on a text with that of podreport.
func (p *playground) checkWholeReport(t *testing.T, page *browser.Page, text string) {
	t.Helper()
	report, _ := p.output(t, "report", text, "-o", "json")
	checkNumbers(t, page, shown, 20, report)
}

// What is set into a document of a long change can be undone at once. A dump of a cluster has its items as documents.
func (p *playground) testLargeChange(t *testing.T) {
	page := p.open(t, "")
	whole := p.samples(t)["change"][0].Text + many(150)
	p.choose(t, page, whole)
	await(t, page, `document.querySelector(".fix")`)
	find(t, page, "kind: Deployment") // another document is shown
	const former, fixed = `{cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}`, `{cpu: "850m", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}`
	change(t, page, func() { do(t, page, `document.querySelector(".fix").click()`) })
	if got := textOf(t, page); !strings.Contains(got, "name: search") || !strings.Contains(got, fixed) || strings.Count(got, "kind:") != 1 {
		t.Errorf("fixed, the text is\n%s", got)
	}
	change(t, page, func() { do(t, page, `document.execCommand("undo")`) })
	if got := textOf(t, page); !strings.Contains(got, former) {
		t.Errorf("undone once, the text is\n%s", got)
	}
	do(t, page, `document.querySelector("#copy").click()`)
	await(t, page, `location.hash.length > 1`)
	linked := p.open(t, eval[string](t, page, `location.hash`))
	find(t, linked, former)
	do(t, linked, `document.querySelector("#editor .next").click()`)
	if got := textOf(t, linked); !strings.Contains(got, former) {
		t.Errorf("linked, the text is\n%s", got)
	}
	dump := filepath.Join(t.TempDir(), "dump.yaml")
	var items strings.Builder
	items.WriteString("apiVersion: v1\nitems:\n")
	for i := range 600 {
		fmt.Fprintf(&items, "- apiVersion: v1\n  kind: Node\n  metadata:\n    labels:\n      name: label\n    name: node-%d\n  status:\n    allocatable:\n      cpu: 32\n      memory: 128Gi\n      pods: 110\n", i)
	}
	items.WriteString("kind: List\n")
	if err := os.WriteFile(dump, []byte(items.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, page, `document.querySelector("#source").open = true`)
	if err := page.Choose("#dump", dump); err != nil {
		t.Fatal(err)
	}
	await(t, page, `document.querySelector("#objects").textContent === "600 objects"`)
	if titles := eval[[]string](t, page, `[...document.querySelectorAll("#cluster option")].map(o => o.text).slice(0, 3)`); !slices.Equal(titles, []string{"apiVersion: v1", "Node node-0", "Node node-1"}) {
		t.Errorf("titles %q", titles)
	}
}
