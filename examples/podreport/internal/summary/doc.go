// Package summary writes the summary of a report, as text for a terminal of 80 columns: by
// namespace, by owner and by node, what holds the most first.
package summary
