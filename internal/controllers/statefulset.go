package controllers

import (
	"cmp"
	"slices"
	"sort"
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
	IsExcess   bool // the deleted pod is of an ordinal beyond the replicas
	Ordinal    int
	IsFormer   bool // it is of the current revision, from which an update goes to another one
	ClaimsOnly bool
}

// StatefulSet is what the controller of StatefulSets knows of one. Pods are known by their index: the ordinal, from the
// first one of the replicas on.
type StatefulSet struct {
	object    *appsv1.StatefulSet
	rules     release.Rules
	monotonic bool // each pod waits for the one before it
	replicas  int  // a number that somebody wrote: there is a list of those that exist only
	pods      map[int]*Pod
	available []int // the replicas that are ready, in order, as the next two are; all others are unavailable
	outdated  []int // the replicas of a former template
	condemned []int // the other pods
}

// MostPods is how many pods a workload gets. The controllers of Kubernetes have no such bound.
const MostPods = 1 << 15

// NewStatefulSet returns a StatefulSet of which no pod is known.
func NewStatefulSet(set *appsv1.StatefulSet, rules release.Rules) *StatefulSet {
	return &StatefulSet{object: set, rules: rules, replicas: workload.Replicas(set.Spec.Replicas), pods: map[int]*Pod{},
		monotonic: set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement}
}

// See notes how a pod of the StatefulSet is now, nil if it is gone.
func (s *StatefulSet) See(name string, p *Pod) {
	ordinal := OrdinalOf(s.object, name)
	i := ordinal - StartOrdinal(s.object)
	switch {
	case ordinal < 0:
	case i >= 0 && i < s.replicas:
		s.available = including(s.available, i, !isUnavailable(p))
		s.outdated = including(s.outdated, i, p != nil && p.IsOutdated)
		s.pods[i] = p
	default:
		s.condemned = including(s.condemned, i, p != nil)
		s.pods[i] = p
	}
}

// Sync returns what the controller does in one sync. Steps of a batch are done together; after a batch of which one is
// refused, the others are left out. Source: updateStatefulSet.
func (s *StatefulSet) Sync() (batches [][]Step) {
	isRecreate := s.object.Spec.UpdateStrategy.Type == recreateStatefulSet
	if isRecreate && !s.rules.RecreatesStatefulSets() || s.object.DeletionTimestamp != nil {
		return nil
	}
	isOutdated := func(i int) bool { return s.pods[i].IsOutdated }
	if isRecreate && (len(s.outdated) > 0 || slices.ContainsFunc(s.condemned, isOutdated)) {
		return nonEmpty([][]Step{s.recreateDeleteAndWait()})
	}
	unavailable, condemned := s.unavailable(), s.condemned
	if s.monotonic { // all others wait for one of them
		condemned = condemned[max(0, len(condemned)-1+len(unavailable)):]
	}
	var replicas, excess []Step
	for _, i := range unavailable {
		replicas = append(replicas, s.processReplica(i)...)
	}
	for _, i := range slices.Backward(condemned) {
		excess = append(excess, s.processCondemned(i)...)
	}
	batches = append(s.slowStart(replicas), excess)
	if !s.monotonic && s.rules.RemovesExcessReplicasFirst() {
		batches = slices.Concat([][]Step{excess}, s.slowStart(replicas))
	}
	if s.isRolling() && (!s.monotonic || len(unavailable)+len(condemned) == 0) {
		batches = append(batches, s.update())
	}
	return nonEmpty(batches)
}

// unavailable returns the first replicas that are missing or wait: one if all others wait for it, else one more than
// are created, so that the last one is refused.
func (s *StatefulSet) unavailable() (list []int) {
	most := MostPods + 1
	if s.monotonic {
		most = 1
	}
	next := sort.Search(len(s.available), func(i int) bool { return s.available[i] > i }) // all before it are available
	for rest := s.available[next:]; next < s.replicas && len(list) < most; next++ {
		if len(rest) > 0 && rest[0] == next {
			rest = rest[1:]
		} else {
			list = append(list, next)
		}
	}
	return list
}

// unavailableFrom returns how many replicas from one on are missing or wait.
func (s *StatefulSet) unavailableFrom(first int) int {
	before, _ := slices.BinarySearch(s.available, first)
	return max(0, s.replicas-max(0, first)) - len(s.available[before:])
}

func nonEmpty(batches [][]Step) [][]Step {
	return slices.DeleteFunc(batches, func(batch []Step) bool { return len(batch) == 0 })
}

// IsUpdated reports whether the update is complete. The current revision is the present template then. Source:
// completeUpdate.
func (s *StatefulSet) IsUpdated() bool {
	n := 0
	for _, p := range s.pods {
		switch {
		case p == nil:
		case p.IsOutdated || isUnavailable(p):
			return false
		default:
			n++
		}
	}
	return n == s.replicas && (s.isRolling() || s.rules.CompletesAnyUpdate())
}

// recreateStatefulSet is a strategy that deletes all pods of a former template before it creates others. k8s.io/api has
// it since v0.37.
const recreateStatefulSet appsv1.StatefulSetUpdateStrategyType = "Recreate"

func (s *StatefulSet) isRolling() bool {
	strategy := s.object.Spec.UpdateStrategy.Type
	return strategy != appsv1.OnDeleteStatefulSetStrategyType && strategy != recreateStatefulSet
}

// slowStart divides what is done about replicas into batches, each of which is for twice as many replicas as the one
// before it.
func (s *StatefulSet) slowStart(steps []Step) (batches [][]Step) {
	for size, end := 1, StartOrdinal(s.object)+1; len(steps) > 0; end += size {
		n, _ := slices.BinarySearchFunc(steps, end, func(step Step, end int) int { return cmp.Compare(step.Ordinal, end) })
		batches, steps = append(batches, steps[:n]), steps[n:]
		size = min(2*size, burst)
	}
	return batches
}

func (s *StatefulSet) processReplica(i int) []Step {
	p, step := s.pods[i], Step{Ordinal: StartOrdinal(s.object) + i}
	switch {
	case p == nil:
		step.IsFormer = i < s.partition()
	case p.hasEnded() && !p.isTerminating():
		return s.deletion(i)
	case p.isPending():
		step.ClaimsOnly = true
	default:
		return nil
	}
	return []Step{step}
}

// processCondemned deletes the pod of another ordinal. If each pod waits for others, one that is not ready is only
// deleted once all those before it are.
func (s *StatefulSet) processCondemned(i int) []Step {
	waits := func(i int) bool { return isUnavailable(s.pods[i]) }
	if p := s.pods[i]; p.isTerminating() ||
		s.monotonic && !p.IsReady && slices.ContainsFunc(s.condemned[:len(s.condemned)-1], waits) {
		return nil
	}
	return s.deletion(i)
}

// recreateDeleteAndWait deletes the pods of a former template. Nothing else is done until they are gone.
func (s *StatefulSet) recreateDeleteAndWait() (steps []Step) {
	for _, i := range slices.Concat(s.outdated, s.condemned) {
		if s.pods[i].IsOutdated && !s.pods[i].isTerminating() {
			steps = append(steps, s.deletion(i)...)
		}
	}
	return steps
}

// update deletes pods of a former template from the partition on, the last first: as many as may be unavailable, and
// those that are already if pods do not wait for each other. In older releases, it is the last one, unless one after it
// is unavailable. Source: updateStatefulSetAfterInvariantEstablished.
func (s *StatefulSet) update() (steps []Step) {
	isSeveral, left, counted := s.rules.UpdatesSeveralReplicas(), 1, 0
	if s.rules.CountsReplicasAbovePartition() {
		counted = s.partition()
	}
	if isSeveral {
		left = s.mostUnavailable() - s.unavailableFrom(counted)
	}
	replacesWaiting := isSeveral && !s.monotonic && s.rules.ReplacesWaitingReplicasFirst()
	first, _ := slices.BinarySearch(s.outdated, s.partition())
	outdated := s.outdated[first:]
	for _, i := range slices.Backward(outdated) {
		if p := s.pods[i]; replacesWaiting && isUnavailable(p) && !p.isTerminating() {
			steps = append(steps, s.deletion(i)...)
		}
	}
	for _, i := range slices.Backward(outdated) {
		p := s.pods[i]
		switch {
		case left <= 0 || !isSeveral && s.unavailableFrom(i+1) > 0:
			return steps
		case p.isTerminating() || replacesWaiting && isUnavailable(p):
		default:
			steps, left = append(steps, s.deletion(i)...), left-1
		}
	}
	return steps
}

func (s *StatefulSet) deletion(i int) []Step {
	return []Step{{Ordinal: StartOrdinal(s.object) + i, Delete: s.pods[i], IsExcess: i < 0 || i >= s.replicas}}
}

// mostUnavailable returns how many pods an update may make unavailable: at least one. Source:
// getStatefulSetMaxUnavailable.
func (s *StatefulSet) mostUnavailable() int {
	r, of := s.object.Spec.UpdateStrategy.RollingUpdate, s.replicas
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
// revision. The API server sets a partition for each rolling update. Source: newVersionedStatefulSetPod.
func (s *StatefulSet) partition() int {
	if r := s.object.Spec.UpdateStrategy.RollingUpdate; r != nil && r.Partition != nil {
		return int(*r.Partition)
	}
	return 0
}

// OrdinalOf returns the ordinal of a pod of a StatefulSet, or -1.
func OrdinalOf(set *appsv1.StatefulSet, pod string) int {
	digits, isReplica := strings.CutPrefix(pod, set.Name+"-")
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
