// Package wording formats text for users.
package wording

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
