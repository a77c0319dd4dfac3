package report

import (
	"maps"
	"slices"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

// Finding is an error, a warning or a note about the input.
type Finding struct {
	// Source is the place in the input. Its document is 0 for a file that could not be read.
	Source objects.Source `json:"source"`
	Line   int            `json:"line,omitempty"`   // in the file, if known
	Object string         `json:"object,omitempty"` // kind, namespace and name, as far as known
	Field  string         `json:"field,omitempty"`  // its path in the object, if it is about a field
	Text   string         `json:"text"`
	// Rejected is set if the API server would reject the object.
	Rejected bool `json:"rejected,omitempty"`
}

// Skipped are objects of a kind that no quota counts.
type Skipped struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// find adds the problems that were found while reading, and the objects that are not part of the report.
func (r *Report) find(in *manifest.Input) {
	for _, p := range in.Problems {
		f := Finding{Source: p.Source, Line: p.Begins(), Object: p.Named, Field: p.Field, Text: p.Text}
		switch p.Grade {
		case objects.Warning:
			r.Warnings = append(r.Warnings, f)
		case objects.Uncomputed:
			r.NotComputed = append(r.NotComputed, f)
		case objects.Skipped:
			r.Notes = append(r.Notes, f)
		case objects.Invalid:
			f.Rejected = true
			r.Errors = append(r.Errors, f)
		case objects.Unreadable, objects.Failed:
			r.Errors = append(r.Errors, f)
		}
	}
	skipped := map[string]int{}
	r.Objects = slices.DeleteFunc(r.Objects, func(o Object) bool {
		unlimited := len(o.Quotas) == 0 && o.Rejection == nil
		if unlimited {
			skipped[o.Kind]++
		}
		return unlimited
	})
	for _, kind := range slices.Sorted(maps.Keys(skipped)) {
		r.Skipped = append(r.Skipped, Skipped{kind, skipped[kind]})
	}
}
