package affinity

// bind returns the binding of each workspace, in the order of the workspaces.
func bind(run *Run, b Behavior) []Binding {
	bindings := make([]Binding, 0, len(run.Workspaces))
	for i := range run.Workspaces {
		w := &run.Workspaces[i]
		bindings = append(bindings, Binding{Workspace: w.Name, Claim: claimOf(run, w, b)})
	}
	switch b {
	case Disabled:
		// No assistants.
	case PerRun, PerRunIsolated:
		for i := range bindings {
			bindings[i].Assistant = assistantName("", run.Name)
		}
	case PerWorkspace:
		names := map[string]string{} // of workspaces, by claim
		for _, binding := range bindings {
			names[binding.Claim] = binding.Workspace // the last one counts
		}
		for i, binding := range bindings {
			if binding.Claim != "" {
				bindings[i].Assistant = assistantName(names[binding.Claim], run.Name)
			}
		}
	}
	return bindings
}

// claimOf returns the name of the claim of a workspace.
func claimOf(run *Run, w *Workspace, b Behavior) string {
	switch {
	case w.ClaimTemplate == nil:
		return w.ClaimName
	case b.perRun():
		return w.GeneratedClaimName(run.UID, run.Name)
	default:
		return w.GeneratedClaimName(run.UID, "")
	}
}
