// Package wording formats text for users.
package wording

import (
	"fmt"
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

// Enumerate joins words: "a, b and c".
func Enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// OneLine joins the lines of a message, so that each problem is one line.
func OneLine(message string) string {
	var lines []string
	for line := range strings.Lines(message) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "; ")
}
