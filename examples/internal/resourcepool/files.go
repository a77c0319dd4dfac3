package resourcepool

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/pool"
)

// Samples are what the program reads without files, in the folder samples.
//
//go:embed samples/*.yaml
var Samples embed.FS

var kinds = objects.Kinds{
	{"v1", "Namespace"}:                    reflect.TypeFor[corev1.Namespace](),
	{"v1", "ResourceQuota"}:                reflect.TypeFor[corev1.ResourceQuota](),
	{pool.APIVersion, "Tenant"}:            reflect.TypeFor[tenant](),
	{pool.APIVersion, "ResourcePool"}:      reflect.TypeFor[pool.ResourcePool](),
	{pool.APIVersion, "ResourcePoolClaim"}: reflect.TypeFor[pool.ResourcePoolClaim](),
}

// tenant has the fields of Capsule's Tenant that a migration needs.
type tenant struct {
	metav1.TypeMeta
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ResourceQuotas struct {
			Items []corev1.ResourceQuotaSpec `json:"items"`
		} `json:"resourceQuotas"`
	} `json:"spec"`
}

// UnmarshalJSON ignores the other fields of a Tenant, so they are not reported as unknown.
func (t *tenant) UnmarshalJSON(data []byte) error {
	type plain tenant
	return json.Unmarshal(data, (*plain)(t))
}

// DeepCopyObject returns a copy of t, as runtime.Object requires.
func (t *tenant) DeepCopyObject() runtime.Object {
	c := &tenant{TypeMeta: t.TypeMeta, ObjectMeta: *t.ObjectMeta.DeepCopy()}
	for _, item := range t.Spec.ResourceQuotas.Items {
		c.Spec.ResourceQuotas.Items = append(c.Spec.ResourceQuotas.Items, *item.DeepCopy())
	}
	return c
}

// readAll returns the cluster of the named files, or one of each sample if there are none.
func readAll(o *options, stdin io.Reader) (clusters []*cluster) {
	r := objects.Reader{Kinds: kinds, Stdin: stdin, Check: objects.Checked(o.Strict)}
	if len(o.Files) > 0 || o.Cluster {
		c := o.Common
		c.All, c.Namespace = c.Cluster, "" // pools are of the cluster
		return []*cluster{clusterOf(cmp.Or(strings.Join(o.Files, ", "), "the cluster"),
			origin.Objects(r, &c, Samples, "namespaces", "resourcequotas", "resourcepools.capsule.clastix.io", "resourcepoolclaims.capsule.clastix.io"))}
	}
	names, _ := fs.Glob(Samples, "samples/*.yaml") // the pattern is valid
	for _, name := range names {
		data, err := Samples.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		heading, _, _ := strings.Cut(string(data), "\n")
		r.Stdin = strings.NewReader(string(data))
		c := clusterOf(name, r.Files([]string{"-"}))
		c.heading = fmt.Sprintf("# %s\n%s", name, heading)
		clusters = append(clusters, c)
	}
	return clusters
}

func clusterOf(name string, all iter.Seq[objects.Object]) *cluster {
	c := &cluster{name: name, skipped: map[string]int{}}
	known := map[string]bool{}
	for o := range all {
		if o.Unknown() {
			c.skipped[o.Kind]++
			continue
		}
		c.problems = append(c.problems, o.Problems...)
		if o.Typed == nil {
			continue
		}
		named := o.Typed.(metav1.Object)
		key := o.Kind + "/" + named.GetNamespace() + "/" + named.GetName()
		switch {
		case named.GetName() == "":
			c.fail(o.Place, "metadata.name", "missing")
		case known[key]:
			c.fail(o.Place, "", "duplicate name: the first one counts")
		default:
			known[key] = true
			failed := objects.Guarded(o.Place, func() { c.add(o.Place, o.Typed) })
			c.problems = append(c.problems, failed...)
		}
	}
	return c
}

// add adds an object, unless it is invalid.
func (c *cluster) add(at objects.Place, object any) {
	var errs field.ErrorList
	switch o := object.(type) {
	case *corev1.Namespace:
		c.namespaces = append(c.namespaces, o)
	case *corev1.ResourceQuota:
		c.quotas = append(c.quotas, o)
	case *tenant:
		c.tenants = append(c.tenants, o)
	case *pool.ResourcePool:
		if errs = pool.ValidatePool(nil, o); len(errs) == 0 {
			c.pools = append(c.pools, o)
		}
	case *pool.ResourcePoolClaim:
		if errs = pool.ValidateClaim(nil, o, pool.AdmissionOptions{}); len(errs) == 0 {
			c.claims = append(c.claims, o)
		}
	}
	for _, err := range errs {
		c.fail(at, err.Field, err.ErrorBody())
	}
}

func (c *cluster) fail(at objects.Place, field, text string) {
	c.problems = append(c.problems, objects.Problems(at, objects.Invalid, objects.Fault{Field: field, Text: text})...)
}

// notes returns a line for each reason why objects do not count, and for missing objects.
func (c *cluster) notes(o *options) (notes []string) {
	if len(c.skipped) > 0 {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(c.skipped)) {
			counts = append(counts, fmt.Sprintf("%d %s", c.skipped[kind], wording.Printable(kind)))
		}
		notes = append(notes, "skipped, since they do not concern quotas: "+strings.Join(counts, ", "))
	}
	return append(notes, c.missing(o)...)
}

// missing returns which objects an answer needs that are not in the input.
func (c *cluster) missing(o *options) (missing []string) {
	switch {
	case o.migrate && len(c.tenants)+len(c.quotas) == 0:
		return []string{"nothing to migrate: the input has neither a Tenant nor a ResourceQuota"}
	case o.migrate && len(c.tenants) > 0 && len(c.quotas) == 0:
		return []string{"without the ResourceQuotas of the namespaces, the claims of a Tenant are unknown: only its pools are printed"}
	case o.migrate:
		return nil
	case len(c.pools)+len(c.claims) == 0 && len(c.tenants)+len(c.quotas) > 0:
		return []string{"the input has neither a ResourcePool nor a ResourcePoolClaim: use -migrate for Tenants and ResourceQuotas"}
	case len(c.pools)+len(c.claims) == 0:
		return []string{"the input has neither a ResourcePool nor a ResourcePoolClaim"}
	}
	if len(c.pools) == 0 {
		missing = append(missing, "the input has no ResourcePool: no claim can be granted")
	}
	unread := map[string]bool{}
	for _, claim := range c.claims {
		if c.namespace(claim.Namespace).Name == "" {
			unread[wording.Printable(claim.Namespace)] = true
		}
	}
	if len(c.namespaces) == 0 {
		missing = append(missing, "the input has no Namespace, and pools select Namespaces by labels")
	} else if len(unread) > 0 {
		missing = append(missing, "Namespaces of claims that are not in the input: "+strings.Join(slices.Sorted(maps.Keys(unread)), ", "))
	}
	return missing
}
