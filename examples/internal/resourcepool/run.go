// Package resourcepool is the subcommand pool, which evaluates the resource pools of Capsule without a cluster, and
// its answers as values.
package resourcepool

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota/admit"
)

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	now                    time.Time
	metrics, plan, migrate bool
	dir                    string       // of the files of a migration
	of                     pool.Options // which Capsule
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "pool",
		"Which claims on resource pools hold what they request, and why others wait.",
		"some input could not be read, or is missing",
		"the API server would reject an object in the input, or\n     quotas cannot be replaced as they are", stdout, stderr, "text")
	flags.Func("now", "compute ages at this `TIME`, such as 2026-01-01T00:20:02Z",
		func(text string) (err error) {
			o.now, err = time.Parse(time.RFC3339, text)
			return err
		})
	flags.BoolVar(&o.metrics, "metrics", false, "print the metrics")
	flags.BoolVar(&o.plan, "plan", false, "print what has to change so that waiting claims are granted")
	flags.BoolVar(&o.migrate, "migrate", false, "print the pools and claims that replace ResourceQuotas")
	flags.StringVar(&o.dir, "dir", "", "with -migrate, write its steps as files into this empty `DIR`")
	flags.BoolVar(&o.of.Documented, "documented", false, "follow Capsule's documentation instead of its current API")
	err = o.Parse(args, func() error {
		if o.metrics && o.plan || o.metrics && o.migrate || o.plan && o.migrate {
			return errors.New("-metrics, -plan and -migrate cannot be given together")
		}
		if o.dir != "" && !o.migrate {
			return errors.New("-dir is for -migrate")
		}
		if o.migrate && (o.Rows.Narrows() || o.Namespace != "") {
			return errors.New("-migrate replaces all quotas that are read: -l, -field-selector and -n cannot be given")
		}
		if o.migrate && o.of.Documented {
			return errors.New("-migrate writes objects of the current API: -documented cannot be given")
		}
		if !o.now.IsZero() && (o.metrics || o.plan || o.migrate) {
			return errors.New("-now is for ages, which -metrics, -plan and -migrate do not have")
		}
		return nil
	})
	return o, err
}

func answer(o options, s *command.Session) {
	r := objects.Reader{Kinds: kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	if len(o.Files) > 0 || o.Cluster {
		resources := []string{"namespaces", "resourcequotas", "resourcepools.capsule.clastix.io", "resourcepoolclaims.capsule.clastix.io"}
		if o.migrate {
			resources = append(resources, "tenants.capsule.clastix.io")
		}
		c := clusterOf(o.of, o.Namespace, origin.Objects(r, o.WholeCluster(), Samples, resources...))
		inventory.Complain(s, &c.List)
		for _, note := range c.missing(o.migrate) {
			s.Say(command.Unread, "%s", note)
		}
		o.show(s, c)
		return
	}
	names, _ := fs.Glob(Samples, "samples/*.yaml") // the pattern is valid
	for _, name := range names {
		text, _ := Samples.ReadFile(name) // which is embedded
		c := clusterOf(o.of, "", r.File(name, bytes.NewReader(text)))
		heading, _, _ := strings.Cut(string(text), "\n")
		fmt.Fprintf(s, "# %s\n%s\n\n", name, heading)
		o.show(s, c)
	}
}

func (o options) show(s *command.Session, c *cluster) {
	c.shows = o.Common
	if o.migrate {
		if err := showMigration(steps{s, o.dir}, c); err != nil {
			s.Say(command.Unread, "%v", err)
		}
		return
	}
	now := o.now
	if now.IsZero() {
		now = c.now()
	}
	c.reconcile(now)
	switch {
	case o.metrics:
		c.showMetrics(s)
	case o.plan:
		for _, p := range c.plans() {
			p.write(s)
		}
	default:
		for _, t := range c.tables(now) {
			l := listing.List{Columns: t.Columns}
			for _, row := range t.Rows {
				cells := make([]any, len(row))
				for i, cell := range row {
					cells[i] = cell
				}
				l.Add("", cells...)
			}
			s.List(&o.Common, &l)
			s.Line("")
		}
	}
}

// showMetrics prints the metrics in the text format of Prometheus.
func (c *cluster) showMetrics(w io.Writer) {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`) // only these, unlike in Go
	for _, m := range poolmetrics.Collect(shown(c, c.pools), shown(c, c.claims), c.options) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n", m.Name, m.Help, m.Name)
		for _, s := range m.Samples {
			labels := make([]string, len(s.Labels))
			for i, l := range s.Labels {
				labels[i] = l.Name + `="` + escape.Replace(l.Value) + `"`
			}
			fmt.Fprintf(w, "%s{%s} %s\n", m.Name, strings.Join(labels, ","), strconv.FormatFloat(s.Value, 'g', -1, 64))
		}
	}
	fmt.Fprintln(w)
}

// Answer is what the program answers about a file.
type Answer struct {
	Tables    []Table
	Plans     []Plan
	Migration string   // what replaces Tenants' and other quotas, where there are neither pools nor claims
	Notes     []string // what does not count, and what is missing
	Problems  []objects.Problem
}

// AnswerFor answers about a file that is open already. An error says why its quotas cannot be migrated.
func AnswerFor(name string, file io.Reader) (a Answer, err error) {
	c := clusterOf(pool.Options{}, "", objects.Reader{Kinds: kinds, Check: objects.Warn}.File(name, file))
	migrates := len(c.pools)+len(c.claims) == 0 && len(c.tenants)+len(c.quotas) > 0
	a.Problems, a.Notes = c.Problems, c.missing(migrates)
	if note := inventory.Note(&c.List); note != "" {
		a.Notes = append([]string{note}, a.Notes...)
	}
	if migrates {
		s := command.Session{Text: &terminal.Text{}}
		err = showMigration(steps{Session: &s}, c)
		a.Migration = s.String()
		return a, err
	}
	now := c.now()
	c.reconcile(now)
	a.Tables, a.Plans = c.tables(now), c.plans()
	return a, nil
}

// now returns the time two seconds after the last object was created.
func (c *cluster) now() (youngest time.Time) {
	for _, o := range c.Objects {
		if at := o.GetCreationTimestamp().Time; at.After(youngest) {
			youngest = at
		}
	}
	return youngest.Add(2 * time.Second)
}

// missing returns which objects an answer needs that are not in the input.
func (c *cluster) missing(migrates bool) []string {
	quotas, claims := len(c.tenants)+len(c.quotas), len(c.pools)+len(c.claims)
	switch {
	case migrates && quotas == 0:
		return []string{"nothing to migrate: the input has neither a Tenant nor a ResourceQuota"}
	case migrates && slices.ContainsFunc(c.tenants, shares) && len(c.quotas) == 0:
		return []string{"without the ResourceQuotas of the namespaces, the claims of a Tenant are unknown: only its pools are printed"}
	case migrates:
		return nil
	case claims == 0 && quotas > 0:
		return []string{"the input has neither a ResourcePool nor a ResourcePoolClaim: use -migrate for Tenants and ResourceQuotas"}
	case claims == 0:
		return []string{"the input has neither a ResourcePool nor a ResourcePoolClaim"}
	case len(c.pools) == 0:
		return []string{"the input has no ResourcePool: no claim can be granted"}
	}
	for _, claim := range c.claims {
		if c.namespace(claim.Namespace).Name == "" {
			return []string{"the input has no Namespace " + wording.Printable(claim.Namespace) + ", and pools select Namespaces by labels"}
		}
	}
	return nil
}

// cluster is the input from files, and the result.
type cluster struct {
	inventory.List
	options    pool.Options
	shows      command.Common // which of the objects
	pools      []*pool.ResourcePool
	claims     []*pool.ResourcePoolClaim
	namespaces []*corev1.Namespace
	quotas     []*corev1.ResourceQuota
	tenants    []*tenant
}

// reconcile assigns claims to pools and allocates the pools, repeatedly until nothing changes, as
// controllers do, and writes the result to the statuses. It terminates, because every round but the last
// releases, grants or assigns a claim that does not change again.
func (c *cluster) reconcile(now time.Time) {
	slices.SortFunc(c.claims, func(a, b *pool.ResourcePoolClaim) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Namespace, b.Namespace))
	})
	for c.allocate(now) {
	}
	for _, p := range c.pools {
		c.applyUse(p, now)
	}
}

// applyUse writes which claims each namespace of a pool uses. It needs the statuses of the pool's quotas. With the
// documented API, no table shows it.
func (c *cluster) applyUse(p *pool.ResourcePool, now time.Time) {
	claims := c.claimsOf(p)
	for _, namespace := range p.Status.Namespaces {
		used := c.used(p, quotaOf(p, namespace))
		if used == nil {
			continue
		}
		needed := pool.Needed(namespace, used, p, claims)
		for _, claim := range claims {
			if claim.Namespace == namespace {
				pool.ApplyUse(claim, slices.Contains(needed, claim.Key()), now)
			}
		}
	}
}

// allocate is one round, and reports whether it changed which claims hold resources or have a pool.
func (c *cluster) allocate(now time.Time) (changed bool) {
	mine := map[string][]*pool.ResourcePoolClaim{}
	for _, claim := range c.claims {
		name, err := pool.Assign(claim, c.namespace(claim.Namespace), c.pools)
		if err != nil {
			pool.ApplyAssignError(claim, err, now, c.options)
			continue
		}
		if claim.Spec.Pool == "" {
			claim.Spec.Pool, changed = name, true
		}
		mine[name] = append(mine[name], claim)
	}
	for _, p := range c.pools {
		before := holding(mine[p.Name])
		a := pool.Allocate(p, mine[p.Name], c.options)
		a.Apply(p, mine[p.Name], pool.Namespaces(p, c.namespaces), now, c.options)
		changed = changed || before != holding(mine[p.Name])
	}
	return changed
}

// holding returns which of some claims hold resources.
func holding(claims []*pool.ResourcePoolClaim) string {
	var holding []bool
	for _, claim := range claims {
		holding = append(holding, claim.Holding())
	}
	return fmt.Sprint(holding)
}

// claimsOf returns the claims that are assigned to a pool.
func (c *cluster) claimsOf(p *pool.ResourcePool) (claims []*pool.ResourcePoolClaim) {
	for _, claim := range c.claims {
		if claim.Status.Pool.Name == p.Name {
			claims = append(claims, claim)
		}
	}
	return claims
}

func (c *cluster) namespace(name string) *corev1.Namespace {
	i := slices.IndexFunc(c.namespaces, func(ns *corev1.Namespace) bool { return ns.Name == name })
	if i < 0 {
		return &corev1.Namespace{}
	}
	return c.namespaces[i]
}

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

func clusterOf(opts pool.Options, home string, all iter.Seq[objects.Object]) *cluster {
	c := &cluster{options: opts}
	c.Home, c.Check = home, check
	c.Read(all)
	c.pools, c.claims = inventory.Of[*pool.ResourcePool](&c.List), inventory.Of[*pool.ResourcePoolClaim](&c.List)
	c.namespaces, c.quotas = inventory.Of[*corev1.Namespace](&c.List), inventory.Of[*corev1.ResourceQuota](&c.List)
	c.tenants = inventory.Of[*tenant](&c.List)
	return c
}

func check(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *pool.ResourcePool:
		return pool.ValidatePool(nil, o)
	case *pool.ResourcePoolClaim:
		return pool.ValidateClaim(nil, o, pool.AdmissionOptions{})
	}
	return nil
}
