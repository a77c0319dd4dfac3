package terminal

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestTextWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "web": 3, "é": 1, "e\u0301": 1, "注文": 4, "한": 2, "ｗ": 2, "🚀": 2, "a\u200db": 2} {
		if got := TextWidth(text); got != want {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		name    string
		columns int
		table   func(*Table)
		want    string
	}{
		{"empty", 40, func(*Table) {}, ""},
		{"columns to the right, and a rule", 40, func(s *Table) {
			s.Add(0, "what", "one", "two")
			s.Add(0, "a", "1000", "2")
			s.Add(0, "").Rule = true
			s.Add(1, "longer", "1")
		}, `
  what       one  two
  a         1000    2
  -------------------
    longer     1
`},
		{"headings have no part in the widths", 40, func(s *Table) {
			s.Add(0, "a heading that is wide")
			s.Add(1, "a", "1")
		}, `
  a heading that is wide
    a  1
`},
		{"a label that leaves no room", 40, func(s *Table) {
			s.Add(0, strings.Repeat("x", 33), "123")
			s.Add(0, strings.Repeat("y", 34), "123")
		}, `
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  123
  yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
                                     123
`},
		{"columns that have no room", 30, func(s *Table) {
			s.Group = 2
			s.Add(0, "what", "pods", "cpu", "limit", "memory", "limit", "d", "limit")
			s.Add(0, "a", "0", "1", "2", "3", "4", "5", "6")
		}, `
  what  pods  cpu  limit
  a        0    1      2

  what  memory  limit
  a          3      4

  what  d  limit
  a     5      6
`},
		{"notes are wrapped", 50, func(s *Table) {
			s.Add(0, "a", "1").Note = strings.Repeat("123456789 ", 5)
			s.Add(0, "b", "2").Note = strings.Repeat("x", 50)
		}, `
  a  1  123456789 123456789 123456789 123456789
        123456789
  b  2  ` + strings.Repeat("x", 50) + "\n"},
	} {
		var table Table
		test.table(&table)
		text := Text{Columns: test.columns}
		text.Table(&table)
		testkit.NoDiff(t, text.String(), strings.TrimPrefix(test.want, "\n"), test.name)
	}
}

// Rows that are whole are one line each: names are not cut off, columns are not divided, and notes are not wrapped.
func TestWholeTable(t *testing.T) {
	name, note := strings.Repeat("x", 70), strings.Repeat("note ", 30)+"end"
	table := Table{Group: 2}
	table.Add(0, "what", "one", "two", "three", "four")
	table.Add(0, name, "1", "2", "3", "4").Note = note
	text := Text{Columns: 80, Whole: true}
	text.Table(&table)
	text.Wrap("  ", note)
	want := "  what" + strings.Repeat(" ", 66) + "  one  two  three  four\n  " + name + "    1    2      3     4  " + note + "\n"
	if got, found := strings.CutPrefix(text.String(), want); !found || strings.Count(got, "\n") != 2 {
		t.Errorf("%q", text.String())
	}
}
