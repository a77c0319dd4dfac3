package whatif

import (
	"maps"
	"slices"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
)

// Messages beside those of internal/placement.
const (
	hasDaemon     = "node(s) had a pod of the DaemonSet" // is no message of the scheduler
	namesConflict = "pod affinity terms conflict"
)

// gated is why a pod with scheduling gates waits.
type gated struct{}

func (gated) Error() string { return "Scheduling is blocked due to non-empty scheduling gates" }

// whyWaiting returns why a pod has no node.
func (d *draft) whyWaiting(p *pod) error {
	s := p.shape
	if s.isGated {
		return gated{}
	}
	f := d.fittingOf(s)
	if f.why == nil || f.failed != d.now() {
		f.failed, f.why = d.now(), d.fitError(s, func(l *noderesources.Ledger) noderesources.Shortages {
			return l.Shortages(s.request, d.opts.fitOptions())
		})
	}
	own := *f.why
	own.Reasons = slices.Clone(own.Reasons)
	return &own
}

// fitError returns why no node is available for a shape, with what is short on a node.
func (d *draft) fitError(
	s *shape, short func(l *noderesources.Ledger) noderesources.Shortages,
) *noderesources.FitError {
	e := &noderesources.FitError{}
	reasons := map[string]noderesources.FitReason{}
	add := func(message string, isUnresolvable bool) {
		r := reasons[message]
		r.Message = message
		r.Nodes++
		if isUnresolvable {
			r.Unresolvable++
		}
		reasons[message] = r
	}
	state := d.stateOf(s)
	for i, n := range d.nodes {
		if n.object == nil {
			continue
		}
		e.Nodes++
		if !s.isFor(n.name) {
			add(placement.NotNamed, true)
			continue
		}
		if before := state.BeforeResources(i); before.Message != "" {
			add(before.Message, !before.Resolvable)
			continue
		}
		if s.taken[n.name] {
			add(hasDaemon, true)
			continue
		}
		shortages := short(n.ledger)
		for _, shortage := range shortages {
			add(shortage.Error(), shortage.Unresolvable)
		}
		if len(shortages) > 0 {
			continue
		}
		after := state.AfterResources(i)
		for _, message := range []string{after.Message, after.Also} {
			if message != "" {
				add(message, !after.Resolvable)
			}
		}
	}
	if names, areNamed := s.named(); areNamed && len(names) == 0 {
		e.Message = namesConflict
		return e
	}
	if invalid := s.pod.Invalid(); invalid != "" {
		e.Message = invalid
		return e
	}
	for _, message := range slices.Sorted(maps.Keys(reasons)) {
		e.Reasons = append(e.Reasons, reasons[message])
	}
	return e
}
