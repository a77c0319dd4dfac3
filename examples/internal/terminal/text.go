// Package terminal writes text and tables in lines as wide as the terminal that a program writes to.
package terminal

import (
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// Text is a text in lines of so many columns, unless a word is longer. The rows of tables may be longer if they are whole.
type Text struct {
	strings.Builder
	Columns  int
	Whole    bool // each row of a table is one line
	Coloured bool

	spans []span
}

// span is a part of a text that has a colour.
type span struct {
	from, to int
	colour   Colour
}

// Colour is what begins a colour on a terminal.
type Colour string

const (
	Red    Colour = "\x1b[31m" // what is rejected, or waits
	Yellow Colour = "\x1b[33m" // what is uncertain
	none          = "\x1b[0m"
)

// In writes in a colour what a function writes.
func (t *Text) In(colour Colour, write func()) {
	from := t.Len()
	write()
	t.spans = append(t.spans, span{from, t.Len(), colour})
}

// Verdict writes in red what a function writes, if something fails.
func (t *Text) Verdict(fails bool, write func()) {
	if fails {
		t.In(Red, write)
	} else {
		write()
	}
}

// Pass writes the text, and with raw what begins and ends its colours, if it is to be coloured.
func (t *Text) Pass(to, raw io.Writer) {
	text, at := t.String(), 0
	for _, s := range t.spans {
		if t.Coloured {
			io.WriteString(to, text[at:s.from])
			io.WriteString(raw, string(s.colour))
			io.WriteString(to, text[s.from:s.to])
			io.WriteString(raw, none)
			at = s.to
		}
	}
	io.WriteString(to, text[at:])
}

// Line writes a line.
func (t *Text) Line(text string) { t.WriteString(strings.TrimRight(text, " ") + "\n") }

// Wrap writes a text behind a prefix, and indents its further lines likewise.
func (t *Text) Wrap(prefix, text string) {
	t.WrapIndented(prefix, strings.Repeat(" ", TextWidth(prefix)), text)
}

// Hang writes a text behind a prefix, and indents its further lines by two columns more than the prefix is.
func (t *Text) Hang(prefix, text string) {
	t.WrapIndented(prefix, strings.Repeat(" ", len(prefix)-len(strings.TrimLeft(prefix, " ")))+"  ", text)
}

// WrapIndented writes a text behind a prefix, and its further lines with an indent.
func (t *Text) WrapIndented(prefix, indent, text string) {
	line := prefix
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case TextWidth(line)+1+TextWidth(word) > t.Columns:
			t.Line(line)
			line = indent + word
		default:
			line += " " + word
		}
	}
	t.Line(line)
}

// Aligned writes rows whose cells are to the left, with so many spaces between the columns.
func (t *Text) Aligned(rows [][]string, spaces int) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, spaces, ' ', 0)
	for _, row := range rows {
		w.Write([]byte(strings.Join(row, "\t") + "\n")) // into memory
	}
	w.Flush()
	for line := range strings.Lines(b.String()) {
		t.Line(strings.TrimSuffix(line, "\n"))
	}
}

// Descriptor is a file of the system, such as an *os.File.
type Descriptor interface{ Fd() uintptr }

// usualWidth is the number of columns if the output is not a terminal.
const usualWidth = 100

// For returns an empty text for an output: as wide as a terminal or as COLUMNS says, and in colours on a terminal unless
// there is a NO_COLOR. For another output, it has lines of 100 columns, and the rows of tables are whole.
func For(to io.Writer) *Text {
	t := &Text{}
	if file, isFile := to.(Descriptor); isFile {
		t.Columns = Columns(file)
	}
	t.Coloured = t.Columns > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		t.Columns = n
	} else if t.Columns == 0 {
		t.Columns, t.Whole = usualWidth, true
	}
	return t
}

// TextWidth returns how many columns of a terminal a text takes: two for the wide characters of East Asia and
// for emoji, and none for what is combined with the character before.
func TextWidth(s string) (columns int) {
	for _, r := range s {
		switch {
		case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.Is(wide, r):
			columns += 2
		default:
			columns++
		}
	}
	return columns
}

// wide are the characters whose East_Asian_Width is W or F, as ranges of Unicode.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0x33ff, 1}, {0x3400, 0x4dbf, 1},
		{0x4e00, 0x9fff, 1}, {0xa000, 0xa4cf, 1}, {0xa960, 0xa97f, 1}, {0xac00, 0xd7a3, 1}, {0xf900, 0xfaff, 1},
		{0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x18aff, 1}, {0x1b000, 0x1b2ff, 1}, {0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1faff, 1},
		{0x20000, 0x3fffd, 1},
	},
}
