package pool_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// midnight is when the oldest claims were created.
func midnight() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func newPool(name string, hard corev1.ResourceList) *pool.ResourcePool {
	p := &pool.ResourcePool{TypeMeta: metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePool"}}
	p.Name = name
	p.Spec.Quota.Hard = hard
	return p
}

// newClaim returns a claim on the pool "sampler" that was created the given number of seconds
// after midnight.
func newClaim(namespace, name string, second int, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{TypeMeta: metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePoolClaim"}}
	c.Namespace, c.Name, c.UID = namespace, name, types.UID("uid-"+namespace+"-"+name)
	c.CreationTimestamp = metav1.NewTime(midnight().Add(time.Duration(second) * time.Second))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: amounts}
	return c
}

// holding returns a copy of a claim that is holding of the pool "sampler".
func asHolding(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c = c.DeepCopy()
	p := newPool("sampler", nil)
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, midnight(), pool.Options{Documented: true})
	return c
}

func namespace(name string, labels map[string]string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func metav1Selector(key, value string) metav1.LabelSelector {
	return metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
}

// errNotFound is the error of pool.Assign for a pool that does not exist.
func errNotFound(name string) error {
	return fmt.Errorf("ResourcePool.capsule.clastix.io %q not found", name)
}
