package main

import (
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

// showMigration prints, for each Tenant, the objects that replace its quotas, in the order
// in which they are to be applied.
func showMigration(w io.Writer, c *cluster) error {
	if len(c.tenants) == 0 {
		fmt.Fprintf(w, "# no Tenant\n\n")
	}
	for _, t := range c.tenants {
		m, err := migrate.FromQuotas(t.sources(c.quotas), migrate.Options{
			Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"capsule.clastix.io/tenant": t.Name}}},
			Config:    pool.ResourcePoolConfig{DefaultsZero: true},
		})
		if err != nil {
			return err
		}
		quotas, waiting := m.Check()
		fmt.Fprintf(w, "# 1. Create the claims of Tenant %s. They fail until there are pools.\n", t.Name)
		for _, claim := range m.Claims {
			if err := write(w, claim); err != nil {
				return err
			}
		}
		fmt.Fprintln(w, "# 2. Create the pools.")
		for _, p := range m.Pools {
			if err := write(w, p); err != nil {
				return err
			}
		}
		fmt.Fprintln(w, "# 3. See that every claim is bound, and that these are the quotas:")
		for _, q := range quotas {
			requests, limits := (&cluster{quotas: []*corev1.ResourceQuota{q}}).usage(used(q))
			fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("#    %s %s %s %s", q.Namespace, q.Name, requests, limits), " "))
		}
		for _, d := range waiting {
			fmt.Fprintf(w, "#    %v will wait: %s\n", d.Claim, d.Message())
		}
		fmt.Fprintf(w, "# 4. Remove the items of spec.resourceQuotas from Tenant %s, which deletes\n", t.Name)
		for _, name := range m.Replaced {
			fmt.Fprintf(w, "#    %v\n", name)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// used returns a quota of which all is in use, as it is right after a migration.
func used(q *corev1.ResourceQuota) *corev1.ResourceQuota {
	q.Status.Used = q.Spec.Hard
	return q
}

// sources are the items of a Tenant's resourceQuotas, each with the quotas that Capsule
// keeps for it in the namespaces, whose names end with the number of the item.
func (t *tenant) sources(quotas []*corev1.ResourceQuota) (sources []migrate.PoolSource) {
	names := map[string]bool{}
	for i, item := range t.Spec.ResourceQuotas.Items {
		name := purpose(item.Hard)
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

// purpose returns a name for what a quota limits.
func purpose(hard corev1.ResourceList) string {
	for name := range hard {
		if strings.Contains(string(name), "storage") {
			return "storage"
		}
	}
	for name := range hard {
		if strings.HasSuffix(string(name), "cpu") || strings.HasSuffix(string(name), "memory") {
			return "compute"
		}
	}
	return "size"
}

// write writes an object as a document of YAML.
func write(w io.Writer, o runtime.Object) error {
	fmt.Fprintln(w, "---")
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, nil, json.SerializerOptions{Yaml: true}).Encode(o, w)
}
