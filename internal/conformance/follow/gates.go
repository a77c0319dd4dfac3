package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// A gateChange is a feature gate whose state differs, in words such as "beta, on".
type gateChange struct{ name, old, newer string }

const absent = "absent"

// compareGates returns the gates whose states differ, of those that are named.
func compareGates(old, newer map[string]string, named map[string]bool) (changes []gateChange) {
	all := map[string]bool{}
	for gate := range old {
		all[gate] = true
	}
	for gate := range newer {
		all[gate] = true
	}
	for _, gate := range sortedKeys(all) {
		c := gateChange{gate, old[gate], newer[gate]}
		if c.old == "" {
			c.old = absent
		}
		if c.newer == "" {
			c.newer = absent
		}
		if c.old != c.newer && named[gate] {
			changes = append(changes, c)
		}
	}
	return changes
}

// gates returns the states of all gates of pkg/features in the release of the tree.
func (t tree) gates() (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(t.directory(kubernetes+"/pkg/features"), "kube_features.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	states := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		entry, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		gate, ok := entry.Key.(*ast.Ident)
		specs, list := entry.Value.(*ast.CompositeLit)
		if !ok || !list {
			return true
		}
		for _, element := range specs.Elts {
			if spec, ok := element.(*ast.CompositeLit); ok {
				if since, state := stateOf(spec); since != "" && minorNumber(since) <= minorNumber(t.minor) {
					states[gate.Name] = state // of the newest, which comes last
				}
			}
		}
		return true
	})
	if len(states) == 0 {
		return nil, fmt.Errorf("%s: no feature gates", t.directory(kubernetes))
	}
	return states, nil
}

// stateOf returns the release since which a gate has a state, and the state.
func stateOf(spec *ast.CompositeLit) (since, state string) {
	on := "off"
	for _, element := range spec.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return "", ""
		}
		switch key := field.Key.(*ast.Ident); key.Name {
		case "Version":
			if call, ok := field.Value.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if literal, ok := call.Args[0].(*ast.BasicLit); ok {
					since, _ = strconv.Unquote(literal.Value)
				}
			}
		case "Default":
			if value, ok := field.Value.(*ast.Ident); ok && value.Name == "true" {
				on = "on"
			}
		case "PreRelease":
			if stage, ok := field.Value.(*ast.SelectorExpr); ok {
				state = strings.ToLower(stage.Sel.Name)
			}
		}
	}
	return since, state + ", " + on
}

// minorNumber returns 36 for 1.36.
func minorNumber(release string) int {
	_, minor, _ := strings.Cut(release, ".")
	n, _ := strconv.Atoi(minor)
	return n
}
