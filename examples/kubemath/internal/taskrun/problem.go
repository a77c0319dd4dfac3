package taskrun

import (
	"strconv"
	"strings"
	"unicode"
)

// fault is an error in a field of an object.
type fault struct {
	path string
	text string
}

// printable escapes line breaks and control characters.
func printable(s string) string {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
