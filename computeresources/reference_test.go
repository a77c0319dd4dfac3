package computeresources_test

import (
	"maps"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// rats are amounts by resource, as fractions of arbitrary size. A resource that is not in the map is
// absent. They are the slow, readable reference of the kernels: every step creates a new map.
type rats map[corev1.ResourceName]*big.Rat

func ratsOf(list corev1.ResourceList) rats {
	r := rats{}
	for name, q := range list {
		r[name] = testkit.Exact(q)
	}
	return r
}

func plus(a, b rats) rats {
	sum := maps.Clone(a)
	for name, amount := range b {
		if own, ok := sum[name]; ok {
			amount = new(big.Rat).Add(own, amount)
		}
		sum[name] = amount
	}
	return sum
}

func greatest(lists ...rats) rats {
	most := rats{}
	for _, list := range lists {
		for name, amount := range list {
			if own, ok := most[name]; !ok || amount.Cmp(own) > 0 {
				most[name] = amount
			}
		}
	}
	return most
}

// slowEffective is the formula of KEP-753 as in its text.
func slowEffective(spec *corev1.PodSpec, list func(*corev1.Container) rats) rats {
	together, started, peak := rats{}, rats{}, rats{}
	for i := range spec.Containers {
		together = plus(together, list(&spec.Containers[i]))
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		use := plus(started, list(c))
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			started = use
			together = plus(together, list(c))
		}
		peak = greatest(peak, use)
	}
	return greatest(together, peak)
}

// slowRequests are the requests of a spec, and of a status if that is not nil.
func slowRequests(spec *corev1.PodSpec, status *corev1.PodStatus, opts computeresources.Options) rats {
	requests := rats{}
	if opts.IgnoreInitContainers {
		spec = slowWithoutInit(spec)
	}
	infeasible := slowInfeasible(status)
	podStatus := status != nil && (opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling == nil || *opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling) && status.Resources != nil
	if !opts.IgnoreContainers {
		claimed := ratsOf(opts.ClaimedFromNode)
		withMissing := func(list corev1.ResourceList) rats { return merge(ratsOf(opts.MissingRequests), ratsOf(list)) }
		specified := plus(slowEffective(spec, func(c *corev1.Container) rats { return withMissing(c.Resources.Requests) }), claimed)
		switch {
		case status == nil:
			requests = specified
		case opts.Kubernetes.Release == "1.36":
			requests = plus(slowEffective(spec, func(c *corev1.Container) rats {
				own := ratsOf(c.Resources.Requests)
				if s := slowLastStatus(spec, status, c); s != nil {
					own = greatest(ratsOf(s.Resources.Requests), ratsOf(s.AllocatedResources), unless(infeasible, own))
				}
				return merge(ratsOf(opts.MissingRequests), own)
			}), claimed)
		default:
			allocatedList := func(c *corev1.Container) corev1.ResourceList {
				if s := slowStatus(status, c.Name); s != nil && s.AllocatedResources != nil {
					return s.AllocatedResources
				}
				if infeasible {
					return nil
				}
				return c.Resources.Requests
			}
			allocated := plus(slowEffective(spec, func(c *corev1.Container) rats { return withMissing(allocatedList(c)) }), claimed)
			actuated := slowEffective(spec, func(c *corev1.Container) rats {
				if s := slowStatus(status, c.Name); s != nil && s.Resources != nil && s.Resources.Requests != nil {
					return withMissing(s.Resources.Requests)
				}
				return withMissing(allocatedList(c))
			})
			if podStatus && !opts.IgnoreInitContainers && status.AllocatedResources != nil && status.Resources.Requests != nil {
				allocated, actuated = ratsOf(status.AllocatedResources), ratsOf(status.Resources.Requests)
			}
			requests = greatest(actuated, allocated)
			if !infeasible {
				requests = greatest(requests, specified)
			}
		}
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && opts.Kubernetes.PodLevelResources == nil && len(podLevelOf(ratsOf(own.Requests))) > 0 {
		level := ratsOf(own.Requests)
		if podStatus {
			if infeasible {
				level = nil
			}
			level = greatest(level, ratsOf(status.Resources.Requests), ratsOf(status.AllocatedResources))
			if opts.Kubernetes.Release == "1.36" {
				level = only(own.Requests, level)
			}
		}
		requests = merge(requests, podLevelOf(level))
	}
	if !opts.ExcludeOverhead {
		requests = plus(requests, ratsOf(spec.Overhead))
	}
	return requests
}

// slowLimits are the limits of a spec, and of a status if that is not nil.
func slowLimits(spec *corev1.PodSpec, status *corev1.PodStatus, opts computeresources.Options) rats {
	limits := rats{}
	if opts.IgnoreInitContainers {
		spec = slowWithoutInit(spec)
	}
	infeasible := slowInfeasible(status)
	podStatus := status != nil && (opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling == nil || *opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling) && status.Resources != nil
	if !opts.IgnoreContainers {
		specified := slowEffective(spec, func(c *corev1.Container) rats { return ratsOf(c.Resources.Limits) })
		for name, amount := range ratsOf(opts.ClaimedFromNode) {
			if _, declared := specified[name]; opts.Kubernetes.Release == "1.36" {
				continue
			} else if declared || opts.Kubernetes.Release == "1.38" || name == "hugepages-2Mi" || name == "hugepages-1Gi" {
				specified = plus(specified, rats{name: amount})
			}
		}
		limits = specified
		switch {
		case status == nil:
		case opts.Kubernetes.Release == "1.36":
			limits = slowEffective(spec, func(c *corev1.Container) rats {
				if s := slowLastStatus(spec, status, c); s != nil {
					return greatest(ratsOf(s.Resources.Limits), unless(infeasible, ratsOf(c.Resources.Limits)))
				}
				return ratsOf(c.Resources.Limits)
			})
		default:
			actuated := slowEffective(spec, func(c *corev1.Container) rats {
				if s := slowStatus(status, c.Name); s != nil && s.Resources != nil && s.Resources.Limits != nil {
					return ratsOf(s.Resources.Limits)
				}
				if infeasible {
					return nil
				}
				return ratsOf(c.Resources.Limits)
			})
			if podStatus && !opts.IgnoreInitContainers && status.Resources.Limits != nil {
				actuated = ratsOf(status.Resources.Limits)
			}
			limits = actuated
			if !infeasible {
				limits = greatest(limits, specified)
			}
		}
	}
	if opts.Kubernetes.Release == "1.38" {
		for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
			for _, name := range []corev1.ResourceName{"cpu", "memory"} {
				if limit := c.Resources.Limits[name]; limit.IsZero() {
					delete(limits, name)
				}
			}
		}
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && opts.Kubernetes.PodLevelResources == nil && len(podLevelOf(ratsOf(own.Requests)))+len(podLevelOf(ratsOf(own.Limits))) > 0 {
		level := ratsOf(own.Limits)
		if podStatus {
			if infeasible {
				level = nil
			}
			level = greatest(level, ratsOf(status.Resources.Limits))
			switch {
			case opts.Kubernetes.Release == "1.36" && infeasible && status.Resources.Limits == nil:
				level = ratsOf(own.Limits)
			case opts.Kubernetes.Release == "1.36":
				level = only(own.Limits, level)
			}
		}
		limits = merge(limits, podLevelOf(level))
	}
	if !opts.ExcludeOverhead {
		for name, amount := range ratsOf(spec.Overhead) {
			if limit, ok := limits[name]; ok && limit.Sign() != 0 {
				limits = plus(limits, rats{name: amount})
			}
		}
	}
	return limits
}

// slowWithoutInit returns a copy of a spec with no init containers but sidecars.
func slowWithoutInit(spec *corev1.PodSpec) *corev1.PodSpec {
	own := spec.DeepCopy()
	own.InitContainers = slices.DeleteFunc(own.InitContainers, func(c corev1.Container) bool {
		return c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways
	})
	return own
}

// unless returns the list, or nothing.
func unless(without bool, list rats) rats {
	if without {
		return nil
	}
	return list
}

// only returns the amounts of the resources of a list, and zero for those without one.
func only(list corev1.ResourceList, amounts rats) rats {
	own := rats{}
	for name := range list {
		own[name] = new(big.Rat)
		if amount, ok := amounts[name]; ok {
			own[name] = amount
		}
	}
	return own
}

// slowLastStatus returns the status of an app container or sidecar of Kubernetes 1.36, if it has resources.
func slowLastStatus(spec *corev1.PodSpec, status *corev1.PodStatus, c *corev1.Container) (last *corev1.ContainerStatus) {
	for i := range spec.InitContainers {
		if c == &spec.InitContainers[i] && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways) {
			return nil
		}
	}
	all := append(append([]corev1.ContainerStatus{}, status.ContainerStatuses...), status.InitContainerStatuses...)
	for i := range all {
		if all[i].Name == c.Name {
			last = &all[i]
		}
	}
	if last == nil || last.Resources == nil {
		return nil
	}
	return last
}

// merge returns the entries of a, replaced and extended by those of b.
func merge(a, b rats) rats {
	merged := maps.Clone(a)
	maps.Copy(merged, b)
	return merged
}

func podLevelOf(list rats) rats {
	supported := rats{}
	for _, name := range []corev1.ResourceName{"cpu", "memory", "hugepages-2Mi", "hugepages-1Gi"} {
		if amount, ok := list[name]; ok {
			supported[name] = amount
		}
	}
	return supported
}

func slowInfeasible(status *corev1.PodStatus) bool {
	if status == nil {
		return false
	}
	for _, c := range status.Conditions {
		if c.Type == "PodResizePending" {
			return c.Reason == "Infeasible"
		}
	}
	return false
}

func slowStatus(status *corev1.PodStatus, name string) *corev1.ContainerStatus {
	all := append(append([]corev1.ContainerStatus{}, status.ContainerStatuses...), status.InitContainerStatuses...)
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// rounded returns an amount in units, as the totals round.
func rounded(amount *big.Rat, unitsPerOne int64) int64 {
	if amount == nil {
		return 0
	}
	return testkit.RoundedAway(amount, unitsPerOne)
}
