package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
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
	r.Objects = slices.DeleteFunc(r.Objects, func(o *Object) bool {
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

// doubt adds a warning if the pods that an application is about to create may be rejected or not, because LimitRanges
// have different defaults and the API server uses any of them first. With -strict, it is an error.
func (c *creation) doubt(a *application, namespace *admit.Namespace, group admit.ReplicaCount) {
	p := a.each[len(a.each)-1]
	pod, isPod := p.object.(*corev1.Pod)
	if !isPod || group.Least >= a.more || group.Most < a.more {
		return
	}
	outcomes := namespace.Possible(nil, pod, admit.Attributes{})
	text := fmt.Sprintf("may be rejected: by the order in which the API server uses LimitRanges, from %d to %s admitted",
		group.Least, wording.Count(min(group.Most, a.more), a.unit))
	if outcomes.Depends {
		orders, refused := ordersOf(outcomes)
		d := outcomes.Decisions[refused[0]]
		text = fmt.Sprintf("may be rejected (in %d of %d orders of LimitRanges): %s",
			len(refused), orders, d.Refusals[0].What)
	}
	text += ": set the " + strings.Join(contested(outcomes.Decisions), ", ")
	a.problems = append(a.problems, warningsOf(a.Place, c.in.Strict, objects.Fault{Field: p.prefix + "spec", Text: text})...)
}

// warningsOf returns warnings, which are errors if they are strict.
func warningsOf(at objects.Place, strict bool, faults ...objects.Fault) []objects.Problem {
	grade := objects.Warning
	if strict {
		grade = objects.Invalid
	}
	return objects.Problems(at, grade, faults...)
}

// missing returns a warning for each required amount that containers of a workload have neither set nor by default.
func missing(w *Workload, required []corev1.ResourceName, strict bool) []objects.Problem {
	var namespace *admit.Namespace // any
	var faults []objects.Fault
	for _, m := range namespace.QuotaObject(w.Stored, admit.Attributes{}).MissingRequired(required) {
		text := fmt.Sprintf("sets no %s for: %s", m.Resource, strings.Join(m.Containers, ","))
		faults = append(faults, objects.Fault{Field: w.Prefix + "spec", Text: text, Line: w.Line})
	}
	return warningsOf(w.of.Place, strict, faults...)
}

// ordersOf returns the number of orders in which pods get different defaults, and an index of a decision for each of
// them that refuses the pod.
func ordersOf(o admit.Outcomes) (orders int, refused []int) {
	for i, d := range o.Decisions {
		if i > 0 && slices.Equal(d.Order.Defaults, o.Decisions[i-1].Order.Defaults) {
			continue // with another message
		}
		orders++
		if !d.Admitted() {
			refused = append(refused, i)
		}
	}
	return orders, refused
}

// contested returns the amounts that depend on the order, which the author of the pod should set.
func contested(decisions []admit.Decision) (amounts []string) {
	for _, c := range decisions[0].Changes {
		differs := func(d admit.Decision) bool {
			return slices.ContainsFunc(d.Changes, func(other computeresources.Change) bool {
				return other.Ref == c.Ref && other.List == c.List && other.Resource == c.Resource && other.To.Cmp(*c.To) != 0
			})
		}
		if slices.ContainsFunc(decisions[1:], differs) {
			amounts = append(amounts, fmt.Sprintf("%s %v of %v", c.Resource, c.List, c.Ref))
		}
	}
	return amounts
}
