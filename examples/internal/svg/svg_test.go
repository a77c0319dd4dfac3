package svg_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubemath/kubemath/examples/internal/svg"
)

// What is drawn is read again, with markup in a text as text.
func TestReadOfDrawing(t *testing.T) {
	var d svg.Drawing
	d.Rect(1, 2, 30, 40, "#ffffff", "a <title>")
	d.Frame(3, 4, 5, 6, "none", "#000000", 2)
	d.Text(10, 20, `font-size="22"`, "<&>")
	whole, boxes, texts, err := svg.Read(d.Document(100, 50))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(svg.Space{Width: 100, Height: 50}, whole); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]svg.Space{{1, 2, 30, 40, "", "#ffffff"}, {3, 4, 5, 6, "", "none"}}, boxes); diff != "" {
		t.Error(diff)
	}
	want := []svg.Space{{X: 10, Y: 2.4, Width: 40.2, Height: 22, Text: "<&>"}}
	if diff := cmp.Diff(want, texts, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
}

func TestMisplaced(t *testing.T) {
	var d svg.Drawing
	d.Rect(0, 0, 50, 50, "#ffffff", "")
	d.Rect(90, 90, 20, 5, "#ffffff", "")
	d.Text(10, 20, "", "label")
	d.Text(48, 40, "", "edge")
	d.Text(60, 60, "", "a")
	d.Text(62, 62, "", "b")
	d.Text(98, 20, "", "c")
	want := []string{`"edge" overlaps a box`, `"b" overlaps "a"`, `"c" is not within the picture`, "a box at 90, 90 is not within the picture"}
	for labels, want := range map[bool][]string{true: want, false: append([]string{`"label" overlaps a box`}, want...)} {
		if got, err := svg.Misplaced(d.Document(100, 100), labels); err != nil || !slices.Equal(got, want) {
			t.Errorf("labels %v: %q, %v, want %q", labels, got, err, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, document := range []string{"<svg", `<svg width="1" height="2" viewBox="0 0 2 1"></svg>`} {
		if _, _, _, err := svg.Read(document); err == nil {
			t.Errorf("no error of %q", document)
		}
	}
}

func TestSpace(t *testing.T) {
	a := svg.Space{X: 0, Y: 0, Width: 10, Height: 10}
	for _, test := range []struct {
		name            string
		b               svg.Space
		overlaps, holds bool
	}{
		{"itself", a, true, true},
		{"within", svg.Space{X: 1, Y: 1, Width: 2, Height: 2}, true, true},
		{"beside", svg.Space{X: 10, Y: 0, Width: 2, Height: 2}, false, false},
		{"across an edge", svg.Space{X: 8, Y: 8, Width: 4, Height: 1}, true, false},
	} {
		if got := a.Overlaps(test.b); got != test.overlaps {
			t.Errorf("%s: Overlaps = %v", test.name, got)
		}
		if got := a.Holds(test.b); got != test.holds {
			t.Errorf("%s: Holds = %v", test.name, got)
		}
	}
}

func TestFitted(t *testing.T) {
	for _, test := range []struct {
		width float64
		want  string
	}{{7 * svg.CharWidth, "größere"}, {4 * svg.CharWidth, "grö…"}, {0, "…"}} {
		if got := svg.Fitted("größere", test.width); got != test.want {
			t.Errorf("Fitted to %v = %q, want %q", test.width, got, test.want)
		}
	}
}
