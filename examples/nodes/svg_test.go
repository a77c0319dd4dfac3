package main

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// shape of a picture: a box, or the space that a text takes.
type space struct {
	x, y, width, height float64
	text, fill          string
}

func (a space) overlaps(b space) bool {
	const touch = 0.01 // as coordinates are rounded
	return a.x+touch < b.x+b.width && b.x+touch < a.x+a.width && a.y+touch < b.y+b.height && b.y+touch < a.y+a.height
}

func (a space) holds(b space) bool {
	return a.x <= b.x && a.y <= b.y && b.x+b.width <= a.x+a.width && b.y+b.height <= a.y+a.height
}

// read returns the boxes and the texts of a picture, and the picture itself.
func read(t *testing.T, svg string) (whole space, boxes, texts []space) {
	t.Helper()
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Fatalf("not XML: %v", err)
	}
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
		attribute := func(name string) string {
			for _, a := range start.Attr {
				if a.Name.Local == name {
					return a.Value
				}
			}
			return ""
		}
		number := func(name string) float64 {
			n, err := strconv.ParseFloat(attribute(name), 64)
			if err != nil {
				return math.NaN() // 100%
			}
			return n
		}
		switch start.Name.Local {
		case "svg":
			whole = space{width: number("width"), height: number("height")}
			if want := fmt.Sprintf("0 0 %v %v", whole.width, whole.height); attribute("viewBox") != want {
				t.Errorf("viewBox %q, want %q", attribute("viewBox"), want)
			}
		case "rect":
			if w := number("width"); !math.IsNaN(w) {
				boxes = append(boxes, space{number("x"), number("y"), w, number("height"), "", attribute("fill")})
			}
		case "text":
			size := number("font-size")
			if math.IsNaN(size) {
				size = fontSize
			}
			s := space{x: number("x"), y: number("y") - 0.8*size, height: size}
			if err := d.DecodeElement(&s.text, &start); err != nil {
				t.Fatal(err)
			}
			s.width = float64(utf8.RuneCountInString(s.text)) * charWidth * size / fontSize
			texts = append(texts, s)
		}
	}
	return whole, boxes, texts
}

// checkPicture checks that no text overlaps another or a box, and that all are within the picture.
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
			if a.overlaps(b) {
				t.Errorf("%q overlaps a box", a.text)
			}
		}
	}
	for _, b := range boxes {
		if !whole.holds(b) {
			t.Errorf("a box at %v, %v is not within the picture", b.x, b.y)
		}
	}
}

func TestPictureIsReadable(t *testing.T) {
	checkPicture(t, runWith("", "-svg", "-").Stdout)
	checkPicture(t, runWith("", "-pack", "-svg", "-").Stdout)
	checkPicture(t, runWith("", "-shape", "cpu=4,memory=16Gi,example.com/a-resource-with-a-long-name=3", "-svg", "-").Stdout)
	checkPicture(t, runWith(aNode("a", "{cpu: 1}"), "-f", "-", "-svg", "-").Stdout)
	checkPicture(t, runWith(aPod("a", "{cpu: 1}", ""), "-f", "-", "-pack", "-svg", "-").Stdout)
}

// More nodes and resources than a picture shows, with long names, and more requested than there is.
func TestPictureOfManyNodes(t *testing.T) {
	allocatable := "{cpu: 2, memory: 4Gi"
	for i := range 12 {
		allocatable += fmt.Sprintf(", example.com/%s-%d: %d", strings.Repeat("device", 5), i, i%3)
	}
	var input strings.Builder
	for i := range mostRows + 10 {
		input.WriteString(aNode(fmt.Sprintf("ip-10-0-0-%d.eu-central-1.compute.internal", i), allocatable+"}") + "---\n")
		input.WriteString(aPod(fmt.Sprintf("web-%d", i), fmt.Sprintf("{cpu: %dm, memory: 9E, a.b/gpu: 7}", i*i), on(fmt.Sprintf("ip-10-0-0-%d.eu-central-1.compute.internal", i))) + "---\n")
	}
	svg := runWith(input.String(), "-f", "-", "-svg", "-").Stdout
	checkPicture(t, svg)
	for _, want := range []string{"and 10 further nodes", "&gt;9999%", ">none, 7 requested<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// Bars are as wide as the part that they stand for: of 4 CPUs, 1 is requested, and 2 more by a pod
// that is placed there.
func TestBars(t *testing.T) {
	input := manifests(aNode("a", "{cpu: 4, memory: 8Gi}"), aPod("x", "{cpu: 1}", on("a")), aPod("web", "{cpu: 2}", ""), aPod("big", "{memory: 9Gi}", ""))
	svg := runWith(input, "-f", "-", "-svg", "-").Stdout
	_, boxes, _ := read(t, svg)
	var widths []float64
	for _, b := range boxes {
		if b.y == boxes[0].y && b.x < columnAt(1)-2 && (b.fill == colorRequested || b.fill == colorPlaced) {
			widths = append(widths, b.width)
		}
	}
	if len(widths) != 2 || math.Abs(widths[0]-barWidth/4.) > 0.01 || math.Abs(widths[1]-barWidth/2.) > 0.01 {
		t.Errorf("widths %v of %d", widths, barWidth)
	}
	marked := 0
	for _, b := range boxes {
		if b.fill == "none" {
			marked++
			if b.x != columnAt(1)-1 {
				t.Errorf("the mark is at %v, want memory at %v", b.x, columnAt(1)-1)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d marks, want one", marked)
	}
}
