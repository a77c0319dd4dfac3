package main

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

// showPlans prints, for each pool in which claims wait, what would let them be bound.
func showPlans(w io.Writer, c *cluster) {
	for _, p := range c.pools {
		claims := c.claimsOf(p)
		r, waiting := poolplan.Releases(p, claims, pool.Options{API: pool.Documented})
		if !waiting {
			fmt.Fprintf(w, "%s: nobody waits\n\n", p.Name)
			continue
		}
		fmt.Fprintf(w, "%s: %v waits first\n", p.Name, r.Head)
		for _, d := range pool.Allocate(p, claims, pool.Options{API: pool.Documented}).Decisions {
			if more, needed := poolplan.Growth(d.Claim, p, claims); needed {
				fmt.Fprintf(w, "  to bind %v, add %s\n", d.Claim, list(more))
			}
		}
		fmt.Fprintf(w, "  to bind all, add %s\n", list(poolplan.GrowthForAll(p, claims)))
		for _, set := range r.Sets {
			fmt.Fprintf(w, "  or release %s\n", join(set))
		}
		for _, o := range poolplan.Overtaken(p, claims, len(claims), pool.Options{API: pool.Documented}) {
			if len(o.By) > 0 {
				fmt.Fprintf(w, "  %v was overtaken by %s\n", o.Claim, join(o.By))
			}
		}
		fmt.Fprintln(w)
	}
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
