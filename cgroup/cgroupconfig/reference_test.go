package cgroupconfig_test

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

// slowPod is the definition of ForPod, with fractions. The sizes of huge pages are those that testkit
// draws, and some more.
func slowPod(pod *corev1.Pod, opts cgroupconfig.Options) (c cgroupconfig.Cgroup) {
	r := opts.Kubernetes.Release
	isOf137 := r == "" || r >= "1.37"
	if gate := opts.Kubernetes.PodLevelResources; gate != nil && !*gate || gate == nil && r == "1.33" {
		pod = pod.DeepCopy()
		pod.Spec.Resources = nil
	}
	requests, limits := testkit.SpecSums(&pod.Spec)
	for _, name := range []corev1.ResourceName{"cpu", "memory"} {
		if r == "1.38" && !declared(&pod.Spec, name) {
			delete(limits, name)
		}
	}
	sums := limits // also of a BestEffort pod
	class := pod.Status.QOSClass
	if class == "" {
		class = testkit.SpecClass(&pod.Spec)
		if !isOf137 {
			class = testkit.SpecClassBySums(&pod.Spec, true)
		}
	}
	if class != corev1.PodQOSGuaranteed && class != corev1.PodQOSBurstable {
		limits, requests["cpu"] = nil, new(big.Rat)
	}
	units := map[corev1.ResourceName]int64{"cpu": 1000, "memory": 1}
	bound := func(name corev1.ResourceName) bool {
		isSet := declared(&pod.Spec, name) && (r != "1.38" || integer(limits[name], units[name]) != 0)
		return class == corev1.PodQOSGuaranteed || class == corev1.PodQOSBurstable && isSet
	}
	milli, used := max(0, integer(requests["cpu"], 1000)), opts.Period
	if used <= 0 {
		used = 100000
	}
	c.Shares = set(min(max(scaled(milli, 1024, 1000), 2), 262144))
	if bound("cpu") {
		c.Period = set(used)
		if limit := integer(limits["cpu"], 1000); limit > 0 {
			c.Quota = set(max(1000, scaled(limit, used, 1000)))
		}
		if opts.IgnoreCPULimits || opts.ExclusiveCPUs {
			c.Quota = unlimited
		}
	}
	if limit := integer(limits["memory"], 1); limit > 0 && bound("memory") {
		c.Memory = set(limit)
	}
	memoryQoS := opts.Kubernetes.MemoryQoS != nil && *opts.Kubernetes.MemoryQoS || opts.Kubernetes.MemoryQoS == nil && isOf137
	if factor := opts.ThrottlingFactor; memoryQoS && isOf137 && factor != nil && *factor > 0 && *factor <= 1 &&
		setsPodLevel(pod.Spec.Resources) && declared(&pod.Spec, "memory") {
		c.MemoryHigh = slowHigh(integer(requests["memory"], 1), integer(sums["memory"], 1), *factor, opts.NodeMemory.PageSize)
	}
	if request := integer(requests["memory"], 1); memoryQoS && opts.TieredReservation && request > 0 {
		if class == corev1.PodQOSGuaranteed {
			c.MemoryMin = set(request)
		} else {
			c.MemoryLow = set(request)
		}
	}
	sizes := map[int64]corev1.ResourceName{64 << 10: "hugepages-64Ki", 2 << 20: "hugepages-2Mi", 3 << 20: "hugepages-3Mi", 1 << 30: "hugepages-1Gi"}
	for size, name := range sizes {
		q, requested := requests[name]
		if requested || slices.Contains(opts.NodeMemory.HugePageSizes, size) {
			c.HugePages = append(c.HugePages, cgroupconfig.HugePages{Size: size, Limit: max(0, integer(q, 1))})
		}
	}
	slices.SortFunc(c.HugePages, func(a, b cgroupconfig.HugePages) int { return int(a.Size - b.Size) })
	return c
}

// slowHigh returns memory.high by the KEP's formula.
func slowHigh(request, limit int64, factor float64, page int64) cgroupconfig.Value {
	if page <= 0 {
		page = 4096
	}
	f, _ := new(big.Rat).SetString(strconv.FormatFloat(factor, 'g', -1, 64))
	high := f.Mul(f, new(big.Rat).SetInt(new(big.Int).Sub(big.NewInt(limit), big.NewInt(request))))
	high.Add(high, big.NewRat(request, 1))
	bytes := new(big.Int).Div(high.Num(), high.Denom())
	bytes.Sub(bytes, new(big.Int).Mod(bytes, big.NewInt(page)))
	if !bytes.IsInt64() || bytes.Int64() <= max(request, 0) {
		return cgroupconfig.Value{}
	}
	return set(bytes.Int64())
}

// setsPodLevel reports whether spec.resources has any amount that can be set there.
func setsPodLevel(r *corev1.ResourceRequirements) bool {
	if r == nil {
		return false
	}
	for _, list := range []corev1.ResourceList{r.Requests, r.Limits} {
		for name := range list {
			if name == "cpu" || name == "memory" || strings.HasPrefix(string(name), "hugepages-") {
				return true
			}
		}
	}
	return false
}

// declared reports whether the pod level or every container has a limit.
func declared(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	if spec.Resources != nil {
		if q := spec.Resources.Limits[name]; q.Sign() > 0 {
			return true
		}
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if q := list[i].Resources.Limits[name]; q.Sign() <= 0 {
				return false
			}
		}
	}
	return true
}

// integer returns an amount in units, and 0 for one that is absent.
func integer(amount *big.Rat, unitsPerOne int64) int64 {
	if amount == nil {
		return 0
	}
	return testkit.RoundedAway(amount, unitsPerOne)
}

// scaled returns n·by/per rounded down, within int64.
func scaled(n, by, per int64) int64 {
	p := new(big.Int).Mul(big.NewInt(n), big.NewInt(by))
	p.Quo(p, big.NewInt(per))
	if !p.IsInt64() {
		return math.MaxInt64
	}
	return p.Int64()
}
