package comparison

import (
	"reflect"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Remedies are changes, each of which alone admits all pods of an object: they were applied instead of it, with the
// pods that are there.
type Remedies struct {
	// Strategy is that of a Deployment, if only its surge is too much.
	Strategy *appsv1.DeploymentStrategy `json:"strategy,omitempty"`
	// Quotas have the limits to raise, all of them.
	Quotas []Raise `json:"quotas,omitempty"`
	// Replicas are fewer than the object wants, zero if that does not help.
	Replicas int32 `json:"replicas,omitempty"`
	// Again reports that the object is refused, and that it and its pods are admitted if the change is applied once more.
	Again bool `json:"again,omitempty"`
	// None reports that nothing helps: neither these nor other requests and limits, see Object.Fix.
	None bool `json:"none,omitempty"`
}

// Raise is a ResourceQuota with higher limits, or a quota of another Kind, which several namespaces share.
type Raise struct {
	Kind string                         `json:"kind,omitempty"`
	Name string                         `json:"name"`
	Hard map[corev1.ResourceName]string `json:"hard"` // those that change
	From map[corev1.ResourceName]string `json:"from"`
}

const (
	mostAdvised   = 20     // about how many objects
	mostTried     = 20_000 // how many objects and pods are applied to find remedies
	mostFollowing = 30     // if more objects are applied afterwards, a trial is without them
)

// trial is an object that is not admitted, and the cluster that it is applied to.
type trial struct {
	*Difference
	base    *whatif.Cluster
	object  admit.APIObject
	rest    []admit.APIObject // what is applied afterwards
	failing int               // how many objects failed
	o       *Object
}

// Remedy looks for what admits all pods of an object of the change: of the cluster that it was applied to, and what is
// applied afterwards, of which nothing else may fail instead.
func (d *Difference) Remedy(o *Object, object admit.APIObject, base *whatif.Cluster, rest []admit.APIObject) {
	d.advised++
	if d.advised > mostAdvised {
		return
	}
	again := o.Error != "" && d.admitsAgain(object)
	if inventory.PodSpec(object) == nil {
		if again {
			o.Remedies = &Remedies{Again: true}
		}
		return
	}
	if len(rest) > mostFollowing {
		rest = nil
	}
	t := &trial{Difference: d, base: base, object: object, rest: rest, o: o}
	if !t.mayTry() {
		return
	}
	all, _ := t.base.Apply(slices.Concat([]admit.APIObject{object}, rest)...)
	t.failing = len(failing(all))
	r := Remedies{Strategy: t.strategy(), Replicas: t.replicas(), Again: again}
	if o.Error != "" || o.Missing != "" {
		o.Fix, r.Quotas = t.amounts(), t.quotas()
	}
	some := r.Strategy != nil || r.Replicas > 0 || len(r.Quotas) > 0 || r.Again
	r.None = !some && len(o.Fix) == 0 && (strings.Contains(o.Error, "quota") || o.Missing != "" || o.Outdated > o.Kept) &&
		t.tried <= mostTried // all has been tried
	if some || r.None {
		o.Remedies = &r
	}
}

// admitsAgain reports whether an object of the change and its pods are admitted if the whole change is applied once more.
func (d *Difference) admitsAgain(object admit.APIObject) bool {
	if d.again == nil {
		d.tried += int64(len(d.In.Change.Objects))
		r, _ := d.After.Apply(d.In.Change.Objects...)
		d.again = &r
	}
	i := slices.Index(d.In.Change.Objects, object)
	return i >= 0 && !failing(*d.again)[d.again.Objects[i].Source]
}

// mayTry counts what one trial costs, and reports whether there is still time for it.
func (t *trial) mayTry() bool {
	t.tried += t.o.Wanted + int64(len(t.rest)) + 1
	return t.tried <= mostTried
}

// try applies another object instead, after quotas, and reports whether it and its pods are admitted.
func (t *trial) try(
	instead admit.APIObject, quotas ...admit.APIObject,
) (r whatif.Result, after *whatif.Cluster, ok bool) {
	if !t.mayTry() {
		return r, nil, false
	}
	all := append(slices.Clone(quotas), instead)
	for _, o := range t.rest {
		if !slices.ContainsFunc(quotas, func(raised admit.APIObject) bool {
			return reflect.TypeOf(raised) == reflect.TypeOf(o) && raised.GetName() == o.GetName() &&
				raised.GetNamespace() == o.GetNamespace()
		}) {
			all = append(all, o)
		}
	}
	r, after = t.base.Apply(all...)
	failed := failing(r)
	return r, after, !failed[r.Objects[len(quotas)].Source] && len(failed) < t.failing
}

// failing returns the objects of which something is refused or missing, waits, or is left without being kept.
func failing(r whatif.Result) map[computeresources.Source]bool {
	failed := map[computeresources.Source]bool{}
	for _, o := range slices.Concat(r.Objects, r.Others) {
		if o.Reason.Cause != "" || o.Missing.Cause != "" || o.Outdated > o.Kept {
			failed[o.Source] = true
		}
	}
	for _, p := range r.Pods {
		if p.Waits.Cause != "" {
			failed[ownerOf(&p)] = true
		}
	}
	return failed
}

// ownerOf returns the workload of a pod. A pod without an owner is its own.
func ownerOf(p *whatif.Pod) computeresources.Source {
	if p.Owner.Kind == "" {
		return computeresources.Source{Kind: "Pod", Namespace: p.Object.Namespace, Name: p.Object.Name}
	}
	return p.Owner
}

func (t *trial) strategy() *appsv1.DeploymentStrategy {
	fixed, is := t.object.DeepCopyObject().(*appsv1.Deployment)
	if !is || t.o.Outdated == t.o.Kept {
		return nil
	}
	none, one := intstr.FromInt32(0), intstr.FromInt32(1)
	fixed.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &none, MaxUnavailable: &one}}
	if t.o.Wanted <= 1 {
		fixed.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	if _, _, ok := t.try(fixed); !ok {
		return nil
	}
	return &fixed.Spec.Strategy
}

// replicas returns as many replicas as are admitted and have a place, zero if these are none or all.
func (t *trial) replicas() int32 {
	n := int32(t.o.Created)
	if len(t.o.Waiting) > 0 {
		n = int32(t.o.Placed)
	}
	fixed := t.object.DeepCopyObject().(admit.APIObject)
	of := inventory.Replicas(fixed)
	if of == nil || n <= 0 || int64(n) >= t.o.Wanted || t.o.Outdated > 0 {
		return 0
	}
	*of = &n
	if _, _, ok := t.try(fixed); !ok {
		return 0
	}
	return n
}

// unlimited is more than anything uses.
var unlimited = resource.MustParse("1E")

// quotas returns the limits of quotas that have to be raised for the object: to what is used without limits, and for a
// Deployment to the peak of its rollout, rounded up.
func (t *trial) quotas() (raises []Raise) {
	namespace := t.object.GetNamespace()
	present := t.After.Namespace(namespace).Quotas()
	var lifted []admit.APIObject
	for _, q := range present {
		hard := q.Spec.Hard.DeepCopy()
		for name := range hard {
			hard[name] = unlimited
		}
		lifted = append(lifted, t.withHard(q, hard)...)
	}
	r, after, ok := t.try(t.object, lifted...)
	if !ok {
		return nil
	}
	var raised []admit.APIObject
	for _, q := range after.Namespace(namespace).Quotas() {
		i := slices.IndexFunc(present, func(other *corev1.ResourceQuota) bool {
			return quota.SourceOf(other, "") == quota.SourceOf(q, "")
		})
		need := resourcelist.Add(q.Status.Used, t.surge(r.Pods, q))
		own := present[i].Spec.Hard.DeepCopy()
		raise := Raise{Name: q.Name, Hard: map[corev1.ResourceName]string{}, From: map[corev1.ResourceName]string{}}
		if inventory.IsShared(q) {
			raise.Kind = q.Kind
		}
		for name, hard := range present[i].Spec.Hard {
			if used := need[name]; used.Cmp(hard) > 0 {
				own[name] = quantity.Round(name, used, true)
				raise.Hard[name], raise.From[name] = quantity.Canonical(own[name]), quantity.Canonical(hard)
			}
		}
		if len(raise.Hard) > 0 {
			raised, raises = append(raised, t.withHard(present[i], own)...), append(raises, raise)
		}
	}
	if _, _, ok := t.try(t.object, raised...); !ok {
		return nil
	}
	return raises
}

// withHard returns a quota with other limits: nothing for one that several namespaces share and that is not in the input.
func (t *trial) withHard(q *corev1.ResourceQuota, hard corev1.ResourceList) []admit.APIObject {
	if !inventory.IsShared(q) {
		own := &corev1.ResourceQuota{ObjectMeta: q.ObjectMeta, Spec: *q.Spec.DeepCopy()}
		own.Spec.Hard = hard
		return []admit.APIObject{own}
	}
	type limited interface {
		admit.APIObject
		SetLimits(hard corev1.ResourceList)
	}
	for _, o := range slices.Concat(t.In.Change.Objects, t.In.Old.Objects, t.In.Cluster.Objects) {
		described, err := quota.ClusterQuotasOf(o)
		if err == nil && len(described) == 1 && described[0].Name == q.Name && string(described[0].Kind) == q.Kind {
			if own, is := o.DeepCopyObject().(limited); is {
				own.SetLimits(hard)
				return []admit.APIObject{own}
			}
		}
	}
	return nil
}

func (t *trial) kubernetes() computeresources.Kubernetes {
	return t.base.Namespace(t.object.GetNamespace()).Kubernetes()
}

// surge returns what a rollout uses of a quota at its peak beyond what is used in the end.
func (t *trial) surge(pods []whatif.Pod, q *corev1.ResourceQuota) corev1.ResourceList {
	d, is := t.object.(*appsv1.Deployment)
	if !is {
		return nil
	}
	counted := quota.PodOptions{Kubernetes: t.kubernetes()}
	usage := map[bool]corev1.ResourceList{} // of a pod that is gone, and of one that is not
	for _, p := range pods {
		if p.Owner == t.source() && usage[p.Gone] == nil {
			usage[p.Gone], _ = quota.Pod(p.Object, time.Time{}, counted).UsageIn(q)
		}
	}
	if usage[true] == nil || usage[false] == nil {
		return nil
	}
	u, err := quota.Rollout(usage[true], usage[false], int32(t.o.Wanted), d.Spec.Strategy)
	if err != nil {
		return nil
	}
	return resourcelist.SubtractWithNonNegativeResult(u.Peak, u.After)
}

func (t *trial) source() computeresources.Source {
	return computeresources.Source{Kind: t.o.Kind, Namespace: t.o.Namespace, Name: t.o.Name}
}

// amounts returns the change of requests and limits with which all pods are admitted: the least one, rounded to what people
// write if that is admitted as well. It is nil if there is none that leaves each container some of what it requests.
func (t *trial) amounts() []Change {
	namespace := t.object.GetNamespace()
	_, without := t.After.Delete(t.object)
	if changes := t.sized(without.Namespace(namespace).Quotas(), max(t.o.Wanted, 1)); changes != nil || t.o.Outdated == 0 {
		return changes
	}
	return t.sized(t.base.Namespace(namespace).Quotas(), 1) // a pod has to fit beside all of the former template
}

// sized returns the change with which quotas admit so many pods, if all are admitted with it.
func (t *trial) sized(quotas []*corev1.ResourceQuota, pods int64) []Change {
	spec := inventory.PodSpec(t.object)
	in := solver.Input{LimitRanges: t.After.Namespace(t.object.GetNamespace()).LimitRanges(), Quotas: quotas, Replicas: pods,
		Kubernetes: t.kubernetes()}
	set := spec.DeepCopy()
	computeresources.ApplyRequestDefaults(set, in.Kubernetes)
	var wanted []solver.Recommendation
	for ref, c := range computeresources.Containers(set) {
		wanted = append(wanted, solver.Recommendation{Ref: ref, Requests: c.Resources.Requests})
	}
	answer, err := solver.RightSize(spec, wanted, in)
	if err != nil {
		return nil
	}
	var exact, rounded []computeresources.Change
	for _, c := range answer.Changes {
		if c.To == nil {
			continue
		}
		if c.From != nil && !c.From.IsZero() && c.To.IsZero() {
			return nil
		}
		to := c
		amount := nonZero(c)
		c.To = &amount
		amount = quantity.Round(c.Resource, amount, c.From == nil || c.From.Cmp(amount) < 0)
		to.To = &amount
		exact, rounded = append(exact, c), append(rounded, to)
	}
	for _, changes := range [][]computeresources.Change{rounded, exact} {
		if len(changes) > 0 && t.tryAmounts(changes) {
			return t.needed(changes)
		}
	}
	return nil
}

// nonZero returns the amount of a change, and for zero one that a container can start with.
func nonZero(c computeresources.Change) resource.Quantity {
	switch {
	case !c.To.IsZero():
		return *c.To
	case c.Resource == corev1.ResourceCPU:
		return resource.MustParse("100m")
	case c.Resource == corev1.ResourceMemory:
		return resource.MustParse("128Mi")
	}
	return *c.To
}

func (t *trial) tryAmounts(changes []computeresources.Change) bool {
	fixed := t.object.DeepCopyObject().(admit.APIObject)
	if computeresources.ApplyChanges(inventory.PodSpec(fixed), changes) != nil {
		return false
	}
	_, _, ok := t.try(fixed)
	return ok
}

// needed returns the changes without those that are not necessary, such as those that the API server makes itself.
func (t *trial) needed(changes []computeresources.Change) (needed []Change) {
	for i := 0; i < len(changes); i++ {
		if fewer := slices.Delete(slices.Clone(changes), i, i+1); len(fewer) > 0 && t.tryAmounts(fewer) {
			changes = fewer
			i--
		}
	}
	for _, c := range changes {
		needed = append(needed, Change{Ref: c.Ref, Container: c.Ref.String(), List: c.List, Resource: c.Resource,
			From: quantity.CanonicalOr(c.From, ""), To: quantity.Canonical(*c.To)})
	}
	return needed
}
