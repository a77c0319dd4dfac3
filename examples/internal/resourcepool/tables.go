package resourcepool

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// Table is one that kubectl prints.
type Table struct {
	Title   string // its kind of objects
	Columns []string
	Rows    [][]string
}

// tables returns those of the pools, the claims, and the quotas of namespaces, as kubectl has them, and
// one of the resources of the pools, without empty ones.
func (c *cluster) tables(now time.Time) []Table {
	pools := Table{Title: "ResourcePools", Columns: []string{"NAME", "CLAIMS", "NAMESPACES", "AGE"}}
	for _, p := range shown(c, c.pools) {
		pools.add(p.Name, fmt.Sprint(p.Status.ClaimCount), fmt.Sprint(p.Status.NamespaceCount), age(p.ObjectMeta, now))
	}
	claims := c.claimTable(now)
	quotas := Table{Title: "ResourceQuotas", Columns: []string{"NAMESPACE", "NAME", "AGE", "REQUEST", "LIMIT"}}
	ofPools := map[types.NamespacedName]bool{} // which may be among the objects, as they were
	for _, p := range shown(c, c.pools) {
		for _, namespace := range p.Status.Namespaces {
			q := quotaOf(p, namespace)
			ofPools[types.NamespacedName{Namespace: namespace, Name: q.Name}] = true
			if !c.shows.ShowsNamespace(namespace) {
				continue
			}
			requests, limits := usageColumns(q, c.used(p, q))
			quotas.add(namespace, q.Name, age(p.ObjectMeta, now), requests, limits)
		}
	}
	for _, q := range shown(c, c.quotas) {
		if !ofPools[types.NamespacedName{Namespace: q.Namespace, Name: q.Name}] {
			requests, limits := usageColumns(q, q.Status.Used)
			quotas.add(q.Namespace, q.Name, age(q.ObjectMeta, now), requests, limits)
		}
	}
	slices.SortFunc(quotas.Rows, slices.Compare)
	return slices.DeleteFunc([]Table{pools, c.resources(), claims, quotas}, func(t Table) bool { return len(t.Rows) == 0 })
}

// shown returns the objects that an answer shows.
func shown[T metav1.Object](c *cluster, all []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(o T) bool { return !c.shows.Rows.Selects(o) || !c.shows.ShowsNamespace(o.GetNamespace()) })
}

// claimTable has the columns that kubectl has for each API, and for the current one why a claim waits.
func (c *cluster) claimTable(now time.Time) Table {
	t := Table{Title: "ResourcePoolClaims", Columns: []string{"NAMESPACE", "NAME", "POOL", "READY", "MESSAGE", "BOUND", "REASON", "EXHAUSTED", "AGE"}}
	if c.options.Documented {
		t.Columns = []string{"NAMESPACE", "NAME", "POOL", "STATUS", "REASON", "MESSAGE", "AGE"}
	}
	for _, claim := range shown(c, c.claims) {
		s, cells := claim.Status, []string{claim.Namespace, claim.Name, claim.Status.Pool.Name}
		if c.options.Documented {
			cells = append(cells, s.Condition.Type, s.Condition.Reason, s.Condition.Message)
		} else {
			ready, bound := conditionOf(claim, "Ready"), conditionOf(claim, "Bound")
			cells = append(cells, string(ready.Status), ready.Message, string(bound.Status), bound.Message, waits(claim))
		}
		t.add(append(cells, age(claim.ObjectMeta, now))...)
	}
	return t
}

// waits returns the message of the condition Exhausted of a claim that waits.
func waits(claim *pool.ResourcePoolClaim) string {
	if exhausted := conditionOf(claim, "Exhausted"); exhausted.Status == metav1.ConditionTrue {
		return exhausted.Message
	}
	return ""
}

// conditionOf returns a condition of a claim, an empty one if it has none of the type.
func conditionOf(claim *pool.ResourcePoolClaim, kind string) *metav1.Condition {
	return cmp.Or(meta.FindStatusCondition(claim.Status.Conditions, kind), &metav1.Condition{})
}

// resources returns what pools have of each resource, and apart from it what claims hold, what the
// namespaces use, and what is requested by claims that wait.
func (c *cluster) resources() Table {
	t := Table{Title: "Resources of ResourcePools",
		Columns: []string{"POOL", "RESOURCE", "HARD", "HOLDS", "IN USE", "WAITS"}}
	for _, p := range shown(c, c.pools) {
		var holds, uses, waits corev1.ResourceList
		for _, recorded := range p.Status.Claims {
			for _, r := range recorded {
				holds = resourcelist.AddInto(holds, holds, r.Claims)
			}
		}
		unknown := map[corev1.ResourceName]bool{}
		for _, namespace := range p.Status.Namespaces {
			q := quotaOf(p, namespace)
			used := c.used(p, q)
			uses = resourcelist.AddInto(uses, uses, used)
			for name := range q.Spec.Hard {
				_, known := used[name]
				unknown[name] = unknown[name] || !known
			}
		}
		for _, claim := range c.claimsOf(p) {
			if !claim.Holding() {
				waits = resourcelist.AddInto(waits, waits, claim.Spec.Claim)
			}
		}
		for _, name := range resourcelist.ResourceNames(p.Spec.Quota.Hard) {
			hard, held, inUse, waiting := p.Spec.Quota.Hard[name], holds[name], uses[name], waits[name]
			t.add(p.Name, string(name), hard.String(), held.String(), orUnknown(inUse, !unknown[name]), waiting.String())
		}
	}
	return t
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

func age(of metav1.ObjectMeta, now time.Time) string {
	if of.CreationTimestamp.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(of.CreationTimestamp.Time))
}

// quotaOf returns the ResourceQuota of a pool in a namespace.
func quotaOf(p *pool.ResourcePool, namespace string) *corev1.ResourceQuota {
	claimed := corev1.ResourceList{}
	for _, recorded := range p.Status.Claims[namespace] {
		claimed = resourcelist.AddInto(claimed, claimed, recorded.Claims)
	}
	return pool.Quota(p, namespace, claimed)
}

// used returns the usage of a quota of a pool, without the resources whose usage is unknown. It is that in the status of
// the quota with its name. The quotas of a pool that is only in a manifest are new, so their usage is zero: a pool is
// stored if it has a UID, or if one of its quotas is among the objects.
func (c *cluster) used(p *pool.ResourcePool, q *corev1.ResourceQuota) corev1.ResourceList {
	stored := p.UID != ""
	for _, known := range c.quotas {
		switch {
		case known.Name != q.Name:
		case known.Namespace == q.Namespace:
			return known.Status.Used
		default:
			stored = true
		}
	}
	if stored {
		return nil
	}
	return resourcelist.Multiply(q.Spec.Hard, 0)
}

// usageColumns returns what a quota has used of what it limits, as kubectl prints it.
func usageColumns(q *corev1.ResourceQuota, used corev1.ResourceList) (requests, limits string) {
	parts := map[bool][]string{}
	for _, name := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
		limit := strings.HasPrefix(string(name), "limits.")
		hard := q.Spec.Hard[name]
		has, known := used[name]
		parts[limit] = append(parts[limit], fmt.Sprintf("%s: %s/%s", name, orUnknown(has, known), hard.String()))
	}
	return strings.Join(parts[false], ", "), strings.Join(parts[true], ", ")
}

// orUnknown returns an amount as kubectl prints it.
func orUnknown(amount resource.Quantity, known bool) string {
	if !known {
		return "<unknown>"
	}
	return amount.String()
}

// Plan says what has to change so that the waiting claims of a pool are granted.
type Plan struct {
	Pool  string
	First string   // the claim that waits first; empty if none waits
	Lines []string // each a change, or a claim that was overtaken
}

func (c *cluster) plans() (plans []Plan) {
	for _, p := range shown(c, c.pools) {
		claims := c.claimsOf(p)
		a := pool.Allocate(p, claims, c.options)
		first := slices.IndexFunc(a.Decisions, func(d pool.Decision) bool { return d.State == pool.PoolExhausted })
		if first < 0 {
			plans = append(plans, Plan{Pool: p.Name})
			continue
		}
		plan := Plan{Pool: p.Name, First: a.Decisions[first].Claim.String()}
		for _, d := range a.Decisions {
			if more, needed := poolplan.Growth(d.Claim, p, claims); needed {
				plan.say("to grant %v, add %s", d.Claim, list(more))
			}
		}
		all, _ := poolplan.Growth(types.NamespacedName{}, p, claims)
		plan.say("to grant all, add %s", list(all))
		for _, set := range releases(a.Decisions[first], p, claims, a) {
			plan.say("or release %s", join(set))
		}
		for _, o := range poolplan.Overtaken(p, claims, len(claims), c.options) {
			if len(o.By) > 0 {
				plan.say("%v was overtaken by %s", o.Claim, join(o.By))
			}
		}
		plans = append(plans, plan)
	}
	return plans
}

func (p *Plan) say(format string, args ...any) {
	p.Lines = append(p.Lines, fmt.Sprintf(format, args...))
}

func (p *Plan) write(w io.Writer) {
	if p.First == "" {
		fmt.Fprintf(w, "%s: no claim waits\n\n", p.Pool)
		return
	}
	fmt.Fprintf(w, "%s: %v waits first\n", p.Pool, p.First)
	for _, line := range p.Lines {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintln(w)
}

// list returns amounts: "limits.cpu=1, limits.memory=1Gi".
func list(amounts corev1.ResourceList) string {
	return strings.ReplaceAll(resourcelist.String(amounts), ",", ", ")
}

func join(names []types.NamespacedName) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, name.String())
	}
	return strings.Join(parts, ", ")
}
