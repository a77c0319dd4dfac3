package arch_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Rules that need no types: each takes a file, and returns its violations.

// sidecarTest is the only file of the library that reads the restart policy of a container, which policyRead matches.
const sidecarTest = "internal/podwalk/containers.go"

var policyRead = regexp.MustCompile(`\*[\w.]+\.RestartPolicy\b`)

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

// sourceViolations returns those of the rules that need no types.
func sourceViolations(p *project) (found []string) {
	kernel := p.kernelFiles()
	found = repeats(kernel)
	for _, f := range kernel {
		if f.name != sidecarTest && policyRead.MatchString(f.text) {
			found = append(found, fmt.Sprintf("%s: asks for a restart policy: only %s does", f.name, sidecarTest))
		}
	}
	for _, f := range p.files {
		found = append(found, neverDrawn(f)...)
		isIn := func(dir string) bool { return strings.HasPrefix(f.name, dir) }
		if f.isTest() && !slices.ContainsFunc(unchecked, isIn) {
			found = append(found, thrownAway(f)...)
		}
	}
	return found
}
