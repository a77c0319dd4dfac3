package affinity

import (
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

// known reports whether the behavior is a constant.
func (b Behavior) known() bool {
	switch b {
	case PerWorkspace, PerRun, PerRunIsolated, Disabled:
		return true
	default:
		return false
	}
}

// perWorkspaceFlag is what the feature flag has for PerWorkspace, unless it is not set.
const perWorkspaceFlag = "workspaces"

// perRun reports whether there is one placeholder for the whole run.
func (b Behavior) perRun() bool { return b == PerRun || b == PerRunIsolated }

// Flags are the two feature flags, written as in a ConfigMap. An empty value is that of
// a flag that is not set; the zero value is a default cluster.
type Flags struct {
	// DisableAffinityAssistant is "disable-affinity-assistant": anything that
	// strconv.ParseBool reads. Empty is "false".
	DisableAffinityAssistant string
	// Coschedule is "coschedule": "workspaces", "pipelineruns", "isolate-pipelinerun" or
	// "disabled", in upper or lower case. Empty is "workspaces".
	Coschedule string
	// DuringMigration means that both flags are read. Since v0.69, Tekton only reads "coschedule".
	DuringMigration bool
}

const (
	disableFlag    = "disable-affinity-assistant"
	coscheduleFlag = "coschedule"
)

// BehaviorOf returns the behavior that the flags select. The error, if any, has Tekton's message: an
// unknown value; or, during the migration, any value of "coschedule" but "workspaces" while
// "disable-affinity-assistant" is false. After the migration, that flag is not read. If there is an
// error, the behavior is Disabled.
//
// Source: the table of TEP-0135; GetAffinityAssistantBehavior of Tekton.
func BehaviorOf(flags Flags) (Behavior, error) {
	disabled := false
	if value := flags.DisableAffinityAssistant; flags.DuringMigration && value != "" {
		parsed, err := strconv.ParseBool(value)
		if err != nil {
			return Disabled, fmt.Errorf("failed parsing feature flags config %q: %w", value, err)
		}
		disabled = parsed
	}
	value := strings.ToLower(flags.Coschedule)
	behavior, known := coscheduled(value)
	switch {
	case !known:
		return Disabled, fmt.Errorf("invalid value for feature flag %q: %q", coscheduleFlag, value)
	case !flags.DuringMigration:
		return behavior, nil
	case !disabled && behavior != PerWorkspace:
		return Disabled, fmt.Errorf("%s value %s is incompatible with %s setting to false", coscheduleFlag, value, disableFlag)
	case disabled && behavior == PerWorkspace:
		return Disabled, nil
	default:
		return behavior, nil
	}
}

// coscheduled returns the behavior that a value of the flag "coschedule" selects.
func coscheduled(value string) (b Behavior, known bool) {
	switch b := Behavior(value); b {
	case perWorkspaceFlag, PerWorkspace:
		return PerWorkspace, true
	case PerRun, PerRunIsolated, Disabled:
		return b, true
	default:
		return Disabled, false
	}
}
