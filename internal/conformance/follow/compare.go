package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// A change is a declaration that two versions do not have alike.
type change struct {
	pkg, name  string
	what       string // changed, new or gone
	because    string // the places that name it, or what uses it
	indirect   bool
	old, newer string // the sources
}

// result is what has changed.
type result struct {
	packages, declarations int // how many are followed
	changes                []change
	gates                  []gateChange
}

// compare compares what is followed. own is the source of internal/release.
func compare(old, newer tree, list names, own string) (result, error) {
	var r result
	var sources strings.Builder
	sources.WriteString(own + "\n")
	for _, pkg := range list.packages() {
		before, err := old.declarations(pkg)
		if err != nil {
			return r, err
		}
		after, err := newer.declarations(pkg)
		if err != nil {
			return r, err
		}
		count, changes := comparePackage(pkg, before, after, list, &sources)
		if count > 0 {
			r.packages++
		}
		r.declarations += count
		r.changes = append(r.changes, changes...)
	}
	before, err := old.gates()
	if err != nil {
		return r, err
	}
	after, err := newer.gates()
	if err != nil {
		return r, err
	}
	named := map[string]bool{}
	for _, word := range words.FindAllString(sources.String(), -1) {
		named[word] = true
	}
	r.gates = compareGates(before, after, named)
	return r, nil
}

var words = regexp.MustCompile(`\w+`)

// comparePackage returns how many declarations of a package are followed, and those that have changed. It writes the
// sources of all of them.
func comparePackage(pkg string, before, after map[string]declaration, list names, sources *strings.Builder) (count int, changes []change) {
	var texts []string
	for key := range list {
		if key.pkg == pkg {
			texts = append(texts, key.name)
		}
	}
	slices.Sort(texts)
	because, indirect := map[string][]string{}, map[string]string{}
	for _, all := range []map[string]declaration{before, after} {
		direct, through := reach(all, texts)
		for key, named := range direct {
			sources.WriteString(all[key].source + "\n")
			for _, text := range named {
				because[key] = append(because[key], list[name{pkg, text}]...)
			}
		}
		for key, from := range through {
			sources.WriteString(all[key].source + "\n")
			indirect[key] = from
		}
	}
	for key := range because {
		delete(indirect, key)
	}
	for _, key := range slices.Sorted(slices.Values(append(sortedKeys(because), sortedKeys(indirect)...))) {
		old, was := before[key]
		newer, is := after[key]
		c := change{pkg: pkg, name: key, what: "changed", old: old.source, newer: newer.source}
		switch {
		case was && is && old.tokens == newer.tokens:
			continue
		case !was:
			c.what = "new"
		case !is:
			c.what = "gone"
		}
		if from, ok := indirect[key]; ok {
			c.indirect, c.because = true, "used by "+from
		} else {
			c.because = places(because[key])
		}
		changes = append(changes, c)
	}
	return len(because) + len(indirect), changes
}

// places joins the places that name a declaration: the documents first, and of the code at most two.
func places(all []string) string {
	slices.Sort(all)
	all = slices.Compact(all)
	var documents, code []string
	for _, place := range all {
		if strings.HasPrefix(place, "docs/") {
			documents = append(documents, place)
		} else {
			code = append(code, place)
		}
	}
	if more := len(code) - 2; more > 0 {
		code = append(code[:2], fmt.Sprintf("%d more", more))
	}
	return strings.Join(append(documents, code...), ", ")
}

// print prints the changes by package, and the gates.
func (r result) print(out io.Writer, differences bool) {
	pkg := ""
	for _, c := range r.changes {
		if c.pkg != pkg {
			pkg = c.pkg
			fmt.Fprintf(out, "\n%s\n", pkg)
		}
		fmt.Fprintf(out, "  %-8s %s (%s)\n", c.what, c.name, c.because)
		if differences {
			fmt.Fprintln(out, cmp.Diff(strings.Split(c.old, "\n"), strings.Split(c.newer, "\n")))
		}
	}
	fmt.Fprintln(out, "\nfeature gates")
	for _, g := range r.gates {
		fmt.Fprintf(out, "  %s: %s, was %s\n", g.name, g.newer, g.old)
	}
	fmt.Fprintf(out, "\n%d declarations in %d packages are followed: %d have changed; %d gates\n", r.declarations, r.packages, len(r.changes), len(r.gates))
}
