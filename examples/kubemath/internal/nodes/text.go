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
	if r.Drain == nil && !o.pack || o.asksForNodes() {
		s.pending(r)
		s.nodes(r)
	}
	s.remarks(r)
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
	text := fmt.Sprintf("Draining %s evicts %s, and %s.", node, wording.Count(int64(len(d.Evicted)), "pod"), verdict)
	s.Verdict(d.fails(), func() { s.Hang("", text) })
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
		{d.Local, "with an emptyDir, which kubectl drain deletes with --delete-emptydir-data only, and the data with them"},
		{d.Preempted, "preempted for others"},
	} {
		if len(list.pods) > 0 {
			s.Hang(gap, wording.Printable(wording.Count(int64(len(list.pods)), "pod")+" "+list.what+": "+wording.Tally(list.pods)))
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

func (s *sheet) packings(r *Report) {
	for _, p := range r.Packings {
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
	nodes           []string  // where they are placed, with repetitions
	waiting         []Pending // or those that wait
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
	if slices.ContainsFunc(r.Pending, func(p Pending) bool { return p.Message == noNode }) { // of all but gated ones
		verdict = noNode
	}
	fmt.Fprintf(s, "%s: %s\n\n", wording.Count(int64(len(r.Pending)), "pending pod"), verdict)
	groups = merged(groups)
	for i, g := range groups {
		if i == mostGroups && !s.all {
			s.Line(fmt.Sprintf("%sand %d more groups: -all shows them", gap, len(groups)-i))
			break
		}
		title, each := g.title, ""
		if n := len(g.nodes) + len(g.waiting); n > 1 {
			title, each = fmt.Sprintf("%s, %d pods", title, n), " each"
		}
		s.Hang(gap, wording.Printable(title)+": "+g.requests+each)
		if len(g.nodes) > 0 {
			s.Hang(gap+gap, wording.Printable("placed on "+wording.Tally(g.nodes)))
			continue
		}
		s.In(terminal.Red, func() { s.Hang(gap+gap, wording.Printable(g.waiting[0].Message)) })
		for _, line := range help(&g.waiting[len(g.waiting)-1]) {
			s.Hang(gap+gap+gap, line)
		}
	}
	s.choices(gap, r.Pending)
	s.WriteString("\n")
}

// mostGroups is how many groups of pending pods are written.
const mostGroups = 5

// merged returns the groups, those that wait first. Those that request the same and wait for the same are one.
func merged(groups []*group) (all []*group) {
	known, titles := map[string]*group{}, map[*group][]string{}
	for _, g := range groups {
		if len(g.waiting) == 0 {
			continue
		}
		last := &g.waiting[len(g.waiting)-1]
		key := strings.Join(append(help(last), g.requests, last.Message), "\n")
		if known[key] == nil {
			known[key] = g
			all = append(all, g)
		} else {
			known[key].waiting = append(known[key].waiting, g.waiting...)
		}
		titles[known[key]] = append(titles[known[key]], g.title)
	}
	for _, g := range all {
		g.title = wording.Tally(titles[g])
	}
	return append(all, slices.DeleteFunc(groups, func(g *group) bool { return len(g.waiting) > 0 })...)
}

func groupsOf(pending []Pending) []*group {
	var groups []*group
	known := map[[4]string]*group{}
	for _, p := range pending {
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

// help returns what would help a pod that waits.
func help(p *Pending) (lines []string) {
	var words []string
	for _, n := range p.Nearest {
		var lacks []string
		for _, name := range n.Lacks.Names() {
			lacks = append(lacks, short(n.Lacks, name)+" of "+wording.Printable(string(name)))
		}
		words = append(words, wording.Printable(n.Node)+" lacks "+wording.Enumerate(lacks))
	}
	if len(words) > 0 {
		lines = append(lines, strings.Join(words, "; "))
	}
	if p.Preempts != nil {
		lines = append(lines, wording.Printable("would preempt on "+p.Preempts.Node+": "+strings.Join(p.Preempts.Victims, ", ")))
	}
	return lines
}

// choices writes of which nodes the scheduler draws one.
func (s *sheet) choices(indent string, pods []Pending) {
	var placed []wording.Placed
	for _, p := range pods {
		if p.Node != "" {
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
	for _, n := range r.Nodes {
		if n.Unschedulable {
			cordoned = append(cordoned, wording.Printable(n.Name))
		}
	}
	if slices.ContainsFunc(r.Nodes, func(n Node) bool { return len(n.Usage) > 0 }) {
		s.Hang("", "Used: of the allocatable amounts. It includes what the system uses, so it may exceed 100%.")
	}
	for _, object := range r.NotComputed {
		s.Hang("", "Not computed: "+wording.Printable(object))
	}
	if len(cordoned) > 0 {
		s.Hang("", "Cordoned: "+wording.Tally(cordoned))
	}
	tainted := map[string][]string{}
	for _, n := range r.Nodes {
		if len(n.Taints) > 0 {
			taints := strings.Join(n.Taints, ", ")
			tainted[taints] = append(tainted[taints], n.Name)
		}
	}
	for _, taints := range slices.Sorted(maps.Keys(tainted)) {
		s.Hang("", wording.Printable("Taints of "+wording.Tally(tainted[taints])+": "+taints))
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
	s.notConsidered(r.Pending, "pending pod", "")
	if r.Drain != nil {
		s.notConsidered(r.Drain.Pods, "pod", " of the drain")
	}
}

// notConsidered writes which fields of pods decide where they go, and were not considered.
func (s *sheet) notConsidered(pods []Pending, what, of string) {
	unknown := map[string]int{}
	for _, p := range pods {
		for _, field := range p.Unknown {
			unknown[field]++
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		s.Hang("", fmt.Sprintf("Not considered: %s of %s%s.", wording.Printable(field), wording.Count(int64(unknown[field]), what), of))
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

// inWords returns "cpu 500m, memory 2Gi", or "nothing".
func inWords(a report.Amounts) string {
	var words []string
	for _, name := range a.Names() {
		words = append(words, wording.Printable(string(name))+" "+short(a, name))
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}
