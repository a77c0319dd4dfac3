package steps

import (
	"errors"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// GuaranteedPlan is what to set so that the pod of a run is Guaranteed.
type GuaranteedPlan struct {
	// Run is the last of the runs, without task-level requirements, and with an override for every step and
	// sidecar. Task-level requirements cannot do it: each step requests a part, and is limited to the whole. Overrides
	// have the parts of their other resources, too.
	Run TaskRun `json:"run,omitzero"`
	// ContainerDefaults is default-container-resource-requirements with the containers that Tekton adds, by
	// name, because neither Task nor TaskRun reaches them.
	ContainerDefaults map[string]corev1.ResourceRequirements `json:"containerDefaults,omitempty"`
	// Pod is the pod with both.
	Pod PodPlan `json:"pod,omitzero"`
}

// Guaranteed returns what to set so that the pod of WholePod is Guaranteed, and is admitted by the LimitRanges and
// quotas of the namespace: for each container, the same request and limit of cpu and of memory. The limit is kept
// if there is one, as by qos.GuaranteedChanges, so that no container may use less than before; otherwise the
// request is. Amounts that are not set before LimitRanges default to those of WholePod, halved until they are admitted,
// or to the least amounts that are. Other resources are not changed.
//
// If there are no such amounts, the error is a *solver.ConflictError: the smallest set of bounds that
// contradict each other, of which one may be the ratio of 1 that the class demands, with the Source "QoS class
// Guaranteed". If a container has no cpu that it could keep, and nothing demands any, it is one unit. Memory is 12Mi
// then, the least limit that every runtime accepts, or less only if LimitRanges and quotas demand it: CRI-O does not
// start a container with less. With an error, the plan is zero.
//
// Pod.Rejected may be set nevertheless, if the run is rejected for another reason, such as two overrides for
// a step, or a step without a name, which no override can name. A pod without containers cannot be Guaranteed.
// Pod-level resources of spec are kept, and decide the class then.
func Guaranteed(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) (GuaranteedPlan, error) {
	var p PodPlan
	spec = TektonContainers(spec, runs, in.Tekton)
	before := p.send(spec, runs, in, opts)
	wanted := effectOf(before, p.fill(before, in, opts), in).Decision.Object.(*corev1.Pod)
	wantMemory(&wanted.Spec)
	keepOne(before)
	changes, err := halved(before, &wanted.Spec, append(in.Namespace.LimitRanges(), ratioOfOne()), in.Namespace)
	if err != nil {
		return GuaranteedPlan{}, named(err)
	}
	g := GuaranteedPlan{ContainerDefaults: map[string]corev1.ResourceRequirements{}}
	for key, r := range in.ContainerDefaults {
		g.ContainerDefaults[key] = *r.DeepCopy()
	}
	names := guaranteed()
	if len(runs) > 0 {
		last := runs[len(runs)-1]
		if task := last.ComputeResources; task != nil { // the overrides take its place
			names = append(names, quantity.Names(task.Requests, task.Limits)...)
		}
		g.Run = last.copied()
		runs = runs[:len(runs)-1]
	} else {
		g.Run.StepPrefix, g.Run.SidecarPrefix = TektonStepPrefix, TektonSidecarPrefix
	}
	g.set(changed(before, changes), names)
	in.ContainerDefaults = g.ContainerDefaults
	g.Pod = WholePod(spec, append(slices.Clone(runs), g.Run), in, opts)
	return g, nil
}

// guaranteed are the resources that decide the class.
func guaranteed() []corev1.ResourceName {
	return []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}
}

// leastMemory is the least memory limit that every container runtime accepts.
//
// Source: minMemoryLimit of CRI-O's internal/config/cgmgr; runc alone starts with half of it.
const leastMemory = 12 << 20

// wantMemory requests the least memory for containers that have none.
func wantMemory(spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		if !states(c.Resources.Requests, corev1.ResourceMemory) && !states(c.Resources.Limits, corev1.ResourceMemory) {
			quantity.Set(&c.Resources.Requests, corev1.ResourceMemory, *resource.NewQuantity(leastMemory, resource.BinarySI))
		}
	}
}

// classRange is the name of the LimitRange that stands for the class.
const classRange = "QoS class Guaranteed"

// ratioOfOne returns a LimitRange that admits containers whose requests and limits are equal, and above zero.
func ratioOfOne() *corev1.LimitRange {
	one := corev1.ResourceList{}
	for _, name := range guaranteed() {
		one[name] = *resource.NewQuantity(1, resource.DecimalSI)
	}
	lr := &corev1.LimitRange{}
	lr.Name = classRange
	lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: one}}
	return lr
}

// named gives the bounds of the class their source.
func named(err error) error {
	var conflict *solver.ConflictError
	if errors.As(err, &conflict) {
		for _, c := range conflict.Conflicts {
			for i := range c.Values {
				if v := &c.Values[i]; v.Source.Name == classRange {
					v.Source = computeresources.Source{Kind: "QoS class", Name: "Guaranteed"}
				}
			}
		}
	}
	return err
}

// keepOne removes the requests of containers with a limit, and amounts that are not above zero.
func keepOne(spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		for _, name := range guaranteed() {
			if !states(c.Resources.Limits, name) {
				delete(c.Resources.Limits, name)
			}
			if states(c.Resources.Limits, name) || !states(c.Resources.Requests, name) {
				delete(c.Resources.Requests, name)
			}
		}
	}
}

// copied returns a run of its own, without task-level requirements.
func (r *TaskRun) copied() TaskRun {
	own := *r
	own.ComputeResources = nil
	own.Template = *r.Template.DeepCopy()
	own.StepOverrides, own.SidecarOverrides = copiedOverrides(r.StepOverrides), copiedOverrides(r.SidecarOverrides)
	own.StepNames, own.SidecarNames = slices.Clone(r.StepNames), slices.Clone(r.SidecarNames)
	return own
}

func copiedOverrides(all []Override) (own []Override) {
	for _, o := range all {
		own = append(own, Override{o.Name, *o.Resources.DeepCopy()})
	}
	return own
}

// set puts the amounts of the containers where they are read from: in overrides, those of the named resources.
func (g *GuaranteedPlan) set(spec *corev1.PodSpec, names []corev1.ResourceName) {
	for p, c := range containers(spec, TektonStep) {
		step, isStep := strings.CutPrefix(c.Name, g.Run.StepPrefix)
		sidecar, isSidecar := strings.CutPrefix(c.Name, g.Run.SidecarPrefix)
		switch {
		case p.step != noStep && isStep:
			g.Run.StepOverrides = overriding(g.Run.StepOverrides, step, c.Resources, names)
		case isSidecar && !slices.Contains(internalContainers(), c.Name):
			g.Run.SidecarOverrides = overriding(g.Run.SidecarOverrides, sidecar, c.Resources, names)
		default:
			own := c.Resources.DeepCopy()
			g.ContainerDefaults[c.Name] = corev1.ResourceRequirements{Requests: own.Requests, Limits: own.Limits}
		}
	}
}

// overriding returns overrides with the named resources of one step or sidecar. The last override of a name counts.
func overriding(
	all []Override, name string, r corev1.ResourceRequirements, resources []corev1.ResourceName,
) []Override {
	at := -1
	for i, o := range all {
		if o.Name == name {
			at = i
		}
	}
	if at < 0 {
		at, all = len(all), append(all, Override{Name: name})
	}
	own := &all[at].Resources
	own.Requests, own.Limits = maps.Clone(own.Requests), maps.Clone(own.Limits)
	for _, resource := range resources {
		if q, ok := r.Requests[resource]; ok {
			quantity.Set(&own.Requests, resource, q.DeepCopy())
		}
		if q, ok := r.Limits[resource]; ok {
			quantity.Set(&own.Limits, resource, q.DeepCopy())
		}
	}
	return all
}
