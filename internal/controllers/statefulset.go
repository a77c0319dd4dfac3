package controllers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/workload"
)

// Step is what is done about one pod of a StatefulSet: it is deleted if Delete is set. Otherwise it is created, after
// the claims that it lacks, or only these are.
type Step struct {
	Delete     *Pod
	Ordinal    int
	IsFormer   bool // it is of the current revision, from which an update goes to another one
	ClaimsOnly bool
}

// StatefulSet returns what the controller of StatefulSets does in one sync. Steps of a batch are done together; after
// a batch of which one is refused, the others are left out. Pods are all that it owns, in any order.
//
// Source: updateStatefulSet of k8s.io/kubernetes/pkg/controller/statefulset.
func StatefulSet(set *appsv1.StatefulSet, pods []Pod, rules release.Rules) (batches [][]Step) {
	isRecreate := set.Spec.UpdateStrategy.Type == recreateStatefulSet
	if isRecreate && !rules.RecreatesStatefulSets() || set.DeletionTimestamp != nil {
		return nil
	}
	s := newStatefulSet(set, pods, rules)
	if isRecreate && slices.ContainsFunc(pods, func(p Pod) bool { return p.IsOutdated && OrdinalOf(set, &p) >= 0 }) {
		s.recreateDeleteAndWait()
		return s.batches
	}
	isLate := !s.monotonic && rules.RemovesExcessReplicasFirst()
	if isLate {
		s.runForAll(s.condemned, s.processCondemned)
	}
	if s.runForAll(s.replicas, s.processReplica) || !isLate && s.runForAll(s.condemned, s.processCondemned) {
		return s.batches
	}
	if !isRecreate && set.Spec.UpdateStrategy.Type != appsv1.OnDeleteStatefulSetStrategyType {
		s.batch(s.update()...)
	}
	return s.batches
}

// IsUpdated reports whether the update of a StatefulSet is complete. Its current revision is the present template then.
//
// Source: completeUpdate of k8s.io/kubernetes/pkg/controller/statefulset.
func IsUpdated(set *appsv1.StatefulSet, pods []Pod, rules release.Rules) bool {
	strategy := set.Spec.UpdateStrategy.Type
	isRolling := strategy != appsv1.OnDeleteStatefulSetStrategyType && strategy != recreateStatefulSet
	return len(pods) == workload.Replicas(set.Spec.Replicas) && (isRolling || rules.CompletesAnyUpdate()) &&
		!slices.ContainsFunc(pods, func(p Pod) bool { return p.IsOutdated || isUnavailable(&p) })
}

// recreateStatefulSet is a strategy that deletes all pods of a former template before it creates others. k8s.io/api has
// it since v0.37.
const recreateStatefulSet appsv1.StatefulSetUpdateStrategyType = "Recreate"

// statefulSet is a StatefulSet in one sync.
type statefulSet struct {
	object           *appsv1.StatefulSet
	rules            release.Rules
	monotonic        bool   // each pod waits for the one before it
	replicas         []*Pod // by ordinal; nil if it is missing
	condemned        []*Pod // those of other ordinals, that with the highest first
	firstUnavailable *Pod   // of condemned, by ordinal; nil if all are available
	batches          [][]Step
}

func newStatefulSet(set *appsv1.StatefulSet, pods []Pod, rules release.Rules) *statefulSet {
	s := &statefulSet{object: set, rules: rules, monotonic: set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement,
		replicas: make([]*Pod, workload.Replicas(set.Spec.Replicas))}
	for i := range pods {
		p := &pods[i]
		ordinal := OrdinalOf(set, p)
		switch {
		case IsReplica(set, ordinal):
			s.replicas[ordinal-StartOrdinal(set)] = p
		case ordinal >= 0:
			s.condemned = append(s.condemned, p)
		}
	}
	slices.SortStableFunc(s.condemned, func(a, b *Pod) int { return cmp.Compare(OrdinalOf(set, b), OrdinalOf(set, a)) })
	for _, p := range s.condemned {
		if isUnavailable(p) {
			s.firstUnavailable = p
		}
	}
	return s
}

// batch adds steps that are done together.
func (s *statefulSet) batch(steps ...Step) {
	if len(steps) > 0 {
		s.batches = append(s.batches, steps)
	}
}

// mostInBatch is the size that the batches of a StatefulSet whose pods are managed in parallel grow to.
const mostInBatch = 500

// runForAll asks what is to be done about each pod, in order until one waits, and otherwise in batches that grow. It
// reports whether the next ones have to wait.
func (s *statefulSet) runForAll(pods []*Pod, fn func(i int) (step *Step, waits bool)) (waits bool) {
	for i, size := 0, 1; i < len(pods); {
		var steps []Step
		for end := min(i+size, len(pods)); i < end && !waits; i++ {
			step, isLast := fn(i)
			if step != nil {
				steps = append(steps, *step)
			}
			waits = isLast && s.monotonic
		}
		s.batch(steps...)
		if waits {
			return true
		}
		if !s.monotonic {
			size = min(2*size, mostInBatch)
		}
	}
	return false
}

func (s *statefulSet) processReplica(i int) (step *Step, waits bool) {
	p, ordinal := s.replicas[i], StartOrdinal(s.object)+i
	switch {
	case p == nil:
		return &Step{Ordinal: ordinal, IsFormer: i < s.partition()}, true
	case p.hasEnded() && p.isTerminating():
		return nil, true
	case p.hasEnded():
		step := s.deletion(i)
		return &step, true
	case p.isPending():
		step = &Step{Ordinal: ordinal, ClaimsOnly: true}
	}
	return step, isUnavailable(p)
}

func (s *statefulSet) processCondemned(i int) (step *Step, waits bool) {
	p := s.condemned[i]
	if p.isTerminating() || s.monotonic && !p.IsReady && p != s.firstUnavailable {
		return nil, true
	}
	return &Step{Ordinal: OrdinalOf(s.object, p), Delete: p}, true
}

// recreateDeleteAndWait deletes the pods of a former template. Nothing else is done until they are gone.
func (s *statefulSet) recreateDeleteAndWait() {
	var steps []Step
	for _, p := range slices.Concat(s.replicas, s.condemned) {
		if p != nil && p.isToUpdate() {
			steps = append(steps, Step{Ordinal: OrdinalOf(s.object, p), Delete: p})
		}
	}
	s.batch(steps...)
}

// update deletes pods of a former template from the partition on, the last first.
//
// Source: updateStatefulSetAfterInvariantEstablished of k8s.io/kubernetes/pkg/controller/statefulset.
func (s *statefulSet) update() []Step {
	if !s.rules.UpdatesSeveralReplicas() {
		return s.updateOne()
	}
	var first, others []Step // those that may go although too many wait
	unavailable := 0
	for i, p := range slices.Backward(s.replicas) {
		isInRange, waits := i >= s.partition(), isUnavailable(p)
		if waits && (isInRange || !s.rules.CountsReplicasAbovePartition()) {
			unavailable++
		}
		switch {
		case !isInRange || p == nil || !p.isToUpdate():
		case waits && !s.monotonic && s.rules.ReplacesWaitingReplicasFirst():
			first = append(first, s.deletion(i))
		default:
			others = append(others, s.deletion(i))
		}
	}
	return append(first, others[:min(max(0, s.mostUnavailable()-unavailable), len(others))]...)
}

// updateOne deletes the last pod of a former template, unless one that waits comes before it.
func (s *statefulSet) updateOne() []Step {
	for i := len(s.replicas) - 1; i >= s.partition(); i-- {
		p := s.replicas[i]
		switch {
		case p != nil && p.isToUpdate():
			return []Step{s.deletion(i)}
		case isUnavailable(p):
			return nil
		}
	}
	return nil
}

func (s *statefulSet) deletion(i int) Step {
	return Step{Ordinal: StartOrdinal(s.object) + i, Delete: s.replicas[i]}
}

// mostUnavailable returns how many pods an update may make unavailable: at least one.
//
// Source: getStatefulSetMaxUnavailable of k8s.io/kubernetes/pkg/controller/statefulset.
func (s *statefulSet) mostUnavailable() int {
	r, of := s.object.Spec.UpdateStrategy.RollingUpdate, len(s.replicas)
	if r == nil || r.MaxUnavailable == nil {
		return 1
	}
	if s.rules.CountsReplicasAbovePartition() {
		of = max(0, of-s.partition())
	}
	n, _ := intstr.GetScaledValueFromIntOrPercent(r.MaxUnavailable, of, false) // what is invalid is 0
	return max(1, n)
}

// partition returns how many of the first replicas are not updated. If they are created, it is from the current
// revision.
//
// Source: newVersionedStatefulSetPod of k8s.io/kubernetes/pkg/controller/statefulset. The API server sets a partition
// for each rolling update.
func (s *statefulSet) partition() int {
	if r := s.object.Spec.UpdateStrategy.RollingUpdate; r != nil && r.Partition != nil {
		return int(*r.Partition)
	}
	return 0
}

// OrdinalOf returns the ordinal of a pod of a StatefulSet, or -1.
func OrdinalOf(set *appsv1.StatefulSet, p *Pod) int {
	digits, isReplica := strings.CutPrefix(p.Object.Name, set.Name+"-")
	if ordinal, err := strconv.ParseUint(digits, 10, 31); isReplica && err == nil {
		return int(ordinal)
	}
	return -1
}

// StartOrdinal returns the ordinal of the first replica.
func StartOrdinal(set *appsv1.StatefulSet) int {
	if set.Spec.Ordinals != nil {
		return int(set.Spec.Ordinals.Start)
	}
	return 0
}

// IsReplica reports whether an ordinal is within the replicas.
func IsReplica(set *appsv1.StatefulSet, ordinal int) bool {
	start := StartOrdinal(set)
	return ordinal >= start && ordinal < start+workload.Replicas(set.Spec.Replicas)
}
