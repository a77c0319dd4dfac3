// Package fromupstream reads the tables of docs/from-upstream.md, which name functions of other projects.
package fromupstream

import (
	"os"
	"regexp"
	"strings"
)

// A Row is what a row of docs/from-upstream.md says of their functions.
type Row struct {
	Heading string
	Line    int
	Theirs  string // the cell with their names
}

// Rows returns the rows of all tables that have a column of their functions.
func Rows(file string) ([]Row, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []Row
	heading, column, n := "", -1, 0
	for text := range strings.Lines(string(content)) {
		n++
		text = strings.TrimSpace(text)
		if below, ok := strings.CutPrefix(text, "## "); ok {
			heading = below
		}
		if !strings.HasPrefix(text, "|") {
			column = -1
			continue
		}
		cells := strings.Split(text, "|")
		if column < 0 {
			for i, cell := range cells {
				cell = strings.TrimSpace(cell)
				if cell == "theirs" || cell == "replaces" {
					column = i
				}
			}
			continue
		}
		if column < len(cells) && !strings.HasPrefix(cells[column], "--") {
			rows = append(rows, Row{heading, n, strings.TrimSpace(cells[column])})
		}
	}
	return rows, nil
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	named    = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$`)
	packaged = regexp.MustCompile(`\b((?:pkg|api|internal)/[\w/.-]*\w)`)
)

// Names returns the identifiers of a row.
func (r Row) Names() (names []string) {
	for _, found := range quoted.FindAllStringSubmatch(r.Theirs, -1) {
		if named.MatchString(found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// Within returns the directories that a row names: each of its names is declared in one of them.
func (r Row) Within() []string { return packaged.FindAllString(r.Theirs, -1) }
