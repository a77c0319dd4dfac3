package nodes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// packings writes how many nodes of each shape are enough.
func (s *sheet) packings(r *Report) {
	for i := range r.Packings {
		p := &r.Packings[i]
		s.Hang("Nodes ", p.title())
		s.Hang(gap, p.answer())
		for _, g := range groupsOf(p.TooLarge) {
			count := wording.Count(int64(len(g.waiting)), "pod")
			s.Hang(gap+gap, wording.Printable(g.title+": "+count+" too large for such a node: "+g.waiting[0].Message))
		}
		kept := map[string][]string{}
		for _, pod := range p.Refused {
			kept[pod.Message] = append(kept[pod.Message], pod.Namespace+"/"+cmp.Or(pod.Owner, pod.Name))
		}
		for _, why := range slices.Sorted(maps.Keys(kept)) {
			count := wording.Count(int64(len(kept[why])), "pod")
			s.Hang(gap+gap, wording.Printable(count+" may not be on such a node: "+why+": "+wording.Tally(kept[why])))
		}
		s.WriteString("\n")
	}
}

// title returns "like worker-1, of which there are 2: cpu 8, memory 32Gi", or "of cpu 8, memory 32Gi".
func (p *Packing) title() string {
	switch n := len(p.Like); n {
	case 0:
		return "of " + inWords(p.Allocatable)
	case 1:
		return "like " + wording.Printable(p.Like[0]) + ": " + inWords(p.Allocatable)
	default:
		return fmt.Sprintf("like %s, of which there are %d: %s", wording.Printable(p.Like[0]), n, inWords(p.Allocatable))
	}
}

// answer returns how many nodes are enough.
func (p *Packing) answer() string {
	daemons, be := wording.Count(int64(p.PerNode), "pod")+" of DaemonSets on each", map[bool]string{true: "is", false: "are"}
	text := fmt.Sprintf("%s %s enough for %s, in addition to %s; at least %d %s needed", wording.Count(int64(p.Nodes), "node"), be[p.Nodes == 1],
		wording.Count(int64(p.Pods), "pod"), daemons, p.LowerBound, be[p.LowerBound == 1])
	if p.Pods == 0 {
		text = "no pod goes to such a node, but " + daemons
	}
	if p.PerNode == 0 {
		text = strings.NewReplacer(", in addition to "+daemons, "", ", but "+daemons, "").Replace(text)
	}
	return text
}

// group is the pending pods of one owner that request the same, and fit or wait for the same reason.
type group struct {
	title, requests string
	nodes           []string   // where they are placed, with repetitions
	waiting         []*Pending // or those that wait
}

// pending writes the pending pods, those of one owner together.
func (s *sheet) pending(r *Report) {
	if len(r.Pending) == 0 {
		return
	}
	placed, groups := 0, groupsOf(r.Pending)
	for _, g := range groups {
		placed += len(g.nodes)
	}
	verdict := fmt.Sprintf("%d fit, %d wait", placed, len(r.Pending)-placed)
	if r.Pending[0].Message == noNode {
		verdict = noNode
	}
	fmt.Fprintf(s, "%s: %s\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), verdict)
	for _, g := range groups {
		title, each := g.title, ""
		if n := len(g.nodes) + len(g.waiting); n > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, n), " each"
		}
		s.Hang(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.Hang(gap+gap, wording.Printable("placed on "+wording.Tally(g.nodes)))
			continue
		}
		s.Hang(gap+gap, wording.Printable(g.waiting[0].Message))
		s.waits(g.waiting[len(g.waiting)-1])
	}
	s.choices(gap, r.Pending)
	s.WriteString("\n")
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[4]string]*group{}
	for i := range pending {
		p := &pending[i]
		key := [4]string{p.Namespace, cmp.Or(p.Owner, p.Name), inWords(p.Requests), p.Message}
		g := known[key]
		if g == nil {
			g = &group{title: p.Namespace + "/" + key[1], requests: key[2]}
			known[key] = g
			groups = append(groups, g)
		}
		if p.Node != "" {
			g.nodes = append(g.nodes, p.Node)
		} else {
			g.waiting = append(g.waiting, p)
		}
	}
	return groups
}

// waits writes what would help a pod that waits.
func (s *sheet) waits(p *Pending) {
	var words []string
	for _, n := range p.Nearest {
		var lacks []string
		for _, name := range names(n.Lacks) {
			lacks = append(lacks, short(n.Lacks, name)+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		s.Hang(gap+gap+gap, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		var victims []string
		for _, name := range p.Preempts.Victims {
			victims = append(victims, wording.Printable(name))
		}
		s.Hang(gap+gap+gap, "would preempt on "+wording.Printable(p.Preempts.Node)+": "+strings.Join(victims, ", "))
	}
}

// drained writes where the pods of a drained node go, the verdict first.
func (s *sheet) drained(d *Drain) {
	if d == nil {
		return
	}
	node, verdict := wording.Printable(d.Node), "leaves no pod waiting"
	n := d.waiting()
	switch {
	case n > 0:
		verdict = "leaves " + wording.Count(int64(n), "pod") + " waiting"
	case len(d.Missing) > 0:
		verdict = "some are not replaced"
	case len(d.Protected) > 0:
		verdict = "does not end"
	}
	s.Hang("", fmt.Sprintf("Draining %s evicts %s, and %s.", node, wording.Count(int64(len(d.Evicted)), "pod"), verdict))
	if len(d.Protected) > 0 {
		s.Hang(gap, wording.Count(int64(len(d.Protected)), "pod")+" may not be evicted, so that kubectl drain goes on trying:")
	}
	for _, p := range d.Protected {
		s.Hang(gap+gap, wording.Printable(p.Pod+": "+p.Message))
	}
	for _, list := range []struct {
		pods []string
		what string
	}{
		{d.Bare, "without a controller, which kubectl drain deletes with --force only, and nothing replaces"},
		{d.Preempted, "preempted for others"},
	} {
		if len(list.pods) > 0 {
			s.Hang(gap, wording.Printable(wording.Count(int64(len(list.pods)), "pod")+" "+list.what+": "+strings.Join(list.pods, ", ")))
		}
	}
	lines := d.Missing
	for _, g := range groupsOf(d.Pods) {
		count := wording.Count(int64(len(g.nodes)+len(g.waiting)), "pod")
		if len(g.nodes) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s on %s", g.title, count, wording.Tally(g.nodes)))
		} else {
			lines = append(lines, fmt.Sprintf("%s: %s waiting: %s", g.title, count, g.waiting[0].Message))
		}
	}
	if len(lines) == 0 && len(d.Evicted) > len(d.Bare) {
		lines = []string{"the input has no controller of the others, which may replace them"}
	}
	for _, line := range lines {
		s.Hang(gap, wording.Printable(line))
	}
	s.choices(gap, d.Pods)
	s.WriteString("\n")
}

// choices writes of which nodes the scheduler draws one.
func (s *sheet) choices(indent string, pods []Pending) {
	var placed []wording.Placed
	for i := range pods {
		if p := &pods[i]; p.Node != "" {
			owner := p.Namespace + "/" + cmp.Or(p.Owner, p.Name)
			placed = append(placed, wording.Placed{Owner: owner, Node: p.Node, Choice: p.Choice})
		}
	}
	for _, line := range wording.Choices(placed) {
		s.Hang(indent, line)
	}
}

// remarks writes what is not counted, and what keeps pods away.
func (s *sheet) remarks(r *Report) {
	var cordoned []string
	for i := range r.Nodes {
		if r.Nodes[i].Unschedulable {
			cordoned = append(cordoned, wording.Printable(r.Nodes[i].Name))
		}
	}
	if slices.ContainsFunc(r.Nodes, func(n Node) bool { return len(n.Usage) > 0 }) {
		s.Hang("", "Used: of the allocatable amounts. It includes what the system uses, so it may exceed 100%.")
	}
	for _, object := range r.NotComputed {
		s.Hang("", "Not computed: "+wording.Printable(object))
	}
	if len(cordoned) > 0 {
		s.Hang("", "Cordoned: "+strings.Join(cordoned, ", "))
	}
	for i := range r.Nodes {
		if n := &r.Nodes[i]; len(n.Taints) > 0 {
			s.Hang("", "Taints of "+wording.Printable(n.Name)+": "+wording.Printable(strings.Join(n.Taints, ", ")))
		}
	}
	if r.Ended > 0 {
		s.Hang("", "Not counted, because they have ended or were deleted before they had a node: "+wording.Count(int64(r.Ended), "pod")+".")
	}
	if len(r.Elsewhere) > 0 {
		pods := 0
		for _, n := range r.Elsewhere {
			pods += n
		}
		s.Hang("", fmt.Sprintf("Not counted: %s on %s that are not in the input.", wording.Count(int64(pods), "pod"),
			wording.Count(int64(len(r.Elsewhere)), "node")))
	}
	unknown := map[string]int{}
	for i := range r.Pending {
		for _, field := range r.Pending[i].Unknown {
			unknown[field]++
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		s.Hang("", fmt.Sprintf("Not considered: %s of %s.", wording.Printable(field),
			wording.Count(int64(unknown[field]), "pending pod")))
	}
}

// short returns an amount for people, "-" for nothing.
func short(a report.Amounts, name corev1.ResourceName) string {
	q := a[name]
	switch {
	case q.IsZero():
		return "-"
	case name == corev1.ResourceCPU:
		return a.Text(name)
	default:
		return resourcelist.Short(q)
	}
}

// order are the resources that come first in lists of resources.
var order = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods,
	corev1.ResourceEphemeralStorage}

// names returns the resources of amounts in the order of the tables.
func names(lists ...report.Amounts) []corev1.ResourceName {
	all := report.Amounts{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	first := func(name corev1.ResourceName) int {
		return (slices.Index(order, name) + len(order) + 1) % (len(order) + 1)
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b corev1.ResourceName) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a, b))
	})
}

// inWords returns "cpu 500m, memory 2Gi", or "nothing".
func inWords(a report.Amounts) string {
	var words []string
	for _, name := range names(a) {
		words = append(words, wording.Printable(string(name))+" "+short(a, name))
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}

const gap = "  "

// sheet is the report as text.
type sheet struct {
	*command.Session
	*options
}

func (o *options) write(session *command.Session, r *Report) {
	s := &sheet{session, o}
	s.drained(r.Drain)
	s.packings(r)
	s.pending(r)
	s.nodes(r)
	s.remarks(r)
}

// nodes writes a row for each node, and for its pods and their containers, with a group of columns for each resource.
func (s *sheet) nodes(r *Report) {
	if len(r.Nodes) == 0 {
		s.WriteString("no nodes\n")
		return
	}
	resources, amounts := shown(r), []string{"alloc", "requests", "limits"}
	if s.available {
		amounts[1] = "left"
	}
	if s.usage != "" {
		amounts = append(amounts, "used")
	}
	table := terminal.Table{Group: len(amounts)}
	if s.Columns < 60 {
		table.Group = 1
	}
	titles, heads := table.Add(0, "", "pods"), table.Add(0, "node", "")
	for _, name := range resources {
		for i := range amounts {
			title := ""
			if i == len(amounts)-1 || table.Group == 1 {
				title = wording.Printable(string(name))
			}
			titles.Cells = append(titles.Cells, title)
		}
		heads.Cells = append(heads.Cells, amounts...)
	}
	add := func(indent int, label string, l, node *Load) {
		pods := ""
		if l == node {
			pods = cmp.Or(l.Requests.Text("pods"), "0") + "/" + cmp.Or(l.Allocatable.Text("pods"), "0")
		}
		row := table.Add(indent, wording.Printable(label), pods)
		for _, name := range resources {
			requests := withPercent(l.Requests, node, name)
			if s.available {
				requests = short(l.Free, name)
			}
			row.Cells = append(row.Cells, short(l.Allocatable, name), requests, withPercent(l.Limits, node, name))
			if s.usage != "" {
				row.Cells = append(row.Cells, withPercent(l.Usage, node, name))
			}
		}
	}
	if len(r.Nodes) > 1 { // that of one node is that node
		add(0, "all "+wording.Count(int64(len(r.Nodes)), "node"), &r.Total, &r.Total)
		table.Add(0, "").Rule = true
	}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		add(0, n.Name, &n.Load, &n.Load)
		for j := range n.Pods {
			p := &n.Pods[j]
			add(1, p.Namespace+"/"+p.Name, &p.Load, &n.Load)
			for k := range p.Containers {
				add(2, p.Containers[k].Name, &p.Containers[k].Load, &n.Load)
			}
		}
	}
	s.Table(&table)
	s.Line("")
}

// withPercent returns an amount, and what percentage of a node that is, rounded down.
func withPercent(a report.Amounts, node *Load, name corev1.ResourceName) string {
	part, percent := a[name], ""
	if n, ok := resourcelist.Percent(part, node.Allocatable[name]); ok && !part.IsZero() {
		percent = fmt.Sprintf("%d%%", n)
	}
	return terminal.WithPercent(short(a, name), percent)
}

// shown returns the resources that have columns: cpu and memory, and others that are requested or
// that a node has. Ephemeral storage, which all nodes have, must be requested.
func shown(r *Report) []corev1.ResourceName {
	lists := []report.Amounts{r.Total.Allocatable, r.Total.Requests, r.Total.Limits}
	return slices.DeleteFunc(names(lists...), func(name corev1.ResourceName) bool {
		of := lists
		switch name {
		case corev1.ResourceCPU, corev1.ResourceMemory:
			return false
		case corev1.ResourcePods:
			return true // which have a column of their own
		case corev1.ResourceEphemeralStorage:
			of = lists[1:]
		}
		return !slices.ContainsFunc(of, func(a report.Amounts) bool { return short(a, name) != "-" })
	})
}
