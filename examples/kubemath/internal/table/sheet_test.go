package table

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSheet(t *testing.T) {
	long := strings.Repeat("x", 90)
	for _, test := range []struct {
		name  string
		sheet func(s *sheet)
		want  []string
	}{
		{"empty", func(*sheet) {}, nil},
		{"columns to the right", func(s *sheet) {
			s.add(0, "what", "one", "two")
			s.add(0, "a", "1000", "2")
			s.add(1, "longer", "1")
		}, []string{
			"  what       one  two",
			"  a         1000    2",
			"    longer     1",
		}},
		{"headings have no part in the widths", func(s *sheet) {
			s.add(0, "a heading that is wide")
			s.add(1, "a", "1")
		}, []string{
			"  a heading that is wide",
			"    a  1",
		}},
		{"a label that leaves no room", func(s *sheet) {
			s.add(0, strings.Repeat("x", 93), "123")
			s.add(0, strings.Repeat("y", 94), "123")
		}, []string{
			"  " + strings.Repeat("x", 93) + "  123",
			"  " + strings.Repeat("y", 94),
			"  " + strings.Repeat(" ", 93) + "  123",
		}},
		{"notes need more of it", func(s *sheet) {
			s.add(0, strings.Repeat("x", 51), "123").note = "a"
			s.add(0, strings.Repeat("y", 52), "123").note = "b"
		}, []string{
			"  " + strings.Repeat("x", 51) + "  123  a",
			"  " + strings.Repeat("y", 52),
			"  " + strings.Repeat(" ", 51) + "  123  b",
		}},
		{"notes are wrapped", func(s *sheet) {
			s.add(0, "a", "1").note = strings.Repeat("123456789 ", 10)
			s.add(0, "b", "2").note = long
		}, []string{
			"  a  1  " + strings.TrimSpace(strings.Repeat("123456789 ", 9)),
			"        123456789",
			"  b  2  " + long,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s sheet
			var text strings.Builder
			b := newPage(&text, 100)
			test.sheet(&s)
			s.write(b)
			b.end()
			got := strings.Split(text.String(), "\n")
			if diff := cmp.Diff(append(test.want, ""), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
