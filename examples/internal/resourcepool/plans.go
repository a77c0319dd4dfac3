package resourcepool

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// Plan says what has to change so that the waiting claims of a pool are granted.
type Plan struct {
	Pool  string
	First string   // the claim that waits first; empty if none waits
	Lines []string // each a change, or a claim that was overtaken
}

// plans returns the plan of each pool.
func (c *cluster) plans() (plans []Plan) {
	for _, p := range c.pools {
		claims := c.claimsOf(p)
		r, waiting := poolplan.Releases(p, claims, pool.Options{API: pool.Documented})
		if !waiting {
			plans = append(plans, Plan{Pool: p.Name})
			continue
		}
		plan := Plan{Pool: p.Name, First: r.Head.String()}
		for _, d := range pool.Allocate(p, claims, pool.Options{API: pool.Documented}).Decisions {
			if more, needed := poolplan.Growth(d.Claim, p, claims); needed {
				plan.say("to grant %v, add %s", d.Claim, list(more))
			}
		}
		all, _ := poolplan.Growth(types.NamespacedName{}, p, claims)
		plan.say("to grant all, add %s", list(all))
		for _, set := range r.Sets {
			plan.say("or release %s", join(set))
		}
		for _, o := range poolplan.Overtaken(p, claims, len(claims), pool.Options{API: pool.Documented}) {
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

// write prints a plan.
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

func list(amounts corev1.ResourceList) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		q := amounts[name]
		parts = append(parts, fmt.Sprintf("%s=%s", name, q.String()))
	}
	return strings.Join(parts, ", ")
}

func join(names []types.NamespacedName) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, name.String())
	}
	return strings.Join(parts, ", ")
}
