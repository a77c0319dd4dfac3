package quotause

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// mostRows is how many limits have rows.
const mostRows = 20

// nearly is the percentage from which a limit is nearly used up.
const nearly = 80

// summary returns "3 limits: 1 exceeded, 1 used up, 1 used by 80% or more".
func (r *Report) summary() string {
	n := map[string]int{}
	for i := range r.Limits {
		l := &r.Limits[i]
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
	for i := range limits {
		l := &limits[i]
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
		table.Add(0, fmt.Sprintf("and %d others, which are less full: -all shows them", rest))
	}
	s.Table(&table)
}

// rows returns a row for each limit.
func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "QUOTA", "RESOURCE", "USED", "HARD", "LEFT", "USED%", "SCOPES"}}
	for i := range r.Limits {
		q := &r.Limits[i]
		l.Add(listing.NameOf(cmp.Or(q.Kind, "ResourceQuota"), q.Name), listing.Text(q.Namespace), q.Name, string(q.Resource),
			listing.Amount(q.used, q.Resource), listing.Amount(q.hard, q.Resource), listing.Amount(q.left, q.Resource),
			listing.Share(q.used, q.hard, q.Resource), listing.Text(strings.Join(q.Scopes, ", ")))
	}
	return l
}
