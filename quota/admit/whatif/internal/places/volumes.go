package places

import "github.com/kubemath/kubemath/internal/podvolumes"

// Bindings returns what becomes of the claims of a pod if it is placed on a node.
func (p *Places) Bindings(s *Shape, node string) []podvolumes.Binding {
	row, _ := p.find(node)
	return p.stateOf(s).Bindings(row)
}

// DependsOnUnknown reports whether volumes that are not known decide where a pod is, or, if it is placed on a node,
// limits of volumes there. For a pod that waits, the name is empty.
func (p *Places) DependsOnUnknown(s *Shape, node string) bool {
	if s.Volumes() == nil {
		return false
	}
	row := -1
	if node != "" {
		row, _ = p.find(node)
	}
	return p.stateOf(s).DependsOnUnknown(row)
}

// MayDependOnUnknown reports whether volumes that are not known, or limits of their number on some node, may decide
// where pods of a shape are.
func (p *Places) MayDependOnUnknown(s *Shape) bool {
	if s.isGated || s.Volumes() == nil {
		return false
	}
	for _, n := range p.nodes {
		if p.DependsOnUnknown(s, n.object.Name) {
			return true
		}
	}
	return p.DependsOnUnknown(s, "")
}
