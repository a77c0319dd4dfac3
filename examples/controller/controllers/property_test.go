package controllers

import (
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/pool"
)

// After any events in any order, once no work is left, statuses and quotas equal those of a single
// allocation computed from the stored objects.
func TestStatusesAreThoseOfOneAllocation(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := randomWorld(t, seed)
			for number := range 40 {
				w.happen(number)
				if w.random.IntN(3) > 0 { // Otherwise, the next event comes in between.
					w.settle()
				}
				if w.random.IntN(12) == 0 {
					w.restart()
				}
			}
			w.settle()
			w.useLess()
			w.wantAllocated("p")
			w.wantAllocated("q")
		})
	}
}

// randomWorld has two pools, and three namespaces.
func randomWorld(t *testing.T, seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t, newNamespace("a", "sun"), newNamespace("b", "sun"), newNamespace("c", "moon"),
		randomPool(random, "p", "sun"), randomPool(random, "q", pick(random, "sun", "moon")))
	w.random = random
	return w
}

func randomPool(random *rand.Rand, name, team string) *pool.ResourcePool {
	p := newPool(name, team, fmt.Sprint(random.IntN(8)))
	p.Spec.Quota.Hard["services"] = resource.MustParse(fmt.Sprint(random.IntN(8)))
	p.Spec.Config.OrderedQueue = random.IntN(2) == 0
	return p
}

// happen makes one random change.
func (w *world) happen(number int) {
	w.Helper()
	random := w.random
	name := types.NamespacedName{Namespace: pick(random, "a", "b", "c"), Name: fmt.Sprint("claim", random.IntN(6))}
	claim := &pool.ResourcePoolClaim{}
	err := w.Get(w.Context(), name, claim)
	event := random.IntN(14)
	switch {
	case event == 0:
		team := pick(random, "sun", "moon", "none")
		w.must(w.Update(w.Context(), withVersion(w, newNamespace(name.Namespace, team))))
		w.namespaceChanged(name.Namespace)
	case event <= 2:
		w.resize()
	case event <= 4:
		w.useSome(name.Namespace)
	case apierrors.IsNotFound(err):
		claim = newClaim(name.Namespace, name.Name, pick(random, "p", "p", "q", ""), "0")
		claim.UID = types.UID(fmt.Sprint(number))
		claim.Spec.Claim = randomAmounts(random)
		w.must(w.Create(w.Context(), claim))
	case event <= 6:
		if len(pool.ValidateClaimDeletion(claim, pool.AdmissionOptions{})) == 0 {
			w.must(w.Delete(w.Context(), claim))
			w.add(w.claims, name)
		}
	case event <= 9:
		claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.must(w.Update(w.Context(), claim))
	default:
		to := claim.DeepCopy()
		to.Generation++
		if random.IntN(3) == 0 { // A claim in use that asks for another pool stays until it holds nothing.
			to.Spec.Pool = pick(random, "p", "q")
		} else {
			to.Spec.Claim = randomAmounts(random)
		}
		if len(pool.ValidateClaim(claim, to, pool.AdmissionOptions{})) == 0 {
			w.must(w.Update(w.Context(), to))
		}
	}
	w.watch()
}

func (w *world) resize() {
	w.Helper()
	p := &pool.ResourcePool{}
	w.must(w.Get(w.Context(), types.NamespacedName{Name: pick(w.random, "p", "q")}, p))
	to := p.DeepCopy()
	to.Spec.Quota.Hard["pods"] = *resource.NewQuantity(w.random.Int64N(10), resource.DecimalSI)
	to.Generation++
	if len(pool.ValidatePool(p, to)) == 0 {
		w.must(w.Update(w.Context(), to))
		w.poolChanged(p.Name)
	}
}

// useSome makes a namespace use some of what its quotas allow.
func (w *world) useSome(namespace string) {
	w.Helper()
	for _, name := range []string{"capsule-pool-p", "capsule-pool-q"} {
		quota := &corev1.ResourceQuota{}
		if err := w.Get(w.Context(), types.NamespacedName{Namespace: namespace, Name: name}, quota); err != nil {
			continue
		}
		quota.Status.Used = corev1.ResourceList{}
		for resourceName, hard := range quota.Spec.Hard {
			quota.Status.Used[resourceName] = *resource.NewQuantity(w.random.Int64N(hard.Value()+1), resource.DecimalSI)
		}
		w.must(w.Status().Update(w.Context(), quota))
	}
}

func randomAmounts(random *rand.Rand) corev1.ResourceList {
	amounts := corev1.ResourceList{"pods": *resource.NewQuantity(random.Int64N(6), resource.DecimalSI)}
	if random.IntN(2) == 0 {
		amounts["services"] = *resource.NewQuantity(random.Int64N(6), resource.DecimalSI)
	}
	return amounts
}

func pick(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }

// wantAllocated checks all that is stored of a pool against pool.Allocate and pool.Needed.
func (w *world) wantAllocated(name string) {
	w.Helper()
	p := &pool.ResourcePool{}
	w.must(w.Get(w.Context(), types.NamespacedName{Name: name}, p))
	claims, err := listClaims(w.Context(), w)
	w.must(err)
	namespaces, err := listNamespaces(w.Context(), w)
	w.must(err)

	var assigned []*pool.ResourcePoolClaim
	for _, claim := range claims {
		if claim.Status.Pool.Name == name {
			assigned = append(assigned, claim)
		}
		if len(claim.Status.Conditions) == 0 || claim.Released() {
			w.Errorf("%s/%s has not been looked at", claim.Namespace, claim.Name)
		}
	}
	want := pool.Allocate(p, assigned, pool.Options{})
	if len(want.Decisions) != len(assigned) {
		w.Errorf("%d of %d claims are of pool %s", len(want.Decisions), len(assigned), name)
	}
	for _, d := range want.Decisions {
		is := d.Condition(pool.Options{})
		w.wantClaim(d.Claim.Namespace, d.Claim.Name, name, is.Reason, is.Message)
	}
	selected, stored := pool.Namespaces(p, namespaces), p.DeepCopy()
	p.Status = want.Status(p, assigned, selected, w.claims.Now(), pool.Options{})
	if !equality.Semantic.DeepEqual(p.Status, stored.Status) {
		w.Errorf("status of %s: %+v\nwant %+v", name, stored.Status, p.Status)
	}
	for _, namespace := range namespaces {
		quota := pool.Quota(p, namespace.Name, want.Namespaces[namespace.Name])
		stored := &corev1.ResourceQuota{}
		err := w.Get(w.Context(), client.ObjectKeyFromObject(quota), stored)
		if is := selects(p, namespace); is != (err == nil) || is && !equality.Semantic.DeepEqual(quota.Spec.Hard, stored.Spec.Hard) {
			w.Errorf("quota of %s in %s: %v, %v, want %t %v", name, namespace.Name, stored.Spec.Hard, err, is, quota.Spec.Hard)
		}
		needed := pool.Needed(namespace.Name, stored.Status.Used, p, assigned)
		for _, claim := range assigned {
			if claim.Namespace == namespace.Name && claim.Holding() && claim.InUse() != contains(needed, claim.Key()) {
				w.Errorf("%s is in use: %t, but %v are needed", claim.Key(), claim.InUse(), needed)
			}
		}
	}
}

func contains(names []types.NamespacedName, name types.NamespacedName) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
