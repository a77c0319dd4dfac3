package release

import (
	"fmt"
	"strconv"
	"strings"
)

// The releases whose rules are known are 1.oldest to 1.newest. 1.usual is that of an empty name.
const oldest, usual, newest = 33, 37, 38

// Parse returns the release that a version is of, such as "1.36" for "v1.36.3-gke.100" and "1.36+". The error of
// a version of another release, or of a text that is no version, lists the releases.
func Parse(version string) (string, error) {
	if minor, ok := minorOf(version); ok && minor >= oldest && minor <= newest {
		return "1." + strconv.Itoa(minor), nil
	}
	names := make([]string, 0, newest-oldest+1)
	for minor := oldest; minor <= newest; minor++ {
		names = append(names, "1."+strconv.Itoa(minor))
	}
	return "", fmt.Errorf("unknown release of Kubernetes %q: must be one of %s", version, strings.Join(names, ", "))
}

// minorOf returns the minor number of a version of Kubernetes 1, with or without a leading v and of any patch level.
func minorOf(version string) (minor int, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimPrefix(version, "v"), "1.")
	if !ok {
		return 0, false
	}
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if rest := text[digits:]; rest != "" && !strings.ContainsRune(".+-", rune(rest[0])) {
		return 0, false
	}
	minor, err := strconv.Atoi(text[:digits])
	return minor, err == nil
}

// minor returns the minor number of the release whose rules hold.
func (r Rules) minor() int {
	if r.Release == "" {
		return usual
	}
	minor, ok := minorOf(r.Release)
	if !ok {
		return usual
	}
	return min(max(minor, oldest), newest)
}

// since reports whether a rule holds that has no gate, and that came with the release 1.first.
func (r Rules) since(first int) bool { return r.minor() >= first }

// enabled reports whether a gate is on that is on by default since the release 1.first.
func (r Rules) enabled(gate *bool, first int) bool { return r.enabledIn(gate, r.since(first)) }

// enabledIn reports whether a gate is on that has a default in the release.
func (r Rules) enabledIn(gate *bool, byDefault bool) bool {
	if gate != nil {
		return *gate
	}
	return byDefault
}
