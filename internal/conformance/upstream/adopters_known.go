package main

const (
	emptyForNil  decision = "docs/decisions/computeresources.md#empty-lists-instead-of-nil"
	noLimit      decision = "docs/decisions/computeresources.md#hugepages-need-a-limit"
	bounded      decision = "docs/decisions/quota.md#invalid-trees-are-refused"
	ofNobody     decision = "docs/decisions/affinity.md#claim-templates-need-a-uid"
	roundDecimal decision = "docs/decisions/computeresources.md#shorter-format-of-bytes"
)

// adopterFailures are all tests of other projects that fail with kubemath inside.
var adopterFailures = []failure{
	{pkg: kueueLists, test: "TestMerge/nil/max", reason: "an empty list for nil", decision: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/merge", reason: "an empty list for nil", decision: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/min", reason: "an empty list for nil", decision: emptyForNil},
	{pkg: kueueLists, test: "TestMerge/nil/sum", reason: "an empty list for nil", decision: emptyForNil},
	{pkg: "sigs.k8s.io/cluster-autoscaler/pkg/capacitybuffer/fakepods", test: "TestDefaultingResolver/default_pod_requests_for_overcommittable_resources", reason: "pod-level hugepages follow from limits", decision: noLimit},
	{pkg: kueue + "/pkg/cache/scheduler", test: "TestDominantResourceShare/borrowing_against_unlimited_lendable_capacity_(exabyte-scale_quota)", reason: "a tree has less than 2^62", decision: bounded},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCsPerPipelineRun/VolumeClaimTemplate_Workspace_type", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCsPerPipelineRun/VolumeClaimTemplate_and_PersistentVolumeClaim_Workspaces", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCsPerWorkspaceOrDisabled/VolumeClaimTemplate_Workspace_type", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCsPerWorkspaceOrDisabled/VolumeClaimTemplate_Workspace_type_-_AA_disabled", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCsPerWorkspaceOrDisabled/VolumeClaimTemplate_and_PersistentVolumeClaim_Workspaces", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCs_Failure/affinity_assistant_creation_failed_-_per_pipelinerun", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCs_Failure/affinity_assistant_creation_failed_-_per_workspace", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCs_Failure/pvc_creation_failed_-_disabled", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestCreateOrUpdateAffinityAssistantsAndPVCs_Failure/pvc_creation_failed_-_per_workspace", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestHandleAffinityAssistantAndPVCCreationError", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestReconcileWithAffinityAssistantStatefulSet", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestReconcileWithVolumeClaimTemplateWorkspace", reason: "its run has no UID", decision: ofNobody},
	{pkg: tektonRuns, test: "TestReconcileWithVolumeClaimTemplateWorkspaceUsingSubPaths", reason: "its run has no UID", decision: ofNobody},
	{pkg: kueue + "/pkg/resources", test: "TestResourceQuantityRoundTrips/976562500Ki_(10G)", reason: "10G instead of 9765625Ki", decision: roundDecimal},
}

const kueue = "sigs.k8s.io/kueue"

const kueueLists = kueue + "/pkg/util/resource"

const tektonRuns = "github.com/tektoncd/pipeline/pkg/reconciler/pipelinerun"
