package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// unseen are functions whose arguments are in no answer: capacities, and the messages of bugs.
var unseen = []string{"make", "slices.Grow", "panic"}

// visit applies the operators to a node.
func (w *walk) visit(n ast.Node) {
	for _, above := range w.stack {
		if call, ok := above.(*ast.CallExpr); ok && slices.Contains(unseen, w.source(call.Fun)) {
			return
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		w.add("negate", n.Cond.Pos(), n.Cond.End(), "!("+w.source(n.Cond)+")")
		w.guard(n)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.CallExpr:
		w.call(n)
	case *ast.Ident:
		w.flip(n)
		w.otherConstant(n, n)
	case *ast.SelectorExpr:
		w.otherField(n)
		w.otherConstant(n, n.Sel)
	case *ast.BasicLit:
		w.number(n)
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
		w.drop(n.(ast.Stmt))
	case *ast.BranchStmt:
		w.branch(n)
	case *ast.CaseClause:
		w.dropCase(n)
	case *ast.ReturnStmt:
		w.swallow(n)
	}
}

// parent returns the node that is so many levels above the present one, 1 for the nearest, or nil.
func (w *walk) parent(up int) ast.Node {
	if i := len(w.stack) - 1 - up; i >= 0 {
		return w.stack[i]
	}
	return nil
}

// typeOf returns the type of an expression, or nil.
func (w *walk) typeOf(e ast.Expr) types.Type { return w.info.TypeOf(e) }

// constant reports whether the value of an expression is known to the compiler.
func (w *walk) constant(e ast.Expr) bool { return w.info.Types[e].Value != nil }

// endless reports whether the nearest loop ends only by what is in its body.
func (w *walk) endless() bool {
	for _, n := range slices.Backward(w.stack) {
		switch n := n.(type) {
		case *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.ForStmt:
			return n.Post == nil
		}
	}
	return false
}

// uses returns statements that use the variables of a node that it does not declare, so that the rest of the function
// compiles without the node.
func (w *walk) uses(n ast.Node) string {
	var names []string
	ast.Inspect(n, func(inner ast.Node) bool {
		id, ok := inner.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := w.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Parent() == w.types.Scope() || n.Pos() <= v.Pos() && v.Pos() < n.End() {
			return true
		}
		if !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
		return true
	})
	if len(names) == 0 {
		return ""
	}
	return strings.Repeat("_, ", len(names)-1) + "_ = " + strings.Join(names, ", ")
}

// exits reports whether the block ends by leaving what is around it.
func exits(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// guard drops a special case that ends the function or the step of a loop.
func (w *walk) guard(n *ast.IfStmt) {
	if _, ok := w.parent(1).(*ast.IfStmt); !ok && n.Else == nil && exits(n.Body) && !w.endless() {
		w.add("guard", n.Pos(), n.End(), w.uses(n))
	}
}

func (w *walk) binary(n *ast.BinaryExpr) {
	operator := func(name string, becomes token.Token) {
		w.add(name, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), becomes.String())
	}
	switch n.Op {
	case token.LAND, token.LOR:
		w.add("operand", n.Pos(), n.End(), w.source(n.X))
		w.add("operand", n.Pos(), n.End(), w.source(n.Y))
		operator("and/or", map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}[n.Op])
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if strings.HasPrefix(w.source(n.X), "len(") && w.source(n.Y) == "0" {
			return // which is true of every length, or of none
		}
		operator("bound", map[token.Token]token.Token{
			token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
		}[n.Op])
	case token.EQL, token.NEQ:
		if _, ok := w.parent(1).(*ast.IfStmt); !ok {
			operator("equal", map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL}[n.Op])
		}
	case token.ADD, token.SUB:
		if basic, ok := w.typeOf(n).Underlying().(*types.Basic); ok && basic.Info()&types.IsNumeric != 0 && !w.constant(n) {
			operator("sign", map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD}[n.Op])
		}
	}
}

// symmetric are functions whose arguments may be exchanged.
var symmetric = []string{"max", "min", "Max", "Min", "Equal", "equal", "append", "make"}

func (w *walk) call(n *ast.CallExpr) {
	if w.info.Types[n.Fun].IsType() {
		return
	}
	name := ""
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	if w.info.Types[n.Fun].IsBuiltin() && (name == "min" || name == "max") {
		w.add("min/max", n.Fun.Pos(), n.Fun.End(), map[string]string{"min": "max", "max": "min"}[name])
	}
	if w.source(n.Fun) == "cmp.Or" && len(n.Args) > 1 {
		for i := range n.Args {
			w.dropElement("tie", n.Args, i, n.Lparen+1)
		}
	}
	if !slices.Contains(symmetric, name) {
		for i := range len(n.Args) - 1 {
			a, b := n.Args[i], n.Args[i+1]
			if x, y := w.source(a), w.source(b); x != y && types.Identical(w.typeOf(a), w.typeOf(b)) && !n.Ellipsis.IsValid() {
				between := w.pkg.texts[w.fset.Position(a.Pos()).Filename][w.offset(a.End()):w.offset(b.Pos())]
				w.add("swap", a.Pos(), b.End(), y+between+x)
			}
		}
	}
	w.unwrap(n)
}

// unwrap replaces a call by its only operand if the types are the same: nothing is copied, rounded or sorted.
func (w *walk) unwrap(n *ast.CallExpr) {
	selector, method := n.Fun.(*ast.SelectorExpr)
	method = method && w.info.Selections[selector] != nil
	var operand ast.Expr
	switch {
	case method && len(n.Args) == 0:
		operand = selector.X
	case !method && len(n.Args) == 1 && !w.info.Types[n.Fun].IsBuiltin():
		operand = n.Args[0]
	default:
		return
	}
	result, is := w.typeOf(n), w.typeOf(operand)
	switch {
	case result == nil || is == nil || w.constant(operand):
	case types.Identical(result, is):
		w.add("unwrap", n.Pos(), n.End(), w.source(operand))
	case types.Identical(result, types.NewPointer(is)) && w.info.Types[operand].Addressable():
		w.add("unwrap", n.Pos(), n.End(), "&"+w.source(operand))
	}
}

// dropElement drops one of several elements of a list, which begins at a position.
func (w *walk) dropElement(operator string, list []ast.Expr, i int, begin token.Pos) {
	switch {
	case i+1 < len(list):
		w.add(operator, list[i].Pos(), list[i+1].Pos(), "")
	case i > 0:
		w.add(operator, list[i-1].End(), list[i].End(), "")
	default:
		w.add(operator, begin, list[i].End(), "")
	}
}

// flip exchanges true and false.
func (w *walk) flip(n *ast.Ident) {
	if w.info.Uses[n] == types.Universe.Lookup(n.Name) && (n.Name == "true" || n.Name == "false") {
		w.add("flip", n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"))
	}
}

// otherConstant puts the next constant of the same type in the place of one.
func (w *walk) otherConstant(n ast.Expr, name *ast.Ident) {
	if selector, ok := w.parent(1).(*ast.SelectorExpr); ok && selector.Sel == n {
		return
	}
	c, ok := w.info.Uses[name].(*types.Const)
	if !ok || c.Pkg() == nil || c.Parent() != c.Pkg().Scope() {
		return
	}
	if _, ok := c.Type().(*types.Named); !ok {
		return
	}
	var others []string
	for _, other := range c.Parent().Names() {
		o, ok := c.Parent().Lookup(other).(*types.Const)
		if ok && types.Identical(o.Type(), c.Type()) && (o.Exported() || o.Pkg() == w.types) {
			others = append(others, other)
		}
	}
	if i := slices.Index(others, name.Name); i >= 0 && len(others) > 1 {
		w.add("constant", name.Pos(), name.End(), others[(i+1)%len(others)])
	}
}

// otherField puts the next field of the same type in the place of one.
func (w *walk) otherField(n *ast.SelectorExpr) {
	selection := w.info.Selections[n]
	if selection == nil || selection.Kind() != types.FieldVal || len(selection.Index()) != 1 {
		return
	}
	of := selection.Recv()
	if pointer, ok := of.Underlying().(*types.Pointer); ok {
		of = pointer.Elem()
	}
	fields, ok := of.Underlying().(*types.Struct)
	if !ok {
		return
	}
	at := selection.Index()[0]
	for step := range fields.NumFields() - 1 {
		other := fields.Field((at + 1 + step) % fields.NumFields())
		visible := other.Exported() || other.Pkg() == w.types
		if visible && !other.Embedded() && types.Identical(other.Type(), selection.Type()) {
			w.add("field", n.Sel.Pos(), n.Sel.End(), other.Name())
			return
		}
	}
}

// number makes a literal one more.
func (w *walk) number(n *ast.BasicLit) {
	_, returned := w.parent(1).(*ast.ReturnStmt)
	if _, negative := w.parent(1).(*ast.UnaryExpr); negative {
		_, returned = w.parent(2).(*ast.ReturnStmt)
	}
	if returned && n.Value == "1" { // of a comparison, of which only the sign counts
		return
	}
	value, err := strconv.ParseInt(n.Value, 0, 64)
	if n.Kind != token.INT || err != nil {
		return
	}
	if _, ok := w.parent(1).(*ast.ArrayType); !ok {
		w.add("number", n.Pos(), n.End(), fmt.Sprint(value+1))
	}
}

// literal drops a field of a struct, such as an option.
func (w *walk) literal(n *ast.CompositeLit) {
	if t := w.typeOf(n); t == nil {
		return
	} else if _, ok := t.Underlying().(*types.Struct); !ok {
		return
	}
	for i, e := range n.Elts {
		if _, ok := e.(*ast.KeyValueExpr); ok {
			w.dropElement("literal", n.Elts, i, n.Lbrace+1)
		}
	}
}

// drop drops a statement that is not the head of another.
func (w *walk) drop(n ast.Stmt) {
	switch w.parent(1).(type) {
	case *ast.BlockStmt, *ast.CaseClause:
	default:
		return
	}
	assign, ok := n.(*ast.AssignStmt)
	if ok && (assign.Tok == token.DEFINE || w.source(assign.Lhs[0]) == "_") || w.endless() {
		return
	}
	w.add("drop", n.Pos(), n.End(), w.uses(n))
}

// branch exchanges break and continue, and drops continue.
func (w *walk) branch(n *ast.BranchStmt) {
	loop := false
	for _, above := range slices.Backward(w.stack) {
		switch above.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return
		case *ast.RangeStmt, *ast.ForStmt:
			loop = true
		}
		if loop {
			break
		}
	}
	if !loop || n.Label != nil || w.endless() {
		return
	}
	switch n.Tok {
	case token.CONTINUE:
		w.add("jump", n.Pos(), n.End(), "break")
	case token.BREAK:
		w.add("jump", n.Pos(), n.End(), "continue")
	}
}

// dropCase drops a case of a switch, or one of its values.
func (w *walk) dropCase(n *ast.CaseClause) {
	if len(n.List) == 0 || w.endless() {
		return
	}
	if len(n.List) > 1 {
		for i := range n.List {
			w.dropElement("case", n.List, i, n.List[0].Pos())
		}
		return
	}
	if body, ok := w.parent(1).(*ast.BlockStmt); ok && len(body.List) > 1 {
		w.add("case", n.Pos(), n.End(), "")
	}
}

// swallow returns nil in the place of an error.
func (w *walk) swallow(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	t := w.typeOf(last)
	if t == nil || w.source(last) == "nil" || !types.AssignableTo(t, types.Universe.Lookup("error").Type()) {
		return
	}
	if _, ok := t.(*types.Tuple); !ok {
		w.add("error", last.Pos(), last.End(), "nil")
	}
}
