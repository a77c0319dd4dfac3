package tekton

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// With Options{}, the API server admits the pod if and only if the plan says so, and it does so whenever the solver has
// amounts for what the task, its run and the configuration do not set. The steps request what the task does.
func TestAdmittedPod(t *testing.T) {
	n := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := runs().Draw(t, "run")
		o := oursOf(t, r)
		if r.Validate() != nil {
			return
		}
		n["runs"]++
		plan := steps.AdmittedPod(o.spec, []steps.TaskRun{o.run}, o.in, steps.Options{})
		sums(t, n, r, plan)
		theirs, err := r.Admit(withChanges(t, r, plan.Changes))
		testkit.OK(t, err)
		if (theirs.Err == nil) != (plan.Rejected == "") && !strings.Contains(plan.Rejected, "must be greater than or equal to 0") {
			t.Fatalf("the API server: %v\nkubemath: %v", theirs.Err, plan.Rejected)
		}
		if steps.WholePod(o.spec, []steps.TaskRun{o.run}, o.in, steps.TektonOptions()).Rejected == "" {
			n["admitted by Tekton"]++
		}
		if plan.Rejected == "" {
			n["admitted"]++
			return
		}
		n["rejected"]++
		before := withChanges(t, r, beforeRanges(t, o))
		if _, err := solver.Apply(&before.Spec, solver.Input{LimitRanges: r.Ranges, Quotas: r.Quotas}); err != nil {
			return
		}
		if theirs, err := r.Admit(before); err != nil || theirs.Err == nil {
			t.Fatalf("rejected: %v\nbut this pod is admitted (%v): %v", plan.Rejected, err, slots(&before.Spec))
		}
		n["rejected for another reason"]++
	})
	t.Log(n)
	if n["runs"] > 1000 && (n["admitted"] <= n["admitted by Tekton"] || n["sums"] == 0 || n["rejected"] == 0) {
		t.Error("an outcome was never compared")
	}
}

// withChanges returns the pod of the task alone, with changes.
func withChanges(t *rapid.T, r Run, changes []computeresources.Change) *corev1.Pod {
	o := oursOf(t, r)
	p := created(t, r, OfTask)
	p.Spec = *steps.TektonContainers(o.spec, []steps.TaskRun{o.run}, o.in.Tekton)
	for _, c := range computeresources.Containers(&p.Spec) {
		c.Image, c.ImagePullPolicy, c.TerminationMessagePolicy = "image", corev1.PullAlways, corev1.TerminationMessageReadFile
	}
	testkit.OK(t, computeresources.ApplyChanges(&p.Spec, changes))
	return p
}

// beforeRanges returns what is changed before LimitRanges are looked at.
func beforeRanges(t *rapid.T, o ours) []computeresources.Change {
	changes, _ := steps.TaskLevel(steps.TektonContainers(o.spec, []steps.TaskRun{o.run}, o.in.Tekton), o.run, steps.TektonStep, division.Options{})
	spec := steps.TektonContainers(o.spec, []steps.TaskRun{o.run}, o.in.Tekton)
	testkit.OK(t, computeresources.ApplyChanges(spec, changes))
	return append(changes, steps.ContainerDefaults(spec, o.in.ContainerDefaults)...)
}

// sums compares what the steps request together with what the task requests, or else is limited to.
func sums(t *rapid.T, n map[string]int, r Run, plan steps.PodPlan) {
	task := r.Spec.ComputeResources
	if task == nil {
		return
	}
	wanted := task.Limits.DeepCopy()
	for name, q := range task.Requests {
		if wanted == nil {
			wanted = corev1.ResourceList{}
		}
		wanted[name] = q
	}
	sent := withChanges(t, r, plan.Changes)
	for name, want := range wanted {
		sum := resource.Quantity{}
		for _, c := range sent.Spec.Containers {
			if q := c.Resources.Requests[name]; strings.HasPrefix(c.Name, steps.TektonStepPrefix) {
				sum.Add(q)
			}
		}
		if few := resource.MustParse("3m"); want.Cmp(few) < 0 || name != corev1.ResourceCPU && want.CmpInt64(3) < 0 {
			continue // LimitRanges raise parts of zero
		}
		if !division.Divisible(name) && len(r.Defaults) > 0 {
			continue // the configuration may set it for steps that get none of it
		}
		n["sums"]++
		if sum.Cmp(want) != 0 {
			t.Fatalf("the steps request %s of %s, the task %s", &sum, name, &want)
		}
	}
}
