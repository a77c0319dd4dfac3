package affinity

import "slices"

// Cleanup returns the names of what to delete when a run has completed, failed or been cancelled: the
// StatefulSets of its placeholders, and after them the claims that were made for it. No claim that was
// there before the run is among them. Both lists are sorted and without duplicates. The run need not
// be valid: only its name, UID and workspaces are used, and of the options Behavior and
// AutoCleanup. A claim name that is still a reference, such as $(params.claim), counts as a claim,
// so that a run whose parameters were never substituted leaves nothing behind. For a run that can
// be planned, PlanFor returns the same names. Both lists are empty for a nil run and for an unknown
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
func Cleanup(run *Run, opts Options) (statefulSets, claims []string) {
	if run == nil {
		return nil, nil
	}
	if opts.Behavior.perRun() {
		statefulSets = append(statefulSets, assistantName("", run.Name))
	}
	for i := range run.Workspaces {
		w := &run.Workspaces[i]
		if opts.Behavior == PerWorkspace && (w.ClaimName != "" || w.ClaimTemplate != nil) {
			statefulSets = append(statefulSets, assistantName(w.Name, run.Name))
		}
		if w.ClaimTemplate != nil && (opts.Behavior.perRun() || opts.Behavior == PerWorkspace && opts.AutoCleanup) {
			claims = append(claims, claimOf(run, w, opts.Behavior))
		}
	}
	slices.Sort(statefulSets)
	slices.Sort(claims)
	return slices.Compact(statefulSets), slices.Compact(claims)
}
