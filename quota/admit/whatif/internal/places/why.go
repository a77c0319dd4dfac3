package places

import (
	"slices"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
)

// Messages beside those of internal/placement.
const (
	HasDaemon     = "node(s) had a pod of the DaemonSet" // is no message of the scheduler
	namesConflict = "pod affinity terms conflict"
)

// Gated is why a pod with scheduling gates waits.
type Gated struct{}

func (*Gated) Error() string { return "Scheduling is blocked due to non-empty scheduling gates" }

// WhyWaiting returns why a pod has no node: a *Gated, or a *noderesources.FitError.
func (p *Places) WhyWaiting(s *Shape) error {
	if s.isGated {
		return &Gated{}
	}
	f := p.fittingOf(s)
	if f.explained != p.version() {
		f.explained, f.why = p.version(), p.explained(s, p.resources.FitError(s.request, p.opts.Fit, p.filterOf(s)))
	}
	own := *f.why
	own.Reasons = slices.Clone(own.Reasons)
	return &own
}

// explained returns a FitError, with the message if the scheduler tries no node.
func (p *Places) explained(s *Shape, e *noderesources.FitError) *noderesources.FitError {
	if invalid := s.pod.Invalid(); invalid != "" {
		e.Message, e.Reasons = invalid, nil
	}
	if names, areNamed := s.Named(); areNamed && len(names) == 0 {
		e.Message, e.Reasons = namesConflict, nil
	}
	return e
}

// filter is a noderesources.NodeFilter.
type filter struct {
	*Places
	shape *Shape
	state *placement.State
}

func (p *Places) filterOf(s *Shape) filter { return filter{p, s, p.stateOf(s)} }

func (f filter) BeforeResources(row int) (message string, isResolvable bool) {
	name := f.nodes[row].object.Name
	if !f.shape.isFor(name) {
		return placement.NotNamed, false
	}
	if before := f.state.BeforeResources(row); before.Message != "" {
		return before.Message, before.Resolvable
	}
	if f.shape.taken[name] {
		return HasDaemon, false
	}
	return "", false
}

func (f filter) AfterResources(row int) (messages []string, isResolvable bool) {
	after := f.state.AfterResources(row)
	for _, message := range [...]string{after.Message, after.Also} {
		if message != "" {
			messages = append(messages, message)
		}
	}
	return messages, after.Resolvable
}
