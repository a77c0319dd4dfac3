package affinity

import "slices"

// Leftovers are the names of the objects that a run leaves behind, sorted and without duplicates.
type Leftovers struct {
	// StatefulSets are those of the placeholders.
	StatefulSets []string
	// Claims are those that were made for the run. They are to be deleted after the
	// StatefulSets. No claim that was there before the run is among them.
	Claims []string
}

// Cleanup returns what to delete when a run has completed, failed or been cancelled. The run need
// not be valid: only its name, UID and workspaces are used, and of the options Behavior and
// AutoCleanup. A claim name that is still a reference, such as $(params.claim), counts as a claim,
// so that a run whose parameters were never substituted leaves nothing behind. For a run that can
// be planned, PlanFor returns the same names. The result is empty for a nil run and for an unknown
// behavior.
//
// With PerWorkspace, there is a name for every workspace with a claim. If two workspaces have the
// same claim, only one of these StatefulSets was created. Some of the objects may not exist: ignore
// not-found errors when you delete them.
//
// The behavior must be the one that the run was planned with. If the feature flags may have changed
// since, call Cleanup for each behavior.
//
// Cost: two hashes for each workspace.
//
// Source: cleanupAffinityAssistantsAndPVCs of Tekton.
func Cleanup(run *Run, opts Options) Leftovers {
	var l Leftovers
	if run == nil {
		return l
	}
	if opts.Behavior.perRun() {
		l.StatefulSets = append(l.StatefulSets, AssistantName("", run.Name))
	}
	for i := range run.Workspaces {
		w := &run.Workspaces[i]
		if opts.Behavior == PerWorkspace && (w.ClaimName != "" || w.ClaimTemplate != nil) {
			l.StatefulSets = append(l.StatefulSets, AssistantName(w.Name, run.Name))
		}
		if w.ClaimTemplate != nil && (opts.Behavior.perRun() || opts.Behavior == PerWorkspace && opts.AutoCleanup) {
			l.Claims = append(l.Claims, claimOf(run, w, opts.Behavior))
		}
	}
	for _, names := range [...]*[]string{&l.StatefulSets, &l.Claims} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return l
}
