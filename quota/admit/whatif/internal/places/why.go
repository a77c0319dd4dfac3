package places

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
)

// Messages in addition to those of internal/placement.
const (
	HasDaemon     = "node(s) had a pod of the DaemonSet" // is no message of the scheduler
	namesConflict = "pod affinity terms conflict"
)

// Untried is why no node is chosen for a pod, although some may have room: the reason and the message of its condition
// PodScheduled.
type Untried struct{ Reason, Message string }

func (u *Untried) Error() string { return u.Message }

func gated() error {
	return &Untried{corev1.PodReasonSchedulingGated, "Scheduling is blocked due to non-empty scheduling gates"}
}

// WhyWaiting returns why a pod has no node: an *Untried, or a *noderesources.FitError.
func (p *Places) WhyWaiting(s *Shape) error {
	if s.isGated {
		return gated()
	}
	if p.failsToCompare(s) {
		return &Untried{corev1.PodReasonSchedulerError, s.pod.Unscored()}
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
