package whatif_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// of returns the names of the pods of an owner, in the order of deletion.
func (w *slow) of(owner string) (names []string) {
	perNode := map[string]int{}
	for name, p := range w.pods {
		if p.owner == owner {
			names = append(names, name)
		}
		if w.deploymentOf(p.owner) == w.deploymentOf(owner) && w.deploymentOf(owner) != owner {
			perNode[p.node]++
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		p, q := w.pods[a], w.pods[b]
		switch {
		case p.node == "" && q.node != "":
			return -1
		case p.node != "" && q.node == "":
			return 1
		case perNode[p.node] != perNode[q.node]:
			return perNode[q.node] - perNode[p.node]
		}
		return strings.Compare(b, a)
	})
	return names
}

// deploymentOf returns the Deployment of a ReplicaSet, or the owner itself.
func (w *slow) deploymentOf(owner string) string {
	if o := w.objects[owner]; o != nil && len(o.GetOwnerReferences()) > 0 {
		return o.GetOwnerReferences()[0].Name
	}
	return owner
}

// scale creates or deletes one pod after the other.
func (w *slow) scale(t testkit.TB, id string, want int, template *corev1.PodTemplateSpec) (changed bool) {
	names := w.of(id)
	for len(names) > want {
		delete(w.pods, names[0])
		names, changed = names[1:], true
	}
	_, name, _ := strings.Cut(id, "/")
	for ; len(names) < want; changed = true {
		pod := fmt.Sprint(name, "-", w.numbers[id]+1)
		if w.create(t, pod, id, "", template.Spec) == nil {
			return changed
		}
		w.numbers[id]++
		names = append(names, pod)
	}
	return changed
}

func (w *slow) sync(t testkit.TB, id string) bool {
	switch o := w.objects[id].(type) {
	case *appsv1.ReplicaSet:
		if len(o.OwnerReferences) == 0 {
			return w.scale(t, id, int(*o.Spec.Replicas), &o.Spec.Template)
		}
		return w.scale(t, id, w.sets[id].size, &o.Spec.Template)
	case *batchv1.Job:
		return w.scale(t, id, int(*o.Spec.Parallelism), &o.Spec.Template)
	case *appsv1.Deployment:
		return w.syncDeployment(t, id, o)
	case *appsv1.StatefulSet:
		return w.syncStatefulSet(t, id, o)
	case *appsv1.DaemonSet:
		return w.syncDaemonSet(t, id, o)
	}
	return false
}

// syncDeployment lets a Deployment do one thing after the other.
func (w *slow) syncDeployment(t testkit.TB, id string, o *appsv1.Deployment) (changed bool) {
	usage, err := quota.Rollout(nil, nil, *o.Spec.Replicas, o.Spec.Strategy)
	testkit.OK(t, err)
	d := slowDeployment{int(*o.Spec.Replicas), int(usage.Surge), int(usage.Unavailable), o.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType, o.Spec.Paused}
	for {
		var sets []*slowSet
		for set, s := range w.sets {
			rs := w.objects[set]
			if rs == nil || rs.GetOwnerReferences()[0].Name != o.Name {
				continue
			}
			s.isCurrent = testkit.Fingerprint(rs.(*appsv1.ReplicaSet).Spec.Template) == testkit.Fingerprint(o.Spec.Template)
			s.pods, s.ready = 0, 0
			for _, name := range w.of(set) {
				s.pods++
				if w.pods[name].node != "" {
					s.ready++
				}
			}
			sets = append(sets, s)
		}
		created, scaled := d.next(sets)
		if created >= 0 {
			name := fmt.Sprint(o.Name, "-", w.numbers[id]+1)
			rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Template: o.Spec.Template}}, "Deployment", o.Name)
			if !w.store(t, "ReplicaSet/"+name, rs) {
				return changed
			}
			w.numbers[id]++
			s := &slowSet{id: "ReplicaSet/" + name, number: w.numbers[id], size: created, noted: d.replicas, most: d.replicas + d.surge}
			w.sets[s.id] = s
			w.scale(t, s.id, s.size, &rs.Spec.Template)
		}
		for _, s := range scaled {
			d.scale(s)
			w.scale(t, s.id, s.size, &w.objects[s.id].(*appsv1.ReplicaSet).Spec.Template)
		}
		if created < 0 && len(scaled) == 0 {
			return changed
		}
		changed = true
	}
}

func (w *slow) syncStatefulSet(t testkit.TB, id string, o *appsv1.StatefulSet) (changed bool) {
	template, replicas := testkit.Fingerprint(o.Spec.Template), int(*o.Spec.Replicas)
	make := func(i int) *slowPod {
		name := fmt.Sprint(o.Name, "-", i)
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta("data-" + name), Spec: o.Spec.VolumeClaimTemplates[0].Spec}
		if claimID := "PersistentVolumeClaim/" + claim.Name; w.objects[claimID] == nil {
			if !w.store(t, claimID, claim) {
				return nil
			}
			changed = true
		}
		p := w.create(t, name, id, template, o.Spec.Template.Spec)
		changed = changed || p != nil
		return p
	}
	all := true
	for i := range replicas {
		if (i == 1 || i == 3) && !all {
			return changed // pods are created one, then two at a time
		}
		p := w.pods[fmt.Sprint(o.Name, "-", i)]
		if p == nil {
			p = make(i)
		}
		all = all && p != nil
		if (p == nil || p.node == "") && o.Spec.PodManagementPolicy == "" {
			return changed
		}
	}
	if !all {
		return changed
	}
	for i := 9; i >= replicas; i-- {
		if name := fmt.Sprint(o.Name, "-", i); w.pods[name] != nil {
			delete(w.pods, name)
			changed = true
		}
	}
	waitsInVain := func(i int) bool { // and waits, so that it is replaced at once: only if pods are managed in parallel
		p := w.pods[fmt.Sprint(o.Name, "-", i)]
		return all && p != nil && p.template != template && p.node == ""
	}
	var replaced []int
	for i := range replicas {
		if waitsInVain(i) {
			replaced = append(replaced, i)
		}
	}
	for _, i := range replaced {
		delete(w.pods, fmt.Sprint(o.Name, "-", i))
		changed = true
	}
	for _, i := range replaced {
		all = make(i) != nil && all
	}
	for i := range replicas {
		p := w.pods[fmt.Sprint(o.Name, "-", i)]
		all = all && p != nil && p.node != ""
	}
	for i := replicas - 1; i >= 0 && all; i-- {
		name := fmt.Sprint(o.Name, "-", i)
		p := w.pods[name]
		if p == nil {
			return true // a later one of this round has preempted it
		}
		if p.template != template {
			delete(w.pods, name)
			changed = true
			p = make(i)
		}
		all = p != nil && p.node != ""
	}
	return changed
}

// syncDaemonSet marks the template of a pod with its node.
func (w *slow) syncDaemonSet(t testkit.TB, id string, o *appsv1.DaemonSet) (changed bool) {
	make := func(node string) *slowPod {
		name := fmt.Sprint(o.Name, "-", w.numbers[id]+1)
		p := w.create(t, name, id, node+testkit.Fingerprint(o.Spec.Template), o.Spec.Template.Spec)
		if p != nil {
			w.numbers[id]++
			changed = true
		}
		return p
	}
	on := func(node string) *slowPod {
		for _, name := range w.of(id) {
			if w.pods[name].template[:1] == node {
				return w.pods[name]
			}
		}
		return nil
	}
	remove := func(p *slowPod) {
		delete(w.pods, p.object.Name)
		changed = true
	}
	for _, name := range w.of(id) {
		if p := w.pods[name]; w.nodes[p.template[:1]] == nil {
			remove(p)
		}
	}
	probe := &slowPod{object: &corev1.Pod{Spec: o.Spec.Template.Spec}}
	wanted, complete := map[string]bool{}, true
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		n, p := w.nodes[name], on(name)
		selected := o.Spec.Template.Spec.NodeSelector["name"] == "" || o.Spec.Template.Spec.NodeSelector["name"] == name
		switch {
		case !selected || !w.tolerates(probe, n, corev1.TaintEffectNoExecute):
			if p != nil {
				remove(p)
			}
			continue
		case !w.tolerates(probe, n, corev1.TaintEffectNoSchedule):
			continue
		}
		wanted[name] = true
		if p == nil {
			complete = make(name) != nil && complete
		}
	}
	// One after another, as one may be missing, but at first all together that do not run.
	for first := true; complete; first = false {
		waiting := 0
		var olds []string // their nodes
		for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
			p := on(name)
			switch {
			case p == nil:
			case p.template == name+testkit.Fingerprint(o.Spec.Template):
				if p.node == "" {
					waiting++
				}
			case first && p.node == "":
				olds = append(olds, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
			if p := on(name); p != nil && p.node != "" && p.template != name+testkit.Fingerprint(o.Spec.Template) && waiting+len(olds) == 0 {
				olds = append(olds, name)
			}
		}
		for _, name := range olds {
			remove(on(name))
		}
		for _, name := range olds {
			complete = (!wanted[name] || make(name) != nil) && complete
		}
		if len(olds) == 0 {
			break
		}
	}
	return changed
}
