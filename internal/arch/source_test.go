package arch_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rules that need no types: each takes a file, and returns its violations.

// kindsOfContainers are the constants of each package that distinguishes kinds of containers. A comparison with one of
// them treats any new kind as one of the others; for an incomplete switch, the linter reports an error.
var kindsOfContainers = map[string][]string{
	module + "/computeresources": {"App", "Init", "Sidecar"},
	module + "/internal/podwalk": {"App", "Init", "Sidecar"},
}

// sidecarTest is the only file that reads the restart policy of a container.
const sidecarTest = "internal/podwalk/containers.go"

// kindBranches returns where a file compares with a kind of container, or with a restart policy.
func kindBranches(f *file) (found []string) {
	imported := f.imports()
	pkg := importPath(f.name[:max(0, strings.LastIndexByte(f.name, '/'))])
	isKind := func(e ast.Expr) bool {
		name, own := e.(*ast.Ident)
		return own && slices.Contains(kindsOfContainers[pkg], name.Name) || isOneOf(kindsOfContainers, imported, e)
	}
	check := func(n ast.Node, compared ...ast.Expr) {
		if len(compared) == 2 && slices.ContainsFunc(compared, isKind) {
			found = append(found, f.at(n, "compares with a kind of container: use a switch"))
		}
		if f.name != sidecarTest && slices.ContainsFunc(compared, mentionsRestartPolicy) {
			found = append(found, f.at(n, "asks for a restart policy: only %s does", sidecarTest))
		}
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				check(n, n.X, n.Y)
			}
		case *ast.SwitchStmt:
			check(n, n.Tag)
		}
		return true
	})
	return found
}

func mentionsRestartPolicy(e ast.Expr) (mentions bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		mentions = mentions || ok && (sel.Sel.Name == "RestartPolicy" || strings.HasPrefix(sel.Sel.Name, "ContainerRestartPolicy"))
		return !mentions
	})
	return mentions
}

// longest is the number of characters that a line of the library may have.
const longest = 120

func longLines(f *file) (found []string) {
	for i, line := range strings.Split(f.text, "\n") {
		if utf8.RuneCountInString(line) > longest {
			found = append(found, fmt.Sprintf("%s:%d: more than %d characters", f.name, i+1, longest))
		}
	}
	return found
}

// thrownAway returns where all results of a call, or a variable, are assigned to blank: a test that needs one checks
// it, and one that does not need it does not mention it.
func thrownAway(f *file) (found []string) {
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == "_"
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if ok && !slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool { return !blank(e) }) {
			found = append(found, f.at(n, "a result that is thrown away: check it"))
		}
		return true
	})
	return found
}

// drawn matches the subject of a switch over a random number.
var drawn = regexp.MustCompile(`^rapid\.IntRange\((\d+), (\d+)\)\.Draw\(`)

// neverDrawn returns the cases of a switch over a random number that are not in its range.
func neverDrawn(f *file) (found []string) {
	ast.Inspect(f.tree, func(n ast.Node) bool {
		s, ok := n.(*ast.SwitchStmt)
		if !ok || s.Tag == nil {
			return true
		}
		bounds := drawn.FindStringSubmatch(types.ExprString(s.Tag))
		for _, clause := range s.Body.List {
			for _, e := range clause.(*ast.CaseClause).List {
				if n := types.ExprString(e); bounds != nil && (number(n) < number(bounds[1]) || number(bounds[2]) < number(n)) {
					found = append(found, f.at(e, "case %s is never drawn", n))
				}
			}
		}
		return true
	})
	return found
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	must(err)
	return n
}

// repeatable is the number of equal lines in a row that two places of the library may have.
const repeatable = 5

// trivial are lines that say nothing by themselves: comments, imports, ends of blocks, and results that are constants.
var trivial = regexp.MustCompile(`^(?://.*|\w* ?"[^"]*"|import \(|[})\]]+,?|return(?: (?:true|false|nil|0|-1|1|""))?|continue|break|default:|\} else \{|)$`)

// repeats returns the places whose lines of code are also those of an earlier place.
func repeats(files []*file) (found []string) {
	first := map[string]string{}
	for _, f := range files {
		var lines, places []string
		for i, line := range strings.Split(f.text, "\n") {
			line, _, _ = strings.Cut(line, " // ")
			if line = strings.TrimSpace(line); !trivial.MatchString(line) {
				lines, places = append(lines, line), append(places, fmt.Sprintf("%s:%d", f.name, i+1))
			}
		}
		end := 0 // of the repetition that was found last
		for i := range max(0, len(lines)-repeatable) {
			text := strings.Join(lines[i:i+repeatable+1], "\n")
			earlier, known := first[text]
			if !known {
				first[text] = places[i]
				continue
			}
			if i >= end {
				found = append(found, fmt.Sprintf("%s: repeats the lines of %s", places[i], earlier))
			}
			end = i + repeatable + 1
		}
	}
	return found
}

// unchecked are folders whose tests throw results away: of processes that are killed, and of connections that break.
var unchecked = []string{"examples/controller/"}

// elsewhere are folders whose kinds are those of Kubernetes: reference implementations, and random objects.
var elsewhere = []string{"internal/conformance/", "internal/testkit/"}

// sourceViolations returns those of the rules that need no types.
func sourceViolations(p *project) (found []string) {
	kernel := p.kernelFiles()
	found = repeats(kernel)
	for _, f := range kernel {
		found = append(found, longLines(f)...)
	}
	for _, f := range p.files {
		found = append(found, neverDrawn(f)...)
		isIn := func(dir string) bool { return strings.HasPrefix(f.name, dir) }
		switch {
		case f.isTest() && !slices.ContainsFunc(unchecked, isIn):
			found = append(found, thrownAway(f)...)
		case !f.isTest() && !slices.ContainsFunc(elsewhere, isIn):
			found = append(found, kindBranches(f)...)
		}
	}
	return found
}
