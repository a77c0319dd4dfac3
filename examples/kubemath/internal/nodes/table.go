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

// The report as text: a row for each node, with a group of columns for each resource; then the
// pending pods, those of one owner together; and then the packings.

const (
	lineWidth = 100
	gap       = "  "
)

func formatTable(r *Report) string {
	var b strings.Builder
	writeNodes(&b, r)
	writePending(&b, r)
	writePackings(&b, r)
	writeRemarks(&b, r)
	return b.String()
}

// column has the cells of one resource: a title, and a text of the same width for each row.
type column struct {
	title string
	rows  []string
}

func writeNodes(b *strings.Builder, r *Report) {
	if len(r.Nodes) == 0 {
		b.WriteString("no nodes\n")
		return
	}
	labels := []string{"", "node"}
	loads := []*Load{}
	for i := range r.Nodes {
		label := wording.Printable(r.Nodes[i].Name)
		if r.Nodes[i].Unschedulable {
			label += " (cordoned)"
		}
		labels, loads = append(labels, label), append(loads, &r.Nodes[i].Load)
	}
	labels, loads = append(labels, "all "+wording.Count(int64(len(r.Nodes)), "node")), append(loads, &r.Total)
	var columns []column
	for _, name := range shown(r) {
		if name != corev1.ResourcePods {
			columns = append(columns, columnOf(name, loads))
		}
	}
	columns = slices.Insert(columns, 0, columnOf(corev1.ResourcePods, loads)) // narrow
	writeColumns(b, labels, columns)
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

func columnOf(name corev1.ResourceName, loads []*Load) column {
	c := column{title: wording.Printable(string(name))}
	if name == corev1.ResourcePods {
		c.rows = []string{""}
		for _, l := range loads {
			c.rows = append(c.rows, cmp.Or(l.Requests[name], "0")+"/"+cmp.Or(l.Allocatable[name], "0"))
		}
		c.rows = aligned(c.rows)
		return c
	}
	cells := [3][]string{{"alloc"}, {"requests"}, {"limits"}}
	for _, l := range loads {
		cells[0] = append(cells[0], amountIn(l.Allocatable, name))
		cells[1] = append(cells[1], withPercent(l.Requests, l.RequestsPercent, name))
		cells[2] = append(cells[2], withPercent(l.Limits, l.LimitsPercent, name))
	}
	for i := range cells {
		cells[i] = aligned(cells[i])
	}
	for i := range cells[0] {
		c.rows = append(c.rows, cells[0][i]+gap+cells[1][i]+gap+cells[2][i])
	}
	return c
}

func amountIn(a Amounts, name corev1.ResourceName) string {
	if a[name] == "" || a[name] == "0" {
		return "-"
	}
	return short(name, a[name])
}

func withPercent(a Amounts, percents map[corev1.ResourceName]int64, name corev1.ResourceName) string {
	percent, ok := percents[name]
	if amount := amountIn(a, name); amount == "-" || !ok {
		return amount + "     "
	}
	return fmt.Sprintf("%s %3d%%", short(name, a[name]), percent)
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
// row is the total.
func writeColumns(b *strings.Builder, labels []string, columns []column) {
	labelWidth := 0
	for _, label := range labels {
		labelWidth = max(labelWidth, width(label))
	}
	for len(columns) > 0 {
		n, total := 0, len(gap)+labelWidth
		for n < len(columns) && (n == 0 || total+len(gap)+1+columns[n].width() <= lineWidth) {
			total += len(gap) + 1 + columns[n].width()
			n++
		}
		for i, label := range labels {
			if i == len(labels)-1 && i > 3 { // the total of one node is that node
				b.WriteString(gap + strings.Repeat("-", total-len(gap)) + "\n")
			}
			if i == len(labels)-1 && i == 3 {
				break
			}
			line := gap + label + strings.Repeat(" ", labelWidth-width(label))
			for _, c := range columns[:n] {
				line += gap + " " + c.cell(i)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		b.WriteString("\n")
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

func writePending(b *strings.Builder, r *Report) {
	if len(r.Pending) == 0 {
		return
	}
	placed := placedOf(r)
	how := "the best node by " + r.Placement
	switch r.Placement {
	case firstFit:
		how = "the first node with room"
	case byProfile:
		how = "the best node by the default profile"
	}
	fmt.Fprintf(b, "%s, each on %s: %d fit, %d remain\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), how, placed, len(r.Pending)-placed)
	for _, g := range groupsOf(r.Pending) {
		title, each := g.title, ""
		if g.pods > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, g.pods), " each"
		}
		writeWrapped(b, gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			writeWrapped(b, gap+gap, placesOf(g.nodes, "placed on "))
		}
		for i, message := range g.messages {
			count := ""
			if g.pods > 1 {
				count = wording.Count(int64(len(g.messagesOf(message))), "pod") + ": "
			}
			writeWrapped(b, gap+gap, count+wording.Printable(message))
			if i == len(g.messages)-1 {
				writeNearest(b, g.remain[len(g.remain)-1].Nearest)
			}
		}
	}
	b.WriteString("\n")
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

// counted2 returns "placed on worker-1 (2 pods), worker-2".
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

func writeNearest(b *strings.Builder, nearest []Nearest) {
	if len(nearest) == 0 {
		return
	}
	var words []string
	for _, n := range nearest {
		var lacks []string
		for _, name := range names(n.Lacks) {
			lacks = append(lacks, short(name, n.Lacks[name])+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	writeWrapped(b, gap+gap+gap, strings.Join(words, "; "))
}

func writePackings(b *strings.Builder, r *Report) {
	for i := range r.Packings {
		p := &r.Packings[i]
		writeWrapped(b, "Nodes ", p.title())
		writeWrapped(b, gap, p.answer())
		writeTooLarge(b, p.TooLarge)
		b.WriteString("\n")
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

// writeTooLarge writes a line for all pods of one owner that do not fit for the same reasons.
func writeTooLarge(b *strings.Builder, pods []TooLarge) {
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
		writeWrapped(b, gap+gap, title+verb+" on such a node: "+wording.Printable(l.reasons))
	}
}

func writeRemarks(b *strings.Builder, r *Report) {
	if r.Ended > 0 {
		writeWrapped(b, "", "Not counted: "+wording.Count(int64(r.Ended), "pod")+" that has ended, or was deleted before it had a node.")
	}
	if len(r.Elsewhere) > 0 {
		pods := 0
		for _, n := range r.Elsewhere {
			pods += n
		}
		writeWrapped(b, "", fmt.Sprintf("Not counted: %s on %s that are not in the input.", wording.Count(int64(pods), "pod"), wording.Count(int64(len(r.Elsewhere)), "node")))
	}
	var others []string
	if n := r.NotLookedAt.Taints; n > 0 {
		others = append(others, "taints of "+wording.Count(int64(n), "node"))
	}
	if n := r.NotLookedAt.Constraints; n > 0 {
		others = append(others, "selectors, affinity and spread constraints of "+wording.Count(int64(n), "pending pod"))
	}
	if len(others) > 0 {
		writeWrapped(b, "", "Ignored, since only resources are considered: "+wording.Enumerate(others)+".")
	}
}

// writeWrapped writes a text in lines with an indent. The first line has the prefix in its indent.
func writeWrapped(b *strings.Builder, prefix, text string) {
	line := prefix
	indent := strings.Repeat(" ", width(prefix)-len(strings.TrimLeft(prefix, " "))) + gap
	for i, word := range strings.Fields(text) {
		if i > 0 && width(line)+1+width(word) > lineWidth {
			b.WriteString(line + "\n")
			line = indent + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}
