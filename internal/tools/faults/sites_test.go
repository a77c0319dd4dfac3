package main

import (
	"slices"
	"strings"
	"testing"
)

// sitesOf returns the sites of a package of one file, which imports nothing.
func sitesOf(t *testing.T, text string) []site {
	t.Helper()
	p := &pkg{ImportPath: "p", Name: "p", texts: map[string]string{"p.go": "package p\n" + text}}
	p.Module = &struct {
		Main      bool
		GoVersion string
	}{true, "1.26"}
	all, err := (&module{}).sites(p)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOperators(t *testing.T) {
	const declarations = `
type list struct{ from, to int; err error }
type color string
const (blue color = "b"; red color = "r")
func pair(a, b int) int { return a }
func clone(l list) list { return l }
func fails() error { return nil }
`
	for body, want := range map[string][]string{
		`func f(a, b bool) bool { return a && b }`: {
			"operand: a && b becomes a", "operand: a && b becomes b", "and/or: && becomes ||",
		},
		`func f(a int) int { if a < 5 { return a }; return -a }`: {
			"negate: a < 5 becomes !(a < 5)", "guard: no if a < 5 { return a }", "bound: < becomes <=", "number: 5 becomes 6",
		},
		`func f(a, b int) bool { return a == b }`:               {"equal: == becomes !="},
		`func f(a, b int) int { return a - b }`:                 {"sign: - becomes +"},
		`func f(a, b int) int { return max(a, b) }`:             {"min/max: max becomes min"},
		`func f(a, b int) int { return pair(a, b) }`:            {"swap: a, b becomes b, a"},
		`func f(l list) list { return clone(l) }`:               {"unwrap: clone(l) becomes l"},
		`func f(l list) int { return l.from }`:                  {"field: from becomes to"},
		`func f() color { return blue }`:                        {"constant: blue becomes red"},
		`func f() bool { return true }`:                         {"flip: true becomes false"},
		`func f(a int) list { return list{from: a, to: a} }`:    {"literal: no from: a,", "literal: no , to: a"},
		`func f(l *list, a int) { l.from = a }`:                 {"drop: no l.from = a", "field: from becomes to"},
		`func f(l list) error { return l.err }`:                 {"error: l.err becomes nil"},
		`func f(all []int) { for range all { break } }`:         {"jump: break becomes continue"},
		`func f(all []int) { for { break } }`:                   nil, // might have no end
		`func f(n int) []int { return make([]int, 0, n-1) }`:    nil, // is in no answer
		`func f(all []int) bool { return len(all) > 0 }`:        {"number: 0 becomes 1"},
		`func f(c color) { switch c { case blue: case red: } }`: {"case: no case blue:", "constant: blue becomes red", "case: no case red:", "constant: red becomes blue"},
		`func f(c color) { switch c { case blue, red: fails() } }`: {
			"case: no blue,", "case: no , red", "constant: blue becomes red", "constant: red becomes blue", "drop: no fails()",
		},
	} {
		var got []string
		for _, s := range sitesOf(t, declarations+body) {
			if s.function == "f" {
				got = append(got, s.what)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// A key is the same after names have changed that are not exported, and functions were added. All keys differ.
func TestKeys(t *testing.T) {
	const text = `
func Sum(all []int) (sum int) {
	for _, n := range all {
		sum = add(sum, n)
	}
	return sum
}
func add(a, b int) int { if a < b { return a + b }; return a + b }
`
	keys := func(text string) (keys []string) {
		for _, s := range sitesOf(t, text) {
			keys = append(keys, s.key)
		}
		return keys
	}
	want := keys(text)
	renamed := strings.NewReplacer("add", "plus", "sum ", "total ", "sum,", "total,", "sum\n", "total\n", "all", "numbers", "a ", "x ", "a,", "x,").Replace(text)
	if got := keys(renamed); !slices.Equal(got, want) {
		t.Errorf("after a renaming: %q, want %q\n%s", got, want, renamed)
	}
	if got := keys("func before() int { return 3 - len(\"\") }" + text); !slices.Equal(got[len(got)-len(want):], want) {
		t.Errorf("with another function: %q, want %q at the end", got, want)
	}
	if slices.Sort(want); len(slices.Compact(want)) != len(keys(text)) {
		t.Error("keys are equal")
	}
}

// What is chosen in a function depends on no other, and is of different operators.
func TestChoose(t *testing.T) {
	var all []site
	for i := range 2*sitesPerFault + 1 {
		operator := "drop"
		if i == 2*sitesPerFault {
			operator = "swap"
		}
		all = append(all, site{operator: operator, function: "f", key: string(rune('a' + i))})
	}
	all = append(all, site{operator: "drop", function: "g", key: "0"})
	var got []string
	for _, s := range choose(all, sitesPerFault) {
		got = append(got, s.function+" "+s.key)
	}
	if want := []string{"f a", "f " + all[2*sitesPerFault].key, "f b", "g 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRenamed(t *testing.T) {
	f := fault{before: "\tif found(total, all) {\n\t\treturn total.all\n", after: "\tif found(total, all) {\n\t\treturn all\n"}
	texts := map[string]string{"p.go": "package p\nfunc f() {\n\tif other(sum, list) {\n\t\treturn list.all\n\t}\n\tif seen(sum, list) { // why\n\t\treturn sum.all\n\t}\n}\n"}
	_, start, end, with, err := f.renamed(texts)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts["p.go"][start:end]; got != "if seen(sum, list) { // why\n\t\treturn sum.all" || strings.TrimSpace(with) != "if seen(sum, list) {\n\t\treturn list" {
		t.Errorf("%q becomes %q", got, with)
	}
	texts["q.go"] = texts["p.go"]
	if _, _, _, _, err := f.renamed(texts); err == nil {
		t.Error("two places, want an error")
	}
}

func TestExcept(t *testing.T) {
	faults := []fault{{name: "x", pkg: "a", site: &site{key: "1"}}, {name: "y", pkg: "a", site: &site{key: "2"}}, {name: "z", pkg: "a"}}
	var got []string
	for _, f := range except(faults, []exception{{"a", "1", "e", "speed"}, {"b", "2", "e", "speed"}}) {
		got = append(got, f.String())
	}
	if want := []string{"a: y", "a: z", "b: exception: e [2]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
