package report

import (
	"math"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// creation is a namespace as it stands after what has been created so far.
type creation struct {
	namespace *admit.Namespace
	unknown   map[string]bool // quotas without a status
}

// create creates all applications, in the order in which they were read.
func create(ranges map[string][]manifest.LimitRange, quotas map[string][]manifest.ResourceQuota, applications []application) {
	of := map[string]*creation{}
	for i := range applications {
		a := &applications[i]
		if of[a.home] == nil {
			of[a.home] = openNamespace(ranges[a.home], quotas[a.home], applications)
		}
		of[a.home].create(a)
	}
}

// openNamespace returns a namespace before anything is created. Of a quota without a status,
// what exists of the applications is used at least.
func openNamespace(ranges []manifest.LimitRange, quotas []manifest.ResourceQuota, applications []application) *creation {
	c := &creation{unknown: map[string]bool{}}
	var known []*corev1.ResourceQuota
	for _, q := range quotas {
		own := q.Object.DeepCopy()
		if len(own.Status.Hard) == 0 {
			c.unknown[own.Name] = true
			own.Status, _ = quota.CalculateUsage(nil, own) // of no object, none is at fault
			for i := range applications {
				if a := &applications[i]; a.exists && a.home == own.Namespace {
					own.Status.Used = resourcelist.Add(own.Status.Used, a.usage(own))
				}
			}
		}
		known = append(known, own)
	}
	c.namespace, _ = admit.Compile(manifest.ObjectsOf(ranges), known, admit.Options{}) // all are valid
	return c
}

// create says what becomes of an application, and creates as much of it as is admitted.
func (c *creation) create(a *application) {
	uses := c.uses(a)
	namespace, refused, stored := c.namespace, []Reason(nil), false
	if !a.exists {
		for i := range a.once {
			d := namespace.Create(a.once[i].object, admit.Attributes{})
			refused = append(refused, a.reasons(&a.once[i], d.Refusals, 1)...)
			stored = stored || d.Admitted()
			if namespace = d.After(); !d.Admitted() {
				break
			}
		}
	}
	n, unbounded := replicas(namespace, a.each)
	if len(refused) > 0 {
		n, unbounded = 0, false
	}
	if !unbounded {
		full, _ := after(namespace, a.each, n)
		refused = distinct(append(refused, a.walk(full, a.each, n+1)...))
	}
	if len(uses) > 0 || slices.ContainsFunc(refused, ofQuota) {
		*a.report = QuotaReport{uses, a.fit(n, unbounded, refused, slices.ContainsFunc(uses, QuotaUse.unknown))}
	}
	if !a.exists {
		c.namespace, _ = after(namespace, a.each, min(n, a.wanted))
		if n >= a.wanted {
			refused = slices.DeleteFunc(slices.Clone(refused), ofQuota) // of one more than is wanted
		}
	} else {
		if a.live {
			namespace = nil // it has been admitted
		}
		refused = append(a.walk(namespace, a.once, 1), a.walk(namespace, a.each, 1)...)
		refused = distinct(slices.DeleteFunc(refused, ofQuota))
	}
	if len(refused) > 0 {
		if a.podItself() {
			stored = !slices.ContainsFunc(refused, func(r Reason) bool { return r.Kind != "claim" })
		}
		*a.rejection = &Rejection{Stored: stored, Reasons: refused}
	}
}

// podItself reports whether the application is a pod, and not what creates pods.
func (a *application) podItself() bool { return len(a.once) == 0 && a.unit == "pod" }

func ofQuota(r Reason) bool { return r.Quota != nil }

// reasons describes why a part of the replica of a number is refused.
func (a *application) reasons(p *part, refusals admit.Refusals, number int64) (reasons []Reason) {
	for i := range refusals {
		r := reasonOf(p, &refusals[i], a.subject(p, number))
		if r.Quota != nil && number > 1 && number <= a.wanted {
			r.Remedy = "run no more than " + wording.Count(number-1, a.unit) + ", " + r.Remedy
		}
		reasons = append(reasons, r)
	}
	return reasons
}

// walk returns why parts of the replica of a number are refused that are created one after the
// other.
func (a *application) walk(namespace *admit.Namespace, parts []part, number int64) (reasons []Reason) {
	for i := range parts {
		d := namespace.Create(parts[i].object, admit.Attributes{})
		reasons = append(reasons, a.reasons(&parts[i], d.Refusals, number)...)
		namespace = d.After()
	}
	return reasons
}

// replicas returns how many replicas are admitted, all parts of each, and whether there is no end.
func replicas(namespace *admit.Namespace, each []part) (n int64, unbounded bool) {
	n, unbounded = math.MaxInt64, true
	for _, p := range each {
		fit := namespace.Replicas(p.object, admit.Attributes{})
		n, unbounded = min(n, fit.Replicas), unbounded && fit.Unbounded
	}
	if len(each) > 1 && !unbounded {
		// Several claims of a replica may share what remains.
		n = int64(sort.Search(int(n), func(n int) bool {
			_, all := after(namespace, each, int64(n)+1)
			return !all
		}))
	}
	return n, unbounded
}

// after returns the namespace with n replicas in it, and whether all of them are admitted.
func after(namespace *admit.Namespace, each []part, n int64) (*admit.Namespace, bool) {
	all := true
	for _, p := range each {
		fit := namespace.Replicas(p.object, admit.Attributes{})
		namespace, all = fit.After(n), all && fit.Replicas >= n
	}
	return namespace, all
}
