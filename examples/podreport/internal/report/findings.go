package report

import "github.com/kubemath/kubemath/examples/internal/objects"

// Finding is something to say about the input.
type Finding struct {
	// Source is the place in the input. Its document is 0 for a file that could not be read.
	Source objects.Source `json:"source"`
	Line   int            `json:"line,omitempty"`   // in the file, where it can be told
	Object string         `json:"object,omitempty"` // kind, namespace and name, as far as known
	Field  string         `json:"field,omitempty"`  // its path in the object, if it is about a field
	Text   string         `json:"text"`
	// Rejected is set if the API server would reject the object.
	Rejected bool `json:"rejected,omitempty"`
}

// Skipped are objects of a kind that are not part of the report.
type Skipped struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}
