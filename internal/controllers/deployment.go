package controllers

import (
	"cmp"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/workload"
)

// Set is a ReplicaSet of a Deployment. Of its status, only the observed generation counts.
type Set struct {
	*appsv1.ReplicaSet
	Pods      int  // active ones
	Available int  // of them
	IsRunning bool // some pod of it has not ended, which may be being deleted
	IsCurrent bool // it has the template of the Deployment
}

// Rollout is what the controller of a Deployment does next, in this order.
type Rollout struct {
	Create *appsv1.ReplicaSet   // without a name and the hash of its template; nil if there is nothing to create
	Update []*appsv1.ReplicaSet // with other replicas or annotations
	Delete []*appsv1.ReplicaSet // of former templates, beyond the limit of the history
}

// Annotations of ReplicaSets: their revision of the template, and how many replicas their Deployment had when they were
// scaled last, and pods at most.
const (
	revision        = "deployment.kubernetes.io/revision"
	DesiredReplicas = "deployment.kubernetes.io/desired-replicas"
	MaxReplicas     = "deployment.kubernetes.io/max-replicas"
)

// Current returns the oldest ReplicaSet with the template of the Deployment, nil if there is none. Source:
// FindNewReplicaSet.
func Current(sets []Set) *Set {
	if i := slices.IndexFunc(sets, func(s Set) bool { return s.IsCurrent }); i >= 0 {
		return &sets[i]
	}
	return nil
}

// Deployment returns what a Deployment does next with its ReplicaSets, the oldest of which is the first. Surge and
// unavailable are those of quota.Rollout. Rollbacks by annotation and progress deadlines are not computed, and other
// annotations than those above are not copied. Source: syncDeployment.
func Deployment(object *appsv1.Deployment, surge, unavailable int, sets []Set) Rollout {
	d := deployment{Deployment: object, replicas: workload.Replicas(object.Spec.Replicas)}
	d.most, d.least = d.replicas+surge, d.replicas-min(unavailable, d.replicas)
	current := Current(sets)
	for i := range sets {
		size := workload.Replicas(sets[i].Spec.Replicas)
		s := &set{sets[i], size, size}
		d.sets, d.pods, d.available = append(d.sets, s), d.pods+s.Pods, d.available+s.Available
		if &sets[i] == current {
			d.current = s
		} else {
			d.olds = append(d.olds, s)
		}
	}
	d.revise()
	isScaled := func(s *set) bool {
		desired, ok := numberOf(s, DesiredReplicas)
		return ok && desired != d.replicas
	}
	switch {
	case object.Spec.Paused:
		d.scale()
		d.cleanup()
	case slices.ContainsFunc(active(d.sets), isScaled):
		d.scale()
	case d.isRecreated():
		d.recreate()
	default:
		d.roll()
	}
	return d.result
}

type deployment struct {
	*appsv1.Deployment
	replicas, most, least int    // most is how many pods there may be, and least how many have to be available
	pods, available       int    // of all ReplicaSets
	current               *set   // that of the template: nil before it is created
	olds, sets            []*set // former ones, and all
	result                Rollout
}

func (d *deployment) isRecreated() bool {
	return d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
}

// set is a ReplicaSet with what has been decided about it.
type set struct {
	Set
	size, before int // spec.replicas, and before this sync
}

// sizes returns how many pods ReplicaSets want.
func sizes(sets []*set) (n int) {
	for _, s := range sets {
		n += s.size
	}
	return n
}

// active returns the ReplicaSets that want pods.
func active(sets []*set) []*set {
	return slices.DeleteFunc(slices.Clone(sets), func(s *set) bool { return s.size == 0 })
}

// RevisionOf returns the revision of a ReplicaSet, 0 if it has none that is valid.
func RevisionOf(rs *appsv1.ReplicaSet) int64 {
	n, err := strconv.ParseInt(rs.Annotations[revision], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// numberOf returns the number that an annotation has, and whether it is one.
func numberOf(s *set, annotation string) (int, bool) {
	n, err := strconv.ParseUint(s.Annotations[annotation], 10, 31)
	if err != nil {
		return 0, false // and not the largest number
	}
	return int(n), true
}

// update notes a size and annotations of a ReplicaSet in a copy.
func (d *deployment) update(s *set, size int, annotations map[string]string) {
	own, replicas := *s.ReplicaSet, int32(size)
	own.Annotations, own.Spec.Replicas = labels.Merge(s.Annotations, annotations), &replicas
	others := slices.DeleteFunc(d.result.Update, func(rs *appsv1.ReplicaSet) bool { return rs == s.ReplicaSet })
	d.result.Update, s.size, s.ReplicaSet = append(others, &own), size, &own
}

// resize scales a ReplicaSet, and notes for what. Source: scaleReplicaSet.
func (d *deployment) resize(s *set, size int) { d.update(s, size, d.annotations()) }

// annotations returns what ReplicaSets note when they are scaled.
func (d *deployment) annotations() map[string]string {
	return map[string]string{DesiredReplicas: strconv.Itoa(d.replicas), MaxReplicas: strconv.Itoa(d.most)}
}

// nextRevision returns the revision of the present template.
func (d *deployment) nextRevision() (n int64) {
	for _, s := range d.olds {
		n = max(n, RevisionOf(s.ReplicaSet))
	}
	return n + 1
}

// revise gives the current ReplicaSet the last revision, which an older one may have had. One that is not valid stays.
// Source: SetNewReplicaSetAnnotations.
func (d *deployment) revise() {
	if d.current == nil {
		return
	}
	_, err := strconv.ParseInt(cmp.Or(d.current.Annotations[revision], "0"), 10, 64)
	if next := d.nextRevision(); err == nil && RevisionOf(d.current.ReplicaSet) < next {
		d.update(d.current, d.current.size, map[string]string{revision: strconv.FormatInt(next, 10)})
	}
}

// recreate takes all replicas of former ReplicaSets, and once their pods are gone, the current one gets them. Source:
// rolloutRecreate.
func (d *deployment) recreate() {
	olds := active(d.olds)
	for _, s := range olds {
		d.resize(s, 0)
	}
	isRunning := func(s *set) bool { return s.Pods > 0 || s.IsRunning }
	switch {
	case len(olds) > 0 || slices.ContainsFunc(d.olds, isRunning):
		return
	case d.current == nil:
		d.create(d.replicas)
	case d.current.size != d.replicas:
		d.resize(d.current, d.replicas)
	}
	d.cleanupIfComplete()
}

// roll lets the current ReplicaSet grow as the surge allows, or else shrinks the former ones as long as enough pods are
// available. Source: rolloutRolling.
func (d *deployment) roll() {
	if d.current == nil {
		d.create(d.grown(0))
	} else if size := d.grown(d.current.size); size != d.current.size {
		d.resize(d.current, size)
		return
	}
	if !d.shrink() {
		d.cleanupIfComplete()
	}
}

// grown returns the next size of the current ReplicaSet. Source: NewRSNewReplicas.
func (d *deployment) grown(size int) int {
	return min(d.replicas, size+max(0, d.most-sizes(d.sets)))
}

// shrink takes replicas of former ReplicaSets, the oldest first: those without an available pod, and then as many as
// are available beyond those that have to be. It reports whether there are any. Source: reconcileOldReplicaSets.
func (d *deployment) shrink() (isShrunk bool) {
	olds, available := active(d.olds), d.current.Available
	spare := sizes(olds) + available - d.least
	if len(olds) == 0 || spare <= 0 {
		return false
	}
	take := func(s *set, n int) {
		if n > 0 {
			d.resize(s, s.size-n)
			spare, isShrunk = spare-n, true
		}
	}
	for _, s := range olds {
		available += s.Available
		if spare > 0 && s.Available > s.size {
			return false // its own controller is late
		}
		take(s, min(spare, s.size-s.Available))
	}
	spare = available - d.least
	for _, s := range olds {
		take(s, min(spare, s.size))
	}
	return isShrunk
}

func (d *deployment) create(size int) {
	rs := NewReplicaSet(d.Deployment)
	d.result.Create, d.current = rs, &set{}
	*rs.Spec.Replicas, rs.Annotations = int32(size), d.annotations()
	rs.Annotations[revision] = strconv.FormatInt(d.nextRevision(), 10)
}

// NewReplicaSet returns a ReplicaSet for the template of a Deployment, without replicas. Source: getNewReplicaSet.
func NewReplicaSet(d *appsv1.Deployment) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Replicas: new(int32), MinReadySeconds: d.Spec.MinReadySeconds,
		Selector: d.Spec.Selector, Template: d.Spec.Template}}
}

// cleanupIfComplete is cleanup, unless the update has not come to its end. Source: DeploymentComplete.
func (d *deployment) cleanupIfComplete() {
	if d.pods == d.replicas && d.available == d.replicas && d.current.Pods == d.replicas {
		d.cleanup()
	}
}

// cleanup deletes the ReplicaSets of the oldest revisions beyond the limit of the history that neither have pods nor
// wanted some before. Source: cleanupDeployment.
func (d *deployment) cleanup() {
	usual := int32(10)                                                 // the API server sets it
	limit := max(0, int(*cmp.Or(d.Spec.RevisionHistoryLimit, &usual))) // the API server stores none below zero
	olds := slices.DeleteFunc(slices.Clone(d.olds), func(s *set) bool { return s.DeletionTimestamp != nil })
	slices.SortStableFunc(olds, func(a, b *set) int {
		return cmp.Compare(RevisionOf(a.ReplicaSet), RevisionOf(b.ReplicaSet))
	})
	for _, s := range olds[:max(0, len(olds)-limit)] {
		if s.Pods == 0 && s.before == 0 && s.Generation <= s.Status.ObservedGeneration {
			d.result.Delete = append(d.result.Delete, s.ReplicaSet)
		}
	}
}
