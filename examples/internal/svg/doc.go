// Package svg draws rectangles and text as SVG, and reads such pictures again, so that tests
// can tell whether labels overlap.
package svg
