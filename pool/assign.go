package pool

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
)

// errUnassigned is the error for a claim that names no pool, and that none suits.
var errUnassigned = errors.New("no pool reference was defined")

func errNotFound(poolName string) error {
	return fmt.Errorf("ResourcePool.capsule.clastix.io %q not found", poolName)
}

// errNotSelected is the error for a pool that does not select the namespace, or that is being deleted.
var errNotSelected = errors.New("resourcepool not available")

// Assign returns the name of the pool that a claim of a namespace claims from, one of
// pools. The error has the message of the claim's condition: see ApplyAssignError.
//
// A claim that is in use, or has the documented condition Bound, keeps its pool until it is
// released, even if its spec names another one, unless that pool was deleted (a new pool with the
// same name is a different pool) or no longer selects the namespace. A claim that names a pool is
// assigned to it if the pool selects the namespace and offers every resource of the claim, even if
// the pool is exhausted. Otherwise, the pool is chosen from all pools with these two properties:
// pools that currently have room for the whole claim, by their status, come first; then the order
// is by name. If the status of a pool is empty, everything in its spec is available.
//
// Allocate ignores a claim that names no pool, unless it cannot be moved (ResourcePoolClaim.ClaimsFrom):
// write the name to spec.pool, as Capsule's webhook does on creation, or call ApplyAssignment.
//
// A nil claim has no pool; without a namespace, no selector matches. Nil pools are
// ignored; of two with one name, the first counts.
func Assign(claim *ResourcePoolClaim, namespace *corev1.Namespace, pools []*ResourcePool) (string, error) {
	if claim == nil {
		return "", errUnassigned
	}
	if claim.stays() && !claim.Released() {
		return assignStaying(claim, namespace, pools)
	}
	if claim.Spec.Pool != "" {
		return assignByName(claim, namespace, pools)
	}
	var suitable []*ResourcePool
	for _, p := range pools {
		if p != nil && unsuitable(p, claim, namespace) == nil {
			suitable = append(suitable, p)
		}
	}
	if len(suitable) == 0 {
		return "", errUnassigned
	}
	return slices.MinFunc(suitable, func(a, b *ResourcePool) int {
		return cmp.Or(ordering.TrueFirst(hasRoom(a, claim), hasRoom(b, claim)), strings.Compare(a.Name, b.Name))
	}).Name, nil
}

func assignStaying(claim *ResourcePoolClaim, namespace *corev1.Namespace, pools []*ResourcePool) (string, error) {
	name := claim.Status.Pool.Name
	i := slices.IndexFunc(pools, claim.ClaimsFrom)
	if i < 0 {
		return "", errNotFound(name)
	}
	if !selects(pools[i], namespace) {
		return "", errNotSelected
	}
	return name, nil
}

func assignByName(claim *ResourcePoolClaim, namespace *corev1.Namespace, pools []*ResourcePool) (string, error) {
	name := claim.Spec.Pool
	i := slices.IndexFunc(pools, func(p *ResourcePool) bool { return p != nil && p.Name == name })
	if i < 0 {
		return "", errNotFound(name)
	}
	if err := unsuitable(pools[i], claim, namespace); err != nil {
		return "", err
	}
	return name, nil
}

// unsuitable returns why a pool cannot serve a claim, however much it had; nil if it can.
func unsuitable(p *ResourcePool, claim *ResourcePoolClaim, namespace *corev1.Namespace) error {
	if !selects(p, namespace) {
		return errNotSelected
	}
	for _, name := range quantity.Names(claim.Spec.Claim) {
		if _, ok := p.Spec.Quota.Hard[name]; !ok {
			return fmt.Errorf("resource %s is not available in pool %s", name, p.Name)
		}
	}
	return nil
}

func selects(p *ResourcePool, namespace *corev1.Namespace) bool {
	return len(Namespaces(p, []*corev1.Namespace{namespace})) > 0
}

// hasRoom reports whether a pool has room for a claim, by its status.
func hasRoom(p *ResourcePool, claim *ResourcePoolClaim) bool {
	return resourcelist.Fits(claim.Spec.Claim, resourcelist.Subtract(p.Spec.Quota.Hard, p.Status.Allocation.Claimed))
}
