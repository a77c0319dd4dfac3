package main

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/svg"
)

// checkPicture checks that no label overlaps another, that all are within the picture,
// and that a label on a box is within it.
func checkPicture(t *testing.T, document string) {
	t.Helper()
	whole, boxes, texts, err := svg.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range texts {
		if !whole.Holds(a) {
			t.Errorf("%q is not within the picture", a.Text)
		}
		for _, b := range texts[:i] {
			if a.Overlaps(b) {
				t.Errorf("%q overlaps %q", a.Text, b.Text)
			}
		}
		for _, b := range boxes {
			if a.Overlaps(b) && !b.Holds(a) {
				t.Errorf("%q leaves its box", a.Text)
			}
		}
	}
	for _, b := range boxes {
		if !whole.Holds(b) {
			t.Errorf("a box at %v, %v is not within the picture", b.X, b.Y)
		}
	}
	for _, want := range []string{"cgroup v1: by shares", "cgroup v2: by weights, containers by the logarithmic formula", "Guaranteed", "Burstable", "BestEffort", "root of all pods"} {
		if !strings.Contains(document, ">"+want+"<") {
			t.Errorf("it does not say %q", want)
		}
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
	_, boxes, _, err := svg.Read(runWith("", "-svg").Stdout)
	if err != nil {
		t.Fatal(err)
	}
	levels := map[float64][]svg.Space{}
	for _, b := range boxes {
		if b.Height != panelHeight || b.Width != panelWidth { // the frame
			levels[b.X] = append(levels[b.X], b)
		}
	}
	first := levels[margin+column]
	want := []float64{330, 60, 196.88, 13.12} // of 600: 110, 20, 525/8 and 35/8 of 200
	for i, b := range first[:4] {
		if math.Abs(b.Height-want[i]) > 0.01 {
			t.Errorf("box %d is %v high, want %v", i, b.Height, want[i])
		}
	}
	for x, level := range levels {
		for i, a := range level {
			for _, b := range level[:i] {
				if a.Overlaps(b) {
					t.Errorf("boxes overlap at %v: %v and %v", x, a.Y, b.Y)
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
