package diff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// page is what a report says, before it is written as text or Markdown.
type page struct {
	summary  string
	notes    []string
	sections []section
	fails    bool
}

// section has items or a table.
type section struct {
	title string
	items []item
	table *terminal.Table
}

// item is an object, and what is to be said about it.
type item struct {
	head  string
	notes []string
}

// A page has so many items of a section, and rows of a table, unless all are asked for.
const (
	mostItems = 10
	mostRows  = 10
)

// pageOf returns the page of a report: of many objects, quotas and nodes those that fail, and are fullest afterwards.
func pageOf(r *comparison.Report, all bool) *page {
	rows, most := mostRows, mostItems
	if all {
		rows, most = math.MaxInt, math.MaxInt
	}
	p := &page{summary: r.Summary(), notes: r.Notes, fails: r.Fails() || r.Invalid > 0}
	p.add(section{title: "Not computed", items: lines(r.NotComputed)})
	p.add(section{title: "Problems of the input", items: lines(r.Problems)})
	p.add(section{title: "Pods that lose their place", items: lines(comparison.Lost(r.Pods))})
	p.add(section{title: "Objects", items: items(r.Objects)})
	p.add(section{title: "Other workloads", items: items(r.Others)})
	for i := range p.sections {
		s := &p.sections[i]
		if rest := len(s.items) - most; rest > 0 {
			s.items = append(s.items[:most:most], item{head: "and " + wording.Count(int64(rest), "other") + ": -all lists all"})
		}
	}
	p.add(quotaTable(r.Quotas, rows))
	p.add(nodeTable(r, rows))
	title := "All pods"
	if slices.ContainsFunc(r.Objects, func(o comparison.Object) bool { return o.Kind == "DaemonSet" }) {
		title += ", with one of each DaemonSet"
	}
	p.add(loadTable(title, r.Sums, requested(r.Sums)))
	return p
}

func (p *page) add(s section) {
	if len(s.items) > 0 || s.table != nil && len(s.table.Rows) > 1 {
		p.sections = append(p.sections, s)
	}
}

// items returns what is to be said about objects: first about those that fail, and last about those of which nothing changes.
func items(objects []comparison.Object) (items []item) {
	rank := func(o comparison.Object) int {
		switch {
		case o.Fails():
			return 0
		case o.Action != whatif.Unchanged || len(o.Notes()) > 0:
			return 1
		}
		return 2
	}
	objects = slices.Clone(objects)
	slices.SortStableFunc(objects, func(a, b comparison.Object) int { return rank(a) - rank(b) })
	for _, o := range objects {
		items = append(items, item{o.Head(), o.Notes()})
	}
	return items
}

func lines(texts []string) (items []item) {
	for _, text := range texts {
		items = append(items, item{head: text})
	}
	return items
}

func quotaTable(quotas []comparison.Quota, most int) section {
	s := section{title: "Quotas", table: &terminal.Table{}}
	if len(quotas) > most {
		s.title = fmt.Sprintf("The fullest %d of %d limits of quotas", most, len(quotas))
		quotas = slices.Clone(quotas)
		slices.SortStableFunc(quotas, func(a, b comparison.Quota) int { return cmp.Compare(b.After.Part(), a.After.Part()) })
		quotas = quotas[:most]
	}
	s.table.Add(0, s.title, "before", "after", "hard")
	for _, q := range quotas {
		hard := short(q.After.Hard, q.After.Hard)
		if q.Before.Hard != q.After.Hard && q.Before.Hard != "" {
			hard += " (was " + short(q.Before.Hard, q.Before.Hard) + ")"
		}
		of := q.Namespace + "/" + q.Name
		if q.Kind != "" {
			of = q.Kind + " " + q.Name
		}
		s.table.Add(1, wording.Printable(fmt.Sprintf("%s %s", of, q.Resource)), used(q.Before), used(q.After), hard)
		for _, namespace := range slices.Sorted(maps.Keys(q.Shares)) {
			s.table.Add(1, "  of "+wording.Printable(namespace), "", short(q.Shares[namespace], q.After.Hard), "")
		}
	}
	return s
}

func nodeTable(r *comparison.Report, most int) section {
	title := "Nodes"
	nodes := slices.Clone(r.Nodes)
	if len(nodes) > most {
		slices.SortStableFunc(nodes, func(a, b comparison.Node) int { return cmp.Compare(fullest(&b), fullest(&a)) })
		nodes = nodes[:most]
		title = fmt.Sprintf("The fullest %d of %d nodes", most, len(r.Nodes))
	}
	if len(nodes) != 1 && r.Total != nil {
		nodes = append(nodes, *r.Total)
	}
	of := r.Nodes
	if r.Total != nil {
		of = append(slices.Clone(of), *r.Total)
	}
	return loadTable(title, nodes, requested(of))
}

func loadTable(title string, nodes []comparison.Node, resources []corev1.ResourceName) section {
	s := section{title: title, table: &terminal.Table{Group: 2}}
	head := s.table.Add(0, s.title)
	for _, name := range resources {
		head.Cells = append(head.Cells, wording.Printable(string(name)), "after")
	}
	for i := range nodes {
		row := s.table.Add(1, wording.Printable(nodes[i].Name))
		for _, name := range resources {
			row.Cells = append(row.Cells, used(nodes[i].Before[name]), used(nodes[i].After[name]))
		}
	}
	return s
}

func fullest(n *comparison.Node) (most int64) {
	for _, u := range n.After {
		most = max(most, u.Part())
	}
	return most
}

// requested returns pods, cpu and memory, and the other resources whose requests change.
func requested(nodes []comparison.Node) []corev1.ResourceName {
	names := []corev1.ResourceName{corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory}
	var others []corev1.ResourceName
	for _, n := range nodes {
		for _, list := range []map[corev1.ResourceName]comparison.Usage{n.Before, n.After} {
			for name := range list {
				if !slices.Contains(names, name) && n.Before[name].Used != n.After[name].Used {
					others = append(others, name)
				}
			}
		}
	}
	slices.Sort(others)
	return append(names, slices.Compact(others)...)
}

// short returns an amount for people, in the units of another.
func short(amount, other string) string {
	q, err := quantity.Parse(amount)
	like, failed := quantity.Parse(other)
	if err != nil || failed != nil {
		return "-"
	}
	return quantity.ShortLike(q, like)
}

func used(u comparison.Usage) string {
	percent := ""
	if u.Percent != nil {
		percent = fmt.Sprintf("%d%%", *u.Percent)
	}
	return terminal.WithPercent(short(u.Used, cmp.Or(u.Hard, u.Used)), percent)
}

func (p *page) write(text *terminal.Text) {
	text.Verdict(p.fails, func() { text.Hang("", p.summary) })
	for _, line := range p.notes {
		text.In(terminal.Yellow, func() { text.Hang("", line) })
	}
	for _, s := range p.sections {
		if s.table != nil {
			text.Line("")
			text.Table(s.table)
			continue
		}
		text.Line("\n" + s.title)
		for _, it := range s.items {
			text.Hang("  ", it.head)
			for _, note := range it.notes {
				text.Hang("    ", note)
			}
		}
	}
}

// markdown returns a page for a comment on a pull request.
func markdown(p *page) string {
	var b strings.Builder
	b.WriteString("**" + escape(p.summary) + "**\n")
	for _, note := range p.notes {
		b.WriteString("\n" + escape(note) + "\n")
	}
	for _, s := range p.sections {
		b.WriteString("\n#### " + escape(s.title) + "\n\n")
		for _, it := range s.items {
			b.WriteString("- " + escape(it.head) + "\n")
			for _, note := range it.notes {
				b.WriteString("  - " + escape(note) + "\n")
			}
		}
		if s.table == nil {
			continue
		}
		for i, row := range s.table.Rows {
			if i == 1 {
				b.WriteString("|---|" + strings.Repeat("--:|", len(row.Cells)) + "\n")
			}
			b.WriteString(line(append([]string{row.Label}, row.Cells...)))
		}
	}
	return b.String()
}

func line(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + escape(strings.Join(strings.Fields(cell), " ")) + " ")
	}
	return b.String() + "|\n"
}

// escape makes a text of the input stand for itself.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&",
	"&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "@", "@\u200b", "~", `\~`)
