package main

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// shape is a rectangle of a picture: a box, or the space that a text takes.
type shape struct {
	x, y, width, height float64
	text                string
}

func (a shape) overlaps(b shape) bool {
	const touch = 0.01 // as coordinates are rounded
	return a.x+touch < b.x+b.width && b.x+touch < a.x+a.width && a.y+touch < b.y+b.height && b.y+touch < a.y+a.height
}

func (a shape) holds(b shape) bool {
	return a.x <= b.x && a.y <= b.y && b.x+b.width <= a.x+a.width && b.y+b.height <= a.y+a.height
}

// read returns the boxes and the texts of a picture, and the picture itself.
func read(t *testing.T, svg string) (whole shape, boxes, texts []shape) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		number := func(name string) float64 {
			for _, a := range start.Attr {
				if a.Name.Local == name {
					n, err := strconv.ParseFloat(a.Value, 64)
					if err != nil {
						return math.NaN()
					}
					return n
				}
			}
			return math.NaN()
		}
		switch start.Name.Local {
		case "svg":
			whole = shape{width: number("width"), height: number("height")}
		case "rect":
			if w := number("width"); !math.IsNaN(w) {
				boxes = append(boxes, shape{x: number("x"), y: number("y"), width: w, height: number("height")})
			}
		case "text":
			size := number("font-size")
			if math.IsNaN(size) {
				size = fontSize
			}
			var content string
			if err := d.DecodeElement(&content, &start); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, shape{
				x: number("x"), y: number("y") - 0.8*size, width: float64(utf8.RuneCountInString(content)) * charWidth * size / fontSize, height: size, text: content,
			})
		}
	}
	return whole, boxes, texts
}

// checkPicture checks that no label overlaps another, that all are within the picture,
// and that a label on a box is within it.
func checkPicture(t *testing.T, svg string) {
	t.Helper()
	whole, boxes, texts := read(t, svg)
	for i, a := range texts {
		if !whole.holds(a) {
			t.Errorf("%q is not within the picture", a.text)
		}
		for _, b := range texts[:i] {
			if a.overlaps(b) {
				t.Errorf("%q overlaps %q", a.text, b.text)
			}
		}
		for _, b := range boxes {
			if a.overlaps(b) && !b.holds(a) {
				t.Errorf("%q leaves its box", a.text)
			}
		}
	}
	for _, b := range boxes {
		if !whole.holds(b) {
			t.Errorf("a box at %v, %v is not within the picture", b.x, b.y)
		}
	}
	for _, want := range []string{"cgroup v1: by shares", "cgroup v2: by weights, containers by the logarithmic formula", "Guaranteed", "Burstable", "BestEffort", "root of all pods"} {
		if !strings.Contains(svg, ">"+want+"<") {
			t.Errorf("it does not say %q", want)
		}
	}
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Errorf("not XML: %v", err)
	}
}

func TestPictureIsReadable(t *testing.T) {
	checkPicture(t, runWith("", "-svg").Stdout)
	for _, cpu := range []string{"1m", "137m", "4", "64"} {
		t.Run(cpu, func(t *testing.T) { checkPicture(t, runWith("", "-svg", "-cpu", cpu).Stdout) })
	}
	checkPicture(t, runWith("", "-f", "testdata/workloads.yaml", "-cpu", "2", "-svg").Stdout)
	checkPicture(t, output(t, "", "-svg"))
}

// A full node, of pods with long names, some of which get next to nothing.
func TestPictureOfAFullNode(t *testing.T) {
	var manifests strings.Builder
	for i := range 110 {
		fmt.Fprintf(&manifests, "---\nkind: Pod\nmetadata: {namespace: a-namespace-of-some-length, name: %s-%d}\nspec:\n  containers:\n"+
			"  - {name: app, resources: {requests: {cpu: %dm}, limits: {cpu: %dm}}}\n  - {name: <&>}\n", strings.Repeat("long", 10+i%20), i, i*i%700, i*i%700+i%3*200)
	}
	checkPicture(t, output(t, manifests.String(), "-svg", "-cpu", "16"))
}

// Boxes are as high as the CPU that they stand for: those of a level add up to no more than
// the node, and none overlaps another of its level.
func TestHeights(t *testing.T) {
	_, boxes, _ := read(t, runWith("", "-svg").Stdout)
	levels := map[float64][]shape{}
	for _, b := range boxes {
		if b.height != panelHeight || b.width != panelWidth { // the frame
			levels[b.x] = append(levels[b.x], b)
		}
	}
	first := levels[margin+column]
	want := []float64{330, 60, 196.88, 13.12} // of 600: 110, 20, 525/8 and 35/8 of 200
	for i, b := range first[:4] {
		if math.Abs(b.height-want[i]) > 0.01 {
			t.Errorf("box %d is %v high, want %v", i, b.height, want[i])
		}
	}
	for x, level := range levels {
		for i, a := range level {
			for _, b := range level[:i] {
				if a.overlaps(b) {
					t.Errorf("boxes overlap at %v: %v and %v", x, a.y, b.y)
				}
			}
		}
	}
}

// FuzzManifests feeds the program with anything: it writes something, or complains.
func FuzzManifests(f *testing.F) {
	data, err := fs.ReadFile(samples, "samples/document.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(`{"kind": "List", "items": [{"kind": "Deployment", "metadata": {"name": "a"}, "spec": {"replicas": 2, "template": {}}}]}`)
	f.Fuzz(func(t *testing.T, manifests string) {
		if len(manifests) > 4096 {
			return // too large to be fast
		}
		for _, args := range [][]string{{"-svg"}, {"-files", "v1"}, nil} {
			got := runWith(manifests, append([]string{"-f", "-"}, args...)...)
			if got.Code != 0 && got.Code != 1 || (got.Code == 0) != (got.Stderr == "") {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			if got.Code == 0 && len(args) == 1 {
				if err := xml.Unmarshal([]byte(got.Stdout), new(struct{})); err != nil {
					t.Errorf("not XML: %v", err)
				}
			}
		}
	})
}
