package report

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/quota/admit"
)

// application is an object of the input, with the objects that are created for it.
type application struct {
	*manifest.Object
	workload  *manifest.Workload // nil for objects without pods
	described *Workload          // likewise
	verdict   *Verdict

	there   []counted // which of its objects exist
	once    []part    // the workload and the objects by which it creates its pods, in order, if they do not exist
	each    []part    // what is created for each replica, the pod last
	wanted  int64     // replicas
	more    int64     // how many of them are yet to be created
	judged  []part    // checked against LimitRanges although all exist, because the pods are not in the input
	unit    string    // the name of a replica
	expired []counted // what its controller deletes before it creates anything

	problems []objects.Problem // its warnings, and the failure to handle it
}

// live reports whether its pod or claim exists, so that LimitRanges have admitted it.
func (a *application) live() bool {
	if a.workload == nil {
		return a.Exists
	}
	return a.workload.Live()
}

// isPod reports whether it is a pod itself, and creates no pods.
func (a *application) isPod() bool { return a.Kind == "Pod" }

// counted are equal objects.
type counted struct {
	object admit.APIObject
	n      int64
}

// part is one object of an application.
type part struct {
	object admit.APIObject
	stored admit.APIObject // with defaults, and the status of a live pod
	noun   string          // empty for the pod of a replica
	prefix string          // of paths in the manifest
}

// partOf returns an object that is stored as it is.
func partOf(object admit.APIObject, noun, namespace, prefix string) part {
	object.SetNamespace(namespace)
	return part{object, object, noun, prefix}
}

func applicationOf(d *Workload) *application {
	w := d.workload
	a := &application{Object: &w.Object, workload: w, described: d, verdict: &d.Verdict, wanted: w.Pods, more: w.Pods, unit: "pod"}
	switch w.Kind {
	case "Pod":
		a.wanted = 1 // even if it has finished
	case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController":
		a.unit = "replica"
	}
	a.once = createdOnce(w)
	for _, t := range w.Claims {
		a.each = append(a.each, partOf(t.Object, "claim "+t.Name, w.Home, t.Path+"."))
	}
	a.each = append(a.each, part{w.Pod, d.Stored, "", w.Prefix})
	if a.Exists {
		a.exist(w)
	}
	return a
}

// emptyReplicaSet stands for those of all Deployments: quotas only count their number.
var emptyReplicaSet = &appsv1.ReplicaSet{}

// createdOnce returns the objects of a workload that do not depend on the number of its pods.
func createdOnce(w *manifest.Workload) []part {
	if w.Kind == "Pod" || w.Typed == nil {
		return nil
	}
	once := []part{partOf(w.Typed, strings.ToLower(w.Kind), w.Home, "")}
	switch w.Kind {
	case "Deployment":
		once = append(once, part{emptyReplicaSet, emptyReplicaSet, "replicaset", ""})
	case "CronJob":
		once = append(once, partOf(&batchv1.Job{}, "job", w.Home, ""))
	}
	return once
}

// exist sets which objects of an application exist: the pods of a workload that are in the input, or as many as its
// status says, or all of it.
func (a *application) exist(w *manifest.Workload) {
	a.more = w.Missing
	if !w.HasPods() && !w.Next {
		for _, p := range a.once {
			a.there = append(a.there, counted{p.stored, 1})
		}
		for _, p := range a.each {
			a.there = append(a.there, counted{p.stored, a.wanted - a.more})
		}
		a.judged = slices.Concat(a.once, a.each)
		a.once = nil
		return
	}
	if len(a.once) > 0 {
		a.there = append(a.there, counted{a.once[0].stored, 1})
	}
	for _, m := range w.Members {
		if m.Pod == nil && m.Ended && int64(len(a.expired)) < w.Expired {
			a.expired = append(a.expired, counted{m.Object, 1})
		} else if m.Pod == nil {
			a.there = append(a.there, counted{m.Object, 1})
		}
	}
	a.there = append(a.there, podsOf(w, true)...)
	a.once = a.once[min(1, len(a.once)):]
	if !w.Next {
		a.once = nil
	}
}

// podsOf returns the pods of a workload that were read, or those that have not ended.
func podsOf(w *manifest.Workload, ended bool) (pods []counted) {
	index := map[*corev1.Pod]int{}
	for _, m := range w.Members {
		if m.Pod == nil || m.Ended && !ended {
			continue
		}
		at, known := index[m.Pod]
		if !known {
			at, pods = len(pods), append(pods, counted{object: m.Pod})
			index[m.Pod] = at
		}
		pods[at].n++
	}
	return pods
}

func applicationOfObject(d *Object) *application {
	o := d.of
	a := &application{
		Object: o, verdict: &d.Verdict, each: []part{partOf(o.Typed, o.Unit()+" "+o.Name, o.Home, "")},
		wanted: 1, more: 1, unit: o.Unit(),
	}
	if a.Exists {
		a.there, a.more, a.judged = []counted{{o.Typed, 1}}, 0, a.each
	}
	return a
}

// subject names a part of a replica, whose numbers begin with 1.
func (a *application) subject(p *part, number int64) string {
	replica := a.unit
	switch {
	case number > a.wanted && number > 1:
		replica = "the next " + a.unit
	case a.wanted > 1:
		replica = fmt.Sprintf("%s %d of %d", a.unit, number, a.wanted)
	}
	switch {
	case p.noun == "":
		return replica
	case p.prefix != "": // is a claim of a workload
		return p.noun + " of " + replica
	}
	return p.noun
}

// further returns the objects that are yet to be created, as they are stored then.
func (a *application) further() (list []counted) {
	for _, p := range a.once {
		list = append(list, counted{p.stored, 1})
	}
	for _, p := range a.each {
		list = append(list, counted{p.stored, a.more})
	}
	return list
}

func objectsOf(parts []part) (list []admit.APIObject) {
	for i := range parts {
		list = append(list, parts[i].object)
	}
	return list
}
