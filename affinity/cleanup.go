package affinity

import "slices"

// Leftovers are the names of what a run leaves behind, each sorted and without repetition.
type Leftovers struct {
	// StatefulSets are those of the placeholders.
	StatefulSets []string
	// Claims are those that were made for the run. They are to be deleted after the
	// StatefulSets. No claim that was there before the run is among them.
	Claims []string
}

// Cleanup returns what is to be deleted when a run is completed, cancelled, or has failed. It needs
// no valid run: of Run, the name, the UID and the workspaces count, and of Options, Behavior and
// AutoCleanup. A claim name that is still a reference, such as $(params.claim), is a claim all the
// same, so that a run whose parameters were never put in leaves nothing behind. For a run that can
// be planned, PlanFor has the same names. A nil run, and an unknown behavior, leave nothing.
//
// With PerWorkspace, there is a name for every workspace with a claim. Where two of them have one
// claim, only one of these StatefulSets was created. Not all of what is named does exist: that
// it is not found is no error.
//
// The behavior is that with which the run was planned. If the feature flags may have changed
// since, ask for each behavior.
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
