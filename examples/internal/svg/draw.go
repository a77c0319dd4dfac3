package svg

import (
	"encoding/xml"
	"fmt"
	"strings"
)

const (
	// FontSize is that of text without an attribute font-size.
	FontSize = 11
	// CharWidth is the width of a character of that size, at most: the font is monospaced.
	CharWidth = 6.7
)

// Drawing collects the elements of a picture. The zero value has none.
type Drawing struct{ b strings.Builder }

// Rect adds a rectangle, with a text that shows under the pointer.
func (d *Drawing) Rect(x, y, width, height float64, fill, title string) {
	fmt.Fprintf(&d.b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s" stroke="#333333" stroke-width="0.5"><title>%s</title></rect>`+"\n",
		x, y, width, height, fill, escaped(title))
}

// Text adds a text, with its baseline at y. Attributes are those of SVG, or empty.
func (d *Drawing) Text(x, y float64, attributes, text string) {
	if attributes != "" {
		attributes = " " + attributes
	}
	fmt.Fprintf(&d.b, `<text x="%.2f" y="%.2f" xml:space="preserve"%s>%s</text>`+"\n", x, y, attributes, escaped(text))
}

// Frame adds the outline of a rectangle, filled with a color or with "none".
func (d *Drawing) Frame(x, y, width, height float64, fill, stroke string, strokeWidth int) {
	fmt.Fprintf(&d.b, `<rect x="%.2f" y="%.2f" width="%.0f" height="%.0f" fill="%s" stroke="%s" stroke-width="%d"/>`+"\n", x, y, width, height, fill, stroke, strokeWidth)
}

// Document returns the picture, on a white background.
func (d *Drawing) Document(width, height float64) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="%d">`+"\n"+
		`<rect x="0" y="0" width="100%%" height="100%%" fill="#ffffff"/>`+"\n%s</svg>\n", width, height, width, height, FontSize, d.b.String())
}

// Fitted returns the beginning of a text that fits into a width.
func Fitted(text string, width float64) string {
	letters, most := []rune(text), int(width/CharWidth)
	if len(letters) <= most {
		return text
	}
	return string(letters[:max(most-1, 0)]) + "…"
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return "" // a Builder returns no error
	}
	return b.String()
}
