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
	"github.com/kubemath/kubemath/pool/lifecycle"
)

// Whatever happens, and in whatever order: once there is nothing left to do, statuses and
// quotas are those of an allocation of what is stored, computed at once.
func TestStatusesAreThoseOfOneAllocation(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			w := newWorld(t, newNamespace("a", "sun"), newNamespace("b", "sun"), newNamespace("c", "moon"),
				randomPool(random, "p", "sun"), randomPool(random, "q", "moon"))
			for number := range 30 {
				w.happen(random, number)
				if random.IntN(3) > 0 { // Otherwise, the next event comes in between.
					w.settle()
				}
			}
			w.settle()
			w.wantAllocated("p")
			w.wantAllocated("q")
		})
	}
}

func randomPool(random *rand.Rand, name, team string) *pool.ResourcePool {
	p := newPool(name, team, fmt.Sprint(random.IntN(8)))
	p.Spec.Quota.Hard["services"] = resource.MustParse(fmt.Sprint(random.IntN(8)))
	p.Spec.Config.OrderedQueue = random.IntN(2) == 0
	return p
}

// happen has one random thing happen.
func (w *world) happen(random *rand.Rand, number int) {
	w.Helper()
	name := types.NamespacedName{Namespace: pick(random, "a", "b", "c"), Name: fmt.Sprint("claim", random.IntN(6))}
	claim := &pool.ResourcePoolClaim{}
	err := w.Get(w.Context(), name, claim)
	switch event := random.IntN(12); {
	case event == 0:
		w.restart()
	case event == 1:
		team := pick(random, "sun", "moon", "none")
		w.must(w.Update(w.Context(), withVersion(w, newNamespace(name.Namespace, team))))
		w.namespaceChanged(name.Namespace)
	case event <= 3:
		w.resize(random)
	case apierrors.IsNotFound(err):
		claim = newClaim(name.Namespace, name.Name, pick(random, "p", "p", "q", ""), "0")
		claim.UID = types.UID(fmt.Sprint(number))
		claim.Spec.Claim = randomAmounts(random)
		w.must(w.Create(w.Context(), claim))
	case event <= 5:
		w.must(w.Delete(w.Context(), claim))
		w.add(w.claims, name)
	case event <= 8:
		claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.must(w.Update(w.Context(), claim))
	default:
		to := claim.DeepCopy()
		to.Spec.Claim, to.Generation = randomAmounts(random), claim.Generation+1
		if len(lifecycle.ValidateClaimUpdate(claim, to, lifecycle.AdmissionOptions{API: pool.Documented})) == 0 {
			w.must(w.Update(w.Context(), to))
		}
	}
	w.watch()
}

func (w *world) resize(random *rand.Rand) {
	w.Helper()
	p := &pool.ResourcePool{}
	w.must(w.Get(w.Context(), types.NamespacedName{Name: pick(random, "p", "q")}, p))
	to := p.DeepCopy()
	to.Spec.Quota.Hard["pods"] = *resource.NewQuantity(random.Int64N(10), resource.DecimalSI)
	to.Generation++
	if len(lifecycle.ValidatePoolUpdate(p, to)) == 0 {
		w.must(w.Update(w.Context(), to))
		w.poolChanged(p.Name)
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

// wantAllocated checks all that is stored of a pool against pool.Allocate.
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
		if claim.Status.Condition.Type == "" || claim.Bound() && claim.Released() {
			w.Errorf("%s/%s has not been looked at", claim.Namespace, claim.Name)
		}
	}
	want := pool.Allocate(p, assigned, pool.Options{API: pool.Documented})
	if len(want.Decisions) != len(assigned) {
		w.Errorf("%d of %d claims are of pool %s", len(want.Decisions), len(assigned), name)
	}
	for _, d := range want.Decisions {
		w.wantClaim(d.Claim.Namespace, d.Claim.Name, name, d.Condition(pool.Options{API: pool.Documented}).Reason, d.Condition(pool.Options{API: pool.Documented}).Message)
	}
	selected := pool.Namespaces(p, namespaces)
	if status := want.Status(selected, p, assigned, pool.Options{API: pool.Documented}); !equality.Semantic.DeepEqual(status, p.Status) {
		w.Errorf("status of %s: %+v\nwant %+v", name, p.Status, status)
	}
	for _, namespace := range namespaces {
		quota := pool.Quota(p, namespace.Name, want.Namespaces[namespace.Name])
		stored := &corev1.ResourceQuota{}
		err := w.Get(w.Context(), client.ObjectKeyFromObject(quota), stored)
		if is := selects(p, namespace); is != (err == nil) || is && !equality.Semantic.DeepEqual(quota.Spec.Hard, stored.Spec.Hard) {
			w.Errorf("quota of %s in %s: %v, %v, want %t %v", name, namespace.Name, stored.Spec.Hard, err, is, quota.Spec.Hard)
		}
	}
}
