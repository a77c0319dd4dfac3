// Package page writes a report as one HTML document, which needs no network, no script and no other
// file. It is a pure function of the report.
//
// Each number of the document is a data element: its value is the exact amount, and data-path is the
// JSON pointer (RFC 6901) of that value in the report as JSON, with percent signs and what cannot be
// printed encoded as in a URI; data-times, if it is there, points to a
// number that the value was multiplied by. Names and sentences that the report has are in
// elements with data-path, too. What a reader sees may be rounded; the exact amount is then its title.
package page
