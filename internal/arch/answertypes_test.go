package arch_test

import (
	"reflect"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
	"github.com/kubemath/kubemath/pool/poolplan"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// answerTypes are the structs that exported functions return, and that those reach.
func answerTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[affinity.Binding](),
		reflect.TypeFor[affinity.Collision](),
		reflect.TypeFor[affinity.Placement](),
		reflect.TypeFor[affinity.Plan](),
		reflect.TypeFor[affinity.StrandedPlaceholder](),

		reflect.TypeFor[peak.Demand](),
		reflect.TypeFor[peak.FullNode](),
		reflect.TypeFor[peak.Peak](),
		reflect.TypeFor[peak.Size](),
		reflect.TypeFor[peak.Verdict](),

		reflect.TypeFor[steps.Effect](),
		reflect.TypeFor[steps.GuaranteedPlan](),
		reflect.TypeFor[steps.Override](),
		reflect.TypeFor[steps.PodLevelPlan](),
		reflect.TypeFor[steps.PodPlan](),
		reflect.TypeFor[steps.TaskRun](),

		reflect.TypeFor[cgroupconfig.Cgroup](),
		reflect.TypeFor[cgroupconfig.Container](),
		reflect.TypeFor[cgroupconfig.HugePages](),
		reflect.TypeFor[cgroupconfig.Sandbox](),
		reflect.TypeFor[cgroupconfig.Setting](),
		reflect.TypeFor[cgroupconfig.TierCgroups](),
		reflect.TypeFor[cgroupconfig.Value](),

		reflect.TypeFor[cgroupname.Identity](),

		reflect.TypeFor[nodetree.Tree](),

		reflect.TypeFor[computeresources.Change](),
		reflect.TypeFor[computeresources.FieldError](),
		reflect.TypeFor[computeresources.InvalidResource](),
		reflect.TypeFor[computeresources.Ref](),
		reflect.TypeFor[computeresources.Source](),
		reflect.TypeFor[computeresources.Totals](),

		reflect.TypeFor[noderesources.Admission](),
		reflect.TypeFor[noderesources.AllocatedResource](),
		reflect.TypeFor[noderesources.Estimate](),
		reflect.TypeFor[noderesources.FitError](),
		reflect.TypeFor[noderesources.FitReason](),
		reflect.TypeFor[noderesources.Placements](),
		reflect.TypeFor[noderesources.PotentialVictim](),
		reflect.TypeFor[noderesources.Preemption](),
		reflect.TypeFor[noderesources.Resize](),
		reflect.TypeFor[noderesources.Shortage](),

		reflect.TypeFor[limitrange.Aggregate](),
		reflect.TypeFor[limitrange.Ambiguity](),
		reflect.TypeFor[limitrange.BoundValue](),

		reflect.TypeFor[pool.Allocation](),
		reflect.TypeFor[pool.AllocationStatus](),
		reflect.TypeFor[pool.Decision](),
		reflect.TypeFor[pool.Exhaustion](),
		reflect.TypeFor[pool.Shortage](),
		reflect.TypeFor[pool.RecordedClaim](),
		reflect.TypeFor[pool.ResourcePool](),
		reflect.TypeFor[pool.ResourcePoolClaim](),
		reflect.TypeFor[pool.ResourcePoolClaimList](),
		reflect.TypeFor[pool.ResourcePoolList](),
		reflect.TypeFor[pool.ResourcePoolClaimSpec](),
		reflect.TypeFor[pool.ResourcePoolClaimStatus](),
		reflect.TypeFor[pool.ResourcePoolConfig](),
		reflect.TypeFor[pool.ResourcePoolSpec](),
		reflect.TypeFor[pool.ResourcePoolStatus](),

		reflect.TypeFor[migrate.Loss](),
		reflect.TypeFor[migrate.Migration](),
		reflect.TypeFor[migrate.PoolSource](),

		reflect.TypeFor[poolplan.Overtaking](),

		reflect.TypeFor[qos.Eviction](),
		reflect.TypeFor[qos.Reason](),
		reflect.TypeFor[qos.Tiers](),
		reflect.TypeFor[qos.Unset](),

		reflect.TypeFor[quota.Assessment](),
		reflect.TypeFor[quota.Increase](),
		reflect.TypeFor[quota.Key](),
		reflect.TypeFor[quota.MissingResource](),
		reflect.TypeFor[quota.ReplicaFit](),
		reflect.TypeFor[quota.RolloutUsage](),

		reflect.TypeFor[admit.Decision](),
		reflect.TypeFor[admit.Member](),
		reflect.TypeFor[admit.Order](),
		reflect.TypeFor[admit.Outcomes](),
		reflect.TypeFor[admit.Pods](),
		reflect.TypeFor[admit.ReplicaCount](),
		reflect.TypeFor[admit.Subject](),

		reflect.TypeFor[solver.Part](),
		reflect.TypeFor[solver.RightSized](),
		reflect.TypeFor[solver.Solution](),

		reflect.TypeFor[whatif.Object](),
		reflect.TypeFor[whatif.Pod](),
		reflect.TypeFor[whatif.Choice](),
		reflect.TypeFor[whatif.Reason](),
		reflect.TypeFor[whatif.Result](),
		reflect.TypeFor[whatif.Room](),

		reflect.TypeFor[quotatree.Reclaimed](),
		reflect.TypeFor[quotatree.Share](),
		reflect.TypeFor[quotatree.Shortage](),
		reflect.TypeFor[quotatree.State](),
	}
}
