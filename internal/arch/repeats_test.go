package arch_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repeatable is the number of equal lines in a row that two places of the library may have.
const repeatable = 5

// trivial are lines that say nothing by themselves: ends of blocks, and results that are constants.
var trivial = regexp.MustCompile(`^(?:[})\]]+,?|return(?: (?:true|false|nil|0|-1|1|""))?|continue|break|default:|\} else \{)$`)

// A place is a line of a file.
type place struct {
	file string
	line int
}

// repeatViolations returns the places whose lines of code are also those of an earlier place. Comments, blank lines,
// imports and trivial lines do not count.
func repeatViolations(names []string, sources map[string][]byte) (found []string) {
	first := map[string]place{}
	for _, name := range names {
		lines := codeLines(sources[name])
		end := 0 // of the repetition that was found last
		for i := range max(0, len(lines)-repeatable) {
			var text strings.Builder
			for _, l := range lines[i : i+repeatable+1] {
				text.WriteString(l.text + "\n")
			}
			at := place{name, lines[i].number}
			earlier, known := first[text.String()]
			if !known {
				first[text.String()] = at
				continue
			}
			if i >= end {
				found = append(found, fmt.Sprintf("%s:%d: repeats: the lines of %s:%d", at.file, at.line, earlier.file, earlier.line))
			}
			end = i + repeatable + 1
		}
	}
	return found
}

type codeLine struct {
	number int
	text   string
}

// codeLines returns the lines of a source that count.
func codeLines(source []byte) (lines []codeLine) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	comment := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.COMMENT {
			for i := range strings.Count(text, "\n") + 1 {
				comment[file.Line(pos)+i] = true
			}
			continue
		}
		delete(comment, file.Line(pos)) // a comment after code
	}
	imports := false
	for i, text := range strings.Split(string(source), "\n") {
		text, _, _ = strings.Cut(text, " // ")
		text = strings.TrimSpace(text)
		switch {
		case text == "import (":
			imports = true
		case imports:
			imports = text != ")"
		case text != "" && !comment[i+1] && !trivial.MatchString(text):
			lines = append(lines, codeLine{i + 1, text})
		}
	}
	return lines
}

// kernelFiles returns the files of the library without its tests.
func kernelFiles(t *testing.T) (names []string, sources map[string][]byte) {
	t.Helper()
	sources = map[string][]byte{}
	for _, r := range table {
		if r.kind != pure {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", "..", r.pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.ToSlash(strings.TrimPrefix(file, filepath.Join("..", "..")+string(filepath.Separator)))
			names = append(names, name)
			sources[name] = source
		}
	}
	return names, sources
}

// No six lines of code stand twice in the library: a rule stands in one place.
func TestRepeats(t *testing.T) {
	report(t, repeatViolations(kernelFiles(t)))
}

func TestRepeatViolations(t *testing.T) {
	body := "\ta := 1\n\tb := 2\n\n\t// a comment\n\tif a < b {\n\t\treturn true\n\t}\n\tc := 3\n\td := 4\n\te := 5 // another\n"
	sources := map[string][]byte{
		"a.go": []byte("package p\n\nimport (\n\t\"1\"\n\t\"2\"\n\t\"3\"\n\t\"4\"\n\t\"5\"\n\t\"6\"\n)\n\nfunc f() {\n" + body + "}\n"),
		"b.go": []byte("package p\n\nimport (\n\t\"1\"\n\t\"2\"\n\t\"3\"\n\t\"4\"\n\t\"5\"\n\t\"6\"\n)\n\nfunc g() {\n" + body + "}\n"),
		"c.go": []byte("package p\n\nfunc h() {\n" + strings.Replace(body, "d := 4", "d := 5", 1) + "}\n"),
	}
	expect(t, repeatViolations([]string{"a.go", "b.go", "c.go"}, sources), []string{"b.go:13: repeats: the lines of a.go:13"})
}
