package pool_test

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func samplerOf(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List(pairs...)
	return p
}

func waiting(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = namespace, name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List(pairs...)}
	return c
}

func holding(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(namespace, name, second, pairs...)
	pool.ApplyDecision(c, samplerOf(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{Documented: true})
	return c
}

func released(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true", "other": "stays"}
	return c
}

func details(errs field.ErrorList) (all []string) {
	for _, e := range errs {
		all = append(all, e.Field+": "+e.Detail)
	}
	return all
}
