package testkit

import (
	"maps"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Amounts are fractions by resource. A resource that is not in the map is absent.
type Amounts map[corev1.ResourceName]*big.Rat

// AmountsOf returns the amounts of a list.
func AmountsOf(list corev1.ResourceList) Amounts {
	a := Amounts{}
	for name, q := range list {
		a[name] = Exact(q.DeepCopy())
	}
	return a
}

func (a Amounts) plus(b Amounts) Amounts {
	sum := maps.Clone(a)
	for name, amount := range b {
		if own, ok := sum[name]; ok {
			amount = new(big.Rat).Add(own, amount)
		}
		sum[name] = amount
	}
	return sum
}

func (a Amounts) greatest(b Amounts) Amounts {
	most := maps.Clone(a)
	for name, amount := range b {
		if own, ok := most[name]; !ok || amount.Cmp(own) > 0 {
			most[name] = amount
		}
	}
	return most
}

// over returns the pod-level amounts, and those of a for other resources.
func (a Amounts) over(podLevel corev1.ResourceList) Amounts {
	all := maps.Clone(a)
	for name, amount := range AmountsOf(podLevel) {
		if isPodLevel(name) {
			all[name] = amount
		}
	}
	return all
}

func isPodLevel(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// SpecSums returns the total requests and limits of a pod spec: those of the containers by the formula of KEP-753, then
// pod-level resources and overhead. It shares no code with the kernels, so that their sums can be compared with it.
func SpecSums(spec *corev1.PodSpec) (requests, limits Amounts) {
	requests = effective(spec, func(c *corev1.Container) Amounts { return AmountsOf(c.Resources.Requests) })
	limits = effective(spec, func(c *corev1.Container) Amounts { return AmountsOf(c.Resources.Limits) })
	if own := spec.Resources; own != nil {
		requests, limits = requests.over(own.Requests), limits.over(own.Limits)
	}
	overhead := AmountsOf(spec.Overhead)
	requests = requests.plus(overhead)
	for name, amount := range overhead {
		if limit, ok := limits[name]; ok && limit.Sign() != 0 {
			limits[name] = new(big.Rat).Add(limit, amount)
		}
	}
	return requests, limits
}

// effective sums up containers: what app containers and sidecars have together, or what an init container has
// beside the sidecars before it, if that is more.
func effective(spec *corev1.PodSpec, list func(*corev1.Container) Amounts) Amounts {
	together, started, peak := Amounts{}, Amounts{}, Amounts{}
	for i := range spec.Containers {
		together = together.plus(list(&spec.Containers[i]))
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		use := started.plus(list(c))
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			started = use
			together = together.plus(list(c))
		}
		peak = peak.greatest(use)
	}
	return together.greatest(peak)
}

// SpecClass returns the QoS class that Kubernetes 1.37 gives to a spec by its definition: the requirements that decide
// request what they limit, or nothing, or anything else. It shares no code with a kernel.
func SpecClass(spec *corev1.PodSpec) corev1.PodQOSClass { return SpecClassByParts(spec, false) }

// SpecClassByParts is SpecClass of what PartsOfClass returns.
func SpecClassByParts(spec *corev1.PodSpec, evenIfEmpty bool) corev1.PodQOSClass {
	parts := PartsOfClass(spec, evenIfEmpty)
	nothing, guaranteed := true, len(parts) > 0
	for _, part := range parts {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			request, limit := Exact(part.Requests[name].DeepCopy()), Exact(part.Limits[name].DeepCopy())
			nothing = nothing && request.Sign() == 0 && limit.Sign() == 0
			guaranteed = guaranteed && limit.Sign() != 0 && request.Cmp(limit) == 0
		}
	}
	return classOf(nothing, guaranteed)
}

// PartsOfClass returns the requirements that decide on the class of a spec: spec.resources if it sets cpu, memory or
// hugepages, or in any case if it counts when it is empty; else those of all containers.
func PartsOfClass(spec *corev1.PodSpec, evenIfEmpty bool) (parts []*corev1.ResourceRequirements) {
	if own := spec.Resources; own != nil {
		for _, list := range []corev1.ResourceList{own.Requests, own.Limits} {
			for name := range list {
				evenIfEmpty = evenIfEmpty || name == "cpu" || name == "memory" || strings.HasPrefix(string(name), "hugepages-")
			}
		}
		if evenIfEmpty {
			return append(parts, own)
		}
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			parts = append(parts, &list[i].Resources)
		}
	}
	return parts
}

// SpecClassBySums is SpecClass in 1.36 and older: the requests above zero of all parts together are their limits.
func SpecClassBySums(spec *corev1.PodSpec, evenIfEmpty bool) corev1.PodQOSClass {
	parts := PartsOfClass(spec, evenIfEmpty)
	nothing, guaranteed := true, len(parts) > 0
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		requests, limits := new(big.Rat), new(big.Rat)
		for _, part := range parts {
			if request := Exact(part.Requests[name].DeepCopy()); request.Sign() > 0 {
				requests.Add(requests, request)
				nothing = false
			}
			limit := Exact(part.Limits[name].DeepCopy())
			if limit.Sign() > 0 {
				limits.Add(limits, limit)
				nothing = false
			} else {
				guaranteed = false
			}
		}
		guaranteed = guaranteed && requests.Cmp(limits) == 0
	}
	return classOf(nothing, guaranteed)
}

func classOf(nothing, guaranteed bool) corev1.PodQOSClass {
	switch {
	case nothing:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}
