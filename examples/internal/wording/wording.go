// Package wording formats text for users.
package wording

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Printable escapes line breaks and control characters.
func Printable(s string) string {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return strings.Trim(strconv.Quote(s), `"`)
		}
	}
	return s
}

// Qualified returns "shop/web", or only the name.
func Qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// Count returns "1 pod", "2 pods".
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Tally counts names: "worker-1 (2), worker-2". Of many, the last ones are only counted.
func Tally(names []string) string {
	const most = 10
	count := map[string]int{}
	for _, name := range names {
		count[name]++
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if n := count[name]; n > 1 {
			name += fmt.Sprintf(" (%d)", n)
		}
		words = append(words, name)
	}
	if n := len(words) - most; n > 0 {
		words = append(words[:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, ", ")
}

// Enumerate joins words: "a, b and c".
func Enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Spoken returns the words of a CamelCase name: "not found" of NotFound.
func Spoken(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// OneLine joins the lines of a message, so that each problem is one line.
func OneLine(message string) string {
	var lines []string
	for line := range strings.Lines(message) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "; ")
}

// Placed is a pod that was placed on a node.
type Placed struct {
	Owner, Node string
	Choice      whatif.Choice
}

// Choices says of which nodes the scheduler draws one, and how many it compares: a line each, if another node is possible.
func Choices(placed []Placed) (lines []string) {
	on := map[[2]string]int{} // how many pods of an owner are on a node
	for _, p := range placed {
		on[[2]string{p.Owner, p.Node}]++
	}
	drawn := map[string]bool{} // the owners for whose pods it matters which nodes are drawn
	for _, p := range placed {
		c := &p.Choice
		drawn[p.Owner] = drawn[p.Owner] || c.Equal > max(len(c.Nodes), 1)
		for _, name := range c.Nodes {
			drawn[p.Owner] = drawn[p.Owner] || on[[2]string{p.Owner, name}] != on[[2]string{p.Owner, p.Node}]
		}
	}
	var equal, scored, feasible []int
	for _, p := range placed {
		if p.Choice.Equal > 1 && drawn[p.Owner] {
			equal = append(equal, p.Choice.Equal)
		}
		if p.Choice.Scored < p.Choice.Feasible {
			scored, feasible = append(scored, p.Choice.Scored), append(feasible, p.Choice.Feasible)
		}
	}
	if len(equal) > 0 {
		lines = append(lines, fmt.Sprintf("%s on one of %v equal nodes: the scheduler draws one, and later pods may differ with it",
			Count(int64(len(equal)), "pod"), span(equal)))
	}
	if len(scored) > 0 {
		lines = append(lines, fmt.Sprintf("%s on the best of %v nodes, of which the scheduler compares %v: the best of these may be another one",
			Count(int64(len(scored)), "pod"), span(feasible), span(scored)))
	}
	return lines
}

// span returns the least and the most of numbers: "3 to 5", or "3".
func span(numbers []int) string {
	least, most := slices.Min(numbers), slices.Max(numbers)
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// DidYouMean returns ": did you mean diff?" if one of some words is spelled like a word, else "".
func DidYouMean(word string, words []string) string {
	least, like := min(3, len(word)/2+1), ""
	for _, other := range words {
		if n := distance(strings.ToLower(word), strings.ToLower(other)); n < least {
			least, like = n, ": did you mean "+other+"?"
		}
	}
	return like
}

// distance returns how many letters have to be added, removed or changed so that a word becomes another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
