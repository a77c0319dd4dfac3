package interpodaffinity

// The reasons why a pod may not be on a node.
const (
	affinityRules             = "node(s) didn't match pod affinity rules"
	antiAffinityRules         = "node(s) didn't match pod anti-affinity rules"
	existingAntiAffinityRules = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// Refusal returns why the pod may not be on node i, in the words of the scheduler, empty if it may be there; and
// whether preemption of other pods may help (Unschedulable) or not (UnschedulableAndUnresolvable). Invalid terms are a
// reason on all nodes.
//
// Source: Filter of the plugin.
func (s *State) Refusal(i int) (reason string, preemptionMayHelp bool) {
	switch {
	case s.incoming.invalid != "":
		return s.incoming.invalid, false
	case !s.isAffinityMet(i):
		return affinityRules, false
	}
	for _, t := range s.topologies {
		if t.at(t.antiAffinity, i) > 0 {
			return antiAffinityRules, true
		}
	}
	for _, t := range s.topologies {
		if t.at(t.existing, i) > 0 {
			return existingAntiAffinityRules, true
		}
	}
	return "", false
}

// isAffinityMet reports whether the domains of a node have pods that the required affinity selects. The first pod of a
// group that selects itself may be on each node with the labels.
//
// Source: nodeTopologyMatchesAffinity and satisfiesSelfAffinityCheck of the plugin.
func (s *State) isAffinityMet(i int) bool {
	areThere := true
	for _, t := range s.required {
		if t.of[i] == none {
			return false
		}
		areThere = areThere && t.at(t.affinity, i) > 0
	}
	return areThere || s.matching == 0 && s.incoming.selectsItself
}

// SkipsFilter reports whether the plugin skips its filter: no node is refused. The scheduler then takes no notice of
// pods that come later, such as nominated ones.
//
// Source: PreFilter of the plugin.
func (s *State) SkipsFilter() bool {
	in := s.incoming
	return in.invalid == "" && len(in.affinity)+len(in.antiAffinity) == 0 && s.refusing == 0
}
