// Package summary writes what a report comes to, as text for a terminal of 80 columns: by namespace,
// by owner and by node, what holds the most first.
package summary
