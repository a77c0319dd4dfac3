package report

import (
	"cmp"
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// blocked returns why pods of a workload of a cluster are missing now: the message of its controller or, for the next run
// of a CronJob or without one, of the API server. It is empty for anything else.
func (a *application) blocked(refused []Reason) string {
	if a.workload == nil || !a.exists || a.more == 0 || a.workload.Applied {
		return ""
	}
	message, _ := a.workload.Failure()
	return cmp.Or(message, refused[0].Server)
}

// unexplained returns the reason of a controller whose pods neither LimitRanges nor quotas refuse, if it has one.
func (a *application) unexplained() (reasons []Reason) {
	if a.workload == nil || !a.exists || a.more == 0 {
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
		usage := c.usage(a, q)
		counted = counted || len(usage) > 0
		if a.wanted == 0 || c.unknown[q.Name] {
			continue
		}
		for name, total := range usage {
			used, known := q.Status.Used[name]
			if share, ok := resourcelist.Fraction(used, total); known && ok && total.Sign() > 0 {
				most = min(most, int64(share*float64(a.wanted)+1e-9))
			}
		}
	}
	pods := a.wanted - a.more
	if most < pods {
		a.workload.Missing, a.workload.Assumed = a.workload.Missing+pods-most, false
		a.there, a.judged, a.more = nil, nil, 0
		a.once = createdOnce(a.workload)
		a.exist(a.workload)
		*a.scale = a.workload.Scale()
		return
	}
	if counted {
		text := fmt.Sprintf("the input does not say whether its pods exist: it has no status and no pods of namespace %s; "+
			"they count as existing", a.home)
		a.problems = append(a.problems, warningsOf(a.Place, a.strict, objects.Fault{Text: text})...)
	}
}

// expire deletes what the controller of an application deletes before it creates anything.
func (c *creation) expire(a *application) {
	if len(a.expired) == 0 {
		return
	}
	quotas := c.namespace.Quotas()
	for _, q := range quotas {
		for i := 0; i < len(a.expired) && !c.unknown[q.Name]; i++ {
			q.Status.Used = resourcelist.SubtractWithNonNegativeResult(q.Status.Used, c.addUsage(nil, a.expired[i], 1, q))
		}
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
				if hard := u.Hard[name].DeepCopy(); u.Name == r.Source.Name && left.Sign() < 0 {
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
	if len(q.Status.Hard) == 0 {
		c.doubts[q.Name] = append(c.doubts[q.Name], "its status is empty: the API server enforces nothing of it before the "+
			"quota controller has written the status")
		return
	}
	sum, names := corev1.ResourceList(nil), corev1.ResourceList(nil)
	for _, a := range applications {
		if a.workload == nil {
			continue
		}
		if a.workload.Assumed {
			return
		}
		sum = resourcelist.Add(sum, c.usageOfExisting(a, q))
		if a.workload.LivePods() > 0 {
			names = c.addUsage(names, a.each[len(a.each)-1].stored, 1, q)
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
			c.doubts[q.Name] = append(c.doubts[q.Name], text)
		}
	}
}
