package tekton

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// kubernetes is the release that this module requires.
var kubernetes = computeresources.Kubernetes{Release: "1.36"}

// ours is what kubemath reads of a run.
type ours struct {
	spec *corev1.PodSpec // the pod of the task alone
	run  steps.TaskRun
	in   steps.Environment
}

func oursOf(t *rapid.T, r Run) ours {
	namespace, err := admit.Compile(r.Ranges, r.Quotas, admit.Options{Kubernetes: kubernetes})
	testkit.OK(t, err)
	installation := steps.Tekton{ResultsSidecar: r.ResultsSidecar, NativeSidecars: r.NativeSidecars}
	o := ours{spec: r.containers(), in: steps.Environment{ContainerDefaults: r.Defaults, Namespace: namespace, Tekton: installation}}
	o.run = steps.TaskRun{
		StepPrefix: steps.TektonStepPrefix, SidecarPrefix: steps.TektonSidecarPrefix, ComputeResources: r.Spec.ComputeResources,
		StepNames: []string{}, SidecarNames: []string{}, Results: len(r.Task.Results) > 0,
		Scripts: slices.ContainsFunc(r.Task.Steps, func(s tekton.Step) bool { return s.Script != "" }),
	}
	for _, s := range r.Task.Steps {
		o.run.StepNames = append(o.run.StepNames, s.Name)
	}
	for _, s := range r.Task.Sidecars {
		o.run.SidecarNames = append(o.run.SidecarNames, s.Name)
	}
	if template := r.Task.StepTemplate; template != nil {
		o.run.Template = template.ComputeResources
	}
	for _, s := range r.Spec.StepSpecs {
		o.run.StepOverrides = append(o.run.StepOverrides, steps.Override{Name: s.Name, Resources: s.ComputeResources})
	}
	for _, s := range r.Spec.SidecarSpecs {
		o.run.SidecarOverrides = append(o.run.SidecarOverrides, steps.Override{Name: s.Name, Resources: s.ComputeResources})
	}
	return o
}

// containers returns the pod of a task with its own containers alone.
func (r Run) containers() *corev1.PodSpec {
	seconds := int64(5400)
	spec := &corev1.PodSpec{ActiveDeadlineSeconds: &seconds, RestartPolicy: corev1.RestartPolicyNever}
	for i, s := range r.Task.Steps {
		name := cmp.Or(s.Name, fmt.Sprint("unnamed-", i))
		if r.Task.StepTemplate != nil { // merging drops empty lists
			s.ComputeResources = stored(s.ComputeResources)
		}
		spec.Containers = append(spec.Containers, corev1.Container{Name: "step-" + name, Image: "image", WorkingDir: s.WorkingDir, Resources: s.ComputeResources})
	}
	for _, s := range r.Task.Sidecars {
		c := corev1.Container{Name: "sidecar-" + s.Name, Image: "image", Resources: s.ComputeResources}
		if r.NativeSidecars {
			always := corev1.ContainerRestartPolicyAlways
			c.RestartPolicy = &always
			spec.InitContainers = append(spec.InitContainers, c)
		} else {
			spec.Containers = append(spec.Containers, c)
		}
	}
	return spec
}

// stored returns requirements whose empty lists are nil.
func stored(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	if len(r.Requests) == 0 {
		r.Requests = nil
	}
	if len(r.Limits) == 0 {
		r.Limits = nil
	}
	return r
}

// containersOf returns the containers of a pod, in its order.
func containersOf(spec *corev1.PodSpec) (all []computeresources.Ref) {
	for ref := range computeresources.Containers(spec) {
		all = append(all, ref)
	}
	return all
}

func created(t *rapid.T, r Run, upTo Stage) *corev1.Pod {
	p, err := r.Create(upTo)
	testkit.OK(t, err)
	return p
}

// slot is where an amount is.
type slot struct {
	container string
	list      computeresources.List
	resource  corev1.ResourceName
}

// slots are the amounts of the containers of a pod, in one format, rounded as the API server stores them.
func slots(spec *corev1.PodSpec) map[slot]string {
	all := map[slot]string{}
	for ref, c := range computeresources.Containers(spec) {
		for _, list := range []computeresources.List{computeresources.Requests, computeresources.Limits} {
			for name, q := range list.Of(&c.Resources) {
				q := q.DeepCopy()
				q.RoundUp(resource.Milli)
				all[slot{ref.Name, list, name}] = testkit.Exact(q).RatString()
			}
		}
	}
	return all
}

// The amounts that are stored are those of kubemath, each from the source that changes it in Tekton, and the first rejection is
// the same. What differs is a decision: see excuses.
func TestWholePod(t *testing.T) {
	n := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := runs().Draw(t, "run")
		o := oursOf(t, r)
		plan := steps.WholePod(o.spec, []steps.TaskRun{o.run}, o.in, steps.TektonOptions())
		n["runs"]++
		invalid := steps.ValidateTaskRun(o.run, field.NewPath("spec"))
		if err := r.Validate(); err != nil || len(invalid) > 0 {
			n["rejected by Tekton"]++
			compareValidation(t, n, err, invalid)
			if plan.Rejected == "" {
				t.Fatalf("kubemath does not reject the run, Tekton: %v", err)
			}
			return
		}
		pod := created(t, r, OfRanges)
		admitted, err := r.Admit(pod)
		testkit.OK(t, err)
		if theirs, mine := containersOf(&pod.Spec), containersOf(&plan.Effect.Decision.Object.(*corev1.Pod).Spec); !slices.Equal(theirs, mine) {
			t.Fatalf("Tekton's pod has %v, kubemath's %v", theirs, mine)
		}
		n[fmt.Sprint(len(pod.Spec.InitContainers), " init containers")]++
		if differ(t, n, r, &admitted.Stored.Spec, plan) {
			return
		}
		n["the same amounts"]++
		compareSources(t, n, r, admitted, plan)
		compareRejections(t, n, admitted.Err, plan.Rejected)
	})
	for _, what := range slices.Sorted(maps.Keys(n)) {
		t.Log(n[what], what)
	}
	wanted := []string{"rejected by Tekton", "admitted", "rejected by LimitRanges", "rejected by a quota", "rejected as invalid"}
	for _, e := range excuses {
		wanted = append(wanted, e.decision)
	}
	for _, what := range wanted {
		if n[what] == 0 && n["runs"] >= 20000 {
			t.Errorf("never %s", what)
		}
	}
}

// compareValidation compares whether a run is rejected before there is a pod.
func compareValidation(t *rapid.T, n map[string]int, theirs error, ours field.ErrorList) {
	if theirs != nil && len(ours) == 0 {
		t.Fatalf("Tekton rejects the run: %v", theirs)
	}
	for _, err := range ours {
		if theirs == nil && !strings.Contains(err.Detail, "must be greater than or equal to 0") {
			t.Fatalf("Tekton does not reject the run: %v", err)
		}
	}
	if theirs == nil {
		n["amounts below zero, which the API server rejects later"]++
	}
}

// differ reports whether amounts differ. Each of them has to have an excuse.
func differ(t *rapid.T, n map[string]int, r Run, stored *corev1.PodSpec, plan steps.PodPlan) bool {
	theirs, found := slots(stored), map[string]bool{}
	mine := slots(&plan.Effect.Decision.Object.(*corev1.Pod).Spec)
	for _, s := range union(theirs, mine) {
		if theirs[s] == mine[s] {
			continue
		}
		i := slices.IndexFunc(excuses, func(e excuse) bool { return e.holds(r, s) })
		if i < 0 {
			t.Fatalf("%s %s %s: Tekton has %q, kubemath %q", s.container, s.resource, s.list, theirs[s], mine[s])
		}
		found[excuses[i].decision] = true
	}
	for decision := range found {
		n[decision]++
	}
	return len(found) > 0
}

func union(a, b map[slot]string) []slot {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.SortedFunc(maps.Keys(all), func(a, b slot) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

// compareSources compares the source of each amount with the stage of Tekton that changed it last.
func compareSources(t *rapid.T, n map[string]int, r Run, admitted Admitted, plan steps.PodPlan) {
	stages := []struct {
		kind string
		pod  *corev1.Pod
	}{
		{"", created(t, r, OfTask)}, {"Task", created(t, r, OfTemplate)}, {"TaskRun", created(t, r, OfRun)}, {"ConfigMap", created(t, r, OfConfig)},
		{"LimitRange", created(t, r, OfRanges)}, {"API server", admitted.Defaulted}, {"LimitRange", admitted.Stored},
	}
	want, was := map[slot]string{}, map[slot]string{}
	for _, stage := range stages {
		is := slots(&stage.pod.Spec)
		for _, s := range union(was, is) {
			if was[s] != is[s] {
				want[s] = stage.kind
			}
		}
		was = is
	}
	for _, a := range plan.Amounts {
		s := slot{a.Ref.Name, a.List, a.Resource}
		if a.To == nil || a.Ref.Kind == computeresources.Pod {
			continue
		}
		if a.Source.Kind == "TaskRun" && overridden(r, s) && (want[s] == "Task" || want[s] == "") { // by the same amount, rounded
			want[s] = "TaskRun"
		}
		if got := a.Source.Kind; got != want[s] && !slices.ContainsFunc(excuses, func(e excuse) bool { return e.holds(r, s) }) {
			t.Fatalf("%s %s %s is from %q, in Tekton from %q", s.container, s.resource, s.list, got, want[s])
		}
		n["from "+want[s]]++
	}
}

func compareRejections(t *rapid.T, n map[string]int, theirs error, ours string) {
	if theirs == nil || ours == "" {
		if theirs != nil || ours != "" {
			t.Fatalf("Tekton's pod: %v\nkubemath: %v", theirs, ours)
		}
		n["admitted"]++
		return
	}
	// The pod of a plan has no name.
	want := strings.NewReplacer(`pods "run-pod" is`, "pods is", `Pod "run-pod" is`, `Pod "" is`).Replace(theirs.Error())
	if !slices.Equal(parts(ours), parts(want)) {
		t.Fatalf("Tekton's pod: %s\nkubemath:     %s", want, ours)
	}
	switch {
	case strings.Contains(want, "exceeded quota"), strings.Contains(want, "failed quota"):
		n["rejected by a quota"]++
	case strings.Contains(want, "is invalid"):
		n["rejected as invalid"]++
	default:
		n["rejected by LimitRanges"]++
	}
}

// parts are those of a message, sorted: the server's are in the order of maps.
func parts(message string) []string {
	all := strings.FieldsFunc(message, func(c rune) bool { return strings.ContainsRune("[],", c) })
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	slices.Sort(all)
	return all
}

// overridden reports whether a step spec or the task level has an amount.
func overridden(r Run, s slot) bool {
	task := r.Spec.ComputeResources
	return task != nil && (has(task.Requests, s.resource) || has(task.Limits, s.resource)) || slices.ContainsFunc(r.Spec.StepSpecs, func(o tekton.TaskRunStepSpec) bool {
		return steps.TektonStepPrefix+o.Name == s.container && has(s.list.Of(&o.ComputeResources), s.resource)
	})
}
