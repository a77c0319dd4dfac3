package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Summary counts what has become of the objects and of the pods.
func (r *Report) Summary() string {
	actions, pods := map[string]int{}, map[string]int64{}
	for i := range r.Objects {
		actions[r.Objects[i].Action]++
	}
	for _, list := range [][]Object{r.Objects, r.Others} {
		for i := range list {
			o := &list[i]
			pods["placed"] += int64(len(o.On))
			pods["created"] += int64(o.Coming)
			for _, w := range o.Waiting {
				pods["waiting"] += int64(w.Pods)
			}
			if o.Missing != "" {
				pods["not created"] += max(o.Wanted-o.Created, 1)
			}
			pods["gone"] += int64(o.Leaving)
		}
	}
	var objects, others []string
	for _, action := range []string{"created", "updated", "unchanged", "deleted", "refused", "not found", "not installed"} {
		if n := actions[action]; n > 0 {
			objects = append(objects, fmt.Sprintf("%d %s", n, action))
		}
	}
	for _, what := range []string{"placed", "created", "waiting", "not created", "gone"} {
		if n := pods[what]; n > 0 {
			others = append(others, fmt.Sprintf("%d %s", n, what))
		}
	}
	if len(r.Objects) == 0 {
		return "nothing is computed: no object uses quotas or nodes"
	}
	text := wording.Count(int64(len(r.Objects)), "object") + ": " + strings.Join(objects, ", ")
	if len(others) > 0 {
		text += "; pods: " + strings.Join(others, ", ")
	}
	return text
}

// Head returns "Deployment shop/web updated: 8 pods wanted, 6 created, 5 placed".
func (o *Object) Head() string {
	text := fmt.Sprintf("%s %s %s", wording.Printable(o.Kind), wording.Printable(wording.Qualified(o.Namespace, o.Name)),
		o.Action)
	if o.Wanted > 0 || o.Created > 0 {
		text += fmt.Sprintf(": %s wanted, %d created", wording.Count(o.Wanted, "pod"), o.Created)
		if !o.unlocated {
			text += fmt.Sprintf(", %d on nodes", o.Placed)
		}
	}
	if o.Outdated > 0 {
		text += fmt.Sprintf(", %d of the former template left", o.Outdated)
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
	if o.Missing != "" {
		add("next pod: %s", o.Missing)
	}
	for _, w := range o.Waiting {
		add("%s: %s", wording.Count(int64(w.Pods), "pod"), w.Message)
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
	switch s := r.Strategy; {
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
		raises = append(raises, fmt.Sprintf("%s in quota %s", wording.Enumerate(limits), q.Name))
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
		text := fmt.Sprintf("%s %s %s", c.Resource, singular(c.List), cmp.Or(c.To, "removed"))
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

func singular(l computeresources.List) string { return strings.TrimSuffix(l.String(), "s") }
