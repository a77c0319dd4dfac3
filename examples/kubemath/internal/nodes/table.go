package nodes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The report as text: a row for each node, and for its pods and their containers, with a group of columns for each
// resource; then the pending pods, those of one owner together; and what else was asked for.

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

// group is the pending pods of one owner that request the same.
type group struct {
	title    string
	requests string
	pods     int
	nodes    []string // where they are placed, with repetitions
	messages []string // why not
	remain   []*Pending
}

func (s *sheet) pending(r *Report) {
	placed := 0
	for i := range r.Pending {
		if r.Pending[i].Node != "" {
			placed++
		}
	}
	if len(r.Pending) == 0 {
		return
	}
	fmt.Fprintf(s, "%s: %d fit, %d wait\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), placed, len(r.Pending)-placed)
	for _, g := range groupsOf(r.Pending) {
		title, each := g.title, ""
		if g.pods > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, g.pods), " each"
		}
		s.wrapped(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.wrapped(gap+gap, placesOf(g.nodes, "placed on "))
		}
		for i, message := range g.messages {
			count := ""
			if g.pods > 1 {
				count = wording.Count(int64(len(g.messagesOf(message))), "pod") + ": "
			}
			s.wrapped(gap+gap, count+wording.Printable(message))
			if i == len(g.messages)-1 {
				s.waits(g.remain[len(g.remain)-1])
			}
		}
	}
	s.WriteString("\n")
}

// waits writes what would help a pod that waits.
func (s *sheet) waits(p *Pending) {
	var words []string
	for _, n := range p.Nearest {
		var lacks []string
		for _, name := range names(n.Lacks) {
			lacks = append(lacks, short(name, n.Lacks[name])+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		s.wrapped(gap+gap+gap, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		var victims []string
		for _, name := range p.Preempts.Victims {
			victims = append(victims, wording.Printable(name))
		}
		s.wrapped(gap+gap+gap, "would preempt on "+wording.Printable(p.Preempts.Node)+": "+strings.Join(victims, ", "))
	}
}

// drained writes where the pods of a drained node go.
func (s *sheet) drained(d *Drain) {
	if d == nil {
		return
	}
	evicted, preempted, waiting, rest := 0, 0, 0, []string(nil)
	for i := range d.Pods {
		p := &d.Pods[i]
		switch {
		case p.From == d.Node:
			evicted++
		case p.Preempted:
			preempted++
		}
		switch {
		case p.Gone:
		case p.To != "":
			rest = append(rest, wording.Printable(p.Pod)+" on "+wording.Printable(p.To))
		case p.Message != "":
			waiting++
			rest = append(rest, wording.Printable(p.Pod)+" waits: "+wording.Printable(p.Message))
		}
	}
	others := ""
	if preempted > 0 {
		others = fmt.Sprintf(", and %s are preempted for others", wording.Count(int64(preempted), "pod"))
	}
	s.wrapped("", fmt.Sprintf("Draining %s evicts %s%s; of those that are created instead, %d wait:", wording.Printable(d.Node), wording.Count(int64(evicted), "pod"), others, waiting))
	for _, line := range slices.Concat(rest, d.Missing) {
		s.wrapped(gap, wording.Printable(line))
	}
	if len(rest) == 0 {
		s.wrapped(gap, "none: the input has no controller of them")
	}
	s.WriteString("\n")
}

// messagesOf returns the pods with a message.
func (g *group) messagesOf(message string) (pods []*Pending) {
	for _, p := range g.remain {
		if p.Message == message {
			pods = append(pods, p)
		}
	}
	return pods
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[3]string]*group{}
	for i := range pending {
		p := &pending[i]
		key := [3]string{p.Namespace, cmp.Or(p.Owner, p.Name), p.Requests.inWords()}
		g := known[key]
		if g == nil {
			g = &group{title: p.Namespace + "/" + key[1], requests: key[2]}
			known[key] = g
			groups = append(groups, g)
		}
		g.pods++
		if p.Node != "" {
			g.nodes = append(g.nodes, p.Node)
			continue
		}
		g.remain = append(g.remain, p)
		if !slices.Contains(g.messages, p.Message) {
			g.messages = append(g.messages, p.Message)
		}
	}
	return groups
}

// placesOf returns "placed on worker-1 (2), worker-2".
func placesOf(nodes []string, prefix string) string {
	count := map[string]int{}
	var distinct []string
	for _, name := range nodes {
		if count[name]++; count[name] == 1 {
			distinct = append(distinct, name)
		}
	}
	for i, name := range distinct {
		distinct[i] = wording.Printable(name)
		if count[name] > 1 {
			distinct[i] += fmt.Sprintf(" (%d)", count[name])
		}
	}
	return prefix + strings.Join(distinct, ", ")
}

func (s *sheet) packings(r *Report) {
	for i := range r.Packings {
		p := &r.Packings[i]
		s.wrapped("Nodes ", p.title())
		s.wrapped(gap, p.answer())
		s.tooLarge(p.TooLarge)
		s.WriteString("\n")
	}
}

// shape returns "like worker-1", or "of cpu 8, memory 32Gi".
func (p *Packing) shape() string {
	if len(p.Like) == 0 {
		return "of " + p.Allocatable.inWords()
	}
	return "like " + wording.Printable(p.Like[0])
}

// title returns the shape with all that is known of it.
func (p *Packing) title() string {
	title := p.shape()
	if n := len(p.Like); n > 1 {
		title += fmt.Sprintf(", of which there are %d", n)
	}
	if len(p.Like) > 0 {
		title += ": " + p.Allocatable.inWords()
	}
	return title
}

// answer returns how many nodes are enough.
func (p *Packing) answer() string {
	beside := ""
	if p.PerNode > 0 {
		beside = ", in addition to " + wording.Count(int64(p.PerNode), "pod") + " of DaemonSets on each"
	}
	return fmt.Sprintf("%s are enough for %s%s; at least %d are needed", wording.Count(int64(p.Nodes), "node"), wording.Count(int64(p.Pods), "pod"), beside, p.LowerBound)
}

// tooLarge writes a line for all pods of one owner that do not fit for the same reasons.
func (s *sheet) tooLarge(pods []TooLarge) {
	type line struct{ title, reasons string }
	var lines []line
	count := map[line]int{}
	for i := range pods {
		p := &pods[i]
		l := line{p.Namespace + "/" + cmp.Or(p.Owner, p.Name), strings.Join(p.Reasons, ", ")}
		if count[l]++; count[l] == 1 {
			lines = append(lines, l)
		}
	}
	for _, l := range lines {
		title, verb := wording.Printable(l.title), " does not fit"
		if n := count[l]; n > 1 {
			title, verb = fmt.Sprintf("%s, %d pods,", title, n), " do not fit"
		}
		s.wrapped(gap+gap, title+verb+" on such a node: "+wording.Printable(l.reasons))
	}
}

func (s *sheet) remarks(r *Report) {
	for i := range r.Nodes {
		if n := &r.Nodes[i]; len(n.Taints) > 0 {
			s.wrapped("", "Taints of "+wording.Printable(n.Name)+": "+wording.Printable(strings.Join(n.Taints, ", ")))
		}
	}
	switch {
	case r.Ended == 1:
		s.wrapped("", "Not counted: 1 pod that has ended, or was deleted before it had a node.")
	case r.Ended > 1:
		s.wrapped("", fmt.Sprintf("Not counted: %d pods that have ended, or were deleted before they had a node.", r.Ended))
	}
	if len(r.Elsewhere) > 0 {
		pods := 0
		for _, n := range r.Elsewhere {
			pods += n
		}
		s.wrapped("", fmt.Sprintf("Not counted: %s on %s that are not in the input.", wording.Count(int64(pods), "pod"), wording.Count(int64(len(r.Elsewhere)), "node")))
	}
	unknown := map[string]int{}
	for i := range r.Pending {
		for _, field := range r.Pending[i].Unknown {
			unknown[field]++
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		s.wrapped("", fmt.Sprintf("Not considered: %s of %s.", wording.Printable(field), wording.Count(int64(unknown[field]), "pending pod")))
	}
}

// wrapped writes a text in lines with an indent. The first line has the prefix in its indent.
func (s *sheet) wrapped(prefix, text string) {
	s.WriteString(wording.Wrapped(prefix, text, s.columns) + "\n")
}
