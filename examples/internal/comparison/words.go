package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Summary returns what fails, and then what has become of the objects and of the pods: "Fails: 1 object refused, 2 pods not
// created. 3 objects: 2 created; pods: 4 placed, 1 gone".
func (r *Report) Summary() string {
	n := map[string]int64{}
	for _, o := range r.Objects {
		n[wording.Spoken(string(o.Action))]++
	}
	for _, o := range slices.Concat(r.Objects, r.Others) {
		n["placed"] += int64(len(o.On))
		n["new"] += int64(o.Coming)
		for _, w := range o.Waiting {
			n["waiting"] += int64(w.Pods)
		}
		if o.Missing != "" {
			n["not created"] += max(o.Wanted-o.Created-o.Outdated, 1)
		}
		if o.Outdated > o.Kept {
			n["not complete"]++
		}
	}
	for _, p := range r.Pods {
		for what, is := range map[string]bool{"gone": p.Gone, "preempted": p.Preempted, "evicted": p.Evicted} {
			if is {
				n[what]++
			}
		}
	}
	counts := func(what string, states ...string) (words []string) {
		for _, state := range states {
			if n[state] > 0 && what == "" {
				words = append(words, fmt.Sprintf("%d %s", n[state], state))
			} else if n[state] > 0 {
				words = append(words, wording.Count(n[state], what)+" "+state)
			}
		}
		return words
	}
	if len(r.Objects) == 0 && r.Invalid == 0 {
		return "nothing is computed: no object uses quotas or nodes"
	}
	var parts []string
	n["of the input"] = r.Invalid
	fails := slices.Concat(counts("problem", "of the input"), counts("object", "refused"), counts("pod", "not created", "waiting", "preempted"), counts("update", "not complete"))
	if len(fails) > 0 {
		parts = append(parts, "Fails: "+strings.Join(fails, ", ")+".")
	}
	done := strings.Join(counts("", "created", "updated", "unchanged", "deleted", "not found", "not installed"), ", ")
	if done != "" {
		done = wording.Count(int64(len(r.Objects)), "object") + ": " + done
	}
	if pods := counts("", "placed", "new", "gone", "evicted"); len(pods) > 0 {
		done = strings.TrimPrefix(done+"; pods: "+strings.Join(pods, ", "), "; ")
	}
	if done != "" {
		parts = append(parts, done)
	}
	return strings.Join(parts, " ")
}

// Notes returns what the input does not say.
func (d *Difference) Notes() (notes []string) {
	assumed := int64(0)
	for _, p := range d.Before.Pods("") {
		if p.Assumed {
			assumed++
		}
	}
	if assumed > 0 {
		notes = append(notes, fmt.Sprintf("%s not in the input: the status of workloads counts them", wording.Count(assumed, "pod")))
	}
	for _, q := range inventory.Of[*corev1.ResourceQuota](&d.In.Cluster) {
		was := d.QuotaBefore(q)
		if len(was.Status.Hard) == 0 && len(was.Spec.Hard) > 0 {
			notes = append(notes, wording.Printable(fmt.Sprintf("usage of ResourceQuota %s not known: neither its status nor the pods of its namespace are in the input",
				wording.Qualified(q.Namespace, q.Name))))
		}
	}
	for _, q := range d.After.ClusterQuotas() {
		if len(q.Namespaces) == 0 && len(inventory.Of[*corev1.Namespace](&d.In.Cluster))+len(inventory.Of[*corev1.Namespace](&d.In.Change)) == 0 {
			notes = append(notes, wording.Printable(fmt.Sprintf("not known which namespaces share %s %s: neither Namespaces nor its status are in the input",
				q.Kind, q.Name)))
		}
	}
	return notes
}

func (d *Difference) choices() []string {
	var placed []wording.Placed
	for _, name := range d.names {
		if p := d.byName[name]; p.Node != "" && p.Node != p.Before {
			placed = append(placed, wording.Placed{Owner: ownerOf(&p).String(), Node: p.Node, Choice: p.Choice})
		}
	}
	return wording.Choices(placed)
}

// Lost returns the pods that were preempted, and then those that were evicted, whoever owns them: "preempted on n1: db/pg-1
// (Cluster pg)".
func Lost(pods []Pod) (lines []string) {
	add := func(how string, isLost func(p *Pod) bool) {
		byNode := map[string][]string{}
		for _, p := range pods {
			if isLost(&p) {
				name := wording.Qualified(p.Namespace, p.Name)
				if p.Owner != "" {
					name += " (" + p.Owner + ")"
				}
				byNode[p.Before] = append(byNode[p.Before], name)
			}
		}
		for _, node := range slices.Sorted(maps.Keys(byNode)) {
			where := how + " " + node
			if node == "" {
				where, _, _ = strings.Cut(how, " ")
				where += " from nodes that they got meanwhile"
			}
			lines = append(lines, wording.Printable(where+": "+strings.Join(byNode[node], ", ")))
		}
	}
	add("preempted on", func(p *Pod) bool { return p.Preempted })
	add("evicted from", func(p *Pod) bool { return p.Evicted && !p.Preempted })
	return lines
}

// goneText returns how many pods are gone, empty if there are none.
func goneText(gone, preempted, evicted int) string {
	var how []string
	if preempted > 0 {
		how = append(how, fmt.Sprintf("%d preempted", preempted))
	}
	if evicted > 0 {
		how = append(how, fmt.Sprintf("%d evicted", evicted))
	}
	text := strings.Join(how, ", ")
	switch {
	case gone == 0: // they are created again with the same names
		return text
	case text != "":
		text = " (" + text + ")"
	}
	return fmt.Sprintf("%d gone%s", gone, text)
}

// Head returns "Deployment shop/web updated: 8 pods wanted, 6 created, 5 placed".
func (o *Object) Head() string {
	text := fmt.Sprintf("%s %s %s", wording.Printable(o.Kind), wording.Printable(wording.Qualified(o.Namespace, o.Name)),
		wording.Spoken(string(o.Action)))
	if o.Wanted > 0 || o.Created > 0 {
		text += fmt.Sprintf(": %s wanted, %d created", wording.Count(o.Wanted, "pod"), o.Created)
		if !o.unlocated {
			text += fmt.Sprintf(", %d on nodes", o.Placed)
		}
	}
	if left := o.Outdated - o.Kept; left > 0 {
		text += fmt.Sprintf(", %d of the former template left", left)
	}
	if o.Kept > 0 {
		text += fmt.Sprintf(", %d kept of the former template", o.Kept)
	}
	return text
}

// Notes returns what else is to be said about an object.
func (o *Object) Notes() (notes []string) {
	add := func(format string, args ...any) {
		notes = append(notes, wording.Printable(fmt.Sprintf(format, args...)))
	}
	if o.Hook != "" {
		add("%s", o.Hook)
	}
	for line := range strings.Lines(o.Error) {
		add("%s", strings.TrimSpace(line))
	}
	var moves []string
	if o.Gone != "" {
		moves = append(moves, o.Gone)
	}
	if len(o.On) > 0 {
		moves = append(moves, fmt.Sprintf("%d new on %s", len(o.On), wording.Tally(o.On)))
	}
	if o.Coming > 0 && o.Gone != "" {
		moves = append(moves, fmt.Sprintf("%d new", o.Coming))
	}
	if len(moves) > 0 {
		add("%s", strings.Join(moves, ", "))
	}
	switch {
	case o.Missing == "":
	case o.Action == whatif.Unchanged:
		add("blocked now, because %s", o.Missing)
	default:
		add("next pod: %s", o.Missing)
	}
	if o.Unexplained {
		add("the input does not say why pods are missing: nothing in it refuses the next one")
	}
	for _, w := range o.Waiting {
		add("%s: %s", wording.Count(int64(w.Pods), "pod"), w.Message)
	}
	if o.Remedies != nil && o.Remedies.Again {
		add("it would be admitted if the change was applied once more")
	}
	for i, remedy := range o.remedies() {
		if i == 0 {
			add("all would be admitted with %s", remedy)
		} else {
			add("or with %s", remedy)
		}
	}
	if o.Remedies != nil && o.Remedies.None {
		add("no other requests, limits, replicas, strategy or quota would admit all")
	}
	if len(o.Injected) > 0 && o.Action == whatif.Updated {
		add("new pods also have %s, which a webhook adds", wording.Enumerate(o.Injected))
	}
	if len(o.NotConsidered) > 0 {
		add("not considered: %s", strings.Join(o.NotConsidered, ", "))
	}
	if o.Depends {
		add("the API server may decide otherwise: its LimitRanges have different defaults, and no order")
	}
	return notes
}

// remedies says what would admit all pods, each on its own.
func (o *Object) remedies() (words []string) {
	r := o.Remedies
	if r == nil {
		r = &Remedies{}
	}
	s := r.Strategy
	switch {
	case s != nil && s.RollingUpdate != nil:
		words = append(words, "maxSurge 0 and maxUnavailable 1")
	case s != nil:
		words = append(words, "strategy "+string(s.Type))
	}
	if len(o.Fix) > 0 {
		words = append(words, strings.Join(fixes(o.Fix), "; "))
	}
	var raises []string
	for _, q := range r.Quotas {
		var limits []string
		for _, name := range slices.Sorted(maps.Keys(q.Hard)) {
			limits = append(limits, fmt.Sprintf("%s %s (is %s)", name, q.Hard[name], q.From[name]))
		}
		raises = append(raises, fmt.Sprintf("%s in %s %s", wording.Enumerate(limits), cmp.Or(q.Kind, "quota"), q.Name))
	}
	if len(raises) > 0 {
		words = append(words, wording.Enumerate(raises))
	}
	if r.Replicas > 0 {
		words = append(words, wording.Count(int64(r.Replicas), "replica"))
	}
	return words
}

// fixes returns the changes by container: "cpu request 500m (is 750m) and limit 1 (is 1500m) of app container web".
func fixes(changes []Change) (words []string) {
	var of []string
	byContainer := map[string][]string{}
	for _, c := range changes {
		text := fmt.Sprintf("%s %s %s", c.Resource, strings.TrimSuffix(c.List.String(), "s"), c.To)
		if c.From != "" {
			text += " (is " + c.From + ")"
		}
		if len(byContainer[c.Container]) == 0 {
			of = append(of, c.Container)
		}
		byContainer[c.Container] = append(byContainer[c.Container], text)
	}
	for _, name := range of {
		words = append(words, wording.Enumerate(byContainer[name])+" of "+name)
	}
	return words
}
