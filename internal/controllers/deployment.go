package controllers

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubemath/kubemath/internal/workload"
)

// Set is a ReplicaSet of a Deployment. Its status does not count, but for the generation that was observed.
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

// Annotations of ReplicaSets: which revision of the Deployment they are, how many replicas it had when they were scaled
// last, and how many pods that allowed.
const (
	revision        = "deployment.kubernetes.io/revision"
	DesiredReplicas = "deployment.kubernetes.io/desired-replicas"
	MaxReplicas     = "deployment.kubernetes.io/max-replicas"
)

// Current returns the ReplicaSet with the template of the Deployment, nil if there is none. It is the oldest if there
// are several.
//
// Source: FindNewReplicaSet of k8s.io/kubernetes/pkg/controller/deployment/util.
func Current(sets []Set) *Set {
	if i := slices.IndexFunc(sets, func(s Set) bool { return s.IsCurrent }); i >= 0 {
		return &sets[i]
	}
	return nil
}

// Deployment returns what a Deployment does next with its ReplicaSets, which are in the order of their age, the oldest
// first. Surge and unavailable are those of quota.Rollout. Rollbacks by annotation and progress deadlines are not
// computed, and of annotations only those above are set.
//
// Source: syncDeployment of k8s.io/kubernetes/pkg/controller/deployment.
func Deployment(object *appsv1.Deployment, surge, unavailable int, sets []Set) Rollout {
	d := deployment{Deployment: object, replicas: workload.Replicas(object.Spec.Replicas)}
	d.isRecreated = object.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
	d.surge, d.unavailable = surge, min(unavailable, d.replicas)
	d.sets = make([]*set, len(sets))
	current := Current(sets)
	for i := range sets {
		size := workload.Replicas(sets[i].Spec.Replicas)
		d.sets[i] = &set{Set: sets[i], size: size, before: size}
		if &sets[i] == current {
			d.current = d.sets[i]
		} else {
			d.olds = append(d.olds, d.sets[i])
		}
	}
	d.revise()
	switch {
	case object.Spec.Paused:
		d.scale()
		d.cleanup()
	case d.isScaled():
		d.scale()
	case d.isRecreated:
		d.recreate()
	default:
		d.roll()
	}
	return d.result
}

// deployment is a Deployment whose controller looks at it.
type deployment struct {
	*appsv1.Deployment
	replicas, surge, unavailable int
	isRecreated                  bool
	current                      *set // nil if it is not there yet
	olds                         []*set
	sets                         []*set // all
	result                       Rollout
}

// set is a ReplicaSet with what has been decided about it.
type set struct {
	Set
	size   int // spec.replicas
	before int // this sync
	index  int // in Rollout.Update, from 1 on
}

// annotate returns a ReplicaSet to write to, of the answer.
func (d *deployment) annotate(s *set, annotations map[string]string) {
	own := *s.ReplicaSet
	own.Annotations = maps.Clone(own.Annotations)
	if own.Annotations == nil {
		own.Annotations = map[string]string{}
	}
	maps.Copy(own.Annotations, annotations)
	size := int32(s.size)
	own.Spec.Replicas = &size
	s.ReplicaSet = &own
	if s.index == 0 {
		d.result.Update = append(d.result.Update, nil)
		s.index = len(d.result.Update)
	}
	d.result.Update[s.index-1] = &own
}

// resize scales a ReplicaSet, and notes for which replicas of the Deployment.
//
// Source: scaleReplicaSet of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) resize(s *set, size int) {
	s.size = size
	d.annotate(s, d.annotations())
}

// annotations returns what ReplicaSets note of the Deployment when they are scaled.
func (d *deployment) annotations() map[string]string {
	return map[string]string{DesiredReplicas: strconv.Itoa(d.replicas), MaxReplicas: strconv.Itoa(d.replicas + d.surge)}
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

// nextRevision returns the revision of the present template.
func (d *deployment) nextRevision() int64 {
	last := int64(0)
	for _, s := range d.olds {
		n, _ := revisionOf(s)
		last = max(last, n)
	}
	return last + 1
}

// revisionOf returns the revision of a ReplicaSet, 0 if it has none, and whether that is valid.
func revisionOf(s *set) (n int64, isValid bool) {
	text := s.Annotations[revision]
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, text == ""
	}
	return n, true
}

// revise gives the current ReplicaSet the last revision, such as after the template of an older one was applied again.
//
// Source: SetNewReplicaSetAnnotations of k8s.io/kubernetes/pkg/controller/deployment/util.
func (d *deployment) revise() {
	if d.current == nil {
		return
	}
	n, isValid := revisionOf(d.current)
	if next := d.nextRevision(); isValid && n < next {
		d.annotate(d.current, map[string]string{revision: strconv.FormatInt(next, 10)})
	}
}

// isScaled reports whether the replicas have changed since a ReplicaSet was scaled last.
//
// Source: isScalingEvent of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) isScaled() bool {
	return slices.ContainsFunc(active(d.sets), func(s *set) bool {
		desired, ok := numberOf(s, DesiredReplicas)
		return ok && desired != d.replicas
	})
}

// numberOf returns the number that an annotation has, and whether it is one.
func numberOf(s *set, annotation string) (int, bool) {
	n, err := strconv.ParseUint(s.Annotations[annotation], 10, 31)
	return int(n), err == nil
}

// scale scales the ReplicaSets in proportion to their sizes, so that an update does not go on meanwhile. If only one
// wants pods, or none, it gets all.
//
// Source: scale of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) scale() {
	all := active(d.sets)
	switch {
	case len(d.sets) == 0:
	case len(all) < 2:
		only := d.current
		if len(all) == 1 {
			only = all[0]
		} else if only == nil {
			only = d.olds[len(d.olds)-1]
		}
		if only.size != d.replicas {
			d.resize(only, d.replicas)
		}
	case d.isSaturated():
		for _, s := range slices.Backward(active(d.olds)) {
			d.resize(s, 0)
		}
	case !d.isRecreated:
		d.share(all)
	}
}

// isSaturated reports whether the current ReplicaSet has all pods, and was scaled for them.
//
// Source: IsSaturated of k8s.io/kubernetes/pkg/controller/deployment/util.
func (d *deployment) isSaturated() bool {
	if d.current == nil {
		return false
	}
	desired, ok := numberOf(d.current, DesiredReplicas)
	return ok && desired == d.replicas && d.current.size == d.replicas && d.current.Available == d.replicas
}

// share adds or takes replicas, so that there are as many as the Deployment may have. The largest ReplicaSets come first,
// and of equal ones the newest if they grow, the oldest if they shrink. The first gets what is left over.
func (d *deployment) share(all []*set) {
	add := -sizes(all)
	if d.replicas > 0 {
		add += d.replicas + d.surge
	}
	if add > 0 {
		slices.Reverse(all)
	}
	if add != 0 {
		slices.SortStableFunc(all, func(a, b *set) int { return cmp.Compare(b.size, a.size) })
	}
	next, added := make([]int, len(all)), 0
	for i, s := range all {
		part := d.fraction(s)
		switch left := add - added; {
		case left == 0:
			part = 0
		case add > 0:
			part = min(part, left)
		default:
			part = max(part, left)
		}
		next[i] = s.size + part
		added += part
	}
	next[0] = max(next[0]+add-added, 0)
	for i, s := range all {
		if notes := d.annotations(); s.size != next[i] || s.Annotations[DesiredReplicas] != notes[DesiredReplicas] ||
			s.Annotations[MaxReplicas] != notes[MaxReplicas] {
			d.resize(s, next[i])
		}
	}
}

// fraction returns by how much a ReplicaSet grows with the Deployment, or shrinks.
//
// Source: getReplicaSetFraction of k8s.io/kubernetes/pkg/controller/deployment/util.
func (d *deployment) fraction(s *set) int {
	if d.replicas == 0 {
		return -s.size
	}
	before, _ := numberOf(s, MaxReplicas)
	if before == 0 {
		for _, other := range d.sets {
			before += other.Pods
		}
	}
	if before == 0 {
		return 0
	}
	return int(math.Round(float64(s.size*(d.replicas+d.surge))/float64(before))) - s.size
}

// recreate shrinks all former ReplicaSets, and once their pods are gone, the current one gets all replicas.
//
// Source: rolloutRecreate of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) recreate() {
	olds := active(d.olds)
	for _, s := range olds {
		d.resize(s, 0)
	}
	isRunning := slices.ContainsFunc(d.olds, func(s *set) bool { return s.Pods > 0 || s.IsRunning })
	switch {
	case len(olds) > 0 || isRunning:
		return
	case d.current == nil:
		d.create(d.replicas)
	case d.current.size != d.replicas:
		d.resize(d.current, d.replicas)
	}
	d.cleanupIfComplete()
}

// roll lets the current ReplicaSet grow as far as the surge allows, and if it cannot, shrinks the former ones as far as
// enough pods are available.
//
// Source: rolloutRolling of k8s.io/kubernetes/pkg/controller/deployment.
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

// grown returns the next size of the current ReplicaSet.
//
// Source: NewRSNewReplicas of k8s.io/kubernetes/pkg/controller/deployment/util.
func (d *deployment) grown(size int) int {
	if size >= d.replicas {
		return d.replicas
	}
	return min(d.replicas, size+max(0, d.replicas+d.surge-sizes(d.sets)))
}

// shrink takes replicas of former ReplicaSets: those without an available pod first, and then as many as are available
// beyond those that have to be. It reports whether there are any.
//
// Source: reconcileOldReplicaSets of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) shrink() (isShrunk bool) {
	olds, least := active(d.olds), d.replicas-d.unavailable
	spare := sizes(olds) - least + d.current.Available
	if len(olds) == 0 || spare <= 0 {
		return false
	}
	available := d.current.Available
	for _, s := range olds {
		available += s.Available
	}
	take := func(s *set, n int) int {
		if n <= 0 {
			return 0
		}
		d.resize(s, s.size-n)
		isShrunk = true
		return n
	}
	for _, s := range olds {
		if spare > 0 && s.Available > s.size {
			return false // its own controller is late
		}
		spare -= take(s, min(spare, s.size-s.Available))
	}
	spare = available - least
	for _, s := range olds {
		spare -= take(s, min(spare, s.size))
	}
	return isShrunk
}

// create creates the current ReplicaSet.
func (d *deployment) create(replicas int) {
	size, annotations := int32(replicas), d.annotations()
	annotations[revision] = strconv.FormatInt(d.nextRevision(), 10)
	rs := &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Replicas: &size, MinReadySeconds: d.Spec.MinReadySeconds,
		Selector: d.Spec.Selector, Template: d.Spec.Template}}
	rs.Namespace, rs.Labels, rs.Annotations = d.Namespace, d.Spec.Template.Labels, annotations
	d.result.Create, d.current = rs, &set{Set: Set{ReplicaSet: rs, IsCurrent: true}, size: replicas}
	d.sets = append(d.sets, d.current)
}

// cleanupIfComplete is cleanup, unless the update has not come to its end.
//
// Source: DeploymentComplete of k8s.io/kubernetes/pkg/controller/deployment/util.
func (d *deployment) cleanupIfComplete() {
	pods, available := 0, 0
	for _, s := range d.sets {
		pods, available = pods+s.Pods, available+s.Available
	}
	if pods == d.replicas && available == d.replicas && d.current.Pods == d.replicas {
		d.cleanup()
	}
}

// usualHistory is the limit that the API server sets if there is none.
const usualHistory = 10

// cleanup deletes the ReplicaSets of the oldest revisions beyond the limit of the history, unless they have pods or wanted some.
//
// Source: cleanupDeployment of k8s.io/kubernetes/pkg/controller/deployment.
func (d *deployment) cleanup() {
	limit := usualHistory
	if d.Spec.RevisionHistoryLimit != nil {
		limit = int(*d.Spec.RevisionHistoryLimit)
	}
	olds := slices.DeleteFunc(slices.Clone(d.olds), func(s *set) bool { return s.DeletionTimestamp != nil })
	slices.SortStableFunc(olds, func(a, b *set) int {
		first, _ := revisionOf(a)
		second, _ := revisionOf(b)
		return cmp.Compare(first, second)
	})
	for _, s := range olds[:max(0, len(olds)-limit)] {
		if s.Pods == 0 && s.before == 0 && s.Generation <= s.Status.ObservedGeneration {
			d.result.Delete = append(d.result.Delete, s.ReplicaSet)
		}
	}
}
