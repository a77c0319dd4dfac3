package steps_test

import (
	"fmt"
	"maps"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// rejections are the rules of the LimitRanger, and of the API server, by which it rejects
// a container for one resource.
func rejections(c *corev1.Container, item corev1.LimitRangeItem, name corev1.ResourceName) (found []string) {
	request, hasRequest := c.Resources.Requests[name]
	limit, hasLimit := c.Resources.Limits[name]
	reject := func(rule string, is bool) {
		if is {
			found = append(found, rule)
		}
	}
	if least, ok := item.Min[name]; ok {
		r, l, bound := serverValues(request, limit, least)
		reject("min: no request", !hasRequest)
		reject("min: request", r < bound)
		reject("min: limit", hasLimit && l < bound)
	}
	if most, ok := item.Max[name]; ok {
		r, l, bound := serverValues(request, limit, most)
		reject("max: no limit", !hasLimit)
		reject("max: limit", l > bound)
		reject("max: request", hasRequest && r > bound)
	}
	if ratio, ok := item.MaxLimitRequestRatio[name]; ok {
		r, l, _ := serverValues(request, limit, ratio)
		reject("ratio: no request", !hasRequest || r == 0)
		reject("ratio: no limit", !hasLimit || l == 0)
		if r != 0 && l != 0 {
			observed, bound := float64(l)/float64(r), float64(value(ratio))
			if value(ratio) <= resource.MaxMilliValue {
				observed, bound = observed*1000, float64(milli(ratio))
			}
			reject("ratio", observed > bound)
		}
	}
	reject("request above limit", hasLimit && limit.Sign() > 0 && testkit.Exact(request).Cmp(testkit.Exact(limit)) > 0)
	return found
}

// serverValues are milli-units if all of them are small enough, and whole units otherwise.
func serverValues(request, limit, bound resource.Quantity) (r, l, b int64) {
	r, l, b = value(request), value(limit), value(bound)
	if r <= resource.MaxMilliValue && l <= resource.MaxMilliValue && b <= resource.MaxMilliValue {
		return milli(request), milli(limit), milli(bound)
	}
	return r, l, b
}

func value(q resource.Quantity) int64 { return testkit.RoundedAway(testkit.Exact(q), 1) }

func milli(q resource.Quantity) int64 { return testkit.RoundedAway(testkit.Exact(q), 1000) }

// slowFill tries every request up to most for a container without a request: it returns the one nearest
// to the default that is valid with the limit, or with every default limit that a LimitRange may set, up
// to the maximum, which is large if there is none; a single LimitRange sets its default. Zero means not
// set.
func slowFill(item gridItem, limit, most int, single bool) (request int, ok bool) {
	least, greatest := limit, limit
	if limit == 0 {
		least, greatest = item.clamp(item.limit), item.max
		switch {
		case single:
			greatest = least
		case item.max == 0:
			greatest = 1000
		}
	}
	request, ok = nearest(item.clamp(item.request), most, func(request int) bool {
		return item.admits(request) && request <= least && item.keepsRatio(request, greatest)
	})
	return request, ok || limit == 0 && item.possible()
}

// slowFit tries every pair of a request and a limit up to most. Amounts that are set change as little as
// possible, the request rather than the limit; defaults change first.
func slowFit(item gridItem, request, limit, most int) (int, int, bool) {
	wantRequest, wantLimit := request, limit
	if request == 0 {
		wantRequest = item.clamp(item.request)
	}
	if limit == 0 {
		wantLimit = item.clamp(item.limit)
	}
	fits := func(request, limit int) bool {
		return item.admits(request) && item.admits(limit) && request <= limit && item.keepsRatio(request, limit)
	}
	var ok bool
	if limit > 0 {
		limit, ok = nearest(wantLimit, most, func(limit int) bool {
			_, ok := nearest(wantRequest, most, func(request int) bool { return fits(request, limit) })
			return ok
		})
		request, _ = nearest(wantRequest, most, func(request int) bool { return fits(request, limit) })
		return request, limit, ok
	}
	request, ok = nearest(wantRequest, most, func(request int) bool {
		_, ok := nearest(wantLimit, most, func(limit int) bool { return fits(request, limit) })
		return ok
	})
	limit, _ = nearest(wantLimit, most, func(limit int) bool { return fits(request, limit) })
	return request, limit, ok
}

// gridItem is a LimitRange of bytes; a bound of zero is not set. The ratio is in halves.
type gridItem struct{ request, limit, min, max, halves int }

func (g gridItem) admits(amount int) bool { return amount >= g.min && (g.max == 0 || amount <= g.max) }

func (g gridItem) keepsRatio(request, limit int) bool {
	return g.halves == 0 || 2*limit <= g.halves*request
}

// possible reports whether some request and limit are admitted.
func (g gridItem) possible() bool {
	return (g.max == 0 || g.min <= g.max) && (g.halves == 0 || g.halves >= 2)
}

func (g gridItem) clamp(amount int) int {
	if g.max > 0 {
		amount = min(amount, g.max)
	}
	return max(amount, g.min)
}

// nearest returns the amount from 1 to most that is nearest to want and fits, if any does.
func nearest(want, most int, fits func(int) bool) (best int, ok bool) {
	away := func(n int) int { return max(n-want, want-n) }
	for n := 1; n <= most; n++ {
		if fits(n) && (!ok || away(n) < away(best)) {
			best, ok = n, true
		}
	}
	return best, ok
}

// divisible reports whether a resource may be divided among steps: not hugepages and extended resources.
func divisible(name corev1.ResourceName) bool {
	return !strings.HasPrefix(string(name), "hugepages-") && (!strings.Contains(string(name), "/") || strings.Contains(string(name), "kubernetes.io/"))
}

// refusals returns why LimitRanges, whose order is that of the defaults, and the API server refuse a pod. Amounts
// are rounded, and missing requests are the limits, before the defaults of the ranges are set.
func refusals(ranges []*corev1.LimitRange, spec *corev1.PodSpec) (refused []string) {
	own := spec.DeepCopy()
	for _, containers := range [][]corev1.Container{own.Containers, own.InitContainers} {
		for i := range containers {
			r := &containers[i].Resources
			stored := func(list corev1.ResourceList) {
				for name, q := range list {
					q.RoundUp(resource.Milli)
					list[name] = q
				}
			}
			stored(r.Requests)
			stored(r.Limits)
			r.Requests = missing(r.Requests, r.Limits)
			for _, lr := range ranges {
				for _, item := range lr.Spec.Limits {
					r.Requests, r.Limits = missing(r.Requests, item.DefaultRequest), missing(r.Limits, item.Default)
				}
			}
			for name := range ascending {
				request, limit := exact(r.Requests, name), exact(r.Limits, name)
				_, requested := r.Requests[name]
				_, limited := r.Limits[name]
				if limited && request.Cmp(limit) > 0 || !divisible(name) && (requested != limited || request.Cmp(limit) != 0) {
					refused = append(refused, fmt.Sprintf("%s: request %v, limit %v", name, request, limit))
				}
				for _, lr := range ranges {
					for _, item := range lr.Spec.Limits {
						refused = append(refused, rejections(&containers[i], item, name)...)
					}
				}
			}
		}
	}
	return refused
}

// missing returns a list with the entries of others that it lacks.
func missing(list, others corev1.ResourceList) corev1.ResourceList {
	all := corev1.ResourceList{}
	maps.Copy(all, others)
	maps.Copy(all, list)
	return all
}

// slowPeak goes through the life of a pod: each init container with the sidecars that have started, then
// each step with all other containers. A nil result means no limit.
func slowPeak(spec *corev1.PodSpec, isStep steps.Predicate, name corev1.ResourceName, limits bool) *big.Rat {
	amountOf := func(r corev1.ResourceRequirements) *big.Rat {
		if limits {
			return exact(r.Limits, name)
		}
		return exact(r.Requests, name)
	}
	sidecars, together, peak := new(big.Rat), new(big.Rat), new(big.Rat)
	unbounded := len(spec.Containers)+len(spec.InitContainers) == 0
	for _, c := range spec.InitContainers {
		amount := amountOf(c.Resources)
		unbounded = unbounded || amount.Sign() == 0
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars.Add(sidecars, amount)
		} else {
			peak = greater(peak, new(big.Rat).Add(sidecars, amount))
		}
	}
	together.Add(together, sidecars)
	greatest := new(big.Rat) // of the steps
	for i, c := range spec.Containers {
		amount := amountOf(c.Resources)
		unbounded = unbounded || amount.Sign() == 0
		if isStep != nil && isStep(computeresources.Ref{Kind: computeresources.App, Index: i, Name: c.Name}, &spec.Containers[i]) {
			greatest = greater(greatest, amount)
		} else {
			together.Add(together, amount)
		}
	}
	peak = greater(peak, together.Add(together, greatest))
	compute := name == "cpu" || name == "memory"
	unbounded = limits && unbounded && (compute || name == "ephemeral-storage")
	if own := spec.Resources; own != nil && (compute || strings.HasPrefix(string(name), "hugepages-")) {
		asWhole := amountOf(*own)
		_, stated := own.Requests[name]
		if limits {
			_, stated = own.Limits[name]
		}
		switch {
		case !stated || limits && asWhole.Sign() == 0 && compute:
		case !limits || unbounded || !compute || asWhole.Cmp(peak) < 0:
			peak, unbounded = asWhole, false
		}
	}
	if unbounded {
		return nil
	}
	if !limits || peak.Sign() > 0 {
		peak = new(big.Rat).Add(peak, exact(spec.Overhead, name))
	}
	return peak
}

func exact(list corev1.ResourceList, name corev1.ResourceName) *big.Rat {
	return testkit.Exact(list[name])
}

func greater(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
