// Package affinity plans how the pods of a run, such as a Tekton PipelineRun, are held on
// one node, so that they can share volumes that only one node at a time can use
// (TEP-0135, "Coscheduling PipelineRun pods").
//
//	plan, err := affinity.PlanFor(&run, affinity.Options{
//		Behavior:    affinity.PerRun,
//		Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"},
//	})
//
// A placeholder is a pod that does nothing but stand on a node, with the volumes of the
// run. The tasks have to go where it stands. It comes from a StatefulSet, which is called
// the assistant of the tasks, and makes the placeholder anew if it is lost.
//
// [BehaviorOf] says, from the two feature flags, which pods are held together. [PlanFor]
// says what to create, what to write on each task, and what to delete in the end;
// [Validate] lists all that keeps a run from being planned. [TaskAffinity] is for pods
// that are not in a plan, [PlaceholderAffinity] and [StatefulSetFor] for a placeholder by itself.
// [Cleanup] says what to delete of a run in any state. [FindCollisions] finds runs that get in each other's way by their
// names, and [Stranded] the placeholders that have to be moved since their nodes take no
// more of their tasks. What a run needs of a node is in package affinity/peak.
//
// Input types are small, and nothing in them is Tekton's: a controller fills them from its
// own objects. What comes out is complete, and only has to be created.
//
// The package talks to no cluster: it neither creates, watches nor deletes.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity, so that concurrent calls on a shared run are safe.
// Results own their memory, and are sorted where order has no meaning. Names are those
// that Tekton uses, digit by digit, so that both can work on one cluster.
//
// # Sources
//
// TEP-0135; pkg/reconciler/pipelinerun, pkg/reconciler/volumeclaim and
// pkg/internal/affinityassistant of tektoncd/pipeline. Where ours and theirs differ there
// is a test named TestDivergence.
package affinity
