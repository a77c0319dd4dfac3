package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// site is a place in the body of a function, and what an operator puts there.
type site struct {
	operator   string
	function   string // as lists name it
	path       string // of its file
	line       int
	start, end int    // in the file
	with       string // the replacement
	what       string // the edit, in one line
	key        string // by which the site is known after a renaming
}

// syntax is the checked syntax tree of a package.
type syntax struct {
	pkg   *pkg
	fset  *token.FileSet
	files []*ast.File // by path
	info  *types.Info
	types *types.Package
}

// syntax parses and checks a package.
func (m *module) syntax(p *pkg) (*syntax, error) {
	texts, err := p.read()
	if err != nil {
		return nil, err
	}
	s := &syntax{pkg: p, fset: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(s.fset, path, texts[path], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	config := types.Config{GoVersion: "go" + p.Module.GoVersion, Importer: m.importer}
	s.types, err = config.Check(p.ImportPath, s.fset, s.files, s.info)
	return s, err
}

// offset returns where a position is in its file.
func (s *syntax) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// source returns the text of a node.
func (s *syntax) source(n ast.Node) string {
	at := s.fset.Position(n.Pos())
	return s.pkg.texts[at.Filename][at.Offset:s.offset(n.End())]
}

// sites returns what the operators find in the functions of a package, in the order of the files. Their keys differ.
func (m *module) sites(p *pkg) ([]site, error) {
	s, err := m.syntax(p)
	if err != nil {
		return nil, err
	}
	var all []site
	for _, file := range s.files {
		kinds := s.kinds(file)
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Body == nil || decl.Name.Name == "init" {
				continue
			}
			w := &walk{syntax: s, decl: decl, kinds: kinds}
			ast.PreorderStack(decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
				w.stack = append(stack, n)
				w.visit(n)
				return true
			})
			all = append(all, w.found...)
		}
	}
	seen := map[string]int{}
	for i := range all {
		form := all[i].key
		sum := sha256.Sum256(fmt.Append(nil, form, "\n", seen[form]))
		seen[form]++
		all[i].key = hex.EncodeToString(sum[:5])
	}
	return all, nil
}

// kinds returns, for each identifier of a file that may be renamed without other packages noticing, what it names.
func (s *syntax) kinds(file *ast.File) map[int]string {
	kinds := map[int]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := s.info.Uses[id]
		if object == nil {
			object = s.info.Defs[id]
		}
		switch {
		case object == nil: // a label, or the name of a variable of a type switch
			kinds[s.offset(id.Pos())] = "local"
		case object.Pkg() != s.types:
		case object.Parent() != nil && object.Parent() != s.types.Scope():
			kinds[s.offset(id.Pos())] = "local"
		case !object.Exported():
			kinds[s.offset(id.Pos())] = "own"
		case object.Parent() == nil && !isMember(object): // a parameter of a function type
			kinds[s.offset(id.Pos())] = "local"
		}
		return true
	})
	return kinds
}

// isMember reports whether an object without a scope is a field or a method.
func isMember(object types.Object) bool {
	if v, ok := object.(*types.Var); ok {
		return v.IsField()
	}
	_, ok := object.(*types.Func)
	return ok
}

// form returns a text without comments, spaces and the names that kinds has, which become numbers. What is from start
// to end in it is marked.
func (s *syntax) form(path string, kinds map[int]string, from, to, start, end int) string {
	text := s.pkg.texts[path][from:to]
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var tokens scanner.Scanner
	tokens.Init(file, []byte(text), func(token.Position, string) {}, 0)
	numbers := map[string]int{}
	var b strings.Builder
	began, ended := false, false
	for {
		pos, tok, literal := tokens.Scan()
		at := from + file.Offset(pos)
		if !began && at >= start {
			b.WriteString("« ")
			began = true
		}
		if !ended && at >= end {
			b.WriteString("» ")
			ended = true
		}
		if tok == token.EOF {
			return b.String()
		}
		kind := kinds[at]
		switch {
		case tok == token.SEMICOLON:
			literal = ";"
		case tok == token.IDENT && kind != "":
			name := kind + " " + literal
			if numbers[name] == 0 {
				numbers[name] = len(numbers) + 1
			}
			literal = fmt.Sprint(kind, numbers[name])
		case literal == "":
			literal = tok.String()
		}
		b.WriteString(literal + " ")
	}
}

// walk finds the sites of a function.
type walk struct {
	*syntax
	decl  *ast.FuncDecl
	kinds map[int]string
	stack []ast.Node // from the body of the function to the present node
	found []site
}

// add notes that an operator replaces what is between two positions.
func (w *walk) add(operator string, from, to token.Pos, with string) {
	at := w.fset.Position(from)
	s := site{
		operator: operator, function: nameOf(w.decl), path: at.Filename, line: at.Line,
		start: at.Offset, end: w.offset(to), with: with,
	}
	was := w.pkg.texts[at.Filename][s.start:s.end]
	s.what = fmt.Sprintf("%s: %s becomes %s", operator, oneLine(was), oneLine(with))
	if strings.TrimSpace(strings.ReplaceAll(with, "_ = ", "")) == "" || operator == "drop" || operator == "guard" {
		s.what = fmt.Sprintf("%s: no %s", operator, oneLine(was))
	}
	start, end := w.statement()
	name := ""
	if w.decl.Name.IsExported() {
		name = w.decl.Name.Name
	}
	s.key = strings.Join([]string{
		operator, name, w.form(s.path, w.kinds, w.offset(w.decl.Type.Params.Pos()), w.offset(w.decl.Body.Pos()), 0, 0),
		w.form(s.path, w.kinds, min(w.offset(start), s.start), max(w.offset(end), s.end), s.start, s.end),
		w.ordinal(operator),
	}, "\n")
	w.found = append(w.found, s)
}

// ordinal tells the sites of one operator at one place apart.
func (w *walk) ordinal(operator string) string {
	count := 0
	for _, s := range w.found {
		if s.operator == operator && s.start == w.offset(w.stack[len(w.stack)-1].Pos()) {
			count++
		}
	}
	return fmt.Sprint(count)
}

// statement returns where the innermost statement begins and ends, without the block that follows its head.
func (w *walk) statement() (start, end token.Pos) {
	for _, n := range slices.Backward(w.stack) {
		switch n := n.(type) {
		case *ast.BlockStmt:
		case *ast.IfStmt:
			return n.Pos(), n.Body.Lbrace
		case *ast.ForStmt:
			return n.Pos(), n.Body.Lbrace
		case *ast.RangeStmt:
			return n.Pos(), n.Body.Lbrace
		case *ast.SwitchStmt:
			return n.Pos(), n.Body.Lbrace
		case *ast.TypeSwitchStmt:
			return n.Pos(), n.Body.Lbrace
		case *ast.CaseClause:
			return n.Pos(), n.Colon
		case ast.Stmt:
			return n.Pos(), n.End()
		}
	}
	return w.decl.Body.Lbrace, w.decl.Body.Rbrace
}

// nameOf returns the name of a function, with the type of its receiver.
func nameOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return decl.Name.Name
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
			continue
		case *ast.IndexExpr:
			receiver = t.X
			continue
		case *ast.IndexListExpr:
			receiver = t.X
			continue
		case *ast.Ident:
			return t.Name + "." + decl.Name.Name
		}
		return decl.Name.Name
	}
}

// oneLine returns a text in one line, cut if it is long.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 70 {
		text = string(runes[:67]) + "..."
	}
	return text
}

// place names the site for people.
func (s *site) place() string {
	return fmt.Sprintf("%s (%s:%d)", s.function, filepath.Base(s.path), s.line)
}
