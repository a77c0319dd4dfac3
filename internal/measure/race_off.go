//go:build !race

package measure

// Race reports whether the race detector is on. It makes code several times slower and objects several
// times larger, so tests of time and memory say nothing then.
const Race = false
