// Package affinity plans how the pods of a run, such as a Tekton PipelineRun, are kept on one node. There they share
// volumes that only one node at a time can mount (TEP-0135, "Coscheduling PipelineRun pods").
//
//	plan, err := affinity.PlanFor(&run, affinity.Options{
//		Behavior:    affinity.PerRun,
//		Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"},
//	})
//
// A placeholder is a pod that does nothing but occupy a node and mount the volumes of the run. Pod
// affinity keeps the pods of the tasks on its node. It belongs to a StatefulSet, the affinity assistant,
// which recreates the placeholder if it is lost.
//
// # Functions
//
// [BehaviorOf] reads the feature flag "coschedule" and returns which pods are kept together, and [MigratingBehavior]
// reads both flags of the migration. [PlanFor] returns what to create, what to set on each task, and what to delete
// at the end; [Validate] returns every reason why a run cannot be planned. [TaskAffinity] is for pods outside a
// plan, and [PlaceholderAffinity] and [StatefulSetFor] for a single placeholder. [Cleanup] returns what to delete
// for a run in any state. [FindCollisions] finds runs whose generated names collide, and [Stranded] the placeholders
// that have to move because their nodes accept no more of their tasks. What a run requests of a node is in package
// [github.com/kubemath/kubemath/affinity/peak].
//
// The input types are small and do not depend on Tekton: a controller fills them from its own objects.
// The results are complete objects. The package does not create, watch or delete anything.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Results are sorted where order has no meaning.
// Names are exactly those that Tekton generates, so that both can work on one cluster.
//
// # Sources
//
// TEP-0135; pkg/reconciler/pipelinerun, pkg/reconciler/volumeclaim and pkg/internal/affinityassistant of
// tektoncd/pipeline. docs/decisions/affinity.md lists the differences.
package affinity
