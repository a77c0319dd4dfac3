package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
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
// be told from its ground, nothing lies over anything else or is cut off, and the text areas can be read. There is a
// picture of it in the folder that KUBEMATH_PICTURES names, if it does.
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
	var hidden []string
	if err := page.Eval(overlaps, &hidden); err != nil {
		t.Fatal(err)
	}
	for _, h := range hidden {
		t.Errorf("%+v: %s", view, h)
	}
	checkEditors(t, page, view)
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

// checkEditors measures the text areas that are shown: each lies beside its numbers, fills its box, and shows enough lines.
func checkEditors(t *testing.T, page *browser.Page, view browser.View) {
	t.Helper()
	type rect struct{ Left, Top, Right, Bottom float64 }
	var editors []struct {
		ID                string
		Box, Text, Gutter rect
		Lines             float64
	}
	err := page.Eval(`(() => {
		const rect = e => (r => ({Left: r.left, Top: r.top, Right: r.right, Bottom: r.bottom}))(e.getBoundingClientRect());
		return [...document.querySelectorAll(".editor")].filter(e => e.checkVisibility() && e.clientHeight).map(e => {
			const text = e.querySelector("textarea"), parts = e.querySelector(".parts"), style = getComputedStyle(text), box = rect(e);
			box.Top = parts.checkVisibility() ? rect(parts).Bottom : box.Top + e.clientTop;
			for (const side of ["Left", "Right", "Bottom"]) box[side] += (side === "Left" ? 1 : -1) * e.clientLeft;
			return {ID: e.id, Box: box, Text: rect(text), Gutter: rect(e.querySelector(".gutter")), Lines: (text.clientHeight - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight)};
		});
	})()`, &editors)
	if err != nil {
		t.Fatal(err)
	}
	if len(editors) == 0 {
		t.Errorf("%+v: no text area is shown", view)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1 }
	for _, e := range editors {
		if g := e.Gutter; !near(g.Left, e.Box.Left) || !near(g.Top, e.Box.Top) || !near(g.Bottom, e.Box.Bottom) {
			t.Errorf("%+v: the numbers of %s are at %v in a box at %v", view, e.ID, g, e.Box)
		}
		if want := (rect{e.Gutter.Right, e.Box.Top, e.Box.Right, e.Box.Bottom}); !near(e.Text.Left, want.Left) || !near(e.Text.Top, want.Top) || !near(e.Text.Right, want.Right) || !near(e.Text.Bottom, want.Bottom) {
			t.Errorf("%+v: the text of %s is at %v, want %v", view, e.ID, e.Text, want)
		}
		least := 10.0
		if view.Width > 1024 && e.ID == "editor" {
			least = 20
		}
		if e.Lines < least {
			t.Errorf("%+v: %s shows %.1f lines, want %v", view, e.ID, e.Lines, least)
		}
	}
}

// overlaps is a script for the texts and fields that lie over each other, and for those that are cut off by a box that
// does not scroll. Numbers of lines scroll with the text beside them, and captions of tables are for screen readers.
const overlaps = `(() => {
	const within = root => [...root.querySelectorAll("body *")].flatMap(e => e.shadowRoot ? [e, ...within(e.shadowRoot)] : [e]);
	const name = e => e.localName + (e.id && "#" + e.id) + (typeof e.className === "string" && e.className && "." + e.className);
	const faults = new Set(), shown = [];
	for (const e of within(document)) {
		if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || e.closest(".gutter, option, svg") || getComputedStyle(e).clipPath !== "none") continue;
		const field = e.matches("textarea, input, select, progress"), boxes = [];
		if (field && e.matches("[type=file]")) continue;
		if (field) boxes.push([e.getBoundingClientRect(), name(e)]);
		else for (const n of e.childNodes) if (n.nodeType === 3 && n.textContent.trim()) {
			const range = document.createRange();
			range.selectNodeContents(n);
			for (const r of range.getClientRects()) boxes.push([r, name(e) + " " + n.textContent.trim().slice(0, 40)]);
		}
		for (const [r, what] of boxes) {
			let {left, top, right, bottom} = r, cut = false;
			for (let a = field ? e.parentElement ?? e.getRootNode().host : e; a; a = a.parentElement ?? a.getRootNode().host) {
				const style = getComputedStyle(a), box = a.getBoundingClientRect();
				if (style.overflowX === "visible" || style.display === "inline" || a === document.body || a === document.documentElement) continue;
				if (style.overflowX === "hidden" && style.textOverflow !== "ellipsis" && (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)) cut = true;
				left = Math.max(left, box.left); right = Math.min(right, box.right); top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom);
			}
			if (cut) faults.add(what + " is cut off");
			if (right - left > 1 && bottom - top > 1 && right > 0) shown.push({left, top, right, bottom, what, e});
		}
	}
	shown.sort((a, b) => a.top - b.top);
	shown.forEach((a, i) => {
		for (let j = i + 1; j < shown.length && shown[j].top < a.bottom - 3; j++) {
			const b = shown[j];
			if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - b.top > 3) faults.add(a.what + " lies over " + b.what);
		}
	});
	return [...faults].slice(0, 10);
})()`

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
