package noderesources

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubemath/kubemath/internal/release"
)

// dryRun tries preemption on one node after the other, with memory that is used again.
type dryRun struct {
	request *Request
	opts    *PreemptOptions
	budgets budgets

	pods  []victim // the potential victims of a node, and after a run that makes room the victims
	known []bool   // by slot of the node: whether it is one of them
	trial trial
	node  string // that is tried

	shortOf   Shortages // memory of shortages
	noVictims int       // on how many nodes there are none
	short     int       // on how many nodes the pod does not fit without them either
	reasons   reasons   // what they are short of
}

// victim is a potential victim on a node.
type victim struct {
	pod         *PotentialVictim
	index       int // in the list of pods
	request     *Request
	isProtected bool // by a budget that allows no more disruptions
	isPutBack   bool
}

func newDryRun(r *Request, opts *PreemptOptions) *dryRun {
	return &dryRun{request: r, opts: opts, budgets: budgetsOf(opts.Budgets, release.Rules(opts.Kubernetes))}
}

// appendNominated appends the request of a nominated pod that counts for the pod.
func (d *dryRun) appendNominated(requests []*Request, n *NominatedPod) []*Request {
	if n.Priority < d.opts.Priority {
		return requests
	}
	return append(requests, &n.Request)
}

// refuses reports whether the pod may not be on a node, whatever is preempted there.
func (d *dryRun) refuses(node string) bool { return d.opts.Filter != nil && !d.opts.Filter(node) }

// shortages returns what a node is short of with its nominated pods, or else without them, until it is called again.
func (d *dryRun) shortages(l *Ledger, nominated []*Request) Shortages {
	at := &l.sums
	if len(nominated) > 0 {
		d.trial.start(at, nominated)
		at = d.trial.short(d.request, &d.opts.FitOptions)
	}
	d.shortOf = at.appendShortages(d.shortOf[:0], d.request, &d.opts.FitOptions)
	return d.shortOf
}

// mayHelp reports whether preemption may make room on a node.
func (d *dryRun) mayHelp(node string, l *Ledger, nominated []*Request) bool {
	short := d.shortages(l, nominated)
	if len(short) > 0 || d.opts.Pods == nil {
		return len(short) > 0 && !short.Unresolvable()
	}
	message, isResolvable := d.opts.Pods.Refusal(node)
	return message != "" && isResolvable
}

// run reports whether preemption makes room on a node. If so, the victims are in d.pods.
func (d *dryRun) run(node string, l *Ledger, pods []PotentialVictim, nominated []*Request) bool {
	d.pods = d.potential(l, pods)
	if len(d.pods) == 0 {
		d.noVictims++
		return false
	}
	d.trial.start(&l.sums, nominated)
	d.node = node
	for i := range d.pods {
		d.evict(&d.pods[i])
	}
	if !d.fits() {
		d.fail()
		for i := range d.pods {
			d.putBack(&d.pods[i])
		}
		return false
	}
	slices.SortFunc(d.pods, func(a, b victim) int { return a.pod.compare(b.pod) })
	d.budgets.protect(d.pods)
	for _, isProtected := range [...]bool{true, false} {
		for i := range d.pods {
			if v := &d.pods[i]; v.isProtected == isProtected {
				v.isPutBack = d.canStay(v)
			}
		}
	}
	d.pods = slices.DeleteFunc(d.pods, func(v victim) bool { return v.isPutBack })
	for i := range d.pods {
		d.putBack(&d.pods[i])
	}
	return true
}

// potential returns the pods of a node that may be victims: of several with one UID the first.
func (d *dryRun) potential(l *Ledger, pods []PotentialVictim) []victim {
	found := d.pods[:0]
	if len(d.known) < len(l.pods) {
		d.known = make([]bool, len(l.pods))
	}
	clear(d.known)
	for i := range pods {
		v := &pods[i]
		if v.Priority >= d.opts.Priority {
			continue
		}
		if slot, known := l.slots[v.UID]; known && !d.known[slot] {
			d.known[slot] = true
			found = append(found, victim{pod: v, index: i, request: &l.pods[slot]})
		}
	}
	return found
}

// canStay puts a pod back if the other pod fits nevertheless, and reports whether it does.
func (d *dryRun) canStay(v *victim) bool {
	d.putBack(v)
	if d.fits() {
		return true
	}
	d.evict(v)
	return false
}

func (d *dryRun) evict(v *victim) {
	d.trial.discount(v.request)
	if d.opts.Pods != nil {
		d.opts.Pods.Evict(d.node, v.index)
	}
}

func (d *dryRun) putBack(v *victim) {
	d.trial.count(v.request)
	if d.opts.Pods != nil {
		d.opts.Pods.PutBack(d.node, v.index)
	}
}

// fits reports whether the pod fits on the node as it is now.
func (d *dryRun) fits() bool {
	if !d.trial.fits(d.request, &d.opts.FitOptions) {
		return false
	}
	if d.opts.Pods == nil {
		return true
	}
	message, _ := d.opts.Pods.Refusal(d.node)
	return message == ""
}

// fail counts why the pod does not fit on a node without its potential victims.
func (d *dryRun) fail() {
	d.short++
	opts := &d.opts.FitOptions
	short := d.trial.short(d.request, opts).appendShortages(d.shortOf[:0], d.request, opts)
	for _, s := range short {
		d.reasons.addOne(s.Error(), !s.Unresolvable)
	}
	if len(short) == 0 {
		message, isResolvable := d.opts.Pods.Refusal(d.node)
		d.reasons.addOne(message, isResolvable)
	}
}

// preemption returns the victims of the last run.
func (d *dryRun) preemption(node string) Preemption {
	p := Preemption{Node: node, PDBViolations: d.violations()}
	if len(d.pods) > 0 {
		p.Victims = make([]int, len(d.pods))
	}
	for i := range d.pods {
		p.Victims[i] = d.pods[i].index
	}
	return p
}

func (d *dryRun) violations() (n int) {
	for i := range d.pods {
		if d.pods[i].isProtected {
			n++
		}
	}
	return n
}

// compare orders pods by importance, the most important first.
//
// Source: MoreImportantPod of k8s.io/kubernetes/pkg/scheduler/util, which leaves the order of equal ones open.
func (v *PotentialVictim) compare(other *PotentialVictim) int {
	if v.Priority != other.Priority {
		return cmp.Compare(other.Priority, v.Priority)
	}
	if d := compareStarts(v.StartTime.Time, other.StartTime.Time); d != 0 {
		return d
	}
	return cmp.Or(strings.Compare(v.Namespace, other.Namespace), strings.Compare(v.Name, other.Name),
		strings.Compare(string(v.UID), string(other.UID)))
}

// compareStarts orders times, of which zero is the last.
func compareStarts(a, b time.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// cost is what preemption on a node costs.
type cost struct {
	violations int
	highest    int32 // priority
	sum        int64 // of priorities, all made positive
	victims    int
	start      time.Time // the earliest of victims with the highest priority
	row        int
}

// cost returns what the victims of the last run cost. There is at least one.
func (d *dryRun) cost(row int) cost {
	first := d.pods[0].pod // the earliest of the most important ones
	c := cost{
		violations: d.violations(), highest: first.Priority, victims: len(d.pods), start: first.StartTime.Time, row: row,
	}
	for i := range d.pods {
		c.sum += int64(d.pods[i].pod.Priority) + math.MaxInt32 + 1
	}
	return c
}

// compare returns less than 0 if preemption on the node is preferred.
//
// Source: pickOneNodeForPreemption of k8s.io/kubernetes/pkg/scheduler/framework/preemption.
func (c *cost) compare(other *cost) int {
	return cmp.Or(cmp.Compare(c.violations, other.violations), cmp.Compare(c.highest, other.highest),
		cmp.Compare(c.sum, other.sum), cmp.Compare(c.victims, other.victims), compareStarts(other.start, c.start),
		c.row-other.row)
}

// trial is a node without potential victims, without and with the pods that are nominated to it.
//
// Source: RunFilterPluginsWithNominatedPods of k8s.io/kubernetes/pkg/scheduler/framework/runtime.
type trial struct {
	without, with sums
	isNominated   bool // whether there are such pods
}

// start begins with a node as it is.
func (t *trial) start(l *sums, nominated []*Request) {
	l.copyTo(&t.without)
	t.isNominated = len(nominated) > 0
	if t.isNominated {
		l.copyTo(&t.with)
		for _, r := range nominated {
			t.with.count(r)
		}
	}
}

func (t *trial) count(r *Request) {
	t.without.count(r)
	if t.isNominated {
		t.with.count(r)
	}
}

func (t *trial) discount(r *Request) {
	t.without.discount(r)
	if t.isNominated {
		t.with.discount(r)
	}
}

func (t *trial) fits(r *Request, opts *FitOptions) bool {
	return (!t.isNominated || t.with.fits(r, opts)) && t.without.fits(r, opts)
}

// short returns the sums that are short of something, if any are.
func (t *trial) short(r *Request, opts *FitOptions) *sums {
	if t.isNominated && !t.with.fits(r, opts) {
		return &t.with
	}
	return &t.without
}
