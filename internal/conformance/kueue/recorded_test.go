package kueue

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"
	"sigs.k8s.io/kueue/pkg/scheduler/preemption"
	"sigs.k8s.io/kueue/pkg/workload"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

var record = flag.Bool("record", false, "write Kueue's answers, instead of comparing them")

// node is a ClusterQueue or a Cohort of a recorded question.
type node struct {
	Name           string             `json:"name"`
	Parent         string             `json:"parent,omitempty"`
	Nominal        amounts            `json:"nominal,omitempty"`
	BorrowingLimit amounts            `json:"borrowingLimit,omitempty"`
	LendingLimit   amounts            `json:"lendingLimit,omitempty"`
	Weight         *resource.Quantity `json:"weight,omitempty"`
}

type state struct {
	SubtreeQuota       int64 `json:"subtreeQuota"`
	Usage              int64 `json:"usage"`
	Available          int64 `json:"available"`
	PotentialAvailable int64 `json:"potentialAvailable"`
}

type states = map[string]map[corev1.ResourceName]state

type quotaCase struct {
	Name   string             `json:"name"`
	Nodes  []node             `json:"nodes"`
	Used   map[string]amounts `json:"used"`
	Before states             `json:"before"`
	After  states             `json:"after"`
}

type dominantShare struct {
	Value     int64               `json:"value"`
	Resource  corev1.ResourceName `json:"resource"`
	Borrowing bool                `json:"borrowing"`
}

type shareCase struct {
	Name   string                   `json:"name"`
	Nodes  []node                   `json:"nodes"`
	Used   map[string]amounts       `json:"used"`
	Shares map[string]dominantShare `json:"shares"`
}

type holder struct {
	Name     string     `json:"name"`
	Node     string     `json:"node"`
	Amounts  amounts    `json:"amounts"`
	Priority int32      `json:"priority"`
	Queued   time.Time  `json:"queued"`
	Since    *time.Time `json:"since,omitempty"`
	Leaving  bool       `json:"leaving,omitempty"`
}

type preemptionCase struct {
	Name         string                `json:"name"`
	Nodes        []node                `json:"nodes"`
	Holders      []holder              `json:"holders"`
	Request      holder                `json:"request"`
	Short        []corev1.ResourceName `json:"short"`
	WithinNode   api.PreemptionPolicy  `json:"withinNode"`
	WithinTree   api.PreemptionPolicy  `json:"withinTree"`
	BorrowAtMost *int32                `json:"borrowAtMost,omitempty"`
	Want         []string              `json:"want"`
}

// The questions are those of Kueue's tests of cohorts. Kueue gives the recorded answers.
func TestRecordedAnswers(t *testing.T) {
	t.Run("quota", func(t *testing.T) { ask(t, "cohort_quota.json", askQuota) })
	t.Run("share", func(t *testing.T) { ask(t, "cohort_share.json", askShares) })
	t.Run("preemption", func(t *testing.T) { ask(t, "cohort_preemption.json", askPreemption) })
}

// ask asks each question of a file, and compares the file with one that has the answers, or writes this.
func ask[C any](t *testing.T, name string, answer func(*testing.T, *C)) {
	file := filepath.Join("..", "..", "replay", "testdata", "kueue", name)
	recorded, err := os.ReadFile(file)
	testkit.OK(t, err)
	var cases []C
	decoder := json.NewDecoder(bytes.NewReader(recorded))
	decoder.DisallowUnknownFields()
	testkit.OK(t, decoder.Decode(&cases))
	var lines [][]byte
	for i := range cases {
		answer(t, &cases[i])
		line := new(bytes.Buffer)
		encoder := json.NewEncoder(line)
		encoder.SetEscapeHTML(false)
		testkit.OK(t, encoder.Encode(cases[i]))
		lines = append(lines, bytes.TrimSpace(line.Bytes()))
	}
	got := slices.Concat([]byte("[\n"), bytes.Join(lines, []byte(",\n")), []byte("\n]\n"))
	if *record {
		testkit.OK(t, os.WriteFile(file, got, 0o644))
		return
	}
	was := bytes.Split(recorded, []byte("\n"))
	for i, line := range bytes.Split(got, []byte("\n")) {
		if i >= len(was) || !bytes.Equal(line, was[i]) {
			t.Errorf("%s:%d: Kueue's answer is not the one recorded: run with -record, and see what differs\n%s", file, i+1, line)
		}
	}
}

func nodesOf(nodes []node) (all []quotatree.Node) {
	for _, n := range nodes {
		all = append(all, quotatree.Node{Name: n.Name, Parent: n.Parent, Nominal: n.Nominal, BorrowingLimit: n.BorrowingLimit, LendingLimit: n.LendingLimit, Weight: n.Weight})
	}
	return all
}

func snapshotOf(t *testing.T, nodes []quotatree.Node) *scheduler.Snapshot {
	t.Helper()
	snapshot, err := Snapshot(nodes)
	testkit.OK(t, err)
	return snapshot
}

// askQuota asks for the states of the nodes and resources that are recorded. What is available to a cohort is what a
// ClusterQueue below it may take that has nothing of its own.
func askQuota(t *testing.T, c *quotaCase) {
	const empty = "empty-"
	nodes := nodesOf(c.Nodes)
	for name, of := range c.Before {
		if slices.ContainsFunc(nodes, func(n quotatree.Node) bool { return n.Parent == name }) {
			nothing := amounts{}
			for r := range of {
				nothing[r] = 0
			}
			nodes = append(nodes, quotatree.Node{Name: empty + name, Parent: name, Nominal: nothing})
		}
	}
	snapshot := snapshotOf(t, nodes)
	fill := func(all states) {
		for name, of := range all {
			queue := snapshot.ClusterQueue(api.ClusterQueueReference(name))
			for r := range of {
				fr := FlavorResource(r)
				if queue != nil {
					of[r] = state{queue.ResourceNode.SubtreeQuota[fr], queue.ResourceNode.Usage[fr], queue.Available(fr), queue.PotentialAvailable(fr)}
					continue
				}
				cohort, below := snapshot.Cohort(api.CohortReference(name)), snapshot.ClusterQueue(api.ClusterQueueReference(empty+name))
				of[r] = state{cohort.ResourceNode.SubtreeQuota[fr], cohort.ResourceNode.Usage[fr], below.Available(fr), below.PotentialAvailable(fr)}
			}
		}
	}
	fill(c.Before)
	use(snapshot, c.Used)
	fill(c.After)
}

func use(snapshot *scheduler.Snapshot, used map[string]amounts) {
	for name, a := range used {
		snapshot.ClusterQueue(api.ClusterQueueReference(name)).AddUsage(Usage(a))
	}
}

func askShares(t *testing.T, c *shareCase) {
	snapshot := snapshotOf(t, nodesOf(c.Nodes))
	use(snapshot, c.Used)
	for name := range c.Shares {
		var drs scheduler.DRS
		if queue := snapshot.ClusterQueue(api.ClusterQueueReference(name)); queue != nil {
			drs = queue.DominantResourceShare()
		} else {
			drs = snapshot.Cohort(api.CohortReference(name)).DominantResourceShare()
		}
		of := corev1.ResourceName(reflect.ValueOf(drs).FieldByName("dominantResource").String())
		share := dominantShare{math.MaxInt64, of, drs.IsBorrowing()} // as a status has it
		if weighted := drs.PreciseWeightedShare(); !math.IsInf(weighted, 1) {
			share.Value = int64(math.Ceil(weighted))
		}
		c.Shares[name] = share
	}
}

func askPreemption(t *testing.T, c *preemptionCase) { c.Want = targetsOf(t, c, nil) }

// targetsOf returns whom Kueue preempts, sorted, with fair sharing if it is set.
func targetsOf(t *testing.T, c *preemptionCase, sharing *config.FairSharing) []string {
	t.Helper()
	snapshot := snapshotOf(t, nodesOf(c.Nodes))
	for i := range c.Holders {
		snapshot.AddWorkload(infoOf(&c.Holders[i]))
	}
	policy := &snapshot.ClusterQueue(api.ClusterQueueReference(c.Request.Node)).Preemption
	*policy = api.ClusterQueuePreemption{WithinClusterQueue: orNever(c.WithinNode), ReclaimWithinCohort: orNever(c.WithinTree)}
	if c.BorrowAtMost != nil {
		policy.BorrowWithinCohort = &api.BorrowWithinCohort{Policy: api.BorrowWithinCohortPolicyLowerPriority, MaxPriorityThreshold: c.BorrowAtMost}
	}
	request := infoOf(&c.Request)
	var assignment flavorassigner.Assignment
	for _, set := range request.TotalRequests {
		flavors := flavorassigner.ResourceAssignment{}
		for r, flavor := range set.Flavors {
			mode := flavorassigner.Fit
			if slices.Contains(c.Short, corev1.ResourceName(flavor)+"/"+r) {
				mode = flavorassigner.Preempt
			}
			flavors[r] = &flavorassigner.FlavorAssignment{Name: flavor, Mode: mode}
		}
		assignment.PodSets = append(assignment.PodSets, flavorassigner.PodSetAssignment{Name: set.Name, Flavors: flavors, Count: set.Count})
	}
	clock := clocktesting.NewFakeClock(time.Unix(1_700_000_000, 0)) // when most holders started
	preemptor := preemption.New(nothing{}, workload.Ordering{}, nil, sharing, false, clock, nil, nil, nil)
	targets := []string{}
	for _, target := range preemptor.GetTargets(logr.Discard(), *request, assignment, snapshot) {
		targets = append(targets, target.WorkloadInfo.Obj.Name)
	}
	slices.Sort(targets)
	return targets
}

func orNever(policy api.PreemptionPolicy) api.PreemptionPolicy {
	if policy == "" {
		return api.PreemptionPolicyNever
	}
	return policy
}

// infoOf returns a workload with one pod for each flavor.
func infoOf(h *holder) *workload.Info {
	w := &api.Workload{ObjectMeta: metav1.ObjectMeta{Name: h.Name, UID: types.UID(h.Name), CreationTimestamp: metav1.NewTime(h.Queued)}}
	w.Spec.Priority = &h.Priority
	condition := func(kind, reason string) {
		w.Status.Conditions = append(w.Status.Conditions, metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: reason, LastTransitionTime: metav1.NewTime(*h.Since)})
	}
	if h.Since != nil {
		condition(api.WorkloadQuotaReserved, "QuotaReserved")
	}
	if h.Leaving {
		condition(api.WorkloadEvicted, api.WorkloadEvictedByPreemption)
	}
	info := &workload.Info{Obj: w, ClusterQueue: api.ClusterQueueReference(h.Node)}
	for name, n := range h.Amounts {
		fr := FlavorResource(name)
		set := slices.IndexFunc(info.TotalRequests, func(s workload.PodSetResources) bool { return s.Name == api.PodSetReference(fr.Flavor) })
		if set < 0 {
			set = len(info.TotalRequests)
			info.TotalRequests = append(info.TotalRequests, workload.PodSetResources{
				Name: api.PodSetReference(fr.Flavor), Count: 1, Requests: resources.Requests{}, Flavors: map[corev1.ResourceName]api.ResourceFlavorReference{},
			})
		}
		info.TotalRequests[set].Requests[fr.Resource] = n
		info.TotalRequests[set].Flavors[fr.Resource] = fr.Flavor
	}
	return info
}
