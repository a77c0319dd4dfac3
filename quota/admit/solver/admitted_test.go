package solver_test

import (
	"fmt"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// objections is a slow twin of admission, in fractions: what the API server, LimitRanger
// and quotas have against a pod, or would still fill in.
func objections(spec *corev1.PodSpec, p solver.Objects) (found []string) {
	object := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	requests, limits := map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}
	for ref, c := range computeresources.Containers(spec) {
		r := c.Resources
		for name, q := range r.Limits {
			if request, ok := r.Requests[name]; !ok || stored(request).Cmp(stored(q)) > 0 {
				object("%v: request %s", ref, name)
			}
		}
		for name, q := range r.Requests {
			limit, limited := r.Limits[name]
			if together := strings.Contains(string(name), "hugepages") || strings.Contains(string(name), "/"); together && (!limited || stored(limit).Cmp(stored(q)) != 0) {
				object("%v: %s is not together", ref, name)
			}
		}
		for _, b := range p.Items {
			if b.Item.Type == corev1.LimitTypeContainer {
				for name := range b.Item.Default {
					if _, ok := r.Limits[name]; !ok {
						object("%v: default %s", ref, name)
					}
				}
				for name := range b.Item.DefaultRequest {
					if _, ok := r.Requests[name]; !ok {
						object("%v: default request %s", ref, name)
					}
				}
				for _, o := range outOf(b.Item, inFractions(r.Requests), inFractions(r.Limits)) {
					object("%v: %s", ref, o)
				}
			}
		}
	}
	for _, of := range []struct {
		sums map[corev1.ResourceName]*big.Rat
		list func(*corev1.Container) corev1.ResourceList
	}{
		{requests, func(c *corev1.Container) corev1.ResourceList { return c.Resources.Requests }},
		{limits, func(c *corev1.Container) corev1.ResourceList { return c.Resources.Limits }},
	} {
		effective(spec, of.sums, of.list)
	}
	for _, b := range p.Items {
		if b.Item.Type == corev1.LimitTypePod {
			for _, o := range outOf(b.Item, requests, limits) {
				object("pod: %s", o)
			}
		}
	}
	overhead := inFractions(spec.Overhead)
	for _, b := range p.Budgets {
		for name, left := range b.Remaining {
			counted, sums := strings.TrimPrefix(string(name), "requests."), requests
			if limited, ok := strings.CutPrefix(string(name), "limits."); ok {
				counted, sums = limited, limits
			}
			charge := new(big.Rat)
			if sum := sums[corev1.ResourceName(counted)]; sum != nil {
				charge.Add(charge, sum)
			}
			if o := overhead[corev1.ResourceName(counted)]; o != nil && (counted == string(name) || strings.HasPrefix(string(name), "requests.") || charge.Sign() > 0) {
				charge.Add(charge, o)
			}
			charge.Mul(charge, big.NewRat(max(b.Replicas, 1), 1))
			if charge.Sign() > 0 && charge.Cmp(stored(left)) > 0 {
				object("quota %s: %v", name, charge)
			}
			if counted != "cpu" && counted != "memory" {
				continue
			}
			for ref, c := range computeresources.Containers(spec) {
				list := c.Resources.Requests
				if strings.HasPrefix(string(name), "limits.") {
					list = c.Resources.Limits
				}
				if _, ok := list[corev1.ResourceName(counted)]; !ok {
					object("quota %s: must specify for %v", name, ref)
				}
			}
		}
	}
	return found
}

// stored is the value that the API server stores: in milli-units, rounded up.
func stored(q resource.Quantity) *big.Rat {
	exact := testkit.Exact(q.DeepCopy())
	exact.Mul(exact, big.NewRat(1000, 1))
	units, rest := new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
	units.Add(units, big.NewInt(int64(rest.Sign())))
	return new(big.Rat).SetFrac(units, big.NewInt(1000))
}

func inFractions(list corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
	all := map[corev1.ResourceName]*big.Rat{}
	for name, q := range list {
		all[name] = stored(q)
	}
	return all
}

// effective returns the sum of a pod without pod-level resources (KEP-753).
func effective(spec *corev1.PodSpec, sums map[corev1.ResourceName]*big.Rat, list func(*corev1.Container) corev1.ResourceList) {
	plus := func(into map[corev1.ResourceName]*big.Rat, more map[corev1.ResourceName]*big.Rat) {
		for name, v := range more {
			if into[name] == nil {
				into[name] = new(big.Rat)
			}
			into[name] = new(big.Rat).Add(into[name], v)
		}
	}
	peaks := []map[corev1.ResourceName]*big.Rat{}
	sidecars := map[corev1.ResourceName]*big.Rat{}
	for ref, c := range computeresources.Containers(spec) {
		amounts := inFractions(list(c))
		switch ref.Kind {
		case computeresources.App:
			plus(sums, amounts)
		case computeresources.Sidecar:
			plus(sums, amounts)
			plus(sidecars, amounts)
		case computeresources.Pod:
			panic("the pod is not a container")
		case computeresources.Init:
			peak := map[corev1.ResourceName]*big.Rat{}
			plus(peak, sidecars)
			plus(peak, amounts)
			peaks = append(peaks, peak)
		}
	}
	for _, peak := range peaks {
		for name, v := range peak {
			if sums[name] == nil || v.Cmp(sums[name]) > 0 {
				sums[name] = v
			}
		}
	}
}

// outOf is what an item of a LimitRange has against requests and limits.
func outOf(item corev1.LimitRangeItem, requests, limits map[corev1.ResourceName]*big.Rat) (found []string) {
	for name, q := range item.Min {
		request, limit := requests[name], limits[name]
		if request == nil || request.Cmp(stored(q)) < 0 || limit != nil && limit.Cmp(stored(q)) < 0 {
			found = append(found, fmt.Sprintf("min %s", name))
		}
	}
	for name, q := range item.Max {
		request, limit := requests[name], limits[name]
		if limit == nil || limit.Cmp(stored(q)) > 0 || request != nil && request.Cmp(stored(q)) > 0 {
			found = append(found, fmt.Sprintf("max %s", name))
		}
	}
	for name, q := range item.MaxLimitRequestRatio {
		request, limit := requests[name], limits[name]
		if request == nil || limit == nil || request.Sign() == 0 || limit.Sign() == 0 || new(big.Rat).Quo(limit, request).Cmp(stored(q)) > 0 {
			found = append(found, fmt.Sprintf("ratio %s", name))
		}
	}
	return found
}
