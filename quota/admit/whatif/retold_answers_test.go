package whatif_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// snapshot is what was there before a change.
type snapshot struct {
	pods   map[name3]retoldPod
	nodes  map[string]*corev1.Node
	onNode map[string][]int
	quotas map[string]string
	tops   map[name3]name3
}

func (w *retold) snapshot() snapshot {
	s := snapshot{map[name3]retoldPod{}, maps.Clone(w.nodes), map[string][]int{}, map[string]string{}, map[name3]name3{}}
	for _, id := range sorted(w.pods) {
		p := w.pods[id]
		s.pods[id], s.tops[id] = *p, w.top(p)
		if p.node != "" && !p.ended {
			s.onNode[p.node] = append(s.onNode[p.node], p.id)
		}
	}
	for _, q := range w.allQuotas() {
		s.quotas[q.Namespace+"/"+q.Name] = testkit.Fingerprint(q.Status)
	}
	return s
}

// top returns the workload at the top of the owners of a pod.
func (w *retold) top(p *retoldPod) name3 {
	if x := w.workloads[p.owner]; x != nil && x.owner != (name3{}) {
		return x.owner
	}
	return p.owner
}

func (w *retold) allQuotas() (quotas []*corev1.ResourceQuota) {
	return append(w.quotas("pay"), w.quotas("shop")...)
}

// object counts the pods of a workload.
func (w *retold) object(id name3, action whatif.Action, err error) whatif.Object {
	o := whatif.Object{Source: computeresources.Source{Kind: id.kind, Namespace: id.ns, Name: id.name}, Action: action, Reason: refusal(err)}
	x := w.workloads[id]
	if x == nil {
		return o
	}
	o.Missing = refusal(w.missingOf(x))
	switch o.Wanted = int64(x.replicas); x.kind {
	case "Job":
		o.Wanted = int64(x.podsOfJob())
	case "CronJob":
		o.Wanted = 0
		return o
	case "DaemonSet":
		o.Wanted = 0
		for _, n := range w.nodes {
			if shouldRun, _ := w.shouldRun(x, n); shouldRun {
				o.Wanted++
			}
		}
	}
	for _, p := range w.pods {
		owner := w.workloads[p.owner]
		switch {
		case owner == nil || owner != x && owner.owner != id:
		case p.mold != x.mold && (x.kind == "Deployment" || x.kind == "StatefulSet" || x.kind == "DaemonSet"):
			o.Outdated++
			kept := x.paused || x.onDelete
			for i := range x.partition {
				kept = kept || p.name == fmt.Sprintf("%s-%d", x.name, x.start+i)
			}
			if kept {
				o.Kept++
			}
		default:
			o.Pods++
			o.Placed += int64(min(1, len(p.node)))
		}
	}
	return o
}

// waits returns why a pod has no node.
func (w *retold) waits(p *retoldPod) whatif.Reason {
	if p.node != "" || p.ended {
		return whatif.Reason{}
	}
	if p.isGated() {
		return whatif.Reason{Cause: corev1.PodReasonSchedulingGated, Message: "Scheduling is blocked due to non-empty scheduling gates"}
	}
	counts := map[string]int{}
	for _, n := range w.nodes {
		messages, _ := w.refusals(p, n)
		for _, message := range messages {
			counts[message]++
		}
	}
	var texts []string
	for message, n := range counts {
		texts = append(texts, fmt.Sprint(n, " ", message))
	}
	slices.Sort(texts)
	text := fmt.Sprintf("0/%d nodes are available: %s.", len(w.nodes), strings.Join(texts, ", "))
	if len(w.nodes) == 0 {
		text = "no nodes available to schedule pods"
	}
	return whatif.Reason{Cause: corev1.PodReasonUnschedulable, Message: text}
}

// answer returns what has changed since a snapshot, with the answers about the objects.
func (w *retold) answer(was snapshot, objects []whatif.Object) (r whatif.Result) {
	r.Objects = objects
	concerned := map[name3]bool{}
	all := maps.Clone(was.pods)
	for id, p := range w.pods {
		all[id] = *p
	}
	for _, id := range sorted(all) {
		before, isOld := was.pods[id]
		now, isThere := w.pods[id]
		if isOld && isThere && before.id == now.id && before.node == now.node {
			continue
		}
		p := whatif.Pod{Object: all[id].object, Before: before.node}
		top := was.tops[id]
		if isThere {
			top, p.Node, p.Waits = w.top(now), now.node, w.waits(now)
		}
		p.Owner, p.Gone = top.source(), !isThere
		if isPreempted, isLost := w.lost[id]; isLost && isOld {
			p.Preempted, p.Evicted = isPreempted, !isPreempted
		}
		concerned[top] = true
		r.Pods = append(r.Pods, p)
	}
	for _, o := range objects {
		delete(concerned, name3{o.Namespace, o.Kind, o.Name})
	}
	for _, id := range sorted(concerned) {
		if w.workloads[id] != nil {
			r.Others = append(r.Others, w.object(id, whatif.Unchanged, nil))
		}
	}
	for _, q := range w.allQuotas() {
		if was.quotas[q.Namespace+"/"+q.Name] != testkit.Fingerprint(q.Status) {
			r.Quotas = append(r.Quotas, q)
		}
	}
	now := w.snapshot()
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		if was.nodes[name] != w.nodes[name] || !slices.Equal(slices.Sorted(slices.Values(was.onNode[name])), slices.Sorted(slices.Values(now.onNode[name]))) {
			r.Nodes = append(r.Nodes, name)
		}
	}
	return r
}

func (a name3) source() computeresources.Source {
	return computeresources.Source{Kind: a.kind, Namespace: a.ns, Name: a.name}
}

// lastTry is what was used when a workload tried the last time.
var lastTry = regexp.MustCompile(`(; misses .*exceeded quota: ).*`)

// told writes a result, sorted. Workloads that were not asked about, and none of whose pods is in the result, are left
// out, since it depends on who tried again, and so does what was used when a workload tried the last time. Depends is not
// compared: that several quotas refuse is enough for it. What an unchanged CronJob misses is what its next Job would.
func told(r whatif.Result) (text []string) {
	concerned := map[computeresources.Source]bool{}
	for _, p := range r.Pods {
		concerned[p.Owner] = true
	}
	r.Others = slices.DeleteFunc(slices.Clone(r.Others), func(o whatif.Object) bool { return !concerned[o.Source] })
	r.Objects = slices.Clone(r.Objects)
	for i := range r.Objects {
		if o := &r.Objects[i]; o.Kind == "CronJob" && o.Action == whatif.Unchanged {
			o.Missing = whatif.Reason{}
		}
	}
	for _, line := range tell(r) {
		line = strings.ReplaceAll(line, "; unknown spec.volumes", "") // their classes are not known
		text = append(text, lastTry.ReplaceAllString(strings.ReplaceAll(line, "; depends", ""), "$1"))
	}
	slices.Sort(text)
	return text
}

// TestRetold compares whole results with those of the second reference.
func TestRetold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &retold{nodes: map[string]*corev1.Node{}, namespaces: map[string]bool{}, workloads: map[name3]*controller{},
			others: map[name3]admit.APIObject{}, pods: map[name3]*retoldPod{}}
		w.opts = whatif.Options{AtOnce: flip(t, "at once", 4), RunCronJobs: flip(t, "run", 2)}
		if flip(t, "later", 2) {
			w.opts.Now = testkit.Now().Add(time.Minute)
		}
		if flip(t, "ignored", 2) {
			w.opts.IgnoredResources = []corev1.ResourceName{"example.com/x"}
		}
		objects := []admit.APIObject{priorityClass("high", 10), kata()}
		for _, d := range w.drawStart(t) {
			objects = append(objects, d.obj)
			w.start(d)
		}
		w.schedule()
		c := read(t, w.opts, objects...)
		for range rapid.IntRange(2, 9).Draw(t, "changes") {
			was := w.snapshot()
			w.lost = map[name3]bool{}
			var got whatif.Result
			var answers []whatif.Object
			var asked string
			for range rapid.IntRange(0, 1).Draw(t, "other question") { // the answer to which does not matter
				c.Apply(w.drawManifest(t).obj)
			}
			switch rapid.IntRange(0, 7).Draw(t, "change") {
			case 0:
				name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "drained")
				action := whatif.NotFound
				if w.drain(t, name) {
					action = whatif.Updated
				}
				answers = append(answers, w.object(name3{"", "Node", name}, action, nil))
				got, c = c.Drain(name)
				asked = "drain " + name
			case 1:
				id, obj := w.drawRemoved(t)
				action := whatif.NotFound
				if w.remove(t, id) {
					action = whatif.Deleted
				}
				answers = append(answers, w.object(id, action, nil))
				got, c = c.Delete(obj)
				asked = fmt.Sprint("delete ", id)
			default:
				var manifests []admit.APIObject
				for range rapid.IntRange(1, 3).Draw(t, "manifests") {
					d := w.drawManifest(t)
					manifests = append(manifests, d.obj)
					action, err := w.apply(t, d)
					answers = append(answers, w.object(d.id(), action, err))
					asked += testkit.Fingerprint(d.obj)
				}
				for i, o := range answers {
					reason := o.Reason
					answers[i] = w.object(name3{o.Namespace, o.Kind, o.Name}, o.Action, nil)
					answers[i].Reason = reason
				}
				got, c = c.Apply(manifests...)
			}
			testkit.NoDiff(t, told(got), told(w.answer(was, answers)), asked)
		}
	})
}

// start adds an object that is there at first.
func (w *retold) start(d drawn) {
	switch o := d.obj.(type) {
	case *corev1.Node:
		w.nodes[o.Name] = o
	case *corev1.Namespace:
		w.namespaces[o.Name], w.allRead = true, true
	case *corev1.Pod:
		w.ids++
		w.pods[d.id()] = &retoldPod{name3: d.id(), id: w.ids, object: o, node: o.Spec.NodeName, ended: o.Status.Phase == corev1.PodFailed}
	case *corev1.ResourceQuota:
		w.others[d.id()] = o
	case *batchv1.Job:
		x, manifest := d.controller, o.DeepCopy()
		manifest.Status = batchv1.JobStatus{}
		x.obj = manifest
		w.workloads[d.id()] = &x
	}
}

// drawRemoved draws an object to delete: one that is there, and sometimes another one.
func (w *retold) drawRemoved(t *rapid.T) (name3, admit.APIObject) {
	ids := []name3{{"", "Node", "c"}, {"shop", "Service", "x"}}
	for id := range w.namespaces {
		ids = append(ids, name3{"", "Namespace", id})
	}
	ids = slices.Concat(ids, sorted(w.pods), sorted(w.workloads), sorted(w.others))
	slices.SortFunc(ids, name3.compare)
	id := rapid.SampledFrom(ids).Draw(t, "deleted")
	obj := map[string]admit.APIObject{"Node": &corev1.Node{}, "Namespace": &corev1.Namespace{}, "Pod": &corev1.Pod{}, "Service": &corev1.Service{},
		"ResourceQuota": &corev1.ResourceQuota{}, "LimitRange": &corev1.LimitRange{}, "PersistentVolumeClaim": &corev1.PersistentVolumeClaim{},
		"Deployment": &appsv1.Deployment{}, "ReplicaSet": &appsv1.ReplicaSet{}, "StatefulSet": &appsv1.StatefulSet{}, "DaemonSet": &appsv1.DaemonSet{},
		"ReplicationController": &corev1.ReplicationController{}, "Job": &batchv1.Job{}, "CronJob": &batchv1.CronJob{}}[id.kind]
	obj.SetNamespace(id.ns)
	obj.SetName(id.name)
	return id, obj
}
