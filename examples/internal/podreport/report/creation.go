package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// creation is a namespace after the objects that have been created so far.
type creation struct {
	namespace *admit.Namespace
	begin     []*corev1.ResourceQuota          // before anything is created
	unknown   map[computeresources.Source]bool // quotas without a status
	ranges    []*corev1.LimitRange
	opts      admit.Options
	in        *manifest.Input
	doubts    []objects.Problem // about the status of quotas
	home      string
	shared    []*sharing     // the quotas that it shares with other namespaces
	counted   []quota.Object // one of each kind, and one that is none, so that there are some
}

// create creates all applications, in the order in which they were read, and returns the namespaces and the quotas that they
// share afterwards.
func create(
	in *manifest.Input, ranges map[string][]*corev1.LimitRange, quotas map[string][]*corev1.ResourceQuota, opts admit.Options,
	applications []*application, between func(),
) (map[string]*creation, []*sharing) {
	of, states := map[string][]*application{}, map[string]*creation{}
	for _, a := range applications {
		of[a.Home] = append(of[a.Home], a)
	}
	for home := range quotas {
		if _, known := of[home]; !known {
			of[home] = nil // its usage is told without applications, too
		}
	}
	for home, list := range of {
		c := &creation{home: home, ranges: ranges[home], opts: opts, in: in}
		c.open(quotas[home], list)
		states[home] = c
	}
	shared := share(in, states, of)
	slices.SortStableFunc(applications, func(a, b *application) int {
		if a.phase() != b.phase() || a.phase() == hook.Main {
			return cmp.Compare(a.phase(), b.phase())
		}
		return a.workload.Order.Compare(b.workload.Order)
	})
	for _, a := range applications {
		between()
		a.problems = append(a.problems, objects.Guarded(a.Place, func() {
			c := states[a.Home]
			c.see()
			before := c.namespace
			c.create(a)
			if a.phase() != hook.Main {
				c.end(a, before)
			}
			c.tell()
		})...)
	}
	return states, shared
}

func (a *application) phase() hook.Phase {
	if a.workload == nil {
		return hook.Main
	}
	return a.workload.Hook
}

// end ends a hook: a Job stays, unless it is deleted, but has no pods any more.
func (c *creation) end(a *application, before *admit.Namespace) {
	c.namespace = before
	for i := range a.once {
		if a.workload.Leaves {
			c.namespace = c.namespace.After(c.namespace.Create(a.once[i].object, admit.Attributes{}))
		}
	}
}

// open opens a namespace, before anything is created. If a quota has no status, its usage is at least that of the
// applications that exist.
func (c *creation) open(quotas []*corev1.ResourceQuota, applications []*application) {
	c.unknown, c.counted = map[computeresources.Source]bool{}, []quota.Object{{}}
	c.namespace, _ = admit.Compile(nil, nil, c.opts) // all are valid
	for _, q := range quotas {
		c.begin = append(c.begin, q.DeepCopy())
		c.unknown[quota.SourceOf(q, "")] = len(q.Status.Hard) == 0 && q.UID == ""
	}
	for _, a := range applications {
		c.assume(a)
	}
	for _, own := range c.begin {
		if !c.isUnknown(own) {
			c.doubtStatus(own, applications)
			continue
		}
		own.Status, _ = quota.CalculateUsage(nil, own) // without objects, none is invalid
		for _, a := range applications {
			own.Status.Used = resourcelist.Add(own.Status.Used, c.usageOf(own, slices.Concat(a.there, a.expired)))
		}
	}
	for _, a := range applications {
		for i, p := range a.each {
			if claim, is := p.object.(*corev1.PersistentVolumeClaim); is {
				a.each[i].stored = c.namespace.Create(claim, admit.Attributes{}).Object // with its class
			}
		}
	}
	seen := map[string]bool{}
	for i := 0; i < len(applications) && len(quotas) > 0; i++ {
		for _, e := range slices.Concat(applications[i].there, applications[i].further()) {
			if kind := fmt.Sprintf("%T/%v", e.object, e.object.GetObjectKind().GroupVersionKind()); !seen[kind] {
				seen[kind] = true
				c.counted = append(c.counted, c.namespace.QuotaObject(e.object, admit.Attributes{}))
			}
		}
	}
	c.namespace, _ = admit.Compile(c.ranges, c.begin, c.opts) // all are valid
}

// create creates as much of an application as is admitted, and describes the result.
func (c *creation) create(a *application) {
	c.expire(a)
	uses, namespace, stored := c.uses(a), c.namespace, a.Exists && a.workload != nil
	var refused []Reason
	for i := 0; i < len(a.once) && len(refused) == 0; i++ {
		d := namespace.Create(a.once[i].object, admit.Attributes{})
		refused = a.reasons(&a.once[i], d, 1)
		namespace, stored = namespace.After(d), stored || d.Admitted()
	}
	each := objectsOf(a.each)
	group := namespace.Replicas(each, admit.Attributes{})
	if len(refused) == 0 {
		c.doubt(a, namespace, group)
	}
	n, unbounded := group.Replicas, group.Unbounded
	if len(refused) > 0 {
		n, unbounded = 0, false
	}
	unexplained := []Reason(nil)
	if n > 0 {
		unexplained = a.unexplained()
	}
	live := a.wanted - a.more // replicas that exist
	if n < math.MaxInt64 {
		next := namespace.AfterReplicas(group, n)
		for i := range each {
			d := next.Create(each[i], admit.Attributes{})
			refused, next = append(refused, a.reasons(&a.each[i], d, live+n+1)...), next.After(d)
		}
	}
	refused = distinct(refused)
	a.raise(refused, uses)
	all := a.Exists && a.more == 0
	if len(uses) > 0 {
		fit := &Fit{Unit: a.unit, Wanted: a.wanted, Exist: all, Stops: refused}
		fit.AtMost = slices.ContainsFunc(uses, QuotaUse.unknown)
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
		if len(unexplained) == 0 {
			c.namespace = namespace.AfterReplicas(group, min(n, a.more))
		}
	}
	refused = append(unexplained, refused...)
	if len(unexplained) > 0 {
		n = 0
	}
	if d := a.described; d != nil && all && len(refused) > 0 {
		d.Admitted = 0
	} else if d != nil {
		d.Admitted = min(d.Admitted, live+min(n, a.more))
	}
	if len(refused) > 0 {
		if a.isPod() {
			stored = !slices.ContainsFunc(refused, func(r Reason) bool { return !strings.HasPrefix(r.Subject, "claim ") })
		}
		a.verdict.Rejection = &Rejection{Stored: stored, Reasons: refused, Blocked: a.blocked(refused)}
	}
}

// invalid returns why an existing application is invalid, regardless of quotas. The result is empty
// if its pods are in the input, because they have been admitted.
func (c *creation) invalid(a *application) (refused []Reason) {
	namespace := c.namespace
	if a.live() {
		namespace = nil // it has been admitted
	}
	for _, p := range a.judged {
		refused = append(refused, a.reasons(&p, namespace.Create(p.object, admit.Attributes{}), 1)...)
	}
	return distinct(slices.DeleteFunc(refused, ofQuota))
}

// blocked returns why pods of a workload of a cluster are missing now: the message of its controller or, for the next run
// of a CronJob or without one, of the API server. It is empty for anything else.
func (a *application) blocked(refused []Reason) string {
	if !a.Exists || a.more == 0 || a.workload.Applied {
		return ""
	}
	message, _ := a.workload.Failure()
	return cmp.Or(message, refused[0].Server)
}

// unexplained returns the reason of a controller whose pods neither LimitRanges nor quotas refuse, if it has one.
func (a *application) unexplained() (reasons []Reason) {
	if !a.Exists || a.more == 0 { // as is any object without pods that exists
		return nil
	}
	if message, reason := a.workload.Failure(); reason != "" {
		p := &a.each[len(a.each)-1]
		refusal := admit.Refusal{What: cmp.Or(message, reason), Path: p.prefix + "spec",
			Remedy: "no LimitRange or quota of the input refuses it now, so something else does, or did"}
		reasons = append(reasons, Reason{Refusal: refusal, Subject: a.subject(p, a.wanted), Server: refusal.What})
	}
	return reasons
}

// assume finds out whether the pods exist of which the input does not say it: not more of them than quotas have in use.
func (c *creation) assume(a *application) {
	if a.workload == nil || !a.workload.Assumed {
		return
	}
	most, counted := int64(math.MaxInt64), false
	for _, q := range c.begin {
		usage := c.usageOf(q, slices.Concat(a.there, a.further()))
		counted = counted || len(usage) > 0
		for name, total := range usage {
			used, known := q.Status.Used[name]
			if share, ok := resourcelist.Fraction(used, total); known && ok {
				most = min(most, int64(share*float64(a.wanted)+1e-9))
			}
		}
	}
	if most < a.wanted {
		a.workload.Missing, a.there = a.wanted-most, nil
		a.once = createdOnce(a.workload)
		a.exist(a.workload)
		a.described.Scale = a.workload.Scale()
		return
	}
	if counted {
		text := fmt.Sprintf("the input does not say whether its pods exist: it has no status and no pods of namespace %s; "+
			"they count as existing", a.Home)
		a.problems = append(a.problems, warningsOf(a.Place, c.in.Strict, objects.Fault{Text: text})...)
	}
}

// expire deletes what the controller of an application deletes before it creates anything.
func (c *creation) expire(a *application) {
	if len(a.expired) == 0 {
		return
	}
	quotas := c.namespace.Quotas()
	for _, q := range quotas {
		q.Status.Used = resourcelist.SubtractWithNonNegativeResult(q.Status.Used, c.usageOf(q, a.expired))
	}
	c.namespace, _ = admit.Compile(c.ranges, quotas, c.opts) // all are valid
}

// raise completes the remedies of reasons: to which amount a quota has to be raised so that all replicas fit.
func (a *application) raise(reasons []Reason, uses []QuotaUse) {
	for i := range reasons {
		r := &reasons[i]
		if !ofQuota(*r) || r.Failure.Cause != quota.ExceededQuota {
			continue
		}
		to := corev1.ResourceList{}
		for _, u := range uses {
			for name, left := range u.Left {
				asked, hard := u.Asked[name], u.Hard[name].DeepCopy()
				if u.Name == r.Source.Name && cmp.Or(u.Kind, "ResourceQuota") == r.Source.Kind && left.Sign() < 0 && asked.Sign() > 0 {
					hard.Sub(left)
					to[name] = quantity.Round(name, hard, true)
				}
			}
		}
		if len(to) > 0 {
			r.Remedy += " to " + resourcelist.String(to)
		}
	}
}

// doubtStatus finds out whether the status of a quota is that of the pods of its namespace, if there are some.
func (c *creation) doubtStatus(q *corev1.ResourceQuota, applications []*application) {
	doubt := func(text string) {
		c.doubts = append(c.doubts, warningsOf(c.in.QuotaAt(c.home, q.Name), c.in.Strict, objects.Fault{Text: text})...)
	}
	if len(q.Status.Hard) == 0 {
		doubt("its status is empty: the API server enforces nothing of it before the quota controller has written the status")
		return
	}
	sum, names := corev1.ResourceList(nil), corev1.ResourceList(nil)
	for _, a := range applications {
		if a.workload == nil {
			continue
		}
		sum = resourcelist.Add(sum, c.usageOf(q, a.there))
		if a.workload.LivePods() > 0 {
			names = resourcelist.Add(names, c.usageOf(q, []counted{{a.each[len(a.each)-1].stored, 1}}))
		}
	}
	for _, name := range resourcelist.ResourceNames(names) {
		used, known := q.Status.Used[name]
		if pods := sum[name]; known && used.Cmp(pods) != 0 {
			text := fmt.Sprintf("%s: used %s, but the pods in the input use %s: the quota's status is stale", name,
				quantity.ShortLike(used, q.Status.Hard[name]), quantity.ShortLike(pods, q.Status.Hard[name]))
			if used.Cmp(pods) > 0 {
				text += ", or the input lacks pods"
			}
			doubt(text)
		}
	}
}
