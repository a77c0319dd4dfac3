package svg

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Space is the space of a part of a picture. A text is as high as its font.
type Space struct {
	X, Y, Width, Height float64
	Text, Fill          string
}

// Overlaps reports whether two spaces share more than an edge.
func (a Space) Overlaps(b Space) bool {
	const touch = 0.01 // because coordinates are rounded
	return a.X+touch < b.X+b.Width && b.X+touch < a.X+a.Width && a.Y+touch < b.Y+b.Height && b.Y+touch < a.Y+a.Height
}

// Holds reports whether a space is within another.
func (a Space) Holds(b Space) bool {
	return a.X <= b.X && a.Y <= b.Y && b.X+b.Width <= a.X+a.Width && b.Y+b.Height <= a.Y+a.Height
}

// Read returns the boxes and the texts of a picture that a Drawing has written, and the picture
// itself. The background is not among the boxes. It is an error if the input is not XML, or its viewBox
// differs from its size.
func Read(document string) (whole Space, boxes, texts []Space, err error) {
	if err := xml.Unmarshal([]byte(document), new(struct{})); err != nil {
		return whole, nil, nil, err
	}
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := d.Token()
		if err != nil {
			return whole, boxes, texts, nil // the end: all of it is XML
		}
		start, isStart := token.(xml.StartElement)
		if !isStart {
			continue
		}
		switch start.Name.Local {
		case "svg":
			whole = Space{Width: number(start, "width"), Height: number(start, "height")}
			if got, want := attribute(start, "viewBox"), fmt.Sprintf("0 0 %v %v", whole.Width, whole.Height); got != want {
				return whole, nil, nil, fmt.Errorf("viewBox %q, want %q", got, want)
			}
		case "rect":
			if width := number(start, "width"); !math.IsNaN(width) {
				boxes = append(boxes, Space{number(start, "x"), number(start, "y"), width, number(start, "height"), "", attribute(start, "fill")})
			}
		case "text":
			size := number(start, "font-size")
			if math.IsNaN(size) {
				size = FontSize
			}
			s := Space{X: number(start, "x"), Y: number(start, "y") - 0.8*size, Height: size}
			if err := d.DecodeElement(&s.Text, &start); err != nil {
				return whole, nil, nil, err
			}
			s.Width = float64(utf8.RuneCountInString(s.Text)) * CharWidth * size / FontSize
			texts = append(texts, s)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns a numeric attribute, and NaN for other values, such as 100%.
func number(e xml.StartElement, name string) float64 {
	n, err := strconv.ParseFloat(attribute(e, name), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// Misplaced returns what is wrong with the places of a picture, for tests: texts that overlap another, texts and boxes
// that are not within the picture, and texts that overlap a box. A text may be a label, which is within its box, if
// labels is set.
func Misplaced(document string, labels bool) (found []string, err error) {
	whole, boxes, texts, err := Read(document)
	if err != nil {
		return nil, err
	}
	for i, a := range texts {
		if !whole.Holds(a) {
			found = append(found, fmt.Sprintf("%q is not within the picture", a.Text))
		}
		for _, b := range texts[:i] {
			if a.Overlaps(b) {
				found = append(found, fmt.Sprintf("%q overlaps %q", a.Text, b.Text))
			}
		}
		for _, b := range boxes {
			if a.Overlaps(b) && !(labels && b.Holds(a)) {
				found = append(found, fmt.Sprintf("%q overlaps a box", a.Text))
			}
		}
	}
	for _, b := range boxes {
		if !whole.Holds(b) {
			found = append(found, fmt.Sprintf("a box at %v, %v is not within the picture", b.X, b.Y))
		}
	}
	return found, nil
}
