package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is the number of characters that a line of the library may have.
const longest = 120

// dialectViolations returns the lines of a file of the library that are too long, assignments to variables from
// outside in front of a condition, and switches of such assignments.
func dialectViolations(name string, source []byte) (found []string) {
	say := func(line int, what string) {
		found = append(found, fmt.Sprintf("%s:%d: dialect: %s", name, line, what))
	}
	for i, line := range strings.Split(string(source), "\n") {
		if utf8.RuneCountInString(line) > longest {
			say(i+1, fmt.Sprintf("more than %d characters", longest))
		}
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		say(1, err.Error())
		return found
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if n.Init != nil && !defines(n.Init) {
				say(files.Position(n.Pos()).Line, "a statement in front of a condition that defines nothing")
			}
		case *ast.SwitchStmt:
			if n.Init != nil && n.Tag == nil {
				say(files.Position(n.Pos()).Line, "a statement in front of a switch without a subject")
			}
		}
		return true
	})
	return found
}

// defines reports whether a statement defines variables.
func defines(s ast.Stmt) bool {
	assign, ok := s.(*ast.AssignStmt)
	return ok && assign.Tok == token.DEFINE
}

func TestDialect(t *testing.T) {
	names, sources := kernelFiles(t)
	var found []string
	for _, name := range names {
		found = append(found, dialectViolations(name, sources[name])...)
	}
	report(t, found)
}

func TestDialectViolations(t *testing.T) {
	source := "package p\n\nfunc f(a int) bool {\n\tif b := a; b > 1 {\n\t\treturn true\n\t}\n" +
		"\tif a = 2; a > 1 {\n\t\treturn true\n\t}\n\tswitch b := a; {\n\tcase b > 1:\n\t}\n\treturn false\n}\n\n// " +
		strings.Repeat("x", longest) + "\n"
	expect(t, dialectViolations("a.go", []byte(source)), []string{
		"a.go:16: dialect: more than 120 characters",
		"a.go:7: dialect: a statement in front of a condition that defines nothing",
		"a.go:10: dialect: a statement in front of a switch without a subject",
	})
}
