package main

import (
	"fmt"
	"go/doc"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// word is a token of Go. The end of a line is none.
type word struct {
	text       string
	start, end int
	own        bool   // a name that may be changed without other packages noticing
	name       string // which tells a field from a variable, mostly
}

// words returns the tokens of a text without its comments.
func words(text string) []word {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var tokens scanner.Scanner
	tokens.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var all []word
	for {
		pos, tok, literal := tokens.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.SEMICOLON && literal == "\n":
			continue
		case tok != token.IDENT && !tok.IsLiteral() || literal == "":
			literal = tok.String()
		}
		start := file.Offset(pos)
		own := tok == token.IDENT && !token.IsExported(literal) && !doc.IsPredeclared(literal)
		w := word{text: literal, start: start, end: start + len(literal), own: own, name: literal}
		if last := len(all) - 1; last >= 0 && all[last].text == "." {
			w.name = "." + literal
		} else if last >= 0 && literal == ":" {
			all[last].name += ":"
		}
		all = append(all, w)
	}
}

// least is how many tokens an edit whose names have changed needs, so that it is not found elsewhere by chance.
const least = 8

// match returns where the words of an edit are in a file, and what its names are called there. It returns the number of
// names that are the same, and only places with the most of them.
func match(pattern, text []word) (at []int, names []map[string]string, same int) {
	for i := range len(text) - len(pattern) + 1 {
		called, by, equal := map[string]string{}, map[string]string{}, 0
		fits := true
		for j, want := range pattern {
			got := text[i+j]
			if want.text == got.text {
				equal++
			}
			if !want.own || !got.own {
				fits = want.text == got.text
				if !fits {
					break
				}
				continue
			}
			if called[want.name] == "" && by[got.name] == "" {
				called[want.name], by[got.name] = got.name, want.name
			}
			fits = called[want.name] == got.name && by[got.name] == want.name
			if !fits {
				break
			}
		}
		switch {
		case !fits || equal < same:
		case equal > same:
			at, names, same = []int{i}, []map[string]string{called}, equal
		default:
			at, names = append(at, i), append(names, called)
		}
	}
	return at, names, same
}

// renamed returns where the text that a fault replaces is in its package, and the replacement, if names of functions
// or variables have changed. At no other place may as many names be as before, and half of all tokens have to be.
func (f *fault) renamed(texts map[string]string) (path string, start, end int, with string, err error) {
	pattern := words(f.before)
	most, count := 0, 0
	for _, of := range slices.Sorted(maps.Keys(texts)) {
		text := words(texts[of])
		at, names, same := match(pattern, text)
		if len(at) == 0 || same < most {
			continue
		}
		if same > most {
			most, count = same, 0
		}
		count += len(at)
		path, start, end, with = of, text[at[0]].start, text[at[0]+len(pattern)-1].end, translate(f.after, names[0])
	}
	if count != 1 || len(pattern) < least || 2*most < len(pattern) {
		return "", 0, 0, "", fmt.Errorf("what the edit replaces is there %d times, want once", count)
	}
	return path, start, end, with, nil
}

// translate returns a text with other names.
func translate(text string, names map[string]string) string {
	var b strings.Builder
	end := 0
	for _, w := range words(text) {
		if name := names[w.name]; w.own && name != "" {
			b.WriteString(text[end:w.start] + strings.Trim(name, ".:"))
			end = w.end
		}
	}
	return b.String() + text[end:]
}
