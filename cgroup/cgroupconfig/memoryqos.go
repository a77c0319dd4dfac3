package cgroupconfig

import (
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/qos"
)

// reserves reports whether requested memory is protected.
func (o *Options) reserves() bool {
	return o.TieredReservation && release.Rules(o.Kubernetes).EnforcesMemoryQoS()
}

// setMemoryQoS sets the values of a container that KEP-2570 adds. The pod-level limits are those of its pod.
func (o *Options) setMemoryQoS(
	c *Cgroup, pod *corev1.Pod, r *corev1.ResourceRequirements, podLevel corev1.ResourceList,
) {
	rules := release.Rules(o.Kubernetes)
	if !rules.EnforcesMemoryQoS() {
		c.MemoryHigh.Unlimited = rules.ResetsMemoryQoS()
		return
	}
	request, limit := bytesOf(r.Requests), bytesOf(r.Limits)
	switch {
	case !o.TieredReservation || request <= 0:
		c.MemoryMin, c.MemoryLow = exactly(0), exactly(0)
	case qos.PodClass(pod, o.Kubernetes) == corev1.PodQOSGuaranteed:
		c.MemoryMin = exactly(request)
	default:
		c.MemoryLow = exactly(request)
	}
	switch {
	case limit > 0:
		c.MemoryHigh = o.throttledFrom(request, limit)
	case rules.ThrottlesPodLevel() && bytesOf(podLevel) > 0: // its pod is throttled
	case rules.ThrottlesPodLevel() || request > 0:
		c.MemoryHigh = o.throttledFrom(request, o.NodeMemory.Allocatable)
	}
}

// setMemoryHigh throttles a pod with pod-level resources.
func (p *podSums) setMemoryHigh(c *Cgroup, o *Options) {
	rules := release.Rules(o.Kubernetes)
	if rules.EnforcesMemoryQoS() && rules.ThrottlesPodLevel() && p.setsPodLevel && p.limited.memory {
		c.MemoryHigh = o.throttledFrom(p.requests.memory, p.limits.memory)
	}
}

// setMemoryQoS sets what the tiers protect of the requests of their pods.
func (t *TierCgroups) setMemoryQoS(guaranteed, burstable int64, o *Options) {
	rules := release.Rules(o.Kubernetes)
	if !rules.EnforcesMemoryQoS() && !rules.ResetsMemoryQoS() {
		return
	}
	if !o.reserves() {
		guaranteed, burstable = 0, 0
	}
	t.Guaranteed.MemoryMin = exactly(quantity.AddSaturated(guaranteed, burstable))
	t.Burstable.MemoryLow = exactly(burstable)
	if rules.ReservesLowAtRoot() {
		t.Guaranteed.MemoryLow = exactly(burstable)
	}
}

// throttledFrom returns request + factor·(limit - request), rounded down to a page, if that is above the
// request and above zero.
func (o *Options) throttledFrom(request, limit int64) Value {
	factor := o.throttlingFactor()
	if factor == nil || limit <= request {
		return Value{}
	}
	page := o.NodeMemory.PageSize
	if page <= 0 {
		page = 4096
	}
	room := new(big.Rat).SetFrac64(limit, 1)
	room.Sub(room, new(big.Rat).SetInt64(request))
	high := room.Mul(room, factor)
	high.Add(high, new(big.Rat).SetInt64(request))
	high.Quo(high, new(big.Rat).SetInt64(page))
	pages := new(big.Int).Div(high.Num(), high.Denom())
	// Between request and limit, which both fit.
	if bytes := pages.Mul(pages, big.NewInt(page)).Int64(); bytes > max(request, 0) {
		return exactly(bytes)
	}
	return Value{}
}

// throttlingFactor returns the decimal that the factor is written as, or nil for none.
func (o *Options) throttlingFactor() *big.Rat {
	if f := o.ThrottlingFactor; f != nil && *f > 0 && *f <= 1 {
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(*f, 'g', -1, 64)) // a number
		return r
	}
	if release.Rules(o.Kubernetes).ThrottlesOnlyWithFactor() {
		return nil
	}
	return big.NewRat(9, 10)
}
