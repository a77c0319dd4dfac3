package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/browser"
)

// chromium is the path of the Chromium that the tests run; without it they are skipped.
func chromium(t *testing.T) *browser.Browser {
	t.Helper()
	program := os.Getenv("KUBEMATH_BROWSER")
	if program == "" {
		t.Skip("KUBEMATH_BROWSER names no Chromium: .ci/browser sees to one")
	}
	b, err := browser.Start(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// build returns the path of an example as a program.
func build(t *testing.T, example string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), example)
	cmd := exec.Command("go", "build", "-o", program, "./"+example)
	cmd.Dir = "../../.."
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}

var views = []browser.View{{Width: 390, Height: 844}, {Width: 1400, Height: 900}, {Width: 390, Height: 844, Dark: true}, {Width: 1400, Height: 900, Dark: true}}

// checkNumbers compares each number in a tree of the page, given by a script, with the report as JSON. There have to be
// as many as least.
func checkNumbers(t *testing.T, page *browser.Page, tree string, least int, text []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var report any
	if err := d.Decode(&report); err != nil {
		t.Fatal(err)
	}
	var numbers []struct{ Path, Value, Text string }
	err := page.Eval("[..."+tree+`.querySelectorAll("data")].map(e => ({Path: e.dataset.path, Value: e.value, Text: e.textContent}))`, &numbers)
	if err != nil {
		t.Fatal(err)
	}
	if len(numbers) < least {
		t.Errorf("%d numbers", len(numbers))
	}
	for _, n := range numbers {
		if want := at(report, n.Path); n.Value != want {
			t.Errorf("%s: %s, want %s", n.Path, n.Value, want)
		}
	}
	var other []struct{ Path, Text string }
	if err := page.Eval("[..."+tree+`.querySelectorAll("span[data-path]")].map(e => ({Path: e.dataset.path, Text: e.textContent}))`, &other); err != nil {
		t.Fatal(err)
	}
	for _, s := range other {
		if want := at(report, s.Path); s.Text != want {
			t.Errorf("%s: %q, want %q", s.Path, s.Text, want)
		}
	}
}

// at returns the text, or the number, at a JSON pointer.
func at(tree any, pointer string) string {
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		key := strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch node := tree.(type) {
		case map[string]any:
			tree = node[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i < 0 || i >= len(node) {
				return "nothing at " + pointer
			}
			tree = node[i]
		}
	}
	return fmt.Sprint(tree)
}

func press(t *testing.T, page *browser.Page, key string) {
	t.Helper()
	if err := page.Press(key); err != nil {
		t.Fatal(err)
	}
}

// checkView looks at the page in a view: nothing is wider than it but what scrolls by itself, text can
// be told from its ground, and there is a picture of it in the folder that KUBEMATH_PICTURES names, if
// it does.
func checkView(t *testing.T, page *browser.Page, name string, view browser.View) {
	t.Helper()
	if err := page.See(view); err != nil {
		t.Fatal(err)
	}
	var wide int
	if err := page.Eval(`document.documentElement.scrollWidth`, &wide); err != nil || wide > view.Width {
		t.Errorf("%+v: %d pixels wide: %v", view, wide, err)
	}
	var faint []string
	if err := page.Eval(contrasts, &faint); err != nil {
		t.Fatal(err)
	}
	for _, f := range faint {
		t.Errorf("%+v: too little contrast: %s", view, f)
	}
	picture, err := page.Picture(12000)
	if err != nil {
		t.Fatal(err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || size.Width != view.Width || size.Height < 800 {
		t.Errorf("%+v: a picture of %d by %d: %v", view, size.Width, size.Height, err)
	}
	folder := os.Getenv("KUBEMATH_PICTURES")
	if folder == "" {
		return
	}
	mode := "light"
	if view.Dark {
		mode = "dark"
	}
	if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, view.Width, mode)), picture, 0o644); err != nil {
		t.Error(err)
	}
}

// contrasts is a script for the texts whose contrast is below 4.5, as WCAG 2 counts it.
const contrasts = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const rgb = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = e => { for (; e; e = e.parentElement ?? e.getRootNode().host) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
	const faint = new Set();
	const within = root => [...root.querySelectorAll("body *")].flatMap(e => e.shadowRoot ? [e, ...within(e.shadowRoot)] : [e]);
	for (const e of within(document)) {
		if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim() && n.textContent.trim() !== "–")) continue;
		const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e));
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) faint.add(contrast.toFixed(2) + " of " + e.tagName + "." + e.className + " " + e.textContent.slice(0, 30));
	}
	return [...faint].slice(0, 10);
})()`
