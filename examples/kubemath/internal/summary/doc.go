// Package summary writes the summary of a report as text for a terminal of 80 columns: what is
// requested by namespace, by owner and by node, the most first.
package summary
