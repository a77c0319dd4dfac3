// Package quotause is the subcommand quota: what is used of each quota, and what is left.
package quotause

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples/*.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	all bool // as text, every limit is shown, however many there are
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "quota", "What is used of each quota, and what is left.",
		"some input could not be read, or there was no quota", "more is used than a quota allows", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	flags.BoolVar(&o.all, "all", false, fmt.Sprintf("more than %d rows; -resources, -namespace-labels: some limits", mostRows))
	o.Narrow()
	err = o.Parse(args, nil)
	return o, err
}

// Report is what is used of quotas, as -o json writes it. Amounts are canonical quantities.
type Report struct {
	// Limits are the resources of all quotas: first those of which nothing is left, then by percentage.
	Limits []Limit `json:"limits"`
	// Problems are what is invalid or doubtful in the input.
	Problems []string `json:"problems,omitempty"`
}

// Limit is what a quota limits. A quota that several namespaces share has a kind, and no namespace.
type Limit struct {
	Kind      string              `json:"kind,omitempty"`
	Namespace string              `json:"namespace,omitempty"`
	Name      string              `json:"name"`
	Scopes    []string            `json:"scopes,omitempty"` // of the objects that count
	Resource  corev1.ResourceName `json:"resource"`
	// Used is empty if the usage is not known: the quota has no status, and the input has no pods of its namespace.
	comparison.Usage
	Left string `json:"left,omitempty"` // negative if more is used than allowed
	// Shares are what each namespace uses of a quota that they share.
	Shares map[string]string `json:"shares,omitempty"`

	used, hard, left report.Amounts
}

func answer(o options, s *command.Session) {
	l := &inventory.List{Home: cmp.Or(o.Namespace, corev1.NamespaceDefault)}
	reader := objects.Reader{Kinds: inventory.Kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	all := origin.Objects(reader, &o.Common, samples, "resourcequotas", "namespaces")
	if o.Cluster {
		all = origin.Joined(all, origin.SharedQuotas(reader, &o.Common))
	}
	l.ReadDump(withUnknown(all))
	inventory.Complain(s, l)
	*l = inventory.List{Objects: l.Objects, Problems: l.Problems} // the rest is large, and no longer needed
	command.LimitGarbage()
	opts := whatif.Options{}
	opts.Admission.Kubernetes = origin.Kubernetes(&o.Common, l.Kubelets(), o.Say)
	defaults := l.Defaults(opts.Admission.Kubernetes)
	for _, pod := range inventory.Of[*corev1.Pod](l) {
		defaults.Apply(pod)
	}
	c, err := whatif.Read(l.Objects, opts)
	if err != nil {
		s.Say(command.Unread, "%v", err)
		return
	}
	r := reportOf(c, l, &o.Common)
	r.Problems = l.Graded(objects.Invalid, objects.Warning)
	if len(r.Limits) == 0 {
		s.Say(command.Unread, "the input has no quota")
		return
	}
	if slices.ContainsFunc(r.Limits, func(l Limit) bool { return l.sign() < 0 }) {
		s.Exit(command.Rejected)
	}
	s.Answer(&o.Common, r, r.rows, func() { r.write(s, o.all) })
}

// withUnknown has objects of kinds that are not read count for quotas, by their kind.
func withUnknown(all iter.Seq[objects.Object]) iter.Seq[objects.Object] {
	return func(yield func(objects.Object) bool) {
		for o := range all {
			if o.Unknown() && o.Identity.Name+o.Identity.GenerateName != "" {
				p := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: o.APIVersion, Kind: o.Kind}}
				p.Namespace, p.Name, p.GenerateName = o.Identity.Namespace, o.Identity.Name, o.Identity.GenerateName
				o.Typed, o.Problems, o.Kind = p, nil, o.Kind+" of "+o.APIVersion
			}
			if !yield(o) {
				return
			}
		}
	}
}

// reportOf describes the quotas of the namespaces of the objects that were read, and those that several of all share.
func reportOf(c *whatif.Cluster, l *inventory.List, shows *command.Common) *Report {
	r, among := &Report{}, shows.Rows.Among(inventory.Of[*corev1.Namespace](l))
	in := func(namespace string) bool { return shows.ShowsNamespace(namespace) && among(namespace) }
	for _, namespace := range inventory.Namespaces(l) {
		for _, q := range c.Namespace(namespace).Quotas() {
			if in(namespace) && !inventory.IsShared(q) && shows.Rows.Selects(q) {
				r.add(Limit{Namespace: q.Namespace, Name: q.Name}, q, nil)
			}
		}
	}
	for _, q := range c.ClusterQuotas() {
		of, all := slices.Collect(maps.Keys(q.Namespaces)), shows.Rows.Namespaces == nil && (shows.Namespace == "" || shows.Cluster)
		if shows.Rows.Selects(&metav1.ObjectMeta{Name: q.Name}) && (all || slices.ContainsFunc(of, in)) {
			r.add(Limit{Kind: string(q.Kind), Name: q.Name}, &corev1.ResourceQuota{Spec: q.Spec, Status: q.Status}, q)
		}
	}
	r.Limits = slices.DeleteFunc(r.Limits, func(l Limit) bool { return !shows.Rows.ShowsResource(l.Resource) })
	slices.SortStableFunc(r.Limits, func(a, b Limit) int {
		return cmp.Or(cmp.Compare(a.sign(), b.sign()), cmp.Compare(b.Part(), a.Part()))
	})
	return r
}

// add adds the limits of a quota, which several namespaces may share. Those of the status are enforced.
func (r *Report) add(of Limit, q *corev1.ResourceQuota, shared *quota.ClusterQuota) {
	for _, scope := range quota.Scopes(q) {
		words := []string{string(scope.ScopeName)}
		if scope.Operator != corev1.ScopeSelectorOpExists {
			words = append(words, string(scope.Operator), strings.Join(scope.Values, ","))
		}
		of.Scopes = append(of.Scopes, strings.TrimSpace(strings.Join(words, " ")))
	}
	of.hard, of.used, of.left = report.Amounts(q.Status.Hard), report.Amounts(q.Status.Used), report.Amounts(quota.Remaining(q))
	if len(of.hard) == 0 {
		of.hard = report.Amounts(q.Spec.Hard)
	}
	for _, name := range slices.Sorted(maps.Keys(of.hard)) {
		limit := of
		limit.Resource, limit.Usage = name, comparison.UsageOf(q.Status.Used, corev1.ResourceList(of.hard), name)
		limit.Left = of.left.Text(name)
		if limit.Left == "" {
			limit.Used, limit.Percent = "", nil
		}
		if shared != nil {
			limit.Shares = comparison.SharesOf(shared, name)
		}
		r.Limits = append(r.Limits, limit)
	}
}

// sign returns whether something is left, as 1, nothing, as 0, or less than that, as -1. It is 2 if that is not known.
func (l *Limit) sign() int {
	left, known := l.left[l.Resource]
	if !known {
		return 2
	}
	return left.Sign()
}

// mostRows is how many limits have rows.
const mostRows = 20

// nearly is the percentage from which a limit is nearly used up.
const nearly = 80

// summary returns "3 limits: 1 exceeded, 1 used up, 1 used by 80% or more".
func (r *Report) summary() string {
	n := map[string]int{}
	for _, l := range r.Limits {
		switch {
		case l.sign() < 0:
			n["exceeded"]++
		case l.sign() == 0:
			n["used up"]++
		case l.sign() == 2:
			n["not known"]++
		case l.Part() >= nearly:
			n["used by 80% or more"]++
		}
	}
	var words []string
	for _, what := range []string{"exceeded", "used up", "used by 80% or more", "not known"} {
		if n[what] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[what], what))
		}
	}
	return wording.Count(int64(len(r.Limits)), "limit") + ": " + cmp.Or(strings.Join(words, ", "), "something is left of each")
}

func (l *Limit) title() string {
	of := wording.Qualified(l.Namespace, l.Name)
	if l.Kind != "" {
		of = l.Kind + " " + l.Name
	}
	return wording.Printable(of + " " + string(l.Resource))
}

func (r *Report) write(s *command.Session, all bool) {
	s.Verdict(r.Limits[0].sign() <= 0, func() { s.Line(r.summary() + "\n") })
	limits := r.Limits
	if !all {
		limits = limits[:min(len(limits), mostRows)]
	}
	var table terminal.Table
	table.Add(0, "quota", "used", "hard", "left", "full")
	for _, l := range limits {
		full := "-"
		if l.Percent != nil {
			full = fmt.Sprintf("%d%%", *l.Percent)
		}
		row := table.Add(0, l.title(), cmp.Or(l.used.ShortLike(l.Resource, l.hard), "unknown"), l.hard.Short(l.Resource),
			cmp.Or(l.left.ShortLike(l.Resource, l.hard), "unknown"), full)
		if len(l.Scopes) > 0 {
			row.Note = wording.Printable("of " + strings.Join(l.Scopes, ", "))
		}
		for _, namespace := range slices.Sorted(maps.Keys(l.Shares)) {
			table.Add(1, "of "+wording.Printable(namespace), l.Shares[namespace], "", "", "")
		}
	}
	if rest := len(r.Limits) - len(limits); rest > 0 {
		table.Add(0, "and "+wording.Count(int64(rest), "less full one")+": -all shows all")
	}
	s.Table(&table)
}

func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "QUOTA", "RESOURCE", "USED", "HARD", "LEFT", "USED%", "SCOPES"}}
	for _, q := range r.Limits {
		l.Add(listing.NameOf(cmp.Or(q.Kind, "ResourceQuota"), q.Name), listing.Text(q.Namespace), q.Name, string(q.Resource),
			listing.Amount(q.used, q.Resource), listing.Amount(q.hard, q.Resource), listing.Amount(q.left, q.Resource),
			listing.Share(q.used, q.hard, q.Resource), listing.Text(strings.Join(q.Scopes, ", ")))
	}
	return l
}
