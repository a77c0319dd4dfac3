package affinity

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Behavior is which pods of a run are kept on one node, in the words of the feature flag "coschedule".
// The zero value is PerWorkspace, the default of a cluster. Validate and PlanFor refuse any value that is
// not a constant.
type Behavior string

const (
	// PerWorkspace holds the tasks that share the claim of a workspace on one node: a
	// placeholder for each claim. A task may use one claim only.
	PerWorkspace Behavior = ""
	// PerRun keeps all tasks of a run on one node, with one placeholder for the run.
	PerRun Behavior = "pipelineruns"
	// PerRunIsolated is PerRun, with no two placeholders on one node.
	PerRunIsolated Behavior = "isolate-pipelinerun"
	// Disabled keeps no pods together. Claims are still created from their templates.
	Disabled Behavior = "disabled"
)

// perWorkspaceFlag is what the feature flag has for PerWorkspace, unless it is not set.
const perWorkspaceFlag = "workspaces"

// perRun reports whether there is one placeholder for the whole run.
func (b Behavior) perRun() bool { return b == PerRun || b == PerRunIsolated }

// BehaviorOf returns the behavior that the feature flag "coschedule" selects: "workspaces", "pipelineruns",
// "isolate-pipelinerun" or "disabled", in upper or lower case. An empty value is that of a flag that is not set,
// which is "workspaces". For an unknown value, the behavior is Disabled, and the error has Tekton's message.
//
// Since v0.69, Tekton no longer reads "disable-affinity-assistant": see MigratingBehavior.
//
// Source: the table of TEP-0135, after the migration; GetAffinityAssistantBehavior of Tekton.
func BehaviorOf(coschedule string) (Behavior, error) {
	value := strings.ToLower(coschedule)
	switch b := Behavior(value); b {
	case perWorkspaceFlag, PerWorkspace:
		return PerWorkspace, nil
	case PerRun, PerRunIsolated, Disabled:
		return b, nil
	}
	return Disabled, fmt.Errorf("invalid value for feature flag %q: %q", "coschedule", value)
}

// MigratingBehavior returns the behavior that both feature flags of TEP-0135 select together, as long as
// "disable-affinity-assistant" is read: with Tekton before v0.69. Empty values are those of flags that are not set,
// which are "false" and "workspaces". Unless the assistant is disabled, "coschedule" must be "workspaces"; with
// both, no pods are kept together. For an invalid combination or value, the behavior is Disabled, and the error has
// Tekton's message.
//
// Source: the table of TEP-0135, during the migration; setCoschedule and GetAffinityAssistantBehavior of Tekton
// v0.53.
func MigratingBehavior(disableAffinityAssistant, coschedule string) (Behavior, error) {
	disabled, err := strconv.ParseBool(cmp.Or(disableAffinityAssistant, "false"))
	if err != nil {
		return Disabled, fmt.Errorf("failed parsing feature flags config %q: %w", disableAffinityAssistant, err)
	}
	b, err := BehaviorOf(coschedule)
	switch {
	case err != nil:
		return Disabled, err
	case !disabled && b != PerWorkspace:
		return Disabled, fmt.Errorf("coschedule value %s is incompatible with disable-affinity-assistant setting to false", b)
	case disabled && b == PerWorkspace:
		return Disabled, nil
	}
	return b, nil
}
