package quota_test

import (
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// rats is a list in fractions.
type rats map[corev1.ResourceName]*big.Rat

func ratsOf(list corev1.ResourceList) rats {
	m := rats{}
	for name, q := range list {
		m[name] = testkit.Exact(q)
	}
	return m
}

// slowPodUsage is the usage of a pod without a status, in fractions, by the formulas of
// KEP-753 and KEP-2837, name by name.
func slowPodUsage(spec *corev1.PodSpec) rats {
	usage := rats{"count/pods": big.NewRat(1, 1), "pods": big.NewRat(1, 1)}
	add := func(amount *big.Rat, names ...corev1.ResourceName) {
		for _, name := range names {
			if amount != nil {
				usage[name] = amount
			}
		}
	}
	for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"} {
		add(slowEffective(spec, name, false), name, "requests."+name)
		add(slowEffective(spec, name, true), "limits."+name)
	}
	for _, name := range []corev1.ResourceName{"hugepages-2Mi", "hugepages-1Gi"} {
		add(slowEffective(spec, name, false), name, "requests."+name)
	}
	add(slowEffective(spec, "example.com/gpu", false), "requests.example.com/gpu")
	return usage
}

// slowEffective is the effective request or limit of a resource, and nil if no container sets it.
func slowEffective(spec *corev1.PodSpec, name corev1.ResourceName, limits bool) *big.Rat {
	of := func(r *corev1.ResourceRequirements) *big.Rat {
		list := r.Requests
		if limits {
			list = r.Limits
		}
		if q, ok := list[name]; ok {
			return testkit.Exact(q)
		}
		return nil
	}
	var total, peak *big.Rat
	plus := func(a, b *big.Rat) *big.Rat {
		switch {
		case a == nil:
			return b
		case b == nil:
			return a
		}
		return new(big.Rat).Add(a, b)
	}
	most := func(a, b *big.Rat) *big.Rat {
		if a == nil || b != nil && b.Cmp(a) > 0 {
			return b
		}
		return a
	}
	for i := range spec.Containers {
		total = plus(total, of(&spec.Containers[i].Resources))
	}
	var sidecars *big.Rat
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		stated := of(&c.Resources)
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			total = plus(total, stated)
			sidecars = plus(sidecars, stated)
			if stated != nil {
				peak = most(peak, sidecars)
			}
		} else if stated != nil {
			peak = most(peak, plus(stated, sidecars))
		}
	}
	total = most(total, peak)
	podLevel := name == "cpu" || name == "memory" || strings.HasPrefix(string(name), "hugepages-")
	if spec.Resources != nil && podLevel {
		if own := of(spec.Resources); own != nil {
			total = own
		}
	}
	if q, ok := spec.Overhead[name]; ok {
		if !limits || total != nil && total.Sign() != 0 {
			total = plus(total, testkit.Exact(q))
		}
	}
	return total
}

// slowExceeded is what does not fit, in fractions.
func slowExceeded(hard, used, requested corev1.ResourceList) map[corev1.ResourceName]bool {
	limit, in := ratsOf(hard), ratsOf(used)
	exceeded := map[corev1.ResourceName]bool{}
	for name, r := range ratsOf(requested) {
		if limit[name] == nil || r.Sign() <= 0 {
			continue
		}
		if in[name] == nil {
			in[name] = new(big.Rat)
		}
		if new(big.Rat).Add(in[name], r).Cmp(limit[name]) > 0 {
			exceeded[name] = true
		}
	}
	return exceeded
}

// slowCalculateUsage adds up the usage of all objects that a quota concerns, in fractions.
func slowCalculateUsage(q *corev1.ResourceQuota, objects []quota.Object) rats {
	sum := rats{}
	for _, object := range objects {
		in := object.Key().Namespace == q.Namespace
		for _, scope := range quota.Scopes(q) {
			within, err := inScope(object, scope)
			in = in && within && err == nil
		}
		named := false
		for name := range q.Spec.Hard {
			named = named || mayUse(object, name)
		}
		if !in || !named {
			continue
		}
		for name, amount := range ratsOf(object.Usage()) {
			if _, limited := q.Spec.Hard[name]; limited {
				if sum[name] == nil {
					sum[name] = new(big.Rat)
				}
				sum[name].Add(sum[name], amount)
			}
		}
	}
	return sum
}
