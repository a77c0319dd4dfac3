// Package page writes a report as HTML, which needs no network and no script. It is a pure function of the
// report.
//
// Each number of the document is a data element: its value is the exact amount, and data-path is the
// JSON pointer (RFC 6901) of that value in the report as JSON, with percent signs and unprintable
// characters encoded as in a URI. Names and sentences of the report are in elements with data-path, too. The text of
// a number may be rounded; then its title is the exact amount.
package page
