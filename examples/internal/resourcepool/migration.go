package resourcepool

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/pool/migrate"
)

// showMigration prints the objects that replace the quotas of each Tenant, and those that replace
// all other ResourceQuotas, in the order in which they are to be applied.
func showMigration(w *command.Session, c *cluster) error {
	plain := slices.Clone(c.quotas)
	for _, t := range c.tenants {
		sources := sourcesOf(t, c.quotas)
		for _, s := range sources {
			plain = slices.DeleteFunc(plain, func(q *corev1.ResourceQuota) bool { return slices.Contains(s.Quotas, q) })
		}
		m, err := migrate.FromQuotas(sources, migrate.Options{
			Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"capsule.clastix.io/tenant": t.Name}}},
		})
		if err != nil {
			return err
		}
		last := fmt.Sprintf("# 4. Remove the items of spec.resourceQuotas from Tenant %s, which deletes", t.Name)
		showSteps(w, m, " of Tenant "+t.Name, last)
	}
	if len(plain) > 0 {
		return showPlainMigration(w, plain)
	}
	if len(c.tenants) == 0 {
		fmt.Fprintf(w, "# nothing to migrate: neither Tenant nor ResourceQuota\n\n")
	}
	return nil
}

// showPlainMigration prints the objects that replace ResourceQuotas without a Tenant, and which of
// their amounts cannot be replaced.
func showPlainMigration(w *command.Session, quotas []*corev1.ResourceQuota) error {
	sources, losses := migrate.Sources(quotas)
	m, err := migrate.FromQuotas(sources, migrate.Options{})
	if err != nil {
		return err
	}
	if len(m.Pools) > 0 {
		showSteps(w, m, "", "# 4. Delete, except for what is listed below,")
	}
	if len(losses) > 0 {
		fmt.Fprintln(w, "# These stay in the old quotas, because no pool can have them:")
		for _, loss := range losses {
			fmt.Fprintf(w, "#    %v: %v\n", loss.Quota, loss.Problem.Field(nil))
		}
		fmt.Fprintln(w)
	}
	return nil
}

// showSteps prints the steps of a migration, the last one under a heading.
func showSteps(w *command.Session, m *migrate.Migration, of, last string) {
	quotas, waiting := m.Check()
	fmt.Fprintf(w, "# 1. Create the claims%s. They fail until the pools exist.\n", of)
	for _, claim := range m.Claims {
		w.YAML(claim)
	}
	fmt.Fprintln(w, "# 2. Create the pools.")
	for _, p := range m.Pools {
		w.YAML(p)
	}
	fmt.Fprintln(w, "# 3. Check that every claim is granted, and that the quotas are:")
	for _, q := range quotas {
		q.Status.Used = q.Spec.Hard // as it is immediately after a migration
		requests, limits := (&cluster{quotas: []*corev1.ResourceQuota{q}}).usage(q)
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("#    %s %s %s %s", q.Namespace, q.Name, requests, limits), " "))
	}
	for _, d := range waiting {
		fmt.Fprintf(w, "#    %v will wait: %s\n", d.Claim, d.Message())
	}
	fmt.Fprintln(w, last)
	for _, name := range m.Replaced {
		fmt.Fprintf(w, "#    %v\n", name)
	}
	fmt.Fprintln(w)
}

// sourcesOf returns the items of a Tenant's resourceQuotas, each with the quotas that Capsule
// keeps for it in the namespaces, whose names end with the number of the item.
func sourcesOf(t *tenant, quotas []*corev1.ResourceQuota) (sources []migrate.PoolSource) {
	names := map[string]bool{}
	for i, item := range t.Spec.ResourceQuotas.Items {
		name := migrate.Purpose(item.Hard)
		if names[name] {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		names[name] = true
		s := migrate.PoolSource{Pool: t.Name + "-" + name, Claim: name, Capacity: item}
		if len(item.Hard) == 1 {
			for only := range item.Hard {
				s.Claim = strings.NewReplacer("/", "-", "_", "-").Replace(string(only))
			}
		}
		for _, q := range quotas {
			if q.Name == fmt.Sprintf("capsule-%s-%d", t.Name, i) {
				s.Quotas = append(s.Quotas, q)
			}
		}
		sources = append(sources, s)
	}
	return sources
}
