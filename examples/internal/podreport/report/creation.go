package report

import (
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// creation is a namespace after the objects that have been created so far.
type creation struct {
	namespace *admit.Namespace
	unknown   map[string]bool // quotas without a status
}

// create creates all applications, in the order in which they were read. It returns how much of the
// quotas of each namespace is used, and warnings about applications, and where it failed.
func create(ranges map[string][]manifest.LimitRange, quotas map[string][]manifest.ResourceQuota, opts admit.Options, applications []application, between func()) (map[string][]QuotaSum, []objects.Problem) {
	var problems []objects.Problem
	of, begin := map[string]*creation{}, map[string][]*corev1.ResourceQuota{}
	open := func(home string) *creation {
		if of[home] == nil {
			of[home] = openNamespace(home, ranges[home], quotas[home], opts, applications)
			begin[home] = of[home].namespace.Quotas()
		}
		return of[home]
	}
	for i := range applications {
		between()
		a := &applications[i]
		failed := objects.Guarded(a.Place, func() { open(a.home).create(a) })
		problems = append(problems, slices.Concat(failed, a.warnings)...)
	}
	sums := map[string][]QuotaSum{}
	for home := range quotas {
		c := open(home)
		sums[home] = c.sums(begin[home])
	}
	return sums, problems
}

// openNamespace returns a namespace before anything is created. If a quota has no status, its usage
// is at least that of the applications that exist.
func openNamespace(name string, ranges []manifest.LimitRange, quotas []manifest.ResourceQuota, opts admit.Options, applications []application) *creation {
	c := &creation{unknown: map[string]bool{}}
	c.namespace, _ = admit.Compile(nil, nil, opts) // all are valid
	var known []*corev1.ResourceQuota
	for _, q := range quotas {
		own := q.Object.DeepCopy()
		if len(own.Status.Hard) == 0 {
			c.unknown[own.Name] = true
			own.Status, _ = quota.CalculateUsage(nil, own) // without objects, none is invalid
			for i := range applications {
				if a := &applications[i]; a.home == name {
					own.Status.Used = resourcelist.Add(own.Status.Used, c.usageOfExisting(a, own))
				}
			}
		}
		known = append(known, own)
	}
	c.namespace, _ = admit.Compile(manifest.ObjectsOf(ranges), known, opts) // all are valid
	return c
}

// create creates as much of an application as is admitted, and describes the result.
func (c *creation) create(a *application) {
	uses, namespace, stored := c.uses(a), c.namespace, a.exists && !a.isPod
	var refused []Reason
	for i := 0; i < len(a.once) && len(refused) == 0; i++ {
		d := namespace.Create(a.once[i].object, admit.Attributes{})
		refused = a.reasons(&a.once[i], d, 1)
		namespace, stored = d.After(), stored || d.Admitted()
	}
	each := objectsOf(a.each)
	group := namespace.Replicas(each, admit.Attributes{})
	if len(refused) == 0 && len(each) > 0 {
		a.doubt(namespace, group)
	}
	n, unbounded := group.Replicas, group.Unbounded
	if len(refused) > 0 {
		n, unbounded = 0, false
	}
	live := a.wanted - a.more // replicas that exist
	if n < math.MaxInt64 {
		next := group.After(n)
		for i := range each {
			d := next.Create(each[i], admit.Attributes{})
			refused, next = append(refused, a.reasons(&a.each[i], d, live+n+1)...), d.After()
		}
	}
	refused = distinct(refused)
	all := a.exists && a.more == 0
	if len(uses) > 0 || slices.ContainsFunc(refused, ofQuota) {
		fit := &Fit{Unit: a.unit, Wanted: a.wanted, Exist: all, AtMost: slices.ContainsFunc(uses, QuotaUse.unknown), Stops: refused}
		if !unbounded {
			replicas := n
			if !all {
				replicas += live
			}
			fit.Replicas = &replicas
		}
		a.verdict.Quotas, a.verdict.Fit = uses, fit
	}
	switch {
	case all:
		refused = c.invalid(a)
	case n >= a.more:
		refused = slices.DeleteFunc(slices.Clone(refused), ofQuota) // for one more than wanted
		fallthrough
	default:
		c.namespace = group.After(min(n, a.more))
	}
	a.admit(live, n, all && len(refused) > 0)
	if a.recurs {
		refused = slices.DeleteFunc(refused, a.passes)
	}
	if len(refused) > 0 {
		if a.isPod {
			stored = !slices.ContainsFunc(refused, func(r Reason) bool { return !strings.HasPrefix(r.Subject, "claim ") })
		}
		a.verdict.Rejection = &Rejection{Stored: stored, Reasons: refused}
	}
}

// passes reports whether a reason to refuse the next run may be gone when it is due: whether the run exceeds a quota only
// together with what is used now. It is a warning.
func (a *application) passes(r Reason) bool {
	if !ofQuota(r) || r.Failure.Cause != quota.ExceededQuota || !quota.WithinHard(r.Failure.Requested, nil, r.Failure.Limited) {
		return false
	}
	text := "now, the next run would be rejected: " + r.What
	a.warnings = append(a.warnings, objects.Problems(a.Place, objects.Warning, objects.Fault{Field: r.Path, Text: text})...)
	return true
}

// admit sets how many pods of an application exist or are admitted, given the number that exist and
// the number of further ones that fit.
func (a *application) admit(live, fit int64, rejected bool) {
	switch {
	case a.admitted == nil:
	case rejected:
		*a.admitted = 0
	default:
		*a.admitted = min(*a.admitted, live+min(fit, a.more))
	}
}

// invalid returns why an existing application is invalid, regardless of quotas. The result is empty
// if its pods are in the input, because they have been admitted.
func (c *creation) invalid(a *application) (refused []Reason) {
	namespace := c.namespace
	if a.live {
		namespace = nil // it has been admitted
	}
	for _, p := range a.judged {
		refused = append(refused, a.reasons(&p, namespace.Create(p.object, admit.Attributes{}), 1)...)
	}
	return distinct(slices.DeleteFunc(refused, ofQuota))
}
