package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// edit is a fault in the text of its package.
type edit struct {
	*fault
	id     int    // by which it is chosen among those of one binary, from 1
	path   string // of its file
	text   string // of the file, with the fault
	bodies map[int]string
	// bodies has the text of each function that differs, by where the original begins in the file. It is nil if
	// anything outside of functions differs.
}

// find returns where the text that a fault replaces is in its package, and the replacement. The text has to be there
// once, or once in the file that the fault names.
func (f *fault) find(texts map[string]string) (path string, start, end int, with string, err error) {
	if f.site != nil {
		return f.site.path, f.site.start, f.site.end, f.site.with, nil
	}
	if f.before == "" {
		return "", 0, 0, "", errors.New("the place is gone, or is not chosen any more")
	}
	var found []string
	for _, at := range slices.Sorted(maps.Keys(texts)) {
		for range strings.Count(texts[at], f.before) {
			found = append(found, at)
		}
	}
	if len(found) > 1 && f.file != "" {
		found = slices.DeleteFunc(found, func(at string) bool { return !strings.HasSuffix(at, "/"+f.file) })
	}
	switch len(found) {
	case 0:
		return f.renamed(texts)
	case 1:
		start := strings.Index(texts[found[0]], f.before)
		return found[0], start, start + len(f.before), f.after, nil
	}
	return "", 0, 0, "", fmt.Errorf("what the edit replaces is there %d times, want once", len(found))
}

// newEdit returns the fault as an edit of its package, which has been read. The text with the fault may not be Go.
func newEdit(f *fault, p *pkg) (*edit, error) {
	path, start, end, with, err := f.find(p.texts)
	if err != nil {
		return nil, err
	}
	text := p.texts[path]
	e := &edit{fault: f, path: path, text: text[:start] + with + text[end:]}
	original, err := p.functions(path)
	if err != nil {
		return nil, err
	}
	for _, of := range original {
		if of.start <= start && end <= of.end {
			body := text[of.start:start] + with + text[end:of.end]
			const head = "package p; func _() {"
			edited, err := functions(head + body + "}")
			if err != nil || len(edited) != 1 || edited[0].end != len(head+body) {
				return e, nil
			}
			e.bodies = map[int]string{of.start: edited[0].labelled(head + body)}
			return e, nil
		}
	}
	edited, err := functions(e.text)
	if err != nil || outside(text, original) != outside(e.text, edited) {
		return e, nil
	}
	e.bodies = map[int]string{}
	for i, was := range original {
		if is := edited[i]; text[was.start:was.end] != e.text[is.start:is.end] {
			e.bodies[was.start] = is.labelled(e.text)
		}
	}
	return e, nil
}

// function is where the body of a function is in a file, without its braces.
type function struct {
	head, name, after int // where the declaration begins, and where its name begins and ends
	start, end        int
	results           bool
	labels            []int // where a label ends, ascending
}

// functions returns the functions of a file in their order.
func functions(text string) ([]function, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	var all []function
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		f := function{
			head: offset(decl.Pos()), name: offset(decl.Name.Pos()), after: offset(decl.Name.End()),
			start: offset(decl.Body.Lbrace) + 1, end: offset(decl.Body.Rbrace), results: decl.Type.Results != nil,
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.LabeledStmt:
				f.labels = append(f.labels, offset(n.Label.End()))
			case *ast.BranchStmt:
				if n.Label != nil {
					f.labels = append(f.labels, offset(n.Label.End()))
				}
			}
			return true
		})
		all = append(all, f)
	}
	return all, nil
}

// outside returns the text of a file without the bodies of its functions.
func outside(text string, all []function) string {
	var b strings.Builder
	end := 0
	for _, f := range all {
		b.WriteString(text[end:f.start])
		end = f.end
	}
	b.WriteString(text[end:])
	return b.String()
}

// idOfLabel stands in the labels of a body for the number of the fault: a label is unique in its function.
const idOfLabel = "\x00"

// labelled returns the body with idOfLabel after each label.
func (f function) labelled(text string) string {
	var b strings.Builder
	start := f.start
	for _, end := range f.labels {
		b.WriteString(text[start:end] + idOfLabel)
		start = end
	}
	b.WriteString(text[start:f.end])
	return b.String()
}

// chosen is the variable of a package that has the number of the fault, and variable that of the environment.
const (
	chosen   = "plantedFault"
	variable = "PLANTED_FAULT"
)

// chooser returns the file of a package that declares the variable.
func chooser(name string) string {
	return fmt.Sprintf("package %s\n\nimport (\n\tplantedOS %q\n\tplantedNumber %q\n)\n\nvar %s, _ = plantedNumber.Atoi(plantedOS.Getenv(%q))\n",
		name, "os", "strconv", chosen, variable)
}

// part is the text of an edit in a file with several.
type part struct {
	path       string
	start, end int
	of         *edit
}

// combine returns the files of a package with edits of functions in all of them. A function begins with a
// switch, which has the body with each edit as a case.
func combine(texts map[string]string, edits []*edit) (map[string]string, []part) {
	type body struct {
		text string
		of   *edit
	}
	bodies := map[string]map[int][]body{}
	for _, e := range edits {
		for start, text := range e.bodies {
			if bodies[e.path] == nil {
				bodies[e.path] = map[int][]body{}
			}
			bodies[e.path][start] = append(bodies[e.path][start], body{strings.ReplaceAll(text, idOfLabel, fmt.Sprint("_", e.id)), e})
		}
	}
	combined := map[string]string{}
	var parts []part
	for path, of := range bodies {
		text := texts[path]
		all, _ := functions(text) // it was parsed by newEdit
		var b strings.Builder
		end := 0
		for _, f := range all {
			if of[f.start] == nil {
				continue
			}
			b.WriteString(text[end:f.start] + "\nswitch " + chosen + " {\n")
			end = f.start
			slices.SortFunc(of[f.start], func(a, b body) int { return cmp.Compare(a.of.id, b.of.id) })
			for _, body := range of[f.start] {
				p := part{path: path, start: b.Len(), of: body.of}
				fmt.Fprintf(&b, "case %d: {%s\n}\n", body.of.id, body.text)
				if !f.results {
					b.WriteString("return\n")
				}
				p.end = b.Len()
				parts = append(parts, p)
			}
			b.WriteString("}\n")
		}
		b.WriteString(text[end:])
		combined[path] = b.String()
	}
	return combined, parts
}

// copies returns the files of a package with a copy of each function that edits change, with the edit, so that the
// reason why one does not compile is in its part. Its body is a block of its own, as it is in the switch of combine.
func copies(p *pkg, edits []*edit) (map[string]string, []part) {
	copied := map[string]string{}
	var parts []part
	for _, e := range edits {
		text := p.texts[e.path]
		all, _ := p.functions(e.path) // it was parsed by newEdit
		for _, f := range all {
			body, ok := e.bodies[f.start]
			if !ok {
				continue
			}
			if copied[e.path] == "" {
				copied[e.path] = text
			}
			number := fmt.Sprint("_", e.id)
			body = strings.ReplaceAll(body, idOfLabel, number)
			declaration := fmt.Sprint(text[f.head:f.name], chosen, len(parts), text[f.after:f.start], "{", body, "}}\n")
			start := len(copied[e.path])
			copied[e.path] += declaration
			parts = append(parts, part{path: e.path, start: start, end: start + len(declaration), of: e})
		}
	}
	return copied, parts
}
