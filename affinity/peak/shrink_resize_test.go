package peak_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// someOf draws a list of some of the resources, with amounts of zero among them.
func someOf(t *rapid.T, label string, names ...corev1.ResourceName) corev1.ResourceList {
	drawn := corev1.ResourceList{}
	for _, name := range names {
		if rapid.IntRange(0, 3).Draw(t, label+" has "+string(name)) > 0 {
			drawn[name] = resourcelist.Quantity(name, rapid.SampledFrom([]int64{0, 1, 2, 40, 50, 1000, 104857600, 2000}).Draw(t, label))
		}
	}
	return drawn
}

// The API server accepts each resize that Shrink returns, of any placeholder. A placeholder that
// ApplySizes has raised shrinks to its size without the requests of the pods, or to what it keeps.
func TestShrinkPassesValidateResize(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		opts := affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{
			Image: "pause", Requests: someOf(t, "requests", "cpu", "memory", "ephemeral-storage"),
		}}
		switch rapid.IntRange(0, 3).Draw(t, "limits") {
		case 0:
			opts.Placeholder.Limits = corev1.ResourceList{}
		case 1:
			opts.Placeholder.Limits = resourcelist.Add(opts.Placeholder.Requests, someOf(t, "more", "cpu", "memory", "ephemeral-storage"))
		}
		run := &affinity.Run{Name: "run", UID: "uid", Tasks: []affinity.Task{task("a", someOf(t, "task", "cpu", "memory", "ephemeral-storage"))}}
		plan, err := affinity.PlanFor(run, opts)
		testkit.OK(t, err)
		least := resourcelist.Add(plan.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources.Requests, nil)
		if _, err := peak.ApplySizes(plan, run, peak.Options{ResizableOnly: rapid.Bool().Draw(t, "resizable")}); err != nil {
			t.Fatal(err)
		}
		old := &corev1.Pod{Spec: plan.StatefulSets[0].Spec.Template.Spec}
		own := &old.Spec.Containers[0].Resources
		size, honest := resourcelist.Add(own.Requests, nil), rapid.Bool().Draw(t, "honest")
		if !honest {
			size, least = someOf(t, "size", "cpu", "memory", "example.com/gpu"), someOf(t, "least", "cpu", "memory")
		}
		computeresources.ApplyRequestDefaults(&old.Spec, computeresources.Kubernetes{})
		if rapid.Bool().Draw(t, "running") {
			old.Status.QOSClass = qos.Class(&old.Spec, computeresources.Kubernetes{})
			old.Status.ContainerStatuses = []corev1.ContainerStatus{{
				Name: "affinity-assistant", Resources: own.DeepCopy(), AllocatedResources: own.Requests.DeepCopy(),
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			}}
		}
		pods := []corev1.ResourceList{someOf(t, "pod", "cpu", "memory"), someOf(t, "other", "cpu", "memory")}
		changes := peak.Shrink(&old.Spec, size, least, pods)
		updated := old.DeepCopy()
		testkit.OK(t, computeresources.ApplyChanges(&updated.Spec, changes))
		if problems := computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}); len(changes) > 0 && len(problems) > 0 {
			t.Fatalf("%v: %v", changes, problems.Err())
		}
		if len(changes) > 0 {
			seen["changed "+string(qos.Class(&updated.Spec, computeresources.Kubernetes{}))]++
		}
		if !honest {
			return
		}
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			whole, lowest := size[name], least[name]
			if whole.Sign() <= 0 {
				continue
			}
			if lowest.Sign() <= 0 {
				lowest = list("cpu", "50m", "memory", "100Mi")[name]
				seen["nothing at least"]++
			}
			want := whole.DeepCopy()
			for _, pod := range pods {
				want.Sub(pod[name])
			}
			if want.Cmp(lowest) < 0 {
				want = lowest
			}
			if want.Cmp(whole) > 0 {
				want = whole
			}
			if got := updated.Spec.Containers[0].Resources.Requests[name]; got.Cmp(want) != 0 {
				t.Fatalf("%s shrinks to %s, want %s", name, got.String(), want.String())
			}
		}
	})
	for _, what := range []string{"changed Guaranteed", "changed Burstable", "nothing at least"} {
		if !testing.Short() && seen[what] == 0 {
			t.Errorf("%s: never", what)
		}
	}
}
