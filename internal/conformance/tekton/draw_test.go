package tekton

import (
	"encoding/json"
	"fmt"
	"slices"

	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// amounts of each resource: whole units, and some that are not.
var amounts = map[corev1.ResourceName][]string{
	"cpu":               {"0", "1m", "100m", "333m", "500m", "500m", "1", "1", "1500m", "2", "2", "3", "7", "1500001n"},
	"memory":            {"0", "1", "3", "100Mi", "100Mi", "512Mi", "1Gi", "1Gi", "1.5Gi", "2G", "4Gi", "1500m"},
	"ephemeral-storage": {"1", "1Gi", "3Gi", "10Gi", "1500m"},
	"example.com/gpu":   {"1", "2", "3"},
}

var (
	ordinary = []corev1.ResourceName{"cpu", "cpu", "memory"}
	anything = append(slices.Repeat([]corev1.ResourceName{"cpu", "memory"}, 10), "ephemeral-storage", "example.com/gpu")
)

// GoString is how rapid prints a run that fails.
func (r Run) GoString() string {
	text, err := json.Marshal(r)
	return fmt.Sprint(string(text), err)
}

// drawer draws the parts of a run.
type drawer struct{ *rapid.T }

func (d drawer) oneIn(n int, label string) bool { return rapid.IntRange(1, n).Draw(d.T, label) == 1 }

func (d drawer) amount(name corev1.ResourceName, label string) resource.Quantity {
	if d.oneIn(1500, label+" is negative") {
		return resource.MustParse("-1")
	}
	return resource.MustParse(rapid.SampledFrom(amounts[name]).Draw(d.T, label))
}

// list draws up to two amounts; half of the lists are nil.
func (d drawer) list(names []corev1.ResourceName, label string) corev1.ResourceList {
	if rapid.Bool().Draw(d.T, "no "+label) {
		return nil
	}
	list := corev1.ResourceList{}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 2).Draw(d.T, label+" of") {
		list[name] = d.amount(name, label)
	}
	if len(list) == 0 && !d.oneIn(20, label+" is empty") {
		return nil
	}
	return list
}

func (d drawer) requirements(label string) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: d.list(anything, label+" requests"), Limits: d.list(anything, label+" limits")}
}

func (d drawer) task() (task tekton.TaskSpec) {
	for _, name := range rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"a-1", "b"}, {"a", "", "a-1"}, {"a", "b", "c"}}).Draw(d.T, "steps") {
		s := tekton.Step{Name: name, Image: "image", Command: []string{"command"}, ComputeResources: d.requirements("step")}
		switch {
		case d.oneIn(4, "script"):
			s.Command, s.Script = nil, "script"
		case d.oneIn(4, "directory"):
			s.WorkingDir = rapid.SampledFrom([]string{"directory", "/workspace/a", "/workspace", "/tmp", "/workspace/../tmp", "."}).Draw(d.T, "working directory")
		}
		task.Steps = append(task.Steps, s)
	}
	for _, name := range []string{"x", "a"}[:max(0, rapid.IntRange(-1, 2).Draw(d.T, "sidecars"))] {
		task.Sidecars = append(task.Sidecars, tekton.Sidecar{Name: name, Image: "image", ComputeResources: d.requirements("sidecar")})
	}
	if d.oneIn(3, "template") {
		task.StepTemplate = &tekton.StepTemplate{ComputeResources: d.requirements("template")}
	}
	if d.oneIn(4, "results") {
		task.Results = []tekton.TaskResult{{Name: "result", Type: tekton.ResultsTypeString}}
	}
	return task
}

// run draws specs of steps or task-level requirements. Some runs are rejected: one has both, or a name that the task
// does not have, or twice.
func (d drawer) run(task *tekton.TaskSpec) (run tekton.TaskRunSpec) {
	const specs, whole, both = 0, 1, 2
	kind := rapid.SampledFrom([]int{specs, specs, specs, specs, whole, whole, whole, whole, both, -1, -1, -1, -1}).Draw(d.T, "kind of run")
	if kind == specs || kind == both {
		for _, s := range task.Steps {
			if s.Name != "" && rapid.Bool().Draw(d.T, "step spec") {
				run.StepSpecs = append(run.StepSpecs, tekton.TaskRunStepSpec{Name: s.Name, ComputeResources: d.requirements("step spec")})
			}
		}
		if d.oneIn(20, "another step spec") {
			name := rapid.SampledFrom([]string{"a", "b", "A", "x", ""}).Draw(d.T, "of step")
			run.StepSpecs = append(run.StepSpecs, tekton.TaskRunStepSpec{Name: name, ComputeResources: d.requirements("step spec")})
		}
	}
	if kind == whole || kind == both {
		task := d.requirements("task-level")
		run.ComputeResources = &task
	}
	for _, s := range task.Sidecars {
		if d.oneIn(3, "sidecar spec") {
			run.SidecarSpecs = append(run.SidecarSpecs, tekton.TaskRunSidecarSpec{Name: s.Name, ComputeResources: d.requirements("sidecar spec")})
		}
	}
	if d.oneIn(40, "another sidecar spec") {
		run.SidecarSpecs = append(run.SidecarSpecs, tekton.TaskRunSidecarSpec{Name: "y"})
	}
	return run
}

func (d drawer) defaults() map[string]corev1.ResourceRequirements {
	if d.oneIn(2, "no defaults") {
		return nil
	}
	keys := rapid.SampledFrom([]string{
		"default", "prepare", "place-scripts", "working-dir-initializer", "sidecar-tekton-log-results",
		"step-a", "sidecar-x", "prefix-step", "prefix-step-a", "prefix-sidecar", "prefix-place",
	})
	all := map[string]corev1.ResourceRequirements{}
	if d.oneIn(6, "two prefixes") {
		all["prefix-step"], all["prefix-step-a"] = d.requirements("default"), d.requirements("default")
	}
	for _, key := range rapid.SliceOfN(keys, 1, 3).Draw(d.T, "keys") {
		all[key] = d.requirements("default")
	}
	return all
}

// ranges draws LimitRanges that the API server stores.
func (d drawer) ranges() (all []*corev1.LimitRange) {
	for _, name := range []string{"range-a", "range-b"}[:rapid.SampledFrom([]int{0, 1, 1, 1, 2}).Draw(d.T, "ranges")] {
		lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
		list := func(label string) corev1.ResourceList { return d.list(ordinary, label) }
		item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: list("min"), Max: list("max"), Default: list("default limit"), DefaultRequest: list("default request")}
		if d.oneIn(8, "ratio") {
			item.MaxLimitRequestRatio = corev1.ResourceList{"cpu": resource.MustParse(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(d.T, "ratio of"))}
		}
		lr.Spec.Limits = append(lr.Spec.Limits, item)
		if d.oneIn(4, "of pods") {
			lr.Spec.Limits = append(lr.Spec.Limits, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: list("min of pods"), Max: list("max of pods")})
		}
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{Kubernetes: kubernetes}); err == nil {
			upstream.SetObjectDefaults_LimitRange(lr)
			all = append(all, lr)
		}
	}
	return all
}

func (d drawer) quotas() []*corev1.ResourceQuota {
	if !d.oneIn(3, "quota") {
		return nil
	}
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "quota"}}
	q.Spec.Hard, q.Status.Used = corev1.ResourceList{}, corev1.ResourceList{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]corev1.ResourceName{"requests.cpu", "limits.cpu", "requests.memory", "limits.memory", "pods"}), 1, 2, rapid.ID).Draw(d.T, "hard") {
		q.Spec.Hard[name] = resource.MustParse(rapid.SampledFrom([]string{"1", "2", "4", "10", "2Gi", "10Gi"}).Draw(d.T, "amount of "+string(name)))
		q.Status.Used[name] = resource.MustParse(rapid.SampledFrom([]string{"0", "1"}).Draw(d.T, "used"))
	}
	q.Status.Hard = q.Spec.Hard.DeepCopy()
	return []*corev1.ResourceQuota{q}
}

func runs() *rapid.Generator[Run] {
	return rapid.Custom(func(t *rapid.T) Run {
		d := drawer{t}
		task := d.task()
		return Run{
			Task: task, Spec: d.run(&task), Defaults: d.defaults(), Ranges: d.ranges(), Quotas: d.quotas(),
			ResultsSidecar: d.oneIn(2, "results sidecar"), NativeSidecars: d.oneIn(4, "native sidecars"),
		}
	})
}
