package pooltest

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// ClaimChanges and PoolChanges are the names of what UpdateClaim and UpdatePool change.
var (
	amountChanges = []string{"amounts", "one amount", "a resource less", "notation"}
	metaChanges   = []string{"nothing", "labels", "annotations", "deletion timestamp"}
	ClaimChanges  = slices.Concat(amountChanges, metaChanges, []string{"release", "pool", "status", "use", "uid"})
	PoolChanges   = slices.Concat(amountChanges, metaChanges, []string{"defaults", "order", "selectors", "record", "uid"})
)

// UpdateClaim returns a stored claim with a change, and the name of the change.
func UpdateClaim(t *rapid.T, old *pool.ResourcePoolClaim) (*pool.ResourcePoolClaim, string) {
	c, change := old.DeepCopy(), rapid.SampledFrom(ClaimChanges).Draw(t, "change of the claim")
	switch change {
	case "release":
		c.Annotations = map[string]string{pool.ReleaseAnnotation: "True"}
	case "pool":
		c.Spec.Pool = rapid.SampledFrom([]string{"sampler", "other", ""}).Draw(t, "pool")
	case "status":
		c.Status = pool.ResourcePoolClaimStatus{}
	case "use":
		status := rapid.SampledFrom([]metav1.ConditionStatus{"True", "False"}).Draw(t, "in use")
		c.Status.Conditions = append(slices.Clone(c.Status.Conditions[:0:0]), metav1.Condition{Type: "Bound", Status: status}, metav1.Condition{Type: "Exhausted", Status: "False"})
	case "uid":
		c.UID = "another"
	default:
		c.Spec.Claim = updateAmounts(t, change, c.Spec.Claim)
		updateMeta(change, &c.ObjectMeta)
	}
	return c, change
}

// UpdatePool returns a stored pool with a change, and the name of the change.
func UpdatePool(t *rapid.T, old *pool.ResourcePool) (*pool.ResourcePool, string) {
	p, change := old.DeepCopy(), rapid.SampledFrom(PoolChanges).Draw(t, "change of the pool")
	switch change {
	case "defaults":
		p.Spec.Defaults = testkit.PoolAmounts(3).Draw(t, "defaults")
	case "order":
		p.Spec.Config.OrderedQueue = !p.Spec.Config.OrderedQueue
	case "selectors":
		p.Spec.Selectors = Selectors().Draw(t, "selectors")
	case "record":
		for namespace, claims := range p.Status.Claims {
			p.Status.Claims[namespace] = claims[1:]
		}
	case "uid":
		p.UID = "another"
	default:
		p.Spec.Quota.Hard = updateAmounts(t, change, p.Spec.Quota.Hard)
		updateMeta(change, &p.ObjectMeta)
	}
	return p, change
}

// updateAmounts returns other amounts, by the change.
func updateAmounts(t *rapid.T, change string, list corev1.ResourceList) corev1.ResourceList {
	names := slices.Sorted(maps.Keys(list))
	if change == "amounts" {
		return testkit.PoolAmounts(6).Draw(t, "amounts")
	}
	if len(names) == 0 {
		names = []corev1.ResourceName{"pods"}
	}
	name := rapid.SampledFrom(names).Draw(t, "resource")
	q, changed := list[name].DeepCopy(), maps.Clone(list)
	if changed == nil {
		changed = corev1.ResourceList{}
	}
	switch change {
	case "one amount":
		changed[name] = *resource.NewMilliQuantity(500*int64(rapid.IntRange(-1, 12).Draw(t, "halves")), resource.DecimalSI)
	case "a resource less":
		delete(changed, name)
	case "notation":
		q.Format = rapid.SampledFrom([]resource.Format{resource.BinarySI, resource.DecimalSI, resource.DecimalExponent}).Draw(t, "format")
		changed[name] = resource.MustParse(q.String())
	default:
		return list
	}
	return changed
}

func updateMeta(change string, meta *metav1.ObjectMeta) {
	switch change {
	case "labels":
		meta.Labels = map[string]string{"team": "solar"}
	case "annotations":
		meta.Annotations = map[string]string{"team": "solar"}
	case "deletion timestamp":
		meta.DeletionTimestamp = &metav1.Time{Time: meta.CreationTimestamp.Time}
	}
}

// Selectors draws selectors of namespaces by the labels tenant and env, with each operator. Some are empty, and
// some are invalid.
func Selectors() *rapid.Generator[[]metav1.LabelSelector] {
	requirement := rapid.Custom(func(t *rapid.T) metav1.LabelSelectorRequirement {
		r := metav1.LabelSelectorRequirement{Key: rapid.SampledFrom([]string{"tenant", "env"}).Draw(t, "key")}
		r.Operator = rapid.SampledFrom([]metav1.LabelSelectorOperator{"In", "NotIn", "Exists", "DoesNotExist", "Like"}).Draw(t, "operator")
		if r.Operator == "In" || r.Operator == "NotIn" {
			r.Values = rapid.SampledFrom([][]string{{"solar"}, {"solar", "wind"}, {"wind"}}).Draw(t, "values")
		}
		return r
	})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) (s metav1.LabelSelector) {
		if rapid.Bool().Draw(t, "labels") {
			s.MatchLabels = map[string]string{"tenant": rapid.SampledFrom([]string{"solar", "wind"}).Draw(t, "tenant")}
		}
		s.MatchExpressions = rapid.SliceOfN(requirement, 0, 2).Draw(t, "expressions")
		return s
	}), 0, 3)
}

// Namespaces draws namespaces with the labels that Selectors select by. Some are being deleted.
func Namespaces() *rapid.Generator[[]*corev1.Namespace] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *corev1.Namespace {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("ns-", rapid.IntRange(0, 5).Draw(t, "namespace")), Labels: map[string]string{}}}
		for _, key := range []string{"tenant", "env"} {
			if value := rapid.SampledFrom([]string{"solar", "wind", ""}).Draw(t, key); value != "" {
				ns.Labels[key] = value
			}
		}
		switch rapid.IntRange(0, 9).Draw(t, "deleted") {
		case 0:
			ns.DeletionTimestamp = &metav1.Time{}
		case 1:
			ns.Status.Phase = corev1.NamespaceTerminating
		}
		return ns
	}), 1, 5)
}
