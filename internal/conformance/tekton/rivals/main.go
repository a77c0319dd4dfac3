// Rivals measures packages affinity and steps beside Tekton, and writes the results as JSON. The program of the same name
// in the module above runs it and prints one table.
package main

import (
	"fmt"

	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	ours "github.com/kubemath/kubemath/internal/conformance/tekton"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

const rival = "Tekton v1.15.0's builder, and the API server's plugins"

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	podSink   steps.PodPlan
	theirSink ours.Admitted
	planSink  *affinity.Plan
	setsSink  []appsv1.StatefulSet
	floorSink int
)

func main() {
	measure.Main(func(func(string) bool) ([]measure.Row, error) {
		pods, err := podRows()
		return append(pods, planRow()), err
	})
}

// podRows are about the pod of a task with three steps and a task-level request, beside a LimitRange with defaults and a
// quota: one that admits it, and one for which the defaults are halved. Tekton does not halve them.
func podRows() ([]measure.Row, error) {
	task := testkit.List("cpu", "1", "memory", "1Gi")
	run := ours.Run{Spec: tekton.TaskRunSpec{ComputeResources: &corev1.ResourceRequirements{Requests: task}}}
	spec := &corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever}
	for _, name := range []string{"a", "b", "c"} {
		run.Task.Steps = append(run.Task.Steps, tekton.Step{Name: name, Image: "image", Command: []string{"command"}})
		spec.Containers = append(spec.Containers, corev1.Container{Name: "step-" + name, Image: "image"})
	}
	lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "range"}}
	lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer,
		Default: testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "9Gi"), DefaultRequest: testkit.List("cpu", "100m", "memory", "64Mi", "ephemeral-storage", "8Gi")}}
	run.Ranges = []*corev1.LimitRange{lr}
	row := func(kernel, storage string, atLeast float64, plan func(in steps.Environment) steps.PodPlan) (measure.Row, error) {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "quota"}}
		q.Spec.Hard = testkit.List("requests.cpu", "10", "requests.ephemeral-storage", storage)
		q.Status.Hard, q.Status.Used = q.Spec.Hard, testkit.List("requests.cpu", "1", "requests.ephemeral-storage", "1")
		theirs := run
		theirs.Quotas = []*corev1.ResourceQuota{q}
		namespace, err := admit.Compile(run.Ranges, theirs.Quotas, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}})
		in := steps.Environment{Namespace: namespace}
		if p := plan(in); err == nil && p.Rejected != "" {
			err = fmt.Errorf("%s: %s", kernel, p.Rejected)
		}
		return measure.Row{
			Kernel: kernel, Rival: rival, AtLeast: atLeast, Aim: 2, Allocs: 2_500,
			Floor: func() { floorSink += len(spec.DeepCopy().Containers) },
			Above: "admission with all changes, their sources, and the effect on the quotas; Tekton's pod is rejected where ours halves, which asks the solver several times",
			Ours:  func() { podSink = plan(in) },
			Theirs: func() {
				pod, err := theirs.Create(ours.OfRanges)
				if err != nil {
					panic(err)
				}
				theirSink, _ = theirs.Admit(pod)
			},
		}, err
	}
	taskRuns := []steps.TaskRun{{StepPrefix: steps.TektonStepPrefix, ComputeResources: run.Spec.ComputeResources, StepNames: []string{"a", "b", "c"}, SidecarNames: []string{}}}
	whole, err := row("the pod of a TaskRun with 3 steps", "100Gi", 2, func(in steps.Environment) steps.PodPlan {
		return steps.WholePod(spec, taskRuns, in, steps.TektonOptions())
	})
	if err != nil {
		return nil, err
	}
	admitted, err := row("the pod of a TaskRun with 3 steps, with defaults that are halved", "8Gi", 0.3, func(in steps.Environment) steps.PodPlan {
		return steps.AdmittedPod(spec, taskRuns, in, steps.Options{})
	})
	return []measure.Row{whole, admitted}, err
}

// planRow is about the placeholders and claims of a run with 20 workspaces and 100 tasks, beside a loop that makes the
// StatefulSets alone: what Tekton does is in its reconciler, with clients.
func planRow() measure.Row {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Spec.Resources.Requests = testkit.List("storage", "1Gi")
	run := &affinity.Run{Name: "run", Namespace: "shop", UID: "1"}
	for i := range 20 {
		run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: fmt.Sprint("w-", i), ClaimTemplate: claim})
	}
	for i := range 100 {
		run.Tasks = append(run.Tasks, affinity.Task{Name: fmt.Sprint("t-", i), Workspaces: []string{fmt.Sprint("w-", i%20)}})
	}
	options := affinity.Options{Placeholder: affinity.Placeholder{Image: "nop"}}
	return measure.Row{
		Kernel: "the plan of a run with 20 workspaces and 100 tasks", Rival: "its StatefulSets, written by hand", AtLeast: 0.3, Aim: 1, Allocs: 3200,
		Floor: func() {
			for _, w := range run.Workspaces {
				floorSink += len(w.AssistantName(run.Name))
			}
		},
		Above: "the names are hashes; validation of the run, its order of tasks, the placement of each, claims, and what is deleted at the end",
		Ours: func() {
			plan, err := affinity.PlanFor(run, options)
			if err != nil {
				panic(err)
			}
			planSink = plan
		},
		Theirs: func() { setsSink = setsByHand(run, options.Placeholder.Image) },
	}
}

// setsByHand returns a StatefulSet for each workspace with a claim.
func setsByHand(run *affinity.Run, image string) (sets []appsv1.StatefulSet) {
	controls, one := true, int32(1)
	for _, w := range run.Workspaces {
		if w.ClaimName == "" && w.ClaimTemplate == nil {
			continue
		}
		labels := map[string]string{"app.kubernetes.io/instance": w.AssistantName(run.Name), "tekton.dev/pipelineRun": run.Name}
		set := appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: run.Namespace, Name: w.AssistantName(run.Name), Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "tekton.dev/v1", Kind: "PipelineRun", Name: run.Name, UID: run.UID, Controller: &controls}}}}
		set.Spec.Replicas, set.Spec.Selector = &one, &metav1.LabelSelector{MatchLabels: labels}
		set.Spec.Template.Labels = labels
		set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "affinity-assistant", Image: image,
			Resources: corev1.ResourceRequirements{Requests: testkit.List("cpu", "50m", "memory", "100Mi"), Limits: testkit.List("cpu", "50m", "memory", "100Mi")}}}
		set.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "workspace", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: w.GeneratedClaimName(run.UID, "")}}}}
		sets = append(sets, set)
	}
	return sets
}
