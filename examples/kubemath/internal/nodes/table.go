package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The report as text: a row for each node, and for its pods and their containers, with a group of columns for each
// resource.

const gap = "  "

// narrow is the width of screens on which each column of a resource stands for itself.
const narrow = 60

// sheet is a text of lines of a width.
type sheet struct {
	strings.Builder
	*options
	columns int
	milli   bool // some cpu is not whole, so all of the table is in milli-units
}

// table returns the report in lines of so many columns, if the names are not longer.
func (o *options) table(r *Report, columns int) string {
	s := &sheet{options: o, columns: max(columns, 30)}
	for _, row := range rows(r) {
		for _, a := range []Amounts{row.load.Allocatable, row.load.Requests, row.load.Limits, row.load.Usage} {
			s.milli = s.milli || strings.HasSuffix(a[corev1.ResourceCPU], "m")
		}
	}
	s.nodes(r)
	s.pending(r)
	s.drained(r.Drain)
	s.packings(r)
	s.remarks(r)
	return s.String()
}

// row is a row of the table of nodes.
type row struct {
	label string
	load  *Load
	of    *Load // of its node
}

// rows returns the rows of the nodes, with those of pods and containers, and the sum.
func rows(r *Report) (rows []row) {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		label := wording.Printable(n.Name)
		if n.Unschedulable {
			label += " (cordoned)"
		}
		rows = append(rows, row{label, &n.Load, &n.Load})
		for j := range n.Pods {
			p := &n.Pods[j]
			rows = append(rows, row{gap + wording.Printable(p.Namespace+"/"+p.Name), &p.Load, &n.Load})
			for k := range p.Containers {
				rows = append(rows, row{gap + gap + wording.Printable(p.Containers[k].Name), &p.Containers[k].Load, &n.Load})
			}
		}
	}
	if len(r.Nodes) > 1 { // the total of one node is that node
		rows = append(rows, row{"all " + wording.Count(int64(len(r.Nodes)), "node"), &r.Total, &r.Total})
	}
	return rows
}

// column has the cells of one resource: a title, and a text of the same width for each row.
type column struct {
	title string
	rows  []string
}

func (s *sheet) nodes(r *Report) {
	if len(r.Nodes) == 0 {
		s.WriteString("no nodes\n")
		return
	}
	all := rows(r)
	columns := s.columnsOf(corev1.ResourcePods, all) // narrow
	for _, name := range shown(r) {
		if name != corev1.ResourcePods {
			columns = append(columns, s.columnsOf(name, all)...)
		}
	}
	labels := []string{"", "node"}
	for _, row := range all {
		labels = append(labels, row.label)
	}
	s.writeColumns(labels, columns, len(r.Nodes) > 1)
}

// shown returns the resources that have columns: cpu, memory and pods, and others that are requested or
// that a node has. Ephemeral storage, which all nodes have, must be requested.
func shown(r *Report) []corev1.ResourceName {
	lists := []Amounts{r.Total.Allocatable, r.Total.Requests, r.Total.Limits}
	return slices.DeleteFunc(names(lists...), func(name corev1.ResourceName) bool {
		switch name {
		case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods:
			return false
		case corev1.ResourceEphemeralStorage:
			lists = lists[1:]
		}
		return !slices.ContainsFunc(lists, func(a Amounts) bool { return a[name] != "" && a[name] != "0" })
	})
}

// columnsOf returns the columns of a resource: one group, or on narrow screens each for itself.
func (s *sheet) columnsOf(name corev1.ResourceName, rows []row) []column {
	title := wording.Printable(string(name))
	if name == corev1.ResourcePods {
		cells := []string{""}
		for _, row := range rows {
			text := ""
			if row.load == row.of {
				text = cmp.Or(row.load.Requests[name], "0") + "/" + cmp.Or(row.load.Allocatable[name], "0")
			}
			cells = append(cells, text)
		}
		return []column{{title, aligned(cells)}}
	}
	cells := [][]string{{"alloc"}, {"requests"}, {"limits"}}
	if s.available {
		cells = [][]string{{"alloc"}, {"left"}, {"limits"}}
	}
	if s.usage != "" {
		cells = append(cells, []string{"used"})
	}
	for _, row := range rows {
		texts := []string{s.amountIn(row.load.Allocatable, name), s.withPercent(row.load.Requests, row.load.RequestsPercent, name), s.withPercent(row.load.Limits, row.load.LimitsPercent, name)}
		if s.available {
			if texts[1] = "-"; row.load == row.of {
				texts[1] = s.amountIn(row.load.Free, name)
			}
		}
		if s.usage != "" {
			texts = append(texts, s.used(row, name))
		}
		for i, text := range texts {
			cells[i] = append(cells[i], text)
		}
	}
	if s.columns < narrow {
		var columns []column
		for _, texts := range cells {
			columns = append(columns, column{title, aligned(texts)})
		}
		return columns
	}
	c := column{title: title, rows: make([]string, len(cells[0]))}
	for i, texts := range cells {
		for j, text := range aligned(texts) {
			if i > 0 {
				text = gap + text
			}
			c.rows[j] += text
		}
	}
	return []column{c}
}

// used returns what is used of a resource, with its percentage of the node.
func (s *sheet) used(r row, name corev1.ResourceName) string {
	if r.load.Usage == nil {
		return "-     "
	}
	percent := map[corev1.ResourceName]int64{}
	if part, ok := percentOf(r.load.Usage[name], r.of.Allocatable[name]); ok {
		percent[name] = part
	}
	return s.withPercent(r.load.Usage, percent, name)
}

func (s *sheet) amountIn(a Amounts, name corev1.ResourceName) string {
	switch amount := a[name]; {
	case amount == "" || amount == "0":
		return "-"
	case name == corev1.ResourceCPU && s.milli && !strings.ContainsAny(amount, "mnukMGTPEe"):
		return amount + "000m"
	default:
		return short(name, amount)
	}
}

func (s *sheet) withPercent(a Amounts, percents map[corev1.ResourceName]int64, name corev1.ResourceName) string {
	percent, ok := percents[name]
	amount := s.amountIn(a, name)
	if amount == "-" || !ok {
		return amount + "     "
	}
	return fmt.Sprintf("%s %3d%%", amount, percent)
}

// aligned returns texts of the same width, aligned to the right.
func aligned(texts []string) []string {
	most := 0
	for _, text := range texts {
		most = max(most, width(text))
	}
	var padded []string
	for _, text := range texts {
		padded = append(padded, strings.Repeat(" ", most-width(text))+text)
	}
	return padded
}

func width(text string) int { return utf8.RuneCountInString(text) }

// writeColumns writes as many columns side by side as fit into a line, and the others below. The last
// row may be the total.
func (s *sheet) writeColumns(labels []string, columns []column, total bool) {
	labelWidth := 0
	for _, label := range labels {
		labelWidth = max(labelWidth, width(label))
	}
	for len(columns) > 0 {
		n, all := 0, len(gap)+labelWidth
		for n < len(columns) && (n == 0 || all+len(gap)+1+columns[n].width() <= s.columns) {
			all += len(gap) + 1 + columns[n].width()
			n++
		}
		for i, label := range labels {
			if total && i == len(labels)-1 {
				s.WriteString(gap + strings.Repeat("-", all-len(gap)) + "\n")
			}
			line := gap + label + strings.Repeat(" ", labelWidth-width(label))
			for _, c := range columns[:n] {
				line += gap + " " + c.cell(i)
			}
			s.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		s.WriteString("\n")
		columns = columns[n:]
	}
}

func (c *column) width() int { return max(width(c.title), width(c.rows[0])) }

// cell returns the text of a line: the title, and then the rows.
func (c *column) cell(line int) string {
	text := c.title
	if line > 0 {
		text = c.rows[line-1]
	}
	return strings.Repeat(" ", c.width()-width(text)) + text
}

// wrapped writes a text in lines with an indent. The first line has the prefix in its indent.
func (s *sheet) wrapped(prefix, text string) {
	s.WriteString(wording.Wrapped(prefix, text, s.columns) + "\n")
}
