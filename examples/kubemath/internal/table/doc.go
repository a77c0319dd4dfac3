// Package table writes a report as text for a terminal.
package table
