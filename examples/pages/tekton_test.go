package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota/admit"
)

func requestOfCPU(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

func Example_tektonSteps() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-test"}, {Name: "step-push"}, {Name: "sidecar-logs"}}}
	defaults := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: requestOfCPU("1")}

	changes, conflicts := steps.Fill(spec, defaults, steps.TektonStep, steps.Options{})
	if err := conflicts.Err(); err != nil {
		fmt.Println(err)
		return
	}
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		fmt.Println(err)
	}
	counted := computeresources.SpecRequests(spec, computeresources.Options{})
	atOnce := steps.PeakRequests(spec, steps.TektonStep, computeresources.Options{})
	for _, change := range changes {
		fmt.Println(change)
	}
	fmt.Println("counted", resourcelist.String(counted), "in use at once", resourcelist.String(atOnce))
	// Output:
	// container step-test: set the cpu request to 500m
	// container step-push: set the cpu request to 500m
	// container sidecar-logs: set the cpu request to 1
	// counted cpu=2 in use at once cpu=1500m
}

func Example_tektonWholePod() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-test"}, {Name: "step-push"}, {Name: "sidecar-logs"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: requestOfCPU("1")}}
	team := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "team"}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"requests.cpu": resource.MustParse("1")}}}
	team.Status = corev1.ResourceQuotaStatus{Hard: team.Spec.Hard, Used: corev1.ResourceList{"requests.cpu": resource.MustParse("0")}}
	defaults := map[string]corev1.ResourceRequirements{"prefix-sidecar": {Requests: requestOfCPU("50m")}, "prepare": {Requests: requestOfCPU("20m")}}
	var ranges []*corev1.LimitRange
	quotas := []*corev1.ResourceQuota{team}

	namespace, err := admit.Compile(ranges, quotas, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cluster := steps.Environment{ContainerDefaults: defaults, Namespace: namespace}
	plan := steps.WholePod(spec, []steps.TaskRun{run}, cluster, steps.TektonOptions())
	for _, amount := range plan.Amounts {
		fmt.Println(amount.Ref.Name, amount.List, amount.To, "from", amount.Source.Kind, amount.Source.Field)
	}
	fmt.Println(plan.Rejected)
	// Output:
	// prepare request 20m from ConfigMap default-container-resource-requirements[prepare]
	// step-test request 500m from TaskRun spec.computeResources.requests[cpu]
	// step-push request 500m from TaskRun spec.computeResources.requests[cpu]
	// sidecar-logs request 50m from ConfigMap default-container-resource-requirements[prefix-sidecar]
	// pods is forbidden: exceeded quota: team, requested: requests.cpu=1050m, used: requests.cpu=0, limited: requests.cpu=1
}

func Example_tektonGuaranteed() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-test"}, {Name: "step-push"}}}
	run := steps.TaskRun{
		StepPrefix: steps.TektonStepPrefix, SidecarPrefix: steps.TektonSidecarPrefix,
		ComputeResources: &corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("2Gi")},
		},
	}
	cluster := steps.Environment{}

	guaranteed, err := steps.Guaranteed(spec, []steps.TaskRun{run}, cluster, steps.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range guaranteed.Run.StepOverrides {
		fmt.Println(o.Name, "requests", resourcelist.String(o.Resources.Requests), "limits", resourcelist.String(o.Resources.Limits))
	}
	fmt.Println(guaranteed.Pod.Effect.Decision.Object.(*corev1.Pod).Status.QOSClass)
	// Output:
	// test requests cpu=500m,memory=1Gi limits cpu=500m,memory=1Gi
	// push requests cpu=500m,memory=1Gi limits cpu=500m,memory=1Gi
	// Guaranteed
}

// buildRun returns a run of two tasks that share a volume.
func buildRun() *affinity.Run {
	return &affinity.Run{
		Name: "build", Namespace: "ci", UID: "8c4a4b5e",
		Workspaces: []affinity.Workspace{{Name: "source", ClaimName: "source"}},
		Tasks: []affinity.Task{
			{Name: "clone", Workspaces: []string{"source"}, Requests: requestOfCPU("500m")},
			{Name: "test", Workspaces: []string{"source"}, Requests: requestOfCPU("2"), RunAfter: []string{"clone"}},
			{Name: "lint", Workspaces: []string{"source"}, Requests: requestOfCPU("1"), RunAfter: []string{"clone"}},
		},
	}
}

func Example_tektonCoschedule() {
	run := buildRun()

	plan, err := affinity.PlanFor(run, affinity.Options{
		Behavior:    affinity.PerRun,
		Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"},
	})
	if err != nil {
		fmt.Println(err) // affinity.Validate lists every reason
		return
	}
	fmt.Println("create StatefulSet", plan.StatefulSets[0].Name)
	fmt.Println("delete at the end", plan.DeleteStatefulSets)
	// Output:
	// create StatefulSet affinity-assistant-44575cf5b2
	// delete at the end [affinity-assistant-44575cf5b2]
}

func Example_tektonPeak() {
	run := buildRun()

	demand, err := peak.DemandOf(run, peak.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range demand.Peaks {
		fmt.Println(p.Resource, p.Amount.String(), p.Tasks)
	}
	// Output:
	// cpu 3 [lint test]
	// pods 2 [lint test]
}

func Example_tektonPlay() {
	run := &affinity.Run{Name: "matrix", Tasks: []affinity.Task{{Name: "lint"}, {Name: "unit"}, {Name: "e2e"}}}
	team := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "team"}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"requests.cpu": resource.MustParse("4")}}}
	team.Status = corev1.ResourceQuotaStatus{Hard: team.Spec.Hard, Used: corev1.ResourceList{"requests.cpu": resource.MustParse("0")}}
	pods := map[string]*corev1.PodSpec{}
	for _, task := range run.Tasks {
		pods[task.Name] = &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-run", Resources: corev1.ResourceRequirements{Requests: requestOfCPU("2")}}}}
	}

	timeline, err := peak.Play(run, peak.Scene{Pods: pods}, peak.Options{Quotas: []*corev1.ResourceQuota{team}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, moment := range timeline.Moments {
		fmt.Println(i+1, "runs", moment.Running, "requests", moment.Requests.Cpu())
		for _, held := range moment.Held {
			fmt.Println(" ", held.Task, "waits:", held.Message)
		}
	}
	// Output:
	// 1 runs [lint unit] requests 4
	//   e2e waits: pods "matrix-e2e-pod" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=4, limited: requests.cpu=4
	// 2 runs [e2e] requests 2
}

func Example_tektonSizes() {
	run := buildRun()
	team := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "team"}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"requests.cpu": resource.MustParse("5500m")}}}
	team.Status = corev1.ResourceQuotaStatus{Hard: team.Spec.Hard, Used: corev1.ResourceList{"requests.cpu": resource.MustParse("0")}}
	plan, err := affinity.PlanFor(run, affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}})
	if err != nil {
		fmt.Println(err)
		return
	}

	sizes, err := peak.ApplySizes(plan, run, peak.Options{Quotas: []*corev1.ResourceQuota{team}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range sizes {
		fmt.Println("requests", s.Size.Cpu(), "instead of", s.Least.Cpu())
		fmt.Println(s.Refusals.Err())
	}
	changes := peak.Shrink(&plan.StatefulSets[0].Spec.Template.Spec, sizes[0].Size, sizes[0].Least, []corev1.ResourceList{run.Tasks[1].Requests})
	fmt.Println(changes[0])
	// Output:
	// requests 2500m instead of 50m
	// ResourceQuota team lacks requests.cpu=500m: request less, or raise the quota
	// container affinity-assistant: change the cpu request from 2500m to 500m
}

func Example_tektonTaskLevel() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-test"}, {Name: "step-push"}}}
	run := steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Requests: requestOfCPU("1"), Limits: requestOfCPU("4")}}

	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	plan := steps.PodLevel(spec, changes, []steps.TaskRun{run}, steps.TektonStep, nil)
	for _, change := range plan.Changes {
		fmt.Println(change)
	}
	fmt.Println("limits counted:", plan.Divided.Limits.Cpu(), "by step, or", plan.PodLevel.Limits.Cpu(), "with the pod level")
	// Output:
	// container step-test: set the cpu request to 500m
	// container step-test: set the cpu limit to 4
	// container step-push: set the cpu request to 500m
	// container step-push: set the cpu limit to 4
	// pod: set the cpu request to 1
	// pod: set the cpu limit to 4
	// limits counted: 8 by step, or 4 with the pod level
}

func Example_tektonStranded() {
	run := buildRun()
	placeholder := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: affinity.Workspace{}.AssistantName(run.Name) + "-0", Labels: map[string]string{
		"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": affinity.Workspace{}.AssistantName(run.Name),
	}}}
	placeholder.Spec.NodeName = "node-1"
	task := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: "build-test-pod"}}
	task.Spec.Affinity = affinity.TaskAffinity(nil, affinity.Workspace{}.AssistantName(run.Name))
	task.Spec.Containers = []corev1.Container{{Name: "step-test", Resources: corev1.ResourceRequirements{Requests: requestOfCPU("2")}}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	node.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("1"), "pods": resource.MustParse("110")}
	pods, nodes := []*corev1.Pod{placeholder, task}, []*corev1.Node{node}
	ledgers := map[string]*noderesources.Ledger{"node-1": noderesources.NewLedger(node.Status.Allocatable)}

	var opts affinity.StrandedOptions
	for _, full := range peak.FullNodes(pods, ledgers, noderesources.FitOptions{}) {
		fmt.Println(full.Waiting, "waits:", full.Shortages.Err())
		opts.Full = append(opts.Full, full.Placeholder)
	}
	for _, s := range affinity.Stranded(pods, nodes, opts) {
		fmt.Println("delete", s.Pod, "of", s.Node+":", s.Cause)
	}
	// Output:
	// ci/build-test-pod waits: Insufficient cpu
	// delete ci/affinity-assistant-44575cf5b2-0 of node-1: NodeFull
}

func Example_tektonCleanup() {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "cache", ClaimTemplate: &corev1.PersistentVolumeClaim{}})

	statefulSets, claims := affinity.Cleanup(run, affinity.Options{Behavior: affinity.PerRun})
	fmt.Println("StatefulSets", statefulSets)
	fmt.Println("claims", claims)
	// Output:
	// StatefulSets [affinity-assistant-44575cf5b2]
	// claims [pvc-e1b97a3c41-affinity-assistant-44575cf5b2-0]
}
