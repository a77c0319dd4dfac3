package quota_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var shared = []corev1.ResourceName{"cpu", "memory"}

// units are amounts of the shared resources.
type units [2]int64

func (a units) list() corev1.ResourceList {
	return testkit.List("cpu", fmt.Sprint(a[0]), "memory", fmt.Sprint(a[1]))
}

func amountsOf(list corev1.ResourceList) (a units) {
	for i, name := range shared {
		q := list[name]
		a[i] = q.Value()
	}
	return a
}

// storedQuota is a ResourceQuota of an API server, with what its namespace really uses.
type storedQuota struct {
	version, mark int
	hard          units
	status        *struct{ hard, used units } // nil before the quota controller has seen it
	real          units
}

func (q *storedQuota) object(namespace string) *corev1.ResourceQuota {
	object := shareOf(namespace, "", "")
	object.Spec.Hard = q.hard.list()
	if q.status != nil {
		object.Status.Hard, object.Status.Used = q.status.hard.list(), q.status.used.list()
	}
	return object
}

// conditionalWrite succeeds if the quota still has the version.
type conditionalWrite struct {
	namespace string
	version   int
	hard      units
}

// dividing is a controller that divides a total. It writes a mark of its own to every quota before it plans, so that
// writes that others have planned before conflict, and it creates quotas with limits of zero.
type dividing struct {
	mark   int
	wanted map[string]units
	plan   []conditionalWrite
}

// division is a total with its quotas, and those that write them.
type division struct {
	*rapid.T
	total      units
	namespaces []string
	quotas     map[string]*storedQuota
	writers    []*dividing
	late       []conditionalWrite // of writers that have crashed since
	marks      int
	raised     bool
}

func (d *division) pick() string { return rapid.SampledFrom(d.namespaces).Draw(d.T, "namespace") }

// divide gives a writer another division to write.
func (d *division) divide(w *dividing) {
	rest := d.total
	w.wanted, w.plan = map[string]units{}, nil
	for _, namespace := range d.namespaces {
		var a units
		for i := range a {
			a[i] = rapid.Int64Range(0, rest[i]).Draw(d.T, "share")
			rest[i] -= a[i]
		}
		w.wanted[namespace] = a
	}
}

// advance makes one write of a writer.
func (d *division) advance(w *dividing) {
	for _, namespace := range d.namespaces {
		q := d.quotas[namespace]
		switch {
		case q == nil:
			d.quotas[namespace] = &storedQuota{version: 1, mark: w.mark}
			w.plan = nil
			return
		case q.mark != w.mark && len(w.plan) == 0:
			q.mark = w.mark
			q.version++
			return
		}
	}
	if len(w.plan) == 0 {
		w.plan = d.planned(w)
	}
	if len(w.plan) > 0 {
		next := w.plan[0]
		w.plan = w.plan[1:]
		if !d.write(next) {
			w.plan = nil
		}
	}
}

// planned returns what is to write, with the versions that the quotas have then.
func (d *division) planned(w *dividing) (plan []conditionalWrite) {
	var present, wanted []*corev1.ResourceQuota
	versions := map[string]int{}
	for _, namespace := range d.namespaces {
		q, want := d.quotas[namespace], shareOf(namespace, "", "")
		want.Spec.Hard = w.wanted[namespace].list()
		present, wanted = append(present, q.object(namespace)), append(wanted, want)
		versions[namespace] = q.version
	}
	writes, _ := quota.WriteOrder(d.total.list(), present, wanted)
	for _, q := range writes {
		plan = append(plan, conditionalWrite{q.Namespace, versions[q.Namespace], amountsOf(q.Spec.Hard)})
		versions[q.Namespace]++
	}
	return plan
}

func (d *division) write(w conditionalWrite) bool {
	q := d.quotas[w.namespace]
	if q.version != w.version {
		return false
	}
	for i := range w.hard {
		d.raised = d.raised || w.hard[i] > q.hard[i]
	}
	q.version++
	q.hard = w.hard
	return true
}

// crash starts a writer again. The write that it had sent may still arrive.
func (d *division) crash(w *dividing) {
	d.late = append(d.late, w.plan[:min(1, len(w.plan))]...)
	d.marks++
	w.mark, w.plan = d.marks, nil
}

// use makes a namespace use more, as the API server admits it, or less, which its status says later.
func (d *division) use(q *storedQuota) {
	if q == nil || q.status == nil {
		return
	}
	i := rapid.IntRange(0, len(shared)-1).Draw(d.T, "resource")
	n := rapid.Int64Range(-4, 4).Draw(d.T, "used")
	switch {
	case n < 0:
		q.real[i] = max(0, q.real[i]+n)
	case q.status.used[i]+n <= q.status.hard[i]:
		q.status.used[i] += n
		q.real[i] += n
		q.version++
	}
}

// sync does what the quota controller does.
func (q *storedQuota) sync() {
	if q == nil || q.status != nil && q.status.hard == q.hard && q.status.used == q.real {
		return
	}
	q.status = &struct{ hard, used units }{q.hard, q.real}
	q.version++
}

// check fails if the quotas, or what is used, exceed the total.
func (d *division) check() {
	for i, name := range shared {
		var sum int64
		for _, q := range d.quotas {
			sum += max(q.hard[i], q.real[i])
		}
		if sum > d.total[i] {
			for namespace, q := range d.quotas {
				d.Logf("%s: %+v, status %+v", namespace, *q, q.status)
			}
			d.Fatalf("%d of %d %s are allowed or used", sum, d.total[i], name)
		}
	}
}

// Two controllers that both believe to lead, and crash between any two writes, never let what quotas allow, and what their
// namespaces use, exceed the total, although statuses lag; and when one of them is left and less is used, all is as wanted.
func TestWritersKeepTheTotal(t *testing.T) {
	rises := false
	rapid.Check(t, func(t *rapid.T) {
		d := &division{T: t, quotas: map[string]*storedQuota{}, marks: 2, writers: []*dividing{{mark: 1}, {mark: 2}}}
		d.total = units{rapid.Int64Range(1, 9).Draw(t, "cpu"), rapid.Int64Range(1, 9).Draw(t, "memory")}
		d.namespaces = []string{"a", "b", "c", "d"}[:rapid.IntRange(2, 4).Draw(t, "namespaces")]
		for _, w := range d.writers {
			d.divide(w)
		}
		for range rapid.IntRange(10, 60).Draw(t, "events") {
			w := rapid.SampledFrom(d.writers).Draw(t, "writer")
			switch event := rapid.IntRange(0, 15).Draw(t, "event"); {
			case event < 8:
				d.advance(w)
			case event < 10:
				d.quotas[d.pick()].sync()
			case event < 13:
				d.use(d.quotas[d.pick()])
			case event == 13:
				d.divide(w)
			case event == 14:
				d.crash(w)
			case len(d.late) > 0:
				i := rapid.IntRange(0, len(d.late)-1).Draw(t, "late")
				d.write(d.late[i])
				d.late = slices.Delete(d.late, i, i+1)
			}
			d.check()
		}
		rises = rises || d.raised
		d.finish(d.writers[0])
	})
	if !rises {
		t.Error("no quota has ever risen")
	}
}

// finish lets one writer work alone, while all stop to use anything.
func (d *division) finish(w *dividing) {
	w.plan = nil
	for range 12 * len(d.namespaces) {
		d.advance(w)
		d.check()
		if len(w.plan) == 0 {
			for _, q := range d.quotas {
				q.real = units{}
				q.sync()
			}
			w.plan = nil
		}
	}
	for _, namespace := range d.namespaces {
		if got := d.quotas[namespace].hard; got != w.wanted[namespace] {
			d.Fatalf("%s has %v in the end, want %v", namespace, got, w.wanted[namespace])
		}
	}
}
